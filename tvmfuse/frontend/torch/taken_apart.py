"""An exported program's operators, taken apart one by one.

`ExportedProgram.run_decompositions` traces a program anew as a whole, some milliseconds for each
node. Where nothing is written, an operator's parts do not depend on what is around it: they follow
from the operator, its numbers, and its tensors' types. So those that a network has again and again
are traced once.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._functorch._aot_autograd.functional_utils import has_data_mutation
from torch._guards import detect_fake_mode
from torch._subclasses import FakeTensor, FakeTensorMode
from torch._subclasses.functional_tensor import FunctionalTensorMode, dispatch_functionalize
from torch.export import ExportedProgram
from torch.fx import Graph, GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.utils import _pytree as pytree

from tvmfuse.frontend.torch.decompositions import OWN, Decompositions, decompositions

#: What a node may be given besides numbers: a variable of the graph that is traced.
_VARIABLES = (torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool)

#: Changes no number: what is exported for inference has no gradients.
_DETACHED: Final = torch.ops.aten.detach_.default


def taken_apart(program: ExportedProgram, whole: Collection[str]) -> tuple[ExportedProgram, Graph]:
    """Return a program, and its graph of operators that are not taken apart any further.

    Args:
        program: Is left as it is.
        whole: The names of the operators that are converted, see `convert.table.CONVERTED`.
    """
    table = decompositions(whole)
    graph = _one_by_one(program.graph, table, whole) if _is_pure(program.graph) else None
    if graph is not None:
        return program, graph
    core: ExportedProgram = program.run_decompositions(dict(table))
    return core, core.graph


def _is_pure(graph: Graph) -> bool:
    """Whether a graph is of plain tensors, of sizes that these tell, and nothing is written."""
    return all(_is_plain(node) for node in graph.nodes if node.op != "output")


def _is_plain(node: Node) -> bool:
    for value in pytree.tree_leaves(node.meta.get("val")):
        if isinstance(value, torch.Tensor) and (
            type(value) is not FakeTensor or value.layout is not torch.strided or value.is_complex()
        ):
            return False
        if isinstance(value, _VARIABLES) and free_unbacked_symbols(value):
            return False
    if node.op != "call_function":
        return node.op == "placeholder"
    if isinstance(node.target, torch._ops.OpOverload):
        return node.target is _DETACHED or not node.target._schema.is_mutable
    return getattr(operator, getattr(node.target, "__name__", ""), None) is node.target


def _one_by_one(program: Graph, table: Decompositions, whole: Collection[str]) -> Graph | None:
    """Return the graph of an operator's parts for each; None where parts are not pure."""
    mode = detect_fake_mode([node.meta.get("val") for node in program.nodes])
    if mode is None:
        return None
    tracer, graph = _Tracer(mode, table), Graph()
    made = dict[Node, Any]()
    for node in program.nodes:
        if not _has_parts(node, table, whole):
            made[node] = _as_it_is(graph, node, made)
            continue
        parts = tracer.parts(node)
        if not parts.pure:
            return None
        made[node] = parts.inserted(graph, node, made)
    return graph


def _as_it_is(graph: Graph, node: Node, made: Mapping[Node, Any]) -> Any:
    """Copy a node; return what it computes."""
    sources = [made[source] for source in node.all_input_nodes]
    if node.target is _DETACHED:
        return sources[0]
    if node.target is operator.getitem and not isinstance(sources[0], Node):
        return sources[0][node.args[1]]
    copied = graph.node_copy(node, made.__getitem__)
    if node.op == "placeholder":
        copied.name = node.name  # `input`, too, which is Python's
    return copied


def _has_parts(node: Node, table: Decompositions, whole: Collection[str]) -> bool:
    target = node.target
    if not isinstance(target, torch._ops.OpOverload):
        return False
    return target in table or (target._can_decompose() and str(target) not in whole)


