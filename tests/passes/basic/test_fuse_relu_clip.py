"""FuseReluClip: a relu disappears into the clip after it."""

import itertools
from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from reference import assert_agrees, reference
from tvm import IRModule, relax, tirx
from tvm.relax.op import clip, exp, maximum, minimum
from tvm.relax.op.nn import relu

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.passes.basic.fuse_relu_clip import FuseReluClip
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = FuseReluClip()
INF, NAN = float("inf"), float("nan")
X = tensor(2, 3)
NUMBERS = np.array([NAN, INF, -INF, -0.0, 0.0, 1e-45, 0.5, -0.5, 2, -2, 7, -7], "float32")


def clipped(low: float, high: float, *, with_relu: bool, dtype: str = "float32") -> IRModule:
    bounds = relax.prim_value(low), relax.prim_value(high)
    return graph(lambda x, _: clip(relu(x) if with_relu else x, *bounds), tensor(2, 3, dtype=dtype))


@pytest.mark.parametrize(
    ("low", "high", "raised"),
    [
        (1.0, 6.0, 1.0),
        (0.0, 6.0, 0.0),
        (-1.0, 6.0, 0.0),
        (-INF, 6.0, 0.0),
        (-INF, INF, 0.0),
        (-3.0, -1.0, -1.0),  # all of it becomes -1
        (-INF, -1.0, -1.0),
        (4.0, 2.0, 4.0),
    ],
)
def test_the_lower_bound_rises_to_zero(low: float, high: float, raised: float) -> None:
    assert_rewrites(
        RULE, clipped(low, high, with_relu=True), clipped(raised, high, with_relu=False)
    )


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32", "int8"])
def test_any_dtype(dtype: str) -> None:
    low, high = (-1.0, 6.0) if dtype.startswith("float") else (-1, 6)
    assert_rewrites(
        RULE,
        clipped(low, high, with_relu=True, dtype=dtype),
        clipped(max(low, type(low)(0)), high, with_relu=False, dtype=dtype),
    )


@pytest.mark.parametrize(
    "bounds",
    list(itertools.product([-INF, -3.0, 0.0, 1.0, 4.0], [INF, 6.0, 2.0, 0.0, -1.0, -5.0])),
)
def test_numbers_are_equal_also_where_bounds_cross_and_at_nan(bounds: tuple[float, float]) -> None:
    low, high = bounds
    module = graph(lambda x, _: clip(relu(x), low, high), tensor(12))
    expected = np.minimum(np.maximum(np.maximum(NUMBERS, 0), np.float32(low)), np.float32(high))
    np.testing.assert_array_equal(run(module, NUMBERS)[0], expected)
    np.testing.assert_array_equal(run(RULE(module), NUMBERS)[0], expected)


@pytest.mark.parametrize(("low", "raised"), [(-2.0, 0.0), (0.0, 0.0), (2.0, 2.0)])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_a_clip_whose_upper_bound_comes_at_run_time(
    low: float, raised: float, order: tuple[int, int], dtype: str
) -> None:
    def before(x: Any, high: Any, _: Any) -> Any:
        operands = relu(x), constant(np.array(low, dtype))
        return minimum(maximum(*(operands[i] for i in order)), high)

    def after(x: Any, high: Any, _: Any) -> Any:
        return minimum(maximum(x, constant(np.array(raised, dtype))), high)

    types = tensor(2, 3, dtype=dtype), tensor(dtype=dtype)
    assert_rewrites(RULE, graph(before, *types), graph(after, *types))


def test_a_lower_bound_for_each_channel_and_nan_among_them() -> None:
    low = np.array([[-1], [NAN], [2]], "float32")
    module = graph(lambda x, _: maximum(relu(x), constant(low)), tensor(3, 12))
    x = np.tile(NUMBERS, (3, 1))
    (after,) = run(RULE(module), x)
    np.testing.assert_array_equal(after, run(module, x)[0])
    np.testing.assert_array_equal(after, np.maximum(np.maximum(x, 0), low))
    assert ops(RULE(module)) == ["maximum"]


