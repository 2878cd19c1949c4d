"""From an exported program to a Relax module."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np
import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from torch.fx import Graph, GraphModule, Node
from torch.utils import _pytree as pytree
from tvm import relax
from tvm.ir import Expr

from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import (
    ConfigurationError,
    UncheckedSizesWarning,
    UnsupportedModelError,
    first_line,
)
from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.main_function import MainFunction, main_function, spec_of
from tvmfuse.frontend.refusals import CannotConvertError, refused
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Symbols
from tvmfuse.frontend.torch import guards
from tvmfuse.frontend.torch.convert.table import CONVERTED
from tvmfuse.frontend.torch.dtypes import as_array, memory_of, name_of
from tvmfuse.frontend.torch.fed_numbers import fed_numbers
from tvmfuse.frontend.torch.graph import GraphBuilder
from tvmfuse.frontend.torch.operation import OPSET
from tvmfuse.frontend.torch.sizes import Sizes
from tvmfuse.frontend.torch.taken_apart import taken_apart
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.ir.live import is_live, parameter
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.limits import Limits
from tvmfuse.out_of_memory import is_out_of_memory, memory_in_words
from tvmfuse.size_ranges import GivenSizes, SizeRange
from tvmfuse.tensor_spec import GRANTED

WEIGHTS = frozenset({InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR})


def import_program(
    program: ExportedProgram,
    *,
    names: Mapping[str, str] | None = None,
    title: str = "model",
    dims: GivenSizes | None = None,
    limits: Limits | None = None,
    live: bool = False,
) -> ImportedModel:
    """Express an exported program in Relax operators.

    Parameters and buffers become constants, as they are now, or live ones. Symbolic dimensions are
    called as torch calls them, with the ranges that `torch.export.Dim` gave them. Inputs are called
    as the module's arguments; outputs after the keys that the module returns them under, `output`
    where there is one without.

    Args:
        program: What `torch.export.export` returned.
        names: What symbolic dimensions are called, by torch's names.
        title: What the artifact is called.
        dims: Symbolic dimension -> number or range, within what `torch.export.Dim` said.
        limits: How much the model may ask for.
        live: Whether parameters and buffers may change later, see `tvmfuse.ir.live`; they stay
            where they are.

    Raises:
        ConfigurationError: `dims` names what the program does not have, or contradicts it.
        LimitExceededError: It asks for more than the limits admit.
        OutOfMemoryError: This machine's memory ran out.
        UnsupportedModelError: Some of its operators cannot be compiled; all of them are named. Or
            it writes to a buffer or an argument.
    """
    with memory_in_words("the import of the program"):
        with warnings.catch_warnings():
            # torch copies a tree of a class that it has deprecated itself.
            warnings.simplefilter("ignore", FutureWarning)
            exported = guards.of_export(program)
            core, graph = _taken_apart(program)
        since = [guard for guard in guards.recorded(graph) if guard not in exported]
        asked = guards.granted(program, exported, since)
        imported = _imported(core, graph, asked, names or {}, dims or {}, Gate(limits), live=live)
        return replace(imported, metadata={**imported.metadata, "graph_name": title})


def _taken_apart(program: ExportedProgram) -> tuple[ExportedProgram, Graph]:
    try:
        return taken_apart(program, CONVERTED)
    except Exception as error:
        if is_out_of_memory(error):
            raise
        raise UnsupportedModelError(
            f"torch cannot take the program's operators apart: {first_line(error)}"
        ) from error


def _imported(
    program: ExportedProgram,
    graph: Graph,
    asked: Sequence[Any],
    names: Mapping[str, str],
    dims: GivenSizes,
    gate: Gate,
    *,
    live: bool,
) -> ImportedModel:
    _check_outputs(program)
    placeholders = {node.name: node for node in graph.find_nodes(op="placeholder")}
    fed = {
        spec.arg.name: placeholders[spec.arg.name]
        for spec in program.graph_signature.input_specs
        if spec.kind is InputKind.USER_INPUT and _is_tensor(placeholders[spec.arg.name])
    }
    weights = dict(_weights(program, placeholders, live=live))
    ranges = _narrowed(
        {
            names.get(str(symbol), str(symbol)): _taken(found)
            for symbol, found in program.range_constraints.items()
        },
        dims,
    )
    main = _main(graph, fed, weights, ranges, names, gate, asked)
    return ImportedModel(
        module=main.module,
        inputs=tuple(main.inputs),
        outputs=tuple(
            spec_of(n, ty) for n, ty in zip(output_names(program), main.results, strict=True)
        ),
        opset=OPSET,
        nodes=sum(node.op == "call_function" for node in graph.nodes),
        metadata={"producer": f"torch {torch.__version__}"},
    )


def _main(
    graph: Graph,
    fed: Mapping[str, Node],
    weights: Mapping[Node, Expr],
    ranges: Mapping[str, SizeRange],
    names: Mapping[str, str],
    gate: Gate,
    asked: Sequence[Any] = (),
    told: Collection[Node] = (),
    *,
    indices_looked_at: bool = True,
) -> MainFunction:
    """Emit a graph.

    Args:
        graph: Functional, of ATen operators.
        fed: The placeholders that are inputs, by the inputs' names: tensors, or numbers.
        weights: Other placeholders and attributes, as constants.
        ranges: Of symbolic dimensions, by our names.
        names: What symbolic dimensions are called, by torch's names.
        gate: Is asked for each tensor.
        asked: What has to hold of the symbolic dimensions.
        told: The numbers that are fed as sizes.
        indices_looked_at: See `main_function`.

    Raises:
        UnsupportedModelError: Some of its operators cannot be compiled; all of them are named.
        LimitExceededError: It asks for more than the limits admit.
    """
    fixed = {name: sizes.number for name, sizes in ranges.items() if sizes.number is not None}
    values = {name: node for name, node in fed.items() if node not in told}
    for node, weight in weights.items():
        gate.weights(node.name, require_shape(weight), 8 * numpy_dtype(dtype_of(weight)).itemsize)

    def types(symbols: Symbols) -> dict[str, relax.TensorType]:
        symbols.ranges = {name: sizes for name, sizes in ranges.items() if name not in fixed}
        sizes = Sizes(symbols, names, fixed)
        return {name: _type(node, sizes, is_size=node in told) for name, node in fed.items()}

    def body(emitter: Emitter, inputs: Mapping[str, relax.Var]) -> list[Expr]:
        held = {node: _as_declared(node, weight, emitter) for node, weight in weights.items()}
        given = {node: inputs[name] for name, node in values.items()} | held
        sizes = Sizes(emitter.symbols, names, fixed)
        _ask(sizes, asked, names)
        nodes = GraphBuilder(graph, emitter, sizes, given)
        outputs = nodes.build()
        if nodes.refusals:
            raise refused(nodes.refusals)
        return outputs

    return main_function(types, body, gate, branching=False, indices_looked_at=indices_looked_at)


def _ask(sizes: Sizes, asked: Sequence[Any], names: Mapping[str, str]) -> None:
    for condition in asked:
        said = guards.written(condition, names)
        try:
            holds = sizes.require(condition, said + GRANTED)
        except CannotConvertError:
            warnings.warn(
                f"torch.export took for granted that {said}, which cannot be checked of what the "
                "artifact is fed: feed it no other sizes",
                UncheckedSizesWarning,
                stacklevel=2,
            )
            continue
        if not holds:
            raise ConfigurationError(
                f"torch.export took for granted that {said}, which the sizes in dims= contradict: "
                "give others, or export the module with an example of these"
            )


def import_graph(module: GraphModule, limits: Limits | None = None) -> ImportedModel:
    """Express a functional graph of ATen operators in Relax operators.

    Inputs are called as the placeholders, outputs as the nodes. Attributes are constants, as they
    are now, and those that are parameters live ones. A whole number that follows from no sizes of
    tensors is an input too: int64, without dimensions; or, where it is a size, a uint8 tensor of
    that many elements, whatever they are. Other numbers are no inputs.

    Args:
        module: Each node has the fake tensors of its results in ``meta["val"]``.
        limits: How much it may ask for.

    Raises:
        LimitExceededError: It asks for more than the limits admit.
        OutOfMemoryError: This machine's memory ran out.
        UnsupportedModelError: Some of its operators cannot be compiled; all of them are named.
    """
    graph = module.graph
    placeholders, numbers = graph.find_nodes(op="placeholder"), fed_numbers(graph)
    fed = {node.name: node for node in (*filter(_is_tensor, placeholders), *numbers)}
    sizes = {node for node, is_size in numbers.items() if is_size}
    held = {node: attrgetter(str(node.target))(module) for node in graph.find_nodes(op="get_attr")}
    weights = {
        node: parameter(str(node.target), memory_of(tensor))
        if isinstance(tensor, torch.nn.Parameter)
        else constant(as_array(tensor))
        for node, tensor in held.items()
    }
    with memory_in_words("the import of a graph"):
        ranges = _ranges(graph)
        main = _main(
            graph, fed, weights, ranges, {}, Gate(limits), told=sizes, indices_looked_at=False
        )
    results = graph.output_node().all_input_nodes
    return ImportedModel(
        module=main.module,
        inputs=tuple(main.inputs),
        outputs=tuple(
            spec_of(node.name, ty) for node, ty in zip(results, main.results, strict=True)
        ),
        opset=OPSET,
        nodes=sum(node.op == "call_function" for node in graph.nodes),
        metadata={"producer": f"torch {torch.__version__}"},
    )


def _ranges(graph: Graph) -> dict[str, SizeRange]:
    """Return what torch knows of the symbols in a graph's sizes."""
    ranges = {}
    for node in graph.find_nodes(op="placeholder"):
        value = node.meta["val"]
        for size in value.shape if isinstance(value, torch.Tensor) else (value,):
            if isinstance(size, torch.SymInt):
                for symbol in size.node.expr.free_symbols:
                    found = size.node.shape_env.bound_sympy(symbol)
                    ranges[str(symbol)] = SizeRange(_least(found.lower), _most(found.upper))
    return ranges


