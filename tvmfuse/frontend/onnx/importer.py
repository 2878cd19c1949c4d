"""From an ONNX model to a Relax module: the stages, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import onnx
from tvm import IRModule, relax
from tvm.ir import Expr

from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx.builder import GraphBuilder, Refusal
from tvmfuse.frontend.onnx.check import check_initializers, check_names, check_text, check_types
from tvmfuse.frontend.onnx.convert.table import CONVERTERS
from tvmfuse.frontend.onnx.dims import Dims, Shapes, input_types
from tvmfuse.frontend.onnx.graph import Graph, canonical, read_graph
from tvmfuse.frontend.onnx.inline import inline_model_functions
from tvmfuse.frontend.onnx.overridable import giving_shapes, overridable_in
from tvmfuse.frontend.onnx.plan import plan_of
from tvmfuse.frontend.onnx.read import Source, read_model
from tvmfuse.frontend.onnx.schema_functions import expand_schema_functions
from tvmfuse.frontend.onnx.without_weights import arrange, without_weights
from tvmfuse.frontend.shape_constraints import with_shape_constraints
from tvmfuse.frontend.symbols import Symbols, as_dim, written
from tvmfuse.manifest import TensorSpec


@dataclass(frozen=True)
class ImportedModel:
    """An ONNX model as Relax.

    Attributes:
        module: One function, `main`: a parameter for each graph input, a tuple of the outputs.
        inputs: The first parameters, in order; a symbolic dimension is its name.
        outputs: The results, in order.
        opset: The version of ONNX's own operators that the model was written against.
        nodes: How many ONNX nodes came in.
        metadata: Where the model says it comes from.
        overridable: The last parameters: initializers that a caller may replace.
        defaults: Their values, in order.
    """

    module: IRModule
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    opset: int
    nodes: int
    metadata: Mapping[str, Any] = field(default_factory=dict)
    overridable: tuple[TensorSpec, ...] = ()
    defaults: tuple[np.ndarray, ...] = ()


def import_model(
    model: Source, *, shapes: Shapes | None = None, dims: Dims | None = None
) -> ImportedModel:
    """Read an ONNX model and express it in Relax operators.

    Shape computations are done here: they are no part of the result. Everything else is one call
    for one node wherever Relax allows it, and each call knows its node (`provenance.nodes_of`).
    An initializer that is also a graph input, which a caller may replace, is a parameter, too: a
    constant only where a kernel has to know it, and in models of an IR version before 4.

    Args:
        model: A path, a serialized model, or a model; the last is never changed.
        shapes: Input name -> shape; a number fixes a dimension, None leaves it as it is.
        dims: Symbolic dimension -> number.

    Raises:
        ConfigurationError: `shapes` or `dims` do not fit the model.
        MalformedModelError: It breaks the ONNX specification.
        UnsupportedModelError: Some of its nodes cannot be compiled; all of them are named.
    """
    proto = read_model(model)
    check_text(proto)
    check_initializers(proto)
    checked = prepared(proto)
    opsets = {canonical(o.domain): int(o.version) for o in checked.opset_import}
    weights = proto.graph.initializer
    if overridable := overridable_in(proto) - giving_shapes(checked.graph.node):
        with suppress(UnsupportedModelError):
            graph = read_graph(checked.graph, weights, opsets, overridable)
            return _imported(graph, proto, shapes, dims, opsets)
    graph = read_graph(checked.graph, weights, opsets)
    return _imported(graph, proto, shapes, dims, opsets)


def _imported(
    graph: Graph,
    proto: onnx.ModelProto,
    shapes: Shapes | None,
    dims: Dims | None,
    opsets: Mapping[str, int],
) -> ImportedModel:
    inputs, module, results = _learned(graph, shapes, dims, opsets)
    fed = len(inputs) - len(graph.defaults)
    return ImportedModel(
        module=module,
        inputs=inputs[:fed],
        overridable=inputs[fed:],
        defaults=tuple(graph.defaults.values()),
        outputs=tuple(_spec(n, ty) for n, ty in zip(graph.outputs, results, strict=True)),
        opset=opsets.get("", 0),
        nodes=len(proto.graph.node),
        metadata=metadata_of(proto),
    )


def prepared(proto: onnx.ModelProto) -> onnx.ModelProto:
    """Return a checked copy without weights, in which only operators with a converter are left."""
    model = without_weights(proto)
    check_names(model)
    model = check_types(model)
    inline_model_functions(model)
    expand_schema_functions(model, CONVERTERS)
    arrange(model.graph)
    return model


def _learned(
    graph: Graph, shapes: Shapes | None, dims: Dims | None, opsets: Mapping[str, int]
) -> tuple[tuple[TensorSpec, ...], IRModule, list[relax.TensorType]]:
    """Build again and again, each time with what was learned of the inputs' sizes before.

    Returns:
        The inputs as the model declares them, the module, and the types of what it returns.
    """
    symbols = Symbols()
    types = input_types(graph.inputs, symbols, shapes, dims)
    inputs = [_spec(name, ty) for name, ty in types.items()]
    names = {d for spec in inputs for d in spec.shape if isinstance(d, str)}
    while True:
        symbols.fed = names
        refusal: UnsupportedModelError | None = None
        try:
            module, results = _build(graph, types, symbols, opsets)
        except UnsupportedModelError as error:
            refusal = error
        more = symbols.learned()
        if more is None and refusal is not None:
            raise refusal
        if more is None:
            known = [_with_min_sizes(spec, symbols) for spec in inputs]
            return with_shape_constraints(known, symbols.shape_constraints), module, results
        symbols = more
        types = input_types(graph.inputs, symbols, shapes, dims)


def _build(
    graph: Graph,
    types: Mapping[str, relax.TensorType],
    symbols: Symbols,
    opsets: Mapping[str, int],
) -> tuple[IRModule, list[relax.TensorType]]:
    """Return the module, and the types of what it returns."""
    builder = relax.BlockBuilder()
    params = {name: relax.Var(name, ty) for name, ty in types.items()}
    branching = any(node.op == "If" for node in graph.nodes)
    nodes = GraphBuilder(
        graph,
        plan_of(graph),
        builder,
        CONVERTERS,
        params,
        symbols,
        opsets,
        in_dataflow=not branching,
    )
    with builder.function("main", list(params.values())):
        with nullcontext() if branching else builder.dataflow():
            results = [_result(builder, o) for o in nodes.build()]
        builder.emit_func_output(relax.Tuple(results))
    if nodes.refusals:
        raise refused(nodes.refusals)
    module = builder.get()
    if branching:
        module = relax.transform.ConvertToDataflow(min_size=1)(module)
    return relax.transform.DeadCodeElimination()(module), [r.ty for r in results]


def refused(refusals: Sequence[Refusal]) -> UnsupportedModelError:
    """Return the error that lists every node that cannot be compiled."""
    count = "1 node" if len(refusals) == 1 else f"{len(refusals)} nodes"
    lines = [f"  {r.node}: {r.why}" for r in refusals]
    error = UnsupportedModelError("\n".join([f"{count} cannot be compiled:", *lines]))
    error.__cause__ = refusals[0].cause
    return error


def _result(builder: relax.BlockBuilder, output: Expr) -> Expr:
    return builder.emit_output(output) if isinstance(output, relax.DataflowVar) else output


def _spec(name: str, ty: relax.TensorType) -> TensorSpec:
    dims = (as_dim(d) for d in ty.shape.values)
    return TensorSpec(
        name, str(ty.dtype), tuple(d if isinstance(d, int) else written(d) for d in dims)
    )


def _with_min_sizes(spec: TensorSpec, symbols: Symbols) -> TensorSpec:
    sizes = tuple(symbols.min_sizes.get(d, 0) if isinstance(d, str) else 0 for d in spec.shape)
    return replace(spec, min_sizes=sizes) if any(sizes) else spec


def metadata_of(model: onnx.ModelProto) -> dict[str, Any]:
    """Return what a model says about itself; its own properties under `custom`."""
    return {
        "producer_name": model.producer_name,
        "producer_version": model.producer_version,
        "domain": model.domain,
        "description": model.doc_string,
        "graph_name": model.graph.name,
        "model_version": str(model.model_version),
        "custom": {p.key: p.value for p in model.metadata_props},
    }
