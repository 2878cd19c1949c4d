"""A model with some of its nodes marked, divided into groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.partition.whole import WholeModel, reads_of
from tvmfuse.grouping import Flow, Item, grouped


@dataclass(frozen=True)
class Group:
    """Nodes that one engine computes as a whole.

    Attributes:
        ours: Whether they are compiled.
        nodes: Their names, in order.
        free: The nodes that it computes for itself, as other groups may, too: of sizes and
            constants alone.
        inputs: The values that it reads, in order; constants are none.
        outputs: The values that others read from it, in order.
    """

    ours: bool
    nodes: tuple[str, ...]
    free: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def divide(whole: WholeModel, marked: Collection[str]) -> list[Group]:
    """Return the groups, in the order in which they can run.

    Args:
        whole: The model.
        marked: The names of the nodes that are not compiled.
    """
    live = _live(whole)
    free = whole.free_nodes(marked)
    needs = _Needs(whole, [node for node in live if node.name in free])
    own = [node for node in live if node.name not in free]
    items = [
        Item(
            node.name not in marked, needs.values(reads_of(node)), tuple(filter(None, node.outputs))
        )
        for node in own
    ]
    flow = Flow(items, whole.graph.outputs)
    place = {value.name: p for p, value in enumerate(whole.graph.inputs)}
    for node in live:
        place.update((name, len(place)) for name in node.outputs)
    groups = [
        Group(
            bool(items[members[0]].side),
            tuple(own[member].name for member in members),
            needs.nodes(name for member in members for name in reads_of(own[member])),
            tuple(sorted(flow.inputs(set(members)), key=place.__getitem__)),
            tuple(sorted(flow.outputs(set(members)), key=place.__getitem__)),
        )
        for members in grouped(items, whole.graph.outputs, joined=[False])
    ]
    return _with_constant_outputs(groups, whole)


def _live(whole: WholeModel) -> list[Node]:
    """Return the nodes that an output depends on."""
    wanted, live = set(whole.graph.outputs), []
    for node in reversed(whole.graph.nodes):
        if wanted.intersection(node.outputs):
            live.append(node)
            wanted.update(reads_of(node))
    return live[::-1]


class _Needs:
    """What lies behind the values of free nodes.

    Args:
        whole: The model.
        free: The free nodes, in order.
    """

    def __init__(self, whole: WholeModel, free: Iterable[Node]) -> None:
        self._constants = whole.graph.constants
        self._order = {name: place for place, name in enumerate(whole.protos)}
        self._values: dict[str, frozenset[str]] = {}
        self._nodes: dict[str, Mapping[str, None]] = {}
        for node in free:
            reads = list(reads_of(node))
            values, nodes = self.values(reads), dict.fromkeys((*self.nodes(reads), node.name))
            self._values |= dict.fromkeys(node.outputs, values)
            self._nodes |= dict.fromkeys(node.outputs, nodes)

    def values(self, names: Iterable[str]) -> frozenset[str]:
        """Return the values that have to be there, so that these are."""
        found = (
            self._values.get(name, frozenset([name]))
            for name in names
            if name not in self._constants
        )
        return frozenset().union(*found)

    def nodes(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the free nodes that make these of them, in order."""
        found = {node for name in names for node in self._nodes.get(name, ())}
        return tuple(sorted(found, key=self._order.__getitem__))


def _with_constant_outputs(groups: list[Group], whole: WholeModel) -> list[Group]:
    """Let the first group of the other engine return what outputs are constants."""
    constant = tuple(n for n in dict.fromkeys(whole.graph.outputs) if n in whole.graph.constants)
    taker = next((place for place, group in enumerate(groups) if not group.ours), None)
    if taker is None or not constant:
        return groups
    group = groups[taker]
    groups[taker] = replace(group, outputs=(*group.outputs, *constant))
    return groups