def _is_tensor(node: Node) -> bool:
    return isinstance(node.meta.get("val"), torch.Tensor)


def _narrowed(ranges: Mapping[str, SizeRange], dims: GivenSizes) -> dict[str, SizeRange]:
    """Return the ranges of symbolic dimensions within those that a caller gives."""
    narrowed = dict(ranges)
    for name, given in dims.items():
        if name not in ranges:
            known = ", ".join(sorted(ranges)) or "none"
            raise ConfigurationError(
                f"the program has no symbolic dimension {name!r}; it has {known}"
            )
        sizes = ranges[name].within(SizeRange.of(name, given))
        if sizes is None:
            raise ConfigurationError(
                f"dimension {name!r} is to be {given}, and torch.export.Dim says {ranges[name]}"
            )
        narrowed[name] = sizes
    return narrowed


def _taken(found: Any) -> SizeRange:
    """Return the sizes of a symbol that an exported program takes.

    From 2 on is what torch takes for granted of any size, and its programs do not ask for it: a
    module that is exported with a batch of two takes one of one, too.
    """
    least = _least(found.lower)
    return SizeRange(0 if least == guards.SUPPOSED else least, _most(found.upper))


def _least(lower: object) -> int:
    try:
        least: int = int(lower)  # type: ignore[call-overload]
    except (OverflowError, TypeError, AttributeError):
        return 0
    return max(0, least)


