"""A functional graph of ATen operators, compiled: groups as machine code, the rest as it is.

What compiles a group is handed down, so that a graph of kept groups needs no compiler.
"""

from __future__ import annotations

import operator
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx import GraphModule, Node

from tvmfuse.build.artifact import Artifact
from tvmfuse.errors import CompilationError, LeftOutWarning, UnsupportedModelError, first_line
from tvmfuse.frontend.torch.fed_numbers import fed_numbers
from tvmfuse.out_of_memory import is_out_of_memory
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.torch_backend.claims import SIZE, VIEWS, Claims, is_view, is_view_by_numbers
from tvmfuse.torch_backend.compiled_group import CompiledGroup, Taken
from tvmfuse.torch_backend.effects import is_group, written
from tvmfuse.torch_backend.fuse import fuse_graph, groups_in
from tvmfuse.torch_backend.kept_results import keep_values_themselves
from tvmfuse.torch_backend.layouts import (
    CannotStoreError,
    View,
    give_as_torch_does,
    take_as_they_lie,
)
from tvmfuse.torch_backend.provenance import where
from tvmfuse.torch_backend.report import EagerNode, GraphReport, GroupReport
from tvmfuse.torch_backend.symbols import tell_sizes
from tvmfuse.torch_backend.whole_graph import as_group, as_module


@dataclass(frozen=True)
class Group:
    """Nodes that are compiled as one.

    Attributes:
        name: In the graph.
        operators: What its nodes call, in order.
        compiled: The machine code.
    """

    name: str
    operators: tuple[str, ...]
    compiled: CompiledGroup


@dataclass(frozen=True)
class CompiledGraph:
    """A graph that calls machine code.

    Attributes:
        module: It takes and gives what the graph did.
        call: What runs it on a list of its arguments, with as little as can be around it; `boxed`.
        groups: What is compiled.
        eager: What is not.
        refused: Why nodes are not compiled that no rule for their operators refused, by name.
        whole: The group that it is, if it is one and nothing else; `call` is that group's.
    """

    module: GraphModule
    call: Callable[[list[Any]], Sequence[Any]]
    groups: tuple[Group, ...]
    eager: tuple[EagerNode, ...]
    refused: Mapping[str, str]
    whole: CompiledGroup | None = None

    def report(self, kind: str, broken: str = "") -> GraphReport:
        """Return what became of it; see `GraphReport`."""
        return GraphReport(kind, tuple(map(_report, self.groups)), self.eager, broken)


class Imported(Protocol):
    """A group that a compiler has read."""

    @property
    def inputs(self) -> Sequence[str]:
        """The names of the placeholders that machine code takes, in its order."""

    def compiled(self) -> Artifact:
        """Return its machine code.

        Raises:
            CompilationError: A stage failed.
        """


class Compiler(Protocol):
    """What makes machine code of groups."""

    @property
    def strict(self) -> bool:
        """Whether a stage that fails is an error; else nodes of its group stay in eager."""

    def why_not(self, node: Node) -> str | None:
        """Return why an operator is not compiled; None for one that is."""

    def imported(self, group: GraphModule) -> Imported:
        """Read a group.

        Raises:
            UnsupportedModelError: Some of its nodes cannot be compiled.
        """


@dataclass(frozen=True)
class _Imported:
    """A group that has been imported."""

    call: Node
    nodes: Sequence[Node]
    code: Imported
    takes: Sequence[Taken]
    gives: Sequence[View]


def compiled_graph(
    module: GraphModule,
    compiler: Compiler,
    num_threads: int | None = None,
    visible: int | None = None,
    *,
    guarded: bool = False,
) -> CompiledGraph:
    """Compile all that can be.

    A node that cannot be converted stays in eager, with the reason, and everything is parted into
    groups anew, until nothing more is refused. So do the nodes of a kernel that cannot be compiled,
    or the group where a stage fails otherwise: a `LeftOutWarning` names them.

    Args:
        module: Functional; each node has the fake tensors of its results in ``meta["val"]``.
        compiler: Of the groups.
        num_threads: How many threads compute; by default as many as torch uses at that moment.
        visible: How many of its results a user sees, the first ones; by default all. The strides of
            others are free.
        guarded: Whether its arguments have the sign bits that they were traced with, as Dynamo sees
            to. Of others a call asks each tensor.

    Raises:
        CompilationError: The graph is not functional, a defect of tvmfuse; or the compiler is
            strict, and a stage failed.
        LimitExceededError: A group asks for more than the limits admit.
        OutOfMemoryError: This machine's memory ran out.
    """
    _check_functional(module)
    if visible is not None:
        keep_values_themselves(module.graph, visible)
    claims = Claims(module.graph, _results(module)[:visible], compiler.why_not)
    with COMPILING, unset_fake_temporarily():
        while True:
            fused = _fused(module, claims)
            refused: dict[str, str] = {}
            imported = [
                _imported(fused, compiler, call, visible, guarded, refused)
                for call in _calls(fused)
            ]
            if not refused:
                strict = compiler.strict
                made = (_compiled(fused, g, num_threads, refused, strict) for g in imported if g)
                groups = tuple(group for group in made if group is not None)
            if not refused:
                break
            if not claims.refuse(refused):
                raise CompilationError(f"nodes are refused twice, a defect of tvmfuse: {refused}")
    fused.graph.lint()
    fused.recompile()
    whole = as_group(fused.graph)
    call = as_module(fused) if whole is None else whole.call
    eager = tuple(_eager(fused, claims))
    return CompiledGraph(fused, call, groups, eager, claims.refused, whole)