def test_symbolic_shapes() -> None:
    x = tensor(tirx.Var("n", "int64"), 3)
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, _: clip(relu(x), -1.0, 6.0), x)),
        graph(lambda x, _: clip(x, 0.0, 6.0), x),
    )


def test_declines_bounds_that_come_at_run_time() -> None:
    n = tirx.Var("n", "int64")
    assert_declines(
        RULE,
        graph(lambda x, _: clip(relu(x), 0, n), tensor(n, dtype="int64")),
        because="the bounds are known before the model runs",
    )
    assert_declines(
        RULE,
        graph(lambda x, low, _: maximum(relu(x), low), X, tensor()),
        because="the lower bound is known before the model runs",
    )


@pytest.mark.parametrize("bounds", [(NAN, 6.0), (0.0, NAN)])
def test_declines_bounds_that_are_no_numbers(bounds: tuple[float, float]) -> None:
    assert_declines(RULE, clipped(*bounds, with_relu=True), because="the bounds are numbers")


def test_declines_a_relu_with_other_readers() -> None:
    def shared(x: Any, emit: Any) -> Any:
        y = emit(relu(x))
        return [clip(y, 0.0, 6.0), exp(y)]

    def returned(x: Any, emit: Any) -> Any:
        y = emit(relu(x), output=True)
        return [clip(y, 0.0, 6.0), y]

    for compute in (shared, returned):
        assert_declines(RULE, graph(compute, X), because="the clip is the relu's only reader")


def test_when_disabled_the_relu_stays_a_kernel_of_its_own() -> None:
    module = RULE.with_barriers(clipped(0.0, 6.0, with_relu=True))
    assert ops(module) == ["relu", "barrier", "clip"]


def test_ignores_relu_and_clip_apart() -> None:
    assert_ignores(RULE, graph(lambda x, _: [clip(x, 0.0, 6.0), relu(exp(x))], X))


@pytest.mark.parametrize(
    ("opset", "low", "high"),
    [
        (6, -1, 6), (6, None, 6), (6, 1, None), (6, None, None),
        (11, -1, 6), (12, None, 6), (13, 1, None), (17, None, None),
        (17, 4, 2), (17, -3, -1),
    ],
)  # fmt: skip
def test_a_whole_model(opset: int, low: float | None, high: float | None) -> None:
    bounds = {"min": low, "max": high}
    given = {k: np.array(v, "float32") for k, v in bounds.items() if v is not None}
    operands = ["min" if low is not None else "", "max" if high is not None else ""]
    attributes: dict[str, Any] = {k: float(v) for k, v in given.items()} if opset == 6 else {}
    model = onnx_model(
        [
            helper.make_node("Relu", ["x"], ["r"]),
            helper.make_node("Clip", ["r", *(operands if opset > 6 else [])], ["y"], **attributes),
        ],
        {"x": ("float32", ["n"])},
        {"y": "float32"},
        given if opset > 6 else {},
        opset=opset,
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["clip"]
    # What an absent bound does to infinity is the importer's affair.
    x = NUMBERS if high is not None else NUMBERS[NUMBERS != INF]
    assert_agrees({"y": run(module, x)[0]}, reference(model, {"x": x}))


@pytest.mark.parametrize(
    ("runtime", "left"), [("max", ["maximum", "minimum"]), ("min", ["relu", "maximum", "minimum"])]
)
def test_a_whole_model_with_a_bound_that_comes_at_run_time(runtime: str, left: list[str]) -> None:
    known = {"min": -1.0, "max": 6.0}
    value = np.array(known.pop(runtime), "float32")
    model = onnx_model(
        [
            helper.make_node("Relu", ["x"], ["r"]),
            helper.make_node("Clip", ["r", "min", "max"], ["y"]),
        ],
        {"x": ("float32", ["n"]), runtime: ("float32", [])},
        {"y": "float32"},
        {k: np.array(v, "float32") for k, v in known.items()},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == left
    assert_agrees(
        {"y": run(module, NUMBERS, value)[0]}, reference(model, {"x": NUMBERS, runtime: value})
    )
