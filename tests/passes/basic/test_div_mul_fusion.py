"""DivMulFusion: multiplying by a reciprocal becomes a division."""

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from reference import assert_agrees, reference
from tvm import tirx
from tvm.relax.op import divide, exp, multiply

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.passes.basic.div_mul_fusion import DivMulFusion
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = DivMulFusion()
X, Y = tensor(2, 3), tensor(2, 3)


def one(dtype: str = "float32", shape: tuple[int, ...] = (), number: float = 1) -> Any:
    return constant(np.full(shape, number, dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_both_orders(dtype: str, order: tuple[int, int]) -> None:
    def before(x: Any, y: Any, _: Any) -> Any:
        operands = divide(one(dtype), x), y
        return multiply(*(operands[i] for i in order))

    types = [tensor(2, 3, dtype=dtype)] * 2
    assert_rewrites(
        RULE,
        graph(before, *types),
        graph(lambda x, y, _: divide(y, x), *types),
        rtol=3e-3 if dtype == "float16" else 1e-5,  # a half has 11 bits, rounded twice
    )


@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_any_rank_of_the_one(shape: tuple[int, ...]) -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, y, _: multiply(divide(one(shape=shape), x), y), X, Y),
        graph(lambda x, y, _: divide(y, x), X, Y),
    )


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((3,), (2, 3)), ((), (2, 3)), ((2, 1), (3,))])
def test_operands_that_broadcast(shapes: tuple[tuple[int, ...], ...]) -> None:
    types = [tensor(*shape) for shape in shapes]
    assert_rewrites(
        RULE,
        graph(lambda x, y, _: multiply(divide(one(), x), y), *types),
        graph(lambda x, y, _: divide(y, x), *types),
    )


def test_the_second_operand_where_the_first_reciprocal_is_shared() -> None:
    def before(x: Any, y: Any, emit: Any) -> Any:
        shared = emit(divide(one(), x))
        return [multiply(shared, divide(one(), y)), exp(shared)]

    def after(x: Any, y: Any, emit: Any) -> Any:
        shared = emit(divide(one(), x))
        return [divide(shared, y), exp(shared)]

    assert_rewrites(RULE, graph(before, X, Y), graph(after, X, Y))


def test_symbolic_shapes() -> None:
    x = tensor(tirx.Var("n", "int64"), 3)
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, y, _: multiply(y, divide(one(), x)), x, Y)),
        graph(lambda x, y, _: divide(y, x), x, Y),
    )


def test_zero_infinity_and_nan() -> None:
    """Where the reciprocal of a tiny number overflows, only the quotient is right."""
    x = np.array([0.0, 0.0, np.inf, np.nan, -0.0, 2.0, np.inf], "float32")
    y = np.array([0.0, 3.0, 4.0, 1.0, 5.0, np.inf, np.inf], "float32")
    module = graph(lambda x, y, _: multiply(divide(one(), x), y), tensor(7), tensor(7))
    (before,), (after,) = run(module, x, y), run(RULE(module), x, y)
    np.testing.assert_array_equal(before, after)
    (tiny,) = run(RULE(module), np.full(7, 1e-39, "float32"), np.full(7, 1e-38, "float32"))
    np.testing.assert_allclose(tiny, 10, rtol=1e-5)


@pytest.mark.parametrize("number", [2, -1, 0, np.nan])
def test_declines_other_numerators(number: float) -> None:
    assert_declines(
        RULE,
        graph(lambda x, y, _: multiply(divide(one(number=number), x), y), X, Y),
        because="the numerator is 1",
    )


def test_declines_several_numerators() -> None:
    assert_declines(
        RULE,
        graph(lambda x, y, _: multiply(divide(one(shape=(3,)), x), y), X, Y),
        because="the numerator is 1",
    )


def test_declines_integers() -> None:
    types = [tensor(2, 3, dtype="int32")] * 2
    assert_declines(
        RULE,
        graph(lambda x, y, _: multiply(divide(one("int32"), x), y), *types),
        because="the numbers are floats",
    )


def test_declines_where_the_one_adds_an_axis() -> None:
    assert_declines(
        RULE,
        graph(lambda x, y, _: multiply(divide(one(shape=(1, 1, 1)), x), y), X, Y),
        because="the numerator adds no axis",
    )


def test_declines_a_shared_reciprocal() -> None:
    def shared(x: Any, y: Any, emit: Any) -> Any:
        r = emit(divide(one(), x))
        return [multiply(r, y), exp(r)]

    def squared(x: Any, y: Any, emit: Any) -> Any:
        r = emit(divide(one(), x))
        return [multiply(r, r), exp(y)]

    def returned(x: Any, y: Any, emit: Any) -> Any:
        r = emit(divide(one(), x), output=True)
        return [multiply(y, r), r]

    for compute in (shared, squared, returned):
        assert_declines(
            RULE,
            graph(compute, X, Y),
            because="the product is the reciprocal's only reader",
        )


def test_when_disabled_the_reciprocal_stays_a_kernel_of_its_own() -> None:
    module = graph(lambda x, y, _: multiply(y, divide(one(), x)), X, Y)
    assert ops(RULE.with_barriers(module)) == ["divide", "barrier", "multiply"]


def test_ignores_other_products() -> None:
    assert_ignores(RULE, graph(lambda x, y, _: multiply(divide(x, y), y), X, Y))


@pytest.mark.parametrize("reciprocal", ["Reciprocal", "Div"])
def test_a_whole_model(reciprocal: str) -> None:
    model = onnx_model(
        [
            helper.make_node(reciprocal, ["one", "x"] if reciprocal == "Div" else ["x"], ["r"]),
            helper.make_node("Mul", ["r", "y"], ["z"]),
        ],
        {"x": ("float32", ["n", 3]), "y": ("float32", ["n", 3])},
        {"z": "float32"},
        {"one": np.ones((1,), "float32")} if reciprocal == "Div" else {},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["divide"]
    rng = np.random.default_rng(0)
    feeds = {name: rng.standard_normal((2, 3)).astype("float32") for name in "xy"}
    assert_agrees({"z": run(module, feeds["x"], feeds["y"])[0]}, reference(model, feeds))