def _report(group: Group) -> GroupReport:
    artifact = group.compiled.artifact
    live, kernels = artifact.live_weights, len(artifact.manifest.kernels)
    held = artifact.weights_nbytes if live is None else live.copied_nbytes
    return GroupReport(group.name, group.operators, kernels, held)


def _check_functional(module: GraphModule) -> None:
    for node in module.graph.nodes:
        if written(node):
            raise CompilationError(
                f"{node.name} ({node.target}) writes to its arguments, in a graph that torch made "
                "functional: a defect of tvmfuse"
            )


def _fused(module: GraphModule, claims: Claims) -> GraphModule:
    """Return the graph in as few groups as can be; none of them has views alone.

    What reads nothing of another group would else be copied with it.
    """
    while True:
        groups = groups_in(module.graph, claims, arg_limit=sys.maxsize)
        views = {n.name: VIEWS for ns in groups if all(map(_only_looks, ns)) for n in ns}
        if not claims.refuse(views):
            return fuse_graph(module, claims, arg_limit=sys.maxsize, joined=True)


def _nodes(module: GraphModule, call: Node) -> list[Node]:
    """Return what a group computes."""
    group: Any = module.get_submodule(str(call.target))
    return [node for node in group.graph.nodes if node.op == "call_function"]


def _only_looks(node: Node) -> bool:
    """Whether it moves no element."""
    return is_view(node) or node.target is operator.getitem


def _calls(module: GraphModule) -> list[Node]:
    return [node for node in module.graph.nodes if is_group(node)]


def _results(module: GraphModule) -> list[Node]:
    results: Any = module.graph.output_node().args[0]
    listed = results if isinstance(results, (tuple, list)) else [results]
    return [node for node in listed if isinstance(node, Node)]


def _imported(
    module: GraphModule,
    compiler: Compiler,
    call: Node,
    visible: int | None,
    guarded: bool,  # noqa: FBT001
    refused: dict[str, str],
) -> _Imported | None:
    """Import a group, or say why some of its nodes cannot be."""
    group: Any = module.get_submodule(str(call.target))
    nodes = _nodes(module, call)
    if untold := tell_sizes(module, call, group):
        refused.update(untold)
        return None
    seen = set(_results(module)[:visible])
    results = _results(group)
    names = {part: results[cast("int", part.args[1])].name for part in call.users}
    exact = {name for part, name in names.items() if part in seen}
    viewed = {name for part, name in names.items() if any(map(is_view_by_numbers, part.users))}
    try:
        gives = give_as_torch_does(group, exact, viewed)
        orders = take_as_they_lie(group)
        code = compiler.imported(group)
    except CannotStoreError as error:
        refused.update(error.nodes)
        return None
    except UnsupportedModelError as error:
        if not error.nodes:
            raise
        refused.update(error.nodes)
        return None
    numbers = fed_numbers(group.graph)
    inputs = {
        node.name: (i, node) for i, node in enumerate(group.graph.find_nodes(op="placeholder"))
    }
    takes = [
        Taken(
            place,
            orders.get(name),
            is_number=node in numbers,
            is_size=numbers.get(node, False),
            may_be_negated=not (guarded and _is_argument(call.args[place])),
        )
        for name, (place, node) in ((name, inputs[name]) for name in code.inputs)
    ]
    return _Imported(call, nodes, code, takes, gives)


def _is_argument(node: object) -> bool:
    """Whether a node is an argument of the graph's that was traced with its own sign."""
    if not isinstance(node, Node) or node.op != "placeholder":
        return False
    value = node.meta["val"]
    return not isinstance(value, torch.Tensor) or not value.is_neg()


def _compiled(
    module: GraphModule,
    group: _Imported,
    num_threads: int | None,
    refused: dict[str, str],
    strict: bool,  # noqa: FBT001
) -> Group | None:
    """Compile a group, and let the graph call it instead of its nodes; or say which nodes fail."""
    call, name = group.call, str(group.call.target)
    try:
        artifact = group.code.compiled()
    except CompilationError as error:
        if strict or is_out_of_memory(error):
            raise
        refused.update(_failed(group.nodes, error))
        return None
    compiled = CompiledGroup(name, artifact, group.takes, group.gives, num_threads)
    with module.graph.inserting_before(call):
        instead = module.graph.call_function(compiled, call.args)
    instead.meta = call.meta
    call.replace_all_uses_with(instead)
    module.graph.erase_node(call)
    delattr(module, name)
    return Group(name, tuple(str(node.target) for node in group.nodes), compiled)


def _failed(nodes: Sequence[Node], error: CompilationError) -> dict[str, str]:
    """Return why nodes cannot be compiled, all of a group where the error names none, and warn."""
    names = [node.name for node in nodes]
    named = [name for name in names if name in getattr(error, "nodes", ())] or names
    said = f"it cannot be compiled: {first_line(error)}"
    warnings.warn(f"{', '.join(named)} in eager: {said}", LeftOutWarning, stacklevel=2)
    return dict.fromkeys(named, said)


def _eager(module: GraphModule, claims: Claims) -> Iterator[EagerNode]:
    for node in module.graph.nodes:
        if (
            node.op != "call_function"
            or isinstance(node.target, CompiledGroup)
            or node.target is operator.getitem
        ):
            continue
        why = claims.why_not(node) or "its group takes or makes more tensors than one may"
        if why not in {SIZE, VIEWS}:
            yield EagerNode(node.name, str(node.target), where(node), why)
