"""Items of one side and stage become groups, and groups become fewer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from typing import Final

from tvmfuse.grouping.flow import Flow, Item
from tvmfuse.grouping.merging import Merging

MAX_ARGUMENTS: Final = 128
"""Distinct inputs and outputs of a group; a node that has more is a group of its own."""


def grouped(
    items: Sequence[Item],
    outputs: Collection[str],
    most: int = MAX_ARGUMENTS,
    *,
    joined: Collection[Hashable] = (),
    alone: Collection[Hashable] = (),
) -> list[list[int]]:
    """Return groups in the order in which they can run; each has its items in order.

    Args:
        items: Each stands after what it reads.
        outputs: Values that are read by the caller.
        most: How many arguments a group may have.
        joined: Sides whose groups of one stage are one, also where they do not hang together.
        alone: Sides whose items run one by one: each is a group.
    """
    flow = Flow(items, outputs)
    stages = _stages(flow)
    whole = _connected(flow, stages, alone)
    merging = Merging(
        [part for members in whole for part in _narrow(members, flow, most)], flow, most
    )
    merging.merge(alone)
    merging.join(joined, stages)
    return merging.groups()


def _stages(flow: Flow) -> list[int]:
    stages: list[int] = []
    for place, item in enumerate(flow.items):
        earlier = (stages[p] + (flow.items[p].side != item.side) for p in flow.before(place))
        stages.append(max(earlier, default=0))
    return stages


def _connected(flow: Flow, stages: Sequence[int], alone: Collection[Hashable]) -> list[list[int]]:
    """Return the items of one side and stage that hang together, each in order."""
    root = list(range(len(flow.items)))

    def found(place: int) -> int:
        while root[place] != place:
            root[place] = place = root[root[place]]
        return place

    for place, item in enumerate(flow.items):
        for other in flow.before(place) if item.side not in alone else ():
            if (flow.items[other].side, stages[other]) == (item.side, stages[place]):
                root[found(other)] = found(place)
    parts: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(root)):
        parts[found(place)].append(place)
    return list(parts.values())


def _narrow(members: list[int], flow: Flow, most: int) -> list[list[int]]:
    """Halve what has too many arguments: of a topological order, any run is convex."""
    if len(members) == 1 or flow.arguments(set(members)) <= most:
        return [members]
    middle = len(members) // 2
    return [*_narrow(members[:middle], flow, most), *_narrow(members[middle:], flow, most)]
