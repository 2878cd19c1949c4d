"""Nodes, and which of them read from which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence, Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One node.

    Attributes:
        side: Who computes it.
        reads: The values that it reads; those that no node makes are inputs.
        makes: The values that it makes.
        after: Values that it does not read, and whose makers run before it does.
    """

    side: Hashable
    reads: frozenset[str]
    makes: tuple[str, ...]
    after: frozenset[str] = frozenset()


class Flow:
    """Which item reads from which.

    Args:
        items: Each stands after what it reads.
        outputs: Values that are read by the caller.
    """

    def __init__(self, items: Sequence[Item], outputs: Collection[str]) -> None:
        self.items = items
        self.kept = frozenset(outputs)
        self._producer = {name: place for place, item in enumerate(items) for name in item.makes}
        self.readers: defaultdict[str, set[int]] = defaultdict(set)
        for place, item in enumerate(items):
            for name in item.reads:
                self.readers[name].add(place)

    def before(self, place: int) -> set[int]:
        """Return the items that have to run before this one."""
        item = self.items[place]
        return {self._producer[n] for n in item.reads | item.after if n in self._producer}

    def inputs(self, members: AbstractSet[int]) -> set[str]:
        """Return what some items read from outside."""
        reads = {name for place in members for name in self.items[place].reads}
        return {name for name in reads if self._producer.get(name) not in members}

    def outputs(self, members: AbstractSet[int]) -> set[str]:
        """Return what others read from some items."""
        made = {name for place in members for name in self.items[place].makes}
        return {n for n in made if n in self.kept or not self.readers[n] <= members}

    def arguments(self, members: AbstractSet[int]) -> int:
        """Count the distinct inputs and outputs of some items."""
        return len(self.inputs(members)) + len(self.outputs(members))
