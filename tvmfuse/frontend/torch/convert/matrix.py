"""Products of matrices, and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch.fx import Node
from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import rank_of, shape_of


def product(first: str = "self", second: str = "mat2") -> Any:
    """Return the converter of a product of matrices, of vectors, or of batches of them."""

    def convert(node: TorchOperation) -> Expr:
        return node.onnx("MatMul", node.tensor(node[first]), node.tensor(node[second]))

    return convert


def add_product(node: TorchOperation) -> Expr:
    """Convert addmm: a product of matrices, and what is added to it."""
    a, b, c = _tensors(node, "mat1", "mat2", "self")
    if any(isinstance(node[name], Node) for name in ("alpha", "beta")):
        return _added(node, node.onnx("MatMul", a, b))
    factors = {name: float(node[name]) for name in ("alpha", "beta")}
    return node.onnx("Gemm", a, b, c, **factors)


def add_batched_product(node: TorchOperation) -> Expr:
    """Convert baddbmm, likewise of batches."""
    return _added(node, node.onnx("MatMul", *_tensors(node, "batch1", "batch2")))


def add_vector_product(node: TorchOperation) -> Expr:
    """Convert addmv, likewise of a vector."""
    return _added(node, node.onnx("MatMul", *_tensors(node, "mat", "vec")))


def add_sum_of_products(node: TorchOperation) -> Expr:
    """Convert addbmm, where products of a batch are summed."""
    products = node.onnx("MatMul", *_tensors(node, "batch1", "batch2"))
    return _added(node, node.onnx("ReduceSum", products, [0], keepdims=0))


def _tensors(node: TorchOperation, *names: str) -> list[Expr]:
    return [node.tensor(node[name]) for name in names]


def _added(node: TorchOperation, total: Expr) -> Expr:
    dtype = node.dtype()
    if node["alpha"] != 1:
        total = node.onnx("Mul", total, node.tensor(node["alpha"], dtype))
    if node["beta"] == 0:
        return total
    added = node.tensor(node["self"], dtype)
    if node["beta"] != 1:
        added = node.onnx("Mul", added, node.tensor(node["beta"], dtype))
    return node.onnx("Add", total, added)


def convolution(node: TorchOperation) -> Expr:
    """Convert convolution, forward or transposed, with a batch or without."""
    x, weight, bias = node.tensor(node["input"]), node.tensor(node["weight"]), node["bias"]
    spatial = (rank_of(weight) or 0) - 2
    if rank_of(x) == spatial + 1:
        found = _convolved(node, node.reshaped(x, [1, *(shape_of(x) or ())]), weight, bias)
        return node.reshaped(found, node.shape())
    return _convolved(node, x, weight, bias)


def _convolved(node: TorchOperation, x: Expr, weight: Expr, bias: Any) -> Expr:
    spatial = (rank_of(weight) or 0) - 2
    settings = {
        "strides": each(node["stride"], spatial),
        "pads": each(node["padding"], spatial) * 2,
        "dilations": each(node["dilation"], spatial),
        "group": int(node["groups"]),
    }
    if not node["transposed"]:
        return node.onnx("Conv", x, weight, node.optional(bias), **settings)
    extra = each(node["output_padding"], spatial)
    operands = (x, weight, node.optional(bias))
    return node.onnx("ConvTranspose", *operands, output_padding=extra, **settings)


def each(numbers: int | Sequence[int], count: int) -> list[int]:
    """Return a number for each of some axes."""
    listed = [numbers] if isinstance(numbers, int) else list(numbers)
    return listed * count if len(listed) == 1 else listed
