"""Nodes of two sides become groups, each of which runs as a whole: convex, few, not too wide.

A node's stage is the number of changes of side on the longest path to it. Nodes of one side and
stage that hang together make a group: a path that leaves them has changed sides, and never comes
back. Groups that have more arguments than an engine shall take are halved in topological order.
Then each producer is merged into its consumers where no third group stands between them, until
nothing changes. Groups that do not read from each other stay apart, but for those of an engine that
has threads for each of them.
"""

from __future__ import annotations

import graphlib
from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence, Set as AbstractSet
from dataclasses import dataclass
from typing import Final

MAX_ARGUMENTS: Final = 128
"""Distinct inputs and outputs of a group; a node that has more is a group of its own."""


@dataclass(frozen=True)
class Item:
    """One node.

    Attributes:
        side: Who computes it.
        reads: The values that it reads; those that no node makes are inputs.
        makes: The values that it makes.
    """

    side: Hashable
    reads: frozenset[str]
    makes: tuple[str, ...]


def grouped(
    items: Sequence[Item],
    outputs: Collection[str],
    most: int = MAX_ARGUMENTS,
    *,
    joined: Collection[Hashable] = (),
) -> list[list[int]]:
    """Return groups in the order in which they can run; each has its items in order.

    Args:
        items: Each stands after what it reads.
        outputs: Values that are read by the caller.
        most: How many arguments a group may have.
        joined: Sides whose groups of one stage are one, also where they do not hang together.
    """
    flow = Flow(items, outputs)
    stages = _stages(flow)
    whole = _connected(items, flow, stages)
    parts = [part for members in whole for part in _narrow(members, flow, most)]
    merging = _Merging(parts, flow, most)
    merging.merge()
    merging.join(joined, stages)
    return merging.groups()


class Flow:
    """Which item reads from which.

    Args:
        items: Each stands after what it reads.
        outputs: Values that are read by the caller.
    """

    def __init__(self, items: Sequence[Item], outputs: Collection[str]) -> None:
        self.items = items
        self._outputs = frozenset(outputs)
        self._producer = {name: place for place, item in enumerate(items) for name in item.makes}
        self._readers: defaultdict[str, set[int]] = defaultdict(set)
        for place, item in enumerate(items):
            for name in item.reads:
                self._readers[name].add(place)

    def before(self, place: int) -> set[int]:
        """Return the items that this one reads from."""
        return {self._producer[n] for n in self.items[place].reads if n in self._producer}

    def inputs(self, members: AbstractSet[int]) -> set[str]:
        """Return what some items read from outside."""
        reads = {name for place in members for name in self.items[place].reads}
        return {name for name in reads if self._producer.get(name) not in members}

    def outputs(self, members: AbstractSet[int]) -> set[str]:
        """Return what others read from some items."""
        made = {name for place in members for name in self.items[place].makes}
        return {n for n in made if n in self._outputs or self._readers[n] - members}

    def arguments(self, members: AbstractSet[int]) -> int:
        """Count the distinct inputs and outputs of some items."""
        return len(self.inputs(members)) + len(self.outputs(members))


def _stages(flow: Flow) -> list[int]:
    stages: list[int] = []
    for place, item in enumerate(flow.items):
        earlier = (stages[p] + (flow.items[p].side != item.side) for p in flow.before(place))
        stages.append(max(earlier, default=0))
    return stages


def _connected(items: Sequence[Item], flow: Flow, stages: Sequence[int]) -> list[list[int]]:
    """Return the items of one side and stage that hang together, each in order."""
    root = list(range(len(items)))

    def found(place: int) -> int:
        while root[place] != place:
            root[place] = place = root[root[place]]
        return place

    for place, item in enumerate(items):
        for other in flow.before(place):
            if (items[other].side, stages[other]) == (item.side, stages[place]):
                root[found(other)] = found(place)
    parts: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(items)):
        parts[found(place)].append(place)
    return list(parts.values())


