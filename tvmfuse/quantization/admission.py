"""Which models can be quantized: those of float32 that have products and are not integers yet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

import onnx
from google.protobuf.message import EncodeError
from onnx import TensorProto, inliner

from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx.external_data import tensors_of
from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.frontend.onnx.without_weights import arrange

PRODUCTS: Final = ("Conv", "ConvTranspose", "Gemm", "MatMul")
"""The operators whose speed integers are for."""
LARGEST: Final = 2**31 - 1
"""Bytes of a protobuf, in which models are handed on."""


def admitted(graph: OnnxGraph) -> onnx.ModelProto:
    """Return a model as the quantizer takes it: functions are inlined, initializers are constants.

    Raises:
        UnsupportedModelError: It cannot be quantized, and why.
    """
    model = graph.source
    size = _size(model)
    if size > LARGEST:
        raise UnsupportedModelError(
            f"expected a model below 2 GB, which a protobuf holds, found {size / 1e9:.1f} GB: cut "
            "it with onnx.utils.extract_model, and quantize the pieces"
        )
    if model.functions:
        model = inliner.inline_local_functions(model)
        arrange(model.graph)
    integers = [node for node in model.graph.node if is_quantized(node.op_type)]
    if integers:
        raise UnsupportedModelError(
            f"this model is quantized already: {integers[0].name!r} is a {integers[0].op_type}, "
            f"one of {len(integers)} such nodes; quantize the float32 model that it was made from"
        )
    _check_products(model.graph)
    constants = {tensor.name for tensor in model.graph.initializer}
    for value in [i for i in model.graph.input if i.name in constants]:
        model.graph.input.remove(value)
    return model


def _size(model: onnx.ModelProto) -> int:
    """Return a model's bytes, which protobuf does not count where they are too many for it."""
    try:
        return int(model.ByteSize())
    except EncodeError:
        return sum(
            math.prod(tensor.dims) * onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
            for tensor in tensors_of(model)
        )


def is_quantized(op: str) -> bool:
    """Whether an operator computes with quantized numbers.

    >>> [is_quantized(op) for op in ("QLinearConv", "MatMulNBits", "DequantizeLinear", "Conv")]
    [True, True, True, False]
    """
    marks = ("quantize", "qlinear", "integer", "nbits", "qgemm", "qattention")
    return any(mark in op.lower() for mark in marks)


def _check_products(graph: onnx.GraphProto) -> None:
    """Refuse a graph without products of float32."""
    products = [node for node in graph.node if node.op_type in PRODUCTS]
    if not products:
        raise UnsupportedModelError(
            f"expected a model with {', '.join(PRODUCTS[:-1])} or {PRODUCTS[-1]}, which are what "
            "integers make faster, and found none"
        )
    types = dict(_types(graph))
    for node in products:
        found = {types[name] for name in node.input if name in types}
        if not found or TensorProto.FLOAT in found:
            return
    node, kind = products[0], TensorProto.DataType.Name(min(found)).lower()
    raise UnsupportedModelError(
        f"expected products of float32, found {kind}: {node.op_type} {node.name!r}; quantize the "
        "float32 model that it was made from"
    )


def _types(graph: onnx.GraphProto) -> Iterator[tuple[str, int]]:
    yield from ((tensor.name, tensor.data_type) for tensor in graph.initializer)
    for value in (*graph.value_info, *graph.input):
        yield value.name, value.type.tensor_type.elem_type


def only_used_domains(model: onnx.ModelProto) -> None:
    """Drop the operator sets that no node is of: onnxruntime names all that it has."""
    used = {node.domain for node in model.graph.node} | {""}
    kept: Mapping[str, int] = {o.domain: o.version for o in model.opset_import if o.domain in used}
    del model.opset_import[:]
    model.opset_import.extend(onnx.helper.make_opsetid(d, v) for d, v in kept.items())
