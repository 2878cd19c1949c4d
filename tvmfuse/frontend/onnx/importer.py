"""From an ONNX model to a Relax module: the stages, one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Expr

from tvmfuse.arrays import stored
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.main_function import main_function, spec_of
from tvmfuse.frontend.onnx.admission import admit, admit_types
from tvmfuse.frontend.onnx.builder import GraphBuilder
from tvmfuse.frontend.onnx.check import check_initializers, check_names, check_text, check_types
from tvmfuse.frontend.onnx.choices import check_choices
from tvmfuse.frontend.onnx.dims import Shapes, input_types
from tvmfuse.frontend.onnx.first_group_norm import expand_first_group_norms
from tvmfuse.frontend.onnx.graph import Graph, canonical, read_graph, stated_ranks
from tvmfuse.frontend.onnx.inline import inline_model_functions
from tvmfuse.frontend.onnx.key_types import state_key_types
from tvmfuse.frontend.onnx.node_rules import check_rules
from tvmfuse.frontend.onnx.overridable import giving_shapes, overridable_in
from tvmfuse.frontend.onnx.plan import CONTROL_FLOW, plan_of
from tvmfuse.frontend.onnx.plugged import converters
from tvmfuse.frontend.onnx.read import Source, read_with_weights
from tvmfuse.frontend.onnx.schema_functions import expand_schema_functions
from tvmfuse.frontend.onnx.sequence_inputs import element_name, with_tensor_inputs
from tvmfuse.frontend.onnx.without_domain import name_domain
from tvmfuse.frontend.onnx.without_weights import arrange, without_weights
from tvmfuse.frontend.refusals import refused
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.limits import Limits
from tvmfuse.ops import identity
from tvmfuse.out_of_memory import memory_in_words
from tvmfuse.size_ranges import GivenShapes, GivenSizes
from tvmfuse.tensor_spec import TensorSpec


def import_model(
    model: Source,
    *,
    shapes: GivenShapes | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | None = None,
    map_weights: bool = False,
) -> ImportedModel:
    """Read an ONNX model and express it in Relax operators.

    Shape computations are done here: they are no part of the result. Everything else is one call
    for one node wherever Relax allows it, and each call knows its node (`provenance.nodes_of`).
    An initializer that is also a graph input, which a caller may replace, is a parameter, too: a
    constant only where a kernel has to know it, and in models of an IR version before 4.

    Args:
        model: A path, a serialized model, or a model; the last is never changed.
        shapes: Input name -> shape; a number fixes a dimension, a range bounds it, None leaves it
            as it is. See `sequence_inputs` for sequences and optional tensors.
        dims: Symbolic dimension -> number or range.
        limits: How much the model may ask for.
        map_weights: See `tvmfuse.compile`.

    Raises:
        ConfigurationError: `shapes` or `dims` do not fit the model.
        LimitExceededError: It asks for more than the limits admit.
        OutOfMemoryError: This machine's memory ran out.
        MalformedModelError: It breaks the ONNX specification.
        UnsupportedModelError: Some of its nodes cannot be compiled; all of them are named.
    """
    with memory_in_words("the import of the model"):
        gate = Gate(limits)
        proto, weights = read_with_weights(model, gate, mapped=map_weights)
        proto, tensors = with_tensor_inputs(proto, shapes)
        return _import(proto, weights, tensors, dims, gate)


def _import(
    proto: onnx.ModelProto,
    weights: Mapping[str, np.ndarray],
    shapes: Shapes | None,
    dims: GivenSizes | None,
    gate: Gate,
) -> ImportedModel:
    checked = prepared(proto, gate)
    opsets = {canonical(o.domain): int(o.version) for o in checked.opset_import}
    overridable = overridable_in(proto) - giving_shapes(checked.graph.node)
    stated = stated_ranks([*proto.graph.output, *proto.graph.value_info])
    graph = read_graph(checked.graph, proto.graph.initializer, opsets, overridable, weights, stated)
    if overridable:
        with suppress(UnsupportedModelError):
            return _imported(graph, proto, checked, shapes, dims, opsets, gate)
    bound = graph.with_defaults_bound()
    return _imported(bound, proto, checked, shapes, dims, opsets, gate)


def _imported(
    graph: Graph,
    proto: onnx.ModelProto,
    checked: onnx.ModelProto,
    shapes: Shapes | None,
    dims: GivenSizes | None,
    opsets: Mapping[str, int],
    gate: Gate,
) -> ImportedModel:
    built: list[GraphBuilder] = []
    names: list[str] = []

    def body(emitter: Emitter, inputs: Mapping[str, Expr]) -> list[Expr]:
        nodes = GraphBuilder(graph, plan_of(graph), emitter, converters(), inputs, opsets)
        built.append(nodes)
        outputs = nodes.build()
        if nodes.refusals:
            raise refused(nodes.refusals)
        tensors = [*_tensors(graph.outputs, outputs, nodes)]
        names[:] = [name for name, _ in tensors]
        if not names or len({*names}) < len({*graph.outputs}):
            raise UnsupportedModelError(f"its outputs are the tensors {names}")
        return [tensor for _, tensor in tensors]

    main = main_function(
        lambda symbols: input_types(graph.inputs, symbols, shapes, dims),
        body,
        gate,
        branching=any(node.op in CONTROL_FLOW for node in graph.nodes),
    )

    def called(spec: TensorSpec) -> TensorSpec:
        return replace(spec, dtype=built[-1].narrow(spec.name) or spec.dtype)

    inputs = tuple(map(called, main.inputs))
    fed = len(inputs) - len(graph.defaults)
    outputs = (spec_of(n, ty) for n, ty in zip(names, main.results, strict=True))
    return ImportedModel(
        module=main.module,
        inputs=inputs[:fed],
        overridable=inputs[fed:],
        defaults=tuple(map(stored, graph.defaults.values())),
        outputs=tuple(map(called, outputs)),
        opset=opsets.get("", 0),
        nodes=len(proto.graph.node),
        metadata=metadata_of(proto, checked),
    )


def _tensors(
    names: Sequence[str], outputs: Sequence[Expr], nodes: GraphBuilder
) -> Iterator[tuple[str, Expr]]:
    """Yield the outputs with their names; of a sequence, each of its elements."""
    for name, output in zip(names, outputs, strict=True):
        if nodes.is_in_rows(name):
            raise UnsupportedModelError(
                f"the output {name!r} is a sequence of as many tensors as a run makes; compiled "
                "are those whose number is known"
            )
        if isinstance(output.ty, relax.TensorType):
            yield name, output
            continue
        maker = [nodes.graph.producers[name].name]
        for place in range(len(output.ty.fields)):
            element = nodes.emitter.emit(relax.TupleGetItem(output, place), maker)
            own = identity(element)  # which may be an input, or stand there twice
            yield (
                element_name(name, place),
                nodes.emitter.emit_output(own, maker, element_name(name, place)),
            )


def prepared(proto: onnx.ModelProto, gate: Gate) -> onnx.ModelProto:
    """Return a checked copy without weights, in which only operators with a converter are left."""
    check_text(proto)
    admit(proto, gate)
    model = typed(proto)
    admit_types(model, gate)
    inline_model_functions(model)
    check_choices(model.graph.node)
    check_rules(model.graph)
    expand_schema_functions(model, converters(), gate)
    arrange(model.graph)
    return model


def typed(proto: onnx.ModelProto) -> onnx.ModelProto:
    """Return a checked copy without weights, which has the type of each value that follows.

    Args:
        proto: A model whose sizes were admitted.
    """
    check_initializers(proto)
    model = without_weights(proto)
    name_domain(model)
    expand_first_group_norms(model)
    check_names(model)
    state_key_types(model)
    return check_types(model)


def metadata_of(model: onnx.ModelProto, known: onnx.ModelProto) -> dict[str, Any]:
    """Return what a model says about itself; its own properties under `custom`.

    Where an output is a sequence, whose elements are outputs, `outputs` has the type of each.

    Args:
        model: As it was given.
        known: The same with the types of its outputs, which it need not state.
    """
    said = {value.name: _type_words(value.type) for value in known.graph.output}
    stated = {"outputs": json.dumps(said)} if any("(" in words for words in said.values()) else {}
    return {
        **stated,
        "producer_name": model.producer_name,
        "producer_version": model.producer_version,
        "domain": model.domain,
        "description": model.doc_string,
        "graph_name": model.graph.name,
        "graph_description": model.graph.doc_string,
        "model_version": str(model.model_version),
        "custom": {p.key: p.value for p in model.metadata_props},
    }


def _type_words(ty: onnx.TypeProto) -> str:
    """Return a dtype, or of a sequence of tensors ``seq(tensor(float32))``."""
    for kind, whole in (("seq", "sequence_type"), ("optional", "optional_type")):
        if ty.HasField(whole):
            inside = _type_words(getattr(ty, whole).elem_type)
            return f"{kind}({inside if '(' in inside else f'tensor({inside})'})"
    dtype = ty.tensor_type.elem_type
    known = dtype in onnx.TensorProto.DataType.values()
    return str(onnx.helper.tensor_dtype_to_np_dtype(dtype)) if dtype and known else ""