def _narrow(members: list[int], flow: Flow, most: int) -> list[list[int]]:
    """Halve what has too many arguments: of a topological order, any run is convex."""
    if len(members) == 1 or flow.arguments(set(members)) <= most:
        return [members]
    middle = len(members) // 2
    return [*_narrow(members[:middle], flow, most), *_narrow(members[middle:], flow, most)]


class _Merging:
    """Groups that become fewer."""

    def __init__(self, parts: Sequence[list[int]], flow: Flow, most: int) -> None:
        self._flow, self._most = flow, most
        self._members = {number: set(part) for number, part in enumerate(parts)}
        group = {place: number for number, part in enumerate(parts) for place in part}
        self._before: dict[int, set[int]] = {
            number: {group[p] for place in part for p in flow.before(place)} - {number}
            for number, part in enumerate(parts)
        }
        self._after: dict[int, set[int]] = {number: set() for number in self._members}
        for number, before in self._before.items():
            for other in before:
                self._after[other].add(number)

    def merge(self) -> None:
        """Merge until nothing changes, consumers and their producers from the last one on."""
        changed = True
        while changed:
            changed = False
            for consumer in sorted(self._members, key=self._last, reverse=True):
                if consumer in self._members:
                    changed |= self._absorb(consumer)

    def join(self, sides: Collection[Hashable], stages: Sequence[int]) -> None:
        """Merge groups of these sides and one stage, of which none waits for another."""
        of_stage: defaultdict[tuple[Hashable, int], list[int]] = defaultdict(list)
        for number in sorted(self._members, key=self._last):
            if self._side(number) in sides:
                of_stage[self._side(number), stages[self._last(number)]].append(number)
        for numbers in of_stage.values():
            kept: list[int] = []
            for number in numbers:
                first = next((n for n in kept if self._independent(n, number)), None)
                if first is None:
                    kept.append(number)
                else:
                    self._merge(number, first)

    def groups(self) -> list[list[int]]:
        """Return the groups in an order in which they can run; each has its items in order."""
        order = graphlib.TopologicalSorter(self._before).static_order()
        return [sorted(self._members[number]) for number in order]

    def _absorb(self, consumer: int) -> bool:
        producers = sorted(self._before[consumer], key=self._last, reverse=True)
        for producer in producers:
            if self._fit(producer, consumer):
                self._merge(producer, consumer)
                return True
        return False

    def _last(self, number: int) -> int:
        return max(self._members[number])

    def _fit(self, producer: int, consumer: int) -> bool:
        together = self._members[producer] | self._members[consumer]
        return (
            self._side(producer) == self._side(consumer)
            and not self._between(producer, consumer)
            and self._flow.arguments(together) <= self._most
        )

    def _independent(self, one: int, other: int) -> bool:
        apart = other not in self._after[one] | self._before[one]
        waits = self._between(one, other) or self._between(other, one)
        together = self._members[one] | self._members[other]
        return apart and not waits and self._flow.arguments(together) <= self._most

    def _side(self, number: int) -> Hashable:
        return self._flow.items[next(iter(self._members[number]))].side

    def _between(self, producer: int, consumer: int) -> bool:
        """Whether a third group reads from the one, and the other from it."""
        waiting = list(self._after[producer] - {consumer})
        seen = set(waiting)
        while waiting:
            for after in self._after[waiting.pop()] - seen:
                if after == consumer:
                    return True
                seen.add(after)
                waiting.append(after)
        return False

    def _merge(self, producer: int, consumer: int) -> None:
        self._members[consumer] |= self._members.pop(producer)
        before, after = self._before.pop(producer), self._after.pop(producer)
        for other in before:
            self._after[other] = (self._after[other] - {producer}) | {consumer}
        for other in after - {consumer}:
            self._before[other] = (self._before[other] - {producer}) | {consumer}
        self._before[consumer] = (self._before[consumer] | before) - {producer}
        self._after[consumer] |= after - {consumer}
