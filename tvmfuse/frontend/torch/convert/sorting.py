"""Sorting, where NaN is larger than all numbers and 0.0 is -0.0."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse import ops
from tvmfuse.frontend.torch.dtypes import is_float
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, rank_of, shape_of


def sort(node: TorchOperation) -> list[Expr]:
    """Convert sort; equal elements keep their order, also where the node does not ask."""
    x = node.tensor(node["self"])
    if rank_of(x) == 0:
        return [x, node.number(0, "int64")]
    return ranked(node, x, node["dim"] % (rank_of(x) or 1), -1, largest=bool(node["descending"]))


def top_k(node: TorchOperation) -> list[Expr]:
    """Convert topk."""
    x, count = node.tensor(node["self"]), node.size(node["k"])
    if rank_of(x) == 0:
        node.require(count == 1, "it wants no element of a number")
        return [x, node.number(0, "int64")]
    axis = node["dim"] % (rank_of(x) or 1)
    if count == 0:
        return [node.emit(relax.op.zeros(node.shape(i), node.dtype(i))) for i in range(2)]
    largest = bool(node["largest"])
    if isinstance(count, int):
        return ranked(node, x, axis, count, largest=largest)
    both = ranked(node, x, axis, -1, largest=largest)
    return [node.onnx("Slice", found, [0], [count], [axis]) for found in both]


def ranked(node: TorchOperation, x: Expr, axis: int, count: int, *, largest: bool) -> list[Expr]:
    """Return the first elements along an axis and their places, -1 for all of them."""
    if 0 in (shape_of(x) or ()):
        return [x, node.emit(relax.op.zeros_like(x, "int64"))]
    found = relax.op.topk(
        _keys(node, x), count, axis, ret_type="indices", largest=largest, dtype="int64"
    )
    places = node.emit(found)
    return [node.onnx("GatherElements", x, places, axis=axis), places]


def _keys(node: TorchOperation, x: Expr) -> Expr:
    """Return whole numbers in the order of these numbers.

    The bits of a positive number are in its order; those of a negative one are turned around.
    """
    dtype = dtype_of(x)
    if not is_float(dtype):
        return node.cast(x, "int32") if dtype in {"bool", "uint8", "int8", "int16"} else x
    if dtype in {"float16", "bfloat16"}:
        x, dtype = node.cast(x, "float32"), "float32"
    whole = dtype.replace("float", "int")
    zero, most = node.number(0, dtype), 2 ** (int(whole.removeprefix("int")) - 1) - 1
    plain = node.onnx("Where", node.onnx("Equal", x, zero), zero, x)
    bits = node.emit(ops.bit_cast(plain, whole))
    negative = node.onnx("Less", bits, node.number(0, whole))
    turned = node.onnx("BitwiseXor", bits, node.number(most, whole))
    keys = node.onnx("Where", negative, turned, bits)
    return node.onnx("Where", node.onnx("IsNaN", x), node.number(most, whole), keys)
