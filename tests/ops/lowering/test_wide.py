"""ops.lowering.wide: no kernel has more operands or results than it compiles quickly with."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from named_calls import emit, module
from tvm import relax
from tvm.ir import TupleGetItem
from tvm.tirx import PrimFunc

from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.ops.lowering.wide import WIDEST
from tvmfuse.passes.extended.fuse_ops import FuseOps
from tvmfuse.passes.extended.fuse_tir import FuseTIR
from tvmfuse.testing import evaluate

Body = Callable[..., list[Any]]


def joined(axis: int) -> Body:
    def body(bb: Any, *tensors: Any) -> list[Any]:
        return [emit(bb, relax.op.concat([*tensors], axis), "concat")]

    return body


def taken_apart(ends: list[int], axis: int, count: int) -> Body:
    def body(bb: Any, x: Any) -> list[Any]:
        parts = emit(bb, relax.op.split(x, ends, axis), "split")
        return [bb.emit(TupleGetItem(parts, place)) for place in range(count)]

    return body


def fused(body: Body, *values: Any) -> Any:
    """Return the kernels of a function, and assert that none has too many tensors."""
    kernels = FuseTIR()(FuseOps()(lower(module(body, *values)).module))
    functions = [f for _, f in kernels.functions_items() if isinstance(f, PrimFunc)]
    assert max(len(f.params) for f in functions) <= WIDEST + 1
    return kernels


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("count", "axis"),
    [(WIDEST, 0), (WIDEST, 1), (WIDEST, -1), (WIDEST + 1, 1), (3 * WIDEST, 0), (WIDEST**2 + 1, -1)],
)
def test_many_are_put_together_in_levels(count: int, axis: int) -> None:
    shapes = [(2, 1 + place % 3) if axis else (1 + place % 3, 2) for place in range(count)]
    values = [np.full(shape, place, "float32") for place, shape in enumerate(shapes)]
    kernels = fused(joined(axis), *values)
    assert {nodes for _, nodes in kernel_calls(kernels)} == {("concat",)}
    np.testing.assert_array_equal(evaluate(kernels, values)[0], np.concatenate(values, axis))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("count", "axis"),
    [(WIDEST, 0), (WIDEST, 1), (WIDEST + 1, 1), (3 * WIDEST, 0), (WIDEST**2 + 1, 1)],
)
def test_many_are_taken_apart_in_levels(count: int, axis: int) -> None:
    ends = np.cumsum([1 + place % 3 for place in range(count)])[:-1].tolist()
    total = ends[-1] + 2
    x = np.arange(total * 2, dtype="float32").reshape((total, 2) if axis == 0 else (2, total))
    kernels = fused(taken_apart(ends, axis, count), x)
    assert {nodes for _, nodes in kernel_calls(kernels)} == {("split",)}
    for found, expected in zip(evaluate(kernels, [x]), np.split(x, ends, axis), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_equal_kernels_are_one() -> None:
    values = [np.ones((1, 2), "float32")] * WIDEST**2
    kernels = fused(joined(0), *values)
    assert len(kernel_calls(kernels)) == WIDEST + 1
    assert sum(isinstance(f, PrimFunc) for _, f in kernels.functions_items()) == 2


def test_few_stay_one_kernel_that_others_join() -> None:
    def body(bb: Any, *tensors: Any) -> list[Any]:
        whole = emit(bb, relax.op.concat([*tensors], 0), "concat")
        return [emit(bb, relax.op.nn.relu(whole), "relu")]

    values = [np.ones((1, 2), "float32")] * 3
    assert [nodes for _, nodes in kernel_calls(fused(body, *values))] == [("concat", "relu")]