def _most(upper: object) -> int | None:
    try:
        most: int = int(upper)  # type: ignore[call-overload]
    except (OverflowError, TypeError, AttributeError):
        return None
    return most if most < np.iinfo(np.int64).max // 2 else None


def _type(node: Node, sizes: Sizes, *, is_size: bool) -> relax.TensorType:
    found = node.meta["val"]
    try:
        if is_size:
            return relax.TensorType([sizes.dim(found)], "uint8")
        if not isinstance(found, torch.Tensor):
            return relax.TensorType([], "int64")
        dims = [sizes.dim(size) for size in found.shape]
        return relax.TensorType(dims, name_of(found.dtype))
    except CannotConvertError as error:
        raise UnsupportedModelError(f"the input {node.name!r}: {error}") from error


def _weights(
    program: ExportedProgram, placeholders: Mapping[str, Node], *, live: bool
) -> Iterator[tuple[Node, Expr]]:
    """Yield what the program holds, as constants; live ones of no dimensions have one."""
    for spec in program.graph_signature.input_specs:
        if spec.kind in WEIGHTS:
            held = program.constants if spec.target in program.constants else program.state_dict
            node = placeholders[spec.arg.name]
            if not node.users:
                continue
            if live and spec.kind is not InputKind.CONSTANT_TENSOR:
                yield node, parameter(spec.target, memory_of(held[spec.target]))
            else:
                yield node, constant(as_array(held[spec.target]))


def _as_declared(node: Node, weight: Expr, emitter: Emitter) -> Expr:
    if node.meta["val"].ndim or not is_live(weight):
        return weight
    return emitter.emit(in_shape(weight, []), [node.name])


def _check_outputs(program: ExportedProgram) -> None:
    written = [
        spec.target or spec.arg.name
        for spec in program.graph_signature.output_specs
        if spec.kind not in {OutputKind.USER_OUTPUT, OutputKind.TOKEN}
    ]
    if written:
        raise UnsupportedModelError(
            f"the program writes to {', '.join(map(repr, written))}, which an artifact cannot: "
            "return what is written, or export the module in eval()"
        )


def output_names(program: ExportedProgram) -> list[str]:
    """Return a name for each tensor of the result: its keys, joined."""
    results = program.graph.output_node().args[0]
    spec = program.call_spec.out_spec
    paths = pytree.tree_flatten_with_path(pytree.tree_unflatten(list(results), spec))[0]
    names = []
    for path, node in paths:
        if isinstance(node, Node):
            keys = [str(getattr(key, "key", getattr(key, "idx", key))) for key in path]
            plain = [key if key.isidentifier() else f"output_{key}" for key in keys[:1]]
            names.append("_".join(plain + keys[1:]) or "output")
    return names
