"""GatherToSliceFusion: gathering consecutive indices becomes a slice."""

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from reference import assert_agrees, reference
from tvm import IRModule, tirx
from tvm.relax.op import strided_slice, take

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.passes.basic.gather_to_slice_fusion import GatherToSliceFusion
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = GatherToSliceFusion()
X = tensor(3, 7)


def gathered(indices: Any, axis: int = 1, *, mode: str = "clip", dtype: str = "int64") -> IRModule:
    return graph(lambda x, _: take(x, constant(np.array(indices, dtype)), axis, mode), X)


@pytest.mark.parametrize(
    ("indices", "bounds"),
    [
        ([2, 3, 4], (2, 5, 1)),
        ([0, 1, 2, 3, 4, 5, 6], (0, 7, 1)),
        ([6], (6, 7, 1)),
        ([0], (0, 1, 1)),
        ([1, 3, 5], (1, 6, 2)),
        ([0, 6], (0, 7, 6)),
    ],
)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("mode", ["clip", "fast", "wrap"])
def test_indices_that_rise_in_equal_steps(
    indices: list[int], bounds: tuple[int, ...], dtype: str, mode: str
) -> None:
    begin, end, step = bounds
    assert_rewrites(
        RULE,
        gathered(indices, mode=mode, dtype=dtype),
        graph(lambda x, _: strided_slice(x, [1], [begin], [end], [step]), X),
    )


@pytest.mark.parametrize("axis", [0, -2])
def test_any_axis(axis: int) -> None:
    assert_rewrites(
        RULE,
        gathered([1, 2], axis),
        graph(lambda x, _: strided_slice(x, [0], [1], [3], [1]), X),
    )


def test_a_list_needs_no_axis() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: take(x, constant(np.array([1, 2]))), tensor(4)),
        graph(lambda x, _: strided_slice(x, [0], [1], [3], [1]), tensor(4)),
    )


def test_other_axes_may_be_symbolic() -> None:
    x = tensor(tirx.Var("n", "int64"), 7)
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, _: take(x, constant(np.array([1, 2])), 1), x)),
        graph(lambda x, _: strided_slice(x, [1], [1], [3], [1]), x),
    )


def test_declines_indices_that_come_at_run_time() -> None:
    assert_declines(
        RULE,
        graph(lambda x, i, _: take(x, i, 1), X, tensor(2, dtype="int64")),
        because="the indices are known before the model runs",
    )


@pytest.mark.parametrize("indices", [2, [[1, 2], [3, 4]]])
def test_declines_one_index_and_tables_of_indices(indices: Any) -> None:
    assert_declines(RULE, gathered(indices), because="the indices are a list")


@pytest.mark.parametrize("indices", [[4, 3, 2], [1, 1], [0, 1, 3], []])
def test_declines_other_indices(indices: list[int]) -> None:
    assert_declines(RULE, gathered(indices), because="the indices rise in equal steps")


@pytest.mark.parametrize("indices", [[5, 6, 7], [-1, 0], [-2, -1]])
def test_declines_what_lies_outside(indices: list[int]) -> None:
    assert_declines(RULE, gathered(indices), because="the indices lie within the axis")


def test_declines_a_symbolic_axis() -> None:
    x = tensor(tirx.Var("n", "int64"))
    assert_declines(
        RULE,
        graph(lambda x, _: take(x, constant(np.array([0, 1])), 0), x),
        because="the axis has a known length",
    )


def test_ignores_slices() -> None:
    assert_ignores(RULE, graph(lambda x, _: strided_slice(x, [1], [0], [2]), X))


@pytest.mark.parametrize(
    ("start", "limit", "delta", "left"),
    [
        (1, 4, 1, "strided_slice"),
        (1, 7, 2, "strided_slice"),
        (-3, 0, 1, "strided_slice"),
        (4, 1, -1, "take"),
    ],
)
@pytest.mark.parametrize("opset", [11, 13])
def test_a_whole_model(start: int, limit: int, delta: int, left: str, opset: int) -> None:
    model = onnx_model(
        [
            helper.make_node("Range", ["start", "limit", "delta"], ["i"]),
            helper.make_node("Gather", ["x", "i"], ["y"], axis=1),
        ],
        {"x": ("float32", ["n", 7])},
        {"y": "float32"},
        {
            name: np.array(v, "int64")
            for name, v in [("start", start), ("limit", limit), ("delta", delta)]
        },
        opset=opset,
    )
    module = RULE(import_model(model).module)
    assert ops(module) == [left]
    feeds = {"x": np.arange(14, dtype="float32").reshape(2, 7)}
    assert_agrees({"y": run(module, feeds["x"])[0]}, reference(model, feeds))
