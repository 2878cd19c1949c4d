"""Supported nodes of a torch.fx graph become groups, each a module of its own."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Sequence
from typing import Final

import torch
from torch.fx import Graph, GraphModule, Node

from tvmfuse.errors import ConfigurationError
from tvmfuse.grouping import MAX_ARGUMENTS, Flow, Item, grouped
from tvmfuse.torch_backend.effects import Sharing, attribute, is_random, orders, written
from tvmfuse.torch_backend.with_groups import Part, with_groups

OUTSIDE: Final = frozenset({"placeholder", "get_attr", "output"})


def fuse_graph(
    graph_module: GraphModule,
    is_supported: Callable[[Node], bool],
    *,
    kind: str = "tvmfuse::group",
    arg_limit: int = MAX_ARGUMENTS,
    joined: bool = False,
) -> GraphModule:
    """Return a module in which supported nodes run in groups; the one given stays as it is.

    Each group is a `torch.fx.GraphModule` in an attribute named after the kind
    (``tvmfuse_group_0``), and its ``meta["tvmfuse_kind"]`` is the kind; it returns a tuple. A
    producer is merged into its consumer, from the last consumer on, until nothing changes, as
    onnxruntime's OrtFuser did in TorchScript. A group never reaches across a write to memory that
    it reads, and waits for nothing that waits for it. Numbers and sizes that are not constants are
    arguments; tensors that are attributes of the module are the group's own attributes, each once.
    What is computed twice in a group is computed once, but for random numbers and what would make
    two results one tensor.

    Args:
        graph_module: A graph, functional or not; the blocks of its control flow are treated alike.
        is_supported: Whether a node may be in a group. Asked once for each node that calls
            something, and believed only where the node writes nothing and shares no memory that
            another node writes.
        kind: What the groups are called; ``::`` separates a namespace.
        arg_limit: The most distinct inputs and outputs that a group has. A node that has more
            stays outside.
        joined: Whether groups that do not read from each other are one, too, where as many changes
            of side lie before them: fewer calls.

    Raises:
        ConfigurationError: The kind is no name, or the limit is not positive.
    """
    if not all(part.isidentifier() for part in kind.split("::")):
        msg = f"kind is {kind!r}; expected a name such as 'tvmfuse::group'"
        raise ConfigurationError(msg)
    if arg_limit < 1:
        msg = f"arg_limit is {arg_limit}; expected a positive number"
        raise ConfigurationError(msg)
    blocks = {
        name: fuse_graph(block, is_supported, kind=kind, arg_limit=arg_limit, joined=joined)
        for name, block in _blocks(graph_module).items()
    }
    constants, parts = _parts(graph_module.graph, is_supported, arg_limit, joined=joined)
    return with_groups(graph_module, parts, constants, kind, blocks)


def groups_in(
    graph: Graph, is_supported: Callable[[Node], bool], *, arg_limit: int = MAX_ARGUMENTS
) -> list[Sequence[Node]]:
    """Return the nodes of each group that `fuse_graph` makes of a graph; it makes none."""
    _, parts = _parts(graph, is_supported, arg_limit, joined=False)
    return [part.nodes for part in parts if part.is_group]


def _blocks(graph_module: GraphModule) -> dict[str, GraphModule]:
    """Return the graphs that operators of higher order run, by the attributes that hold them."""
    read = {str(node.target) for node in graph_module.graph.nodes if node.op == "get_attr"}
    found = {name: attribute(graph_module, name) for name in sorted(read)}
    return {name: value for name, value in found.items() if isinstance(value, GraphModule)}


def _parts(
    graph: Graph, is_supported: Callable[[Node], bool], arg_limit: int, *, joined: bool
) -> tuple[Collection[Node], list[Part]]:
    """Return the constants, and what runs in which order: groups, and nodes that stay outside."""
    sharing, units = Sharing(graph), _units(graph)
    constants = {node for node in graph.find_nodes(op="get_attr") if not sharing.is_mutated(node)}
    unit_of = {node: unit[0] for unit in units for node in unit}
    before = orders([unit[0] for unit in units], sharing)
    items = [
        Item(
            _may_join(unit, sharing) and is_supported(unit[0]),
            frozenset(
                source.name
                for node in unit
                for source in node.all_input_nodes
                if source not in constants and source not in unit
            ),
            tuple(node.name for node in unit),
            frozenset(unit_of[other].name for node in unit for other in before.get(node, ())),
        )
        for unit in units
    ]
    kept = [source.name for source in graph.output_node().all_input_nodes]
    flow = Flow(items, kept)
    return constants, [
        Part(
            bool(items[members[0]].side) and flow.arguments(set(members)) <= arg_limit,
            [node for member in members for node in units[member]],
        )
        for members in grouped(
            items, kept, arg_limit, joined=[True] if joined else [], alone=[False]
        )
    ]


def _units(graph: Graph) -> list[list[Node]]:
    """Return the nodes that run, each with those that take the parts of its result."""
    units: dict[Node, list[Node]] = {}
    for node in graph.nodes:
        if node.op in OUTSIDE:
            continue
        if node.target is operator.getitem and node.args[0] in units and type(node.args[1]) is int:
            units[node.args[0]].append(node)
        else:
            units[node] = [node]
    return list(units.values())


def _may_join(unit: Sequence[Node], sharing: Sharing) -> bool:
    """Whether nodes compute tensors or numbers of others, and nothing else happens."""
    node, *taken = unit
    return (
        node.op in {"call_function", "call_method"}
        and not isinstance(node.target, torch._ops.HigherOrderOperator)
        and not (node.target is operator.getitem and not isinstance(node.args[0], Node))
        and not written(node)
        and (is_random(node) or not node.is_impure())
        and not any(sharing.is_mutated(part) for part in unit)
        and (not taken or set(node.users) == set(taken))
    )
