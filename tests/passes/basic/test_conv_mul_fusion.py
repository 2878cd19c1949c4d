"""ConvMulFusion: conv -> multiply by one number a channel becomes a scaled conv."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, run, tensor
from onnx.helper import make_node
from reference import assert_agrees, reference
from tvm import IRModule, relax
from tvm.ir import Expr
from tvm.relax.op import add, exp, multiply

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.ops import conv, conv_transpose
from tvmfuse.passes.basic.conv_mul_fusion import ConvMulFusion
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = ConvMulFusion()
SHAPE = (2, 3, 6, 6)
X = tensor(*SHAPE)
ATTRS: dict[str, Any] = {"strides": [1, 1], "padding": [0, 0, 0, 0], "dilation": [1, 1]}
# Powers of two: every product below is exact, so modules can be compared bit by bit.
WEIGHTS = np.exp2(np.arange(4 * 3).reshape(4, 3, 1, 1) % 5).astype("float32")
FACTOR = np.array([2, 4, 0.5, 8], "float32").reshape(4, 1, 1)
BIAS = np.array([1, 3, 5, 7], "float32")


def scaled(factor: np.ndarray, weights: np.ndarray = WEIGHTS, x: relax.TensorType = X) -> IRModule:
    return graph(lambda x, _: multiply(conv(x, constant(weights), **ATTRS), constant(factor)), x)


def plain(weights: np.ndarray, x: relax.TensorType = X) -> IRModule:
    return graph(lambda x, _: conv(x, constant(weights), **ATTRS), x)


@pytest.mark.parametrize("shape", [(1, 4, 1, 1), (4, 1, 1)])
def test_one_factor_for_each_channel(shape: tuple[int, ...]) -> None:
    assert_rewrites(RULE, scaled(FACTOR.reshape(shape)), plain(WEIGHTS * FACTOR[:, None]))


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1), (1, 1, 1, 1)])
def test_one_factor_for_all_channels(shape: tuple[int, ...]) -> None:
    assert_rewrites(RULE, scaled(np.full(shape, 0.25, "float32")), plain(WEIGHTS / 4))


@pytest.mark.parametrize(("dtype", "rtol"), [("float16", 1e-2), ("float64", 1e-12)])
def test_other_dtypes(dtype: str, rtol: float) -> None:
    weights, factor, x = WEIGHTS.astype(dtype), FACTOR.astype(dtype), tensor(*SHAPE, dtype=dtype)
    assert_rewrites(
        RULE, scaled(factor, weights, x), plain(weights * factor[:, None], x), rtol=rtol
    )


def test_the_factor_may_stand_first_and_the_bias_is_scaled_too() -> None:
    assert_rewrites(
        RULE,
        graph(
            lambda x, _: multiply(
                constant(FACTOR), conv(x, constant(WEIGHTS), constant(BIAS), **ATTRS)
            ),
            X,
        ),
        graph(
            lambda x, _: conv(
                x, constant(WEIGHTS * FACTOR[:, None]), constant(BIAS * FACTOR.ravel()), **ATTRS
            ),
            X,
        ),
    )


@pytest.mark.parametrize("rank", [1, 3])
def test_one_and_three_dimensions(rank: int) -> None:
    attrs: dict[str, Any] = {
        "strides": [2] * rank,
        "padding": [1] * 2 * rank,
        "dilation": [1] * rank,
    }
    weights, factor = WEIGHTS.reshape(4, 3, *[1] * rank), FACTOR.reshape(4, *[1] * rank)
    x = tensor(1, 3, *[3] * rank)
    assert_rewrites(
        RULE,
        graph(lambda x, _: multiply(conv(x, constant(weights), **attrs), constant(factor)), x),
        graph(lambda x, _: conv(x, constant(weights * factor[:, None]), **attrs), x),
    )


def test_grouped_convolution() -> None:
    weights, attrs = WEIGHTS[:, :1], {**ATTRS, "groups": 2}
    assert_rewrites(
        RULE,
        graph(
            lambda x, _: multiply(conv(x, constant(weights), **attrs), constant(FACTOR)),
            tensor(1, 2, 3, 3),
        ),
        graph(
            lambda x, _: conv(x, constant(weights * FACTOR[:, None]), **attrs), tensor(1, 2, 3, 3)
        ),
    )


@pytest.mark.parametrize("groups", [1, 2])
def test_transposed_convolution(groups: int) -> None:
    # Two input channels; weights of shape (inputs, outputs / groups, 1, 1).
    weights = np.exp2(np.arange(8 // groups).reshape(2, -1, 1, 1)).astype("float32")
    factors = FACTOR.reshape(groups, -1) if groups == 2 else FACTOR.reshape(1, 4)
    attrs: dict[str, Any] = {**ATTRS, "output_padding": [0, 0], "groups": groups}
    assert_rewrites(
        RULE,
        graph(
            lambda x, _: multiply(
                conv_transpose(x, constant(weights), constant(BIAS), **attrs), constant(FACTOR)
            ),
            tensor(1, 2, 3, 3),
        ),
        graph(
            lambda x, _: conv_transpose(
                x,
                constant(weights * factors[..., None, None]),
                constant(BIAS * FACTOR.ravel()),
                **attrs,
            ),
            tensor(1, 2, 3, 3),
        ),
    )


def test_shared_weights_are_copied() -> None:
    shared = constant(WEIGHTS)

    def two(first: Callable[[Expr], Expr]) -> IRModule:
        return graph(lambda x, _: [first(x), conv(x, shared, **ATTRS)], X)

    assert_rewrites(
        RULE,
        two(lambda x: multiply(conv(x, shared, **ATTRS), constant(FACTOR))),
        two(lambda x: conv(x, constant(WEIGHTS * FACTOR[:, None]), **ATTRS)),
    )


def test_a_chain_of_products_collapses() -> None:
    half = constant(np.array(0.5, "float32"))
    assert_rewrites(
        RULE,
        graph(
            lambda x, _: multiply(
                multiply(conv(x, constant(WEIGHTS), **ATTRS), constant(FACTOR)), half
            ),
            X,
        ),
        plain(WEIGHTS * FACTOR[:, None] / 2),
    )


@pytest.mark.parametrize(
    "shape", [(4, 6, 6), (1, 4, 6, 6), (4, 1, 6), (2, 4, 1, 1), (6,), (1, 1, 4, 1, 1)]
)
def test_declines_other_broadcasts(shape: tuple[int, ...]) -> None:
    assert_declines(
        RULE,
        scaled(np.ones(shape, "float32")),
        because="the factor is one number for each output channel",
    )


def test_declines_where_the_product_has_more_channels() -> None:
    assert_declines(
        RULE,
        scaled(FACTOR, WEIGHTS[:1]),
        because="the factor is one number for each output channel",
    )


def test_declines_runtime_factors() -> None:
    assert_declines(
        RULE,
        graph(lambda x, k, _: multiply(conv(x, constant(WEIGHTS), **ATTRS), k), X, tensor(1)),
        because="the factor is constant",
    )


def test_declines_runtime_weights() -> None:
    assert_declines(
        RULE,
        graph(
            lambda x, w, _: multiply(conv(x, w, **ATTRS), constant(FACTOR)), X, tensor(4, 3, 1, 1)
        ),
        because="the convolution's weights are constant",
    )


def test_declines_a_runtime_bias() -> None:
    assert_declines(
        RULE,
        graph(
            lambda x, b, _: multiply(conv(x, constant(WEIGHTS), b, **ATTRS), constant(FACTOR)),
            X,
            tensor(4),
        ),
        because="the convolution's bias is constant",
    )


@pytest.mark.parametrize("reader", [lambda y: y, lambda y: add(y, y), exp])
def test_declines_where_something_else_reads_the_convolution(
    reader: Callable[[Expr], Expr],
) -> None:
    def compute(x: Expr, emit: Callable[[Expr], Expr]) -> list[Expr]:
        y = emit(conv(x, constant(WEIGHTS), **ATTRS))
        return [multiply(y, constant(FACTOR)), reader(y)]

    assert_declines(RULE, graph(compute, X), because="the product is the convolution's only reader")


def test_declines_weights_that_would_overflow() -> None:
    assert_declines(
        RULE,
        scaled(
            np.array(2**15, "float16"), WEIGHTS.astype("float16"), tensor(*SHAPE, dtype="float16")
        ),
        because="the scaled weights are finite",
    )


def test_ignores_products_of_other_operators() -> None:
    assert_ignores(RULE, graph(lambda x, _: multiply(exp(x), constant(FACTOR)), tensor(4, 4, 1)))


def test_weights_that_two_convolutions_of_a_model_share() -> None:
    rng = np.random.default_rng(0)
    constants = {
        "w": rng.standard_normal((4, 3, 1, 1)).astype("float32"),
        "k": rng.standard_normal((4, 1, 1)).astype("float32"),
    }
    nodes = [
        make_node("Conv", ["x", "w"], ["c"]),
        make_node("Mul", ["k", "c"], ["y"]),
        make_node("Conv", ["x", "w"], ["z"], strides=[2, 2]),
    ]
    x = rng.standard_normal(SHAPE).astype("float32")
    model = onnx_model(
        nodes, {"x": ("float32", SHAPE)}, {"y": "float32", "z": "float32"}, constants
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["conv", "conv"]
    y, z = run(module, x)
    assert_agrees({"y": y, "z": z}, reference(model, {"x": x}))