@dataclass(frozen=True)
class _Parts:
    """What an operator is taken apart into.

    Attributes:
        module: The graph; its placeholders are the operator's variables.
        places: Which leaves of the operator's arguments these are.
        pure: Whether nothing is written, as batch norms do in training, and nothing else is held.
    """

    module: GraphModule
    places: tuple[int, ...]
    pure: bool

    def inserted(self, graph: Graph, node: Node, made: Mapping[Node, Any]) -> Any:
        """Insert the parts of a node; return its results.

        Args:
            graph: Ends before the node.
            node: The operator, in the program.
            made: What the nodes before it are in the graph.
        """
        own, traced = dict[Node, Any](), self.module.graph
        results = traced.output_node().args[0]
        if results == ():  # it stays whole
            return _as_it_is(graph, node, made)
        leaves = pytree.tree_leaves((node.args, node.kwargs))
        for place, variable in zip(self.places, traced.find_nodes(op="placeholder"), strict=True):
            own[variable] = made[leaves[place]]
        for part in traced.nodes:
            if part.op == "call_function":
                own[part] = graph.node_copy(part, own.__getitem__)
        return pytree.tree_map_only(Node, own.__getitem__, results)


class _Tracer:
    """Traces operators, each once.

    Args:
        mode: Of the program's tensors.
        table: What operators are taken apart by.
    """

    def __init__(self, mode: FakeTensorMode, table: Decompositions) -> None:
        self._mode = mode
        # Compositions of other operators are taken apart by being called.
        self._table: dict[Any, Any] = {
            target: function
            for target, function in table.items()
            if not (isinstance(target, torch._ops.OpOverload) and target._can_decompose())
        }
        self._kept = dict[tuple[Any, ...], _Parts]()

    def parts(self, node: Node) -> _Parts:
        """Return what a node is taken apart into."""
        leaves, spec = pytree.tree_flatten((node.args, node.kwargs))
        key = (node.target, spec, *map(_said, leaves), _equal(leaves))
        if key not in self._kept:
            self._kept[key] = self._traced(node)
        return self._kept[key]

    def _traced(self, node: Node) -> _Parts:
        target: Any = node.target
        function = OWN.get(target, target)
        leaves, spec = pytree.tree_flatten((node.args, node.kwargs))
        places = {leaf: place for place, leaf in enumerate(leaves) if isinstance(leaf, Node)}
        written = list[bool]()

        def called(*variables: Any) -> Any:
            given = dict(zip(places, variables, strict=True))
            args, kwargs = pytree.tree_unflatten([given.get(x, x) for x in leaves], spec)
            results = function(*args, **kwargs)
            written.extend(map(has_data_mutation, variables))
            return () if results is NotImplemented else results

        with self._mode, enable_python_dispatcher(), torch.no_grad():
            variables = [_fresh(leaf.meta["val"]) for leaf in places]
            functional = dispatch_functionalize(
                called, FunctionalTensorMode(_allow_token_discovery=True)
            )
            traced = make_fx(functional, decomposition_table=self._table)(*variables)
        pure = not any(written) and _is_pure(traced.graph)
        return _Parts(traced, tuple(places.values()), pure)


def _fresh(value: Any) -> Any:
    """Return a tensor of the same type that is no other's view."""
    if not isinstance(value, torch.Tensor):
        return value
    return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=value.device)


def _said(leaf: Any) -> tuple[str, ...]:
    """Return all that parts may depend on."""
    value = leaf.meta["val"] if isinstance(leaf, Node) else leaf
    if isinstance(value, torch.Tensor):
        return (f"{value.dtype} {value.device}", *map(str, (*value.shape, *value.stride())))
    return type(value).__name__, repr(value)


def _equal(leaves: Collection[Any]) -> tuple[int, ...]:
    """Return for each variable which of them it is."""
    nodes = [leaf for leaf in leaves if isinstance(leaf, Node)]
    return tuple(map(nodes.index, nodes))
