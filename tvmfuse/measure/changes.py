"""What became of a graph's operators: those that stayed, and the others, piece by piece."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from tvmfuse.measure.results.graph_diff import (
    Change,
    GraphComparison,
    Operator,
    OperatorGraph,
)

Rewrites = Sequence[tuple[str, tuple[str, ...]]]
"""Each a pass, and the ONNX nodes that it replaced."""


def compare_graphs(
    before: OperatorGraph, after: OperatorGraph, rewrites: Rewrites
) -> GraphComparison:
    """Find what changed, and which passes did it.

    An operator stays where name, ONNX nodes, attributes, dtype and shape do; that it reads
    another operator is that operator's change. The others belong together where they compute the
    same ONNX node; those that no rewrite names (they follow another operator into its layout,
    say) belong to what they read.

    Args:
        before: The graph before.
        after: The graph after.
        rewrites: What the passes in between report, in their order.
    """
    kept = _kept(before.operators, after.operators)
    stayed = ({b for b, _ in kept}, {a for _, a in kept})
    pieces = _Pieces((before, after), stayed)
    pieces.join_same_nodes()
    pieces.join_unnamed({node for _, nodes in rewrites for node in nodes})
    changes = [_change(piece, before, after, rewrites) for piece in pieces.groups()]
    changes.sort(key=lambda change: _position(change, kept))
    return GraphComparison(before, after, tuple(changes), kept)


class _Pieces:
    """Operators that changed, on both sides, in disjoint sets."""

    def __init__(
        self, graphs: tuple[OperatorGraph, OperatorGraph], stayed: tuple[set[int], set[int]]
    ) -> None:
        self.graphs = graphs
        self.owner = {
            (side, place): (side, place)
            for side in (0, 1)
            for place in range(len(graphs[side].operators))
            if place not in stayed[side]
        }

    def find(self, one: tuple[int, int]) -> tuple[int, int]:
        while self.owner[one] != one:
            self.owner[one] = one = self.owner[self.owner[one]]
        return one

    def join(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        self.owner[self.find(other)] = self.find(one)

    def join_same_nodes(self) -> None:
        first: dict[str, tuple[int, int]] = {}
        for side, place in self.owner:
            for node in self.graphs[side].operators[place].nodes:
                self.join(first.setdefault(node, (side, place)), (side, place))

    def join_unnamed(self, named: set[str]) -> None:
        """Join what no rewrite names to what it reads, or else to what uses it."""
        for group in self.groups():
            if any(not named.isdisjoint(self._nodes(one)) for one in group):
                continue
            neighbours = [o for find in (self._read, self._users) for one in group
                          for o in find(one) if o in self.owner]  # fmt: skip
            other = next((o for o in neighbours if self.find(o) != self.find(group[0])), None)
            if other is not None:
                self.join(other, group[0])

    def groups(self) -> list[list[tuple[int, int]]]:
        groups: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for one in self.owner:
            groups[self.find(one)].append(one)
        return list(groups.values())

    def _nodes(self, one: tuple[int, int]) -> tuple[str, ...]:
        return self.graphs[one[0]].operators[one[1]].nodes

    def _read(self, one: tuple[int, int]) -> list[tuple[int, int]]:
        reads = self.graphs[one[0]].operators[one[1]].reads
        return [(one[0], read) for read in reads if isinstance(read, int)]

    def _users(self, one: tuple[int, int]) -> list[tuple[int, int]]:
        return [(one[0], user) for user in self.graphs[one[0]].users[one[1]]]


def _kept(before: Sequence[Operator], after: Sequence[Operator]) -> tuple[tuple[int, int], ...]:
    """Pair the operators that stayed, in order where several look the same."""
    places: dict[object, deque[int]] = defaultdict(deque)
    for place, operator in enumerate(after):
        places[_looks(operator)].append(place)
    return tuple(
        (place, places[looks].popleft())
        for place, operator in enumerate(before)
        if places[looks := _looks(operator)]
    )


def _looks(operator: Operator) -> object:
    return (operator.name, operator.nodes, operator.attributes, operator.result)


def _change(
    piece: Iterable[tuple[int, int]],
    before: OperatorGraph,
    after: OperatorGraph,
    rewrites: Rewrites,
) -> Change:
    piece = sorted(piece)
    places = [tuple(place for side, place in piece if side == which) for which in (0, 1)]
    graphs = ((before, places[0]), (after, places[1]))
    nodes = {n: None for graph, ones in graphs for p in ones for n in graph.operators[p].nodes}
    passes = (name for name, replaced in rewrites if not nodes.keys().isdisjoint(replaced))
    return Change(places[0], places[1], tuple(nodes), tuple(dict.fromkeys(passes)))


def _position(change: Change, kept: Sequence[tuple[int, int]]) -> float:
    """Return a change's place in the graph before; what is new stands behind what it follows."""
    if change.before:
        return change.before[0]
    return max((b + 0.5 for b, a in kept if a < change.after[0]), default=-1.0)
