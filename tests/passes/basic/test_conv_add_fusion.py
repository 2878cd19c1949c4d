"""ConvAddFusion: conv -> add of one number a channel becomes a conv with that bias."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, run, tensor
from onnx.helper import make_node
from reference import assert_agrees, reference
from tvm import IRModule, relax, tirx
from tvm.ir import Expr
from tvm.relax.op import add, exp

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.ops import conv, conv_transpose
from tvmfuse.passes.basic.conv_add_fusion import ConvAddFusion
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = ConvAddFusion()
SHAPE = (2, 3, 6, 6)
X = tensor(*SHAPE)
ATTRS: dict[str, Any] = {"strides": [1, 1], "padding": [1, 0, 1, 0], "dilation": [1, 1]}
WEIGHTS = np.linspace(-1, 1, 12, dtype="float32").reshape(4, 3, 1, 1)
ADDEND = np.array([1, -2, 0.5, 8], "float32").reshape(4, 1, 1)
BIAS = np.array([1, 3, 5, 7], "float32")


def added(addend: np.ndarray, weights: np.ndarray = WEIGHTS, x: relax.TensorType = X) -> IRModule:
    return graph(lambda x, _: add(conv(x, constant(weights), **ATTRS), constant(addend)), x)


def biased(bias: np.ndarray, weights: np.ndarray = WEIGHTS, x: relax.TensorType = X) -> IRModule:
    return graph(lambda x, _: conv(x, constant(weights), constant(bias), **ATTRS), x)


@pytest.mark.parametrize("shape", [(1, 4, 1, 1), (4, 1, 1)])
def test_one_addend_for_each_channel(shape: tuple[int, ...]) -> None:
    assert_rewrites(RULE, added(ADDEND.reshape(shape)), biased(ADDEND.ravel()))


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1), (1, 1, 1, 1)])
def test_one_addend_for_all_channels(shape: tuple[int, ...]) -> None:
    assert_rewrites(
        RULE, added(np.full(shape, 0.25, "float32")), biased(np.full(4, 0.25, "float32"))
    )


@pytest.mark.parametrize(("dtype", "rtol"), [("float16", 1e-2), ("float64", 1e-12)])
def test_other_dtypes(dtype: str, rtol: float) -> None:
    weights, addend, x = WEIGHTS.astype(dtype), ADDEND.astype(dtype), tensor(*SHAPE, dtype=dtype)
    assert_rewrites(RULE, added(addend, weights, x), biased(addend.ravel(), weights, x), rtol=rtol)


def test_the_addend_may_stand_first_and_meets_the_bias() -> None:
    assert_rewrites(
        RULE,
        graph(
            lambda x, _: add(constant(ADDEND), conv(x, constant(WEIGHTS), constant(BIAS), **ATTRS)),
            X,
        ),
        biased(BIAS + ADDEND.ravel()),
    )


@pytest.mark.parametrize("rank", [1, 3])
def test_one_and_three_dimensions(rank: int) -> None:
    attrs: dict[str, Any] = {
        "strides": [2] * rank,
        "padding": [1] * 2 * rank,
        "dilation": [1] * rank,
    }
    weights, addend = WEIGHTS.reshape(4, 3, *[1] * rank), ADDEND.reshape(4, *[1] * rank)
    x = tensor(1, 3, *[3] * rank)
    assert_rewrites(
        RULE,
        graph(lambda x, _: add(conv(x, constant(weights), **attrs), constant(addend)), x),
        graph(lambda x, _: conv(x, constant(weights), constant(ADDEND.ravel()), **attrs), x),
    )


@pytest.mark.parametrize("groups", [1, 2])
def test_transposed_convolution(groups: int) -> None:
    weights = np.linspace(-1, 1, 8 // groups, dtype="float32").reshape(2, -1, 1, 1)
    attrs: dict[str, Any] = {**ATTRS, "output_padding": [0, 0], "groups": groups}
    assert_rewrites(
        RULE,
        graph(
            lambda x, _: add(conv_transpose(x, constant(weights), **attrs), constant(ADDEND)),
            tensor(1, 2, 3, 3),
        ),
        graph(
            lambda x, _: conv_transpose(x, constant(weights), constant(ADDEND.ravel()), **attrs),
            tensor(1, 2, 3, 3),
        ),
    )


def test_symbolic_batch_and_size() -> None:
    n, h = tirx.Var("n", "int64"), tirx.Var("h", "int64")
    trace = Trace()
    RULE(added(ADDEND, x=tensor(n, 3, h, h)), trace)
    assert len(trace.fired) == 1


def test_declines_the_sum_of_two_convolutions() -> None:
    assert_declines(
        RULE,
        graph(
            lambda x, _: add(
                conv(x, constant(WEIGHTS), **ATTRS), conv(x, constant(WEIGHTS), **ATTRS)
            ),
            X,
        ),
        because="the addend is constant",
    )


@pytest.mark.parametrize(
    "shape", [(4, 8, 6), (1, 4, 8, 6), (4, 1, 6), (2, 4, 1, 1), (6,), (1, 1, 4, 1, 1)]
)
def test_declines_other_broadcasts(shape: tuple[int, ...]) -> None:
    assert_declines(
        RULE,
        added(np.ones(shape, "float32")),
        because="the addend is one number for each output channel",
    )


def test_declines_where_the_sum_has_more_channels() -> None:
    assert_declines(
        RULE, added(ADDEND, WEIGHTS[:1]), because="the addend is one number for each output channel"
    )


def test_declines_runtime_addends() -> None:
    assert_declines(
        RULE,
        graph(lambda x, k, _: add(conv(x, constant(WEIGHTS), **ATTRS), k), X, tensor(4, 1, 1)),
        because="the addend is constant",
    )


def test_declines_runtime_weights() -> None:
    assert_declines(
        RULE,
        graph(lambda x, w, _: add(conv(x, w, **ATTRS), constant(ADDEND)), X, tensor(4, 3, 1, 1)),
        because="the convolution's weights are constant",
    )


def test_declines_a_runtime_bias() -> None:
    assert_declines(
        RULE,
        graph(
            lambda x, b, _: add(conv(x, constant(WEIGHTS), b, **ATTRS), constant(ADDEND)),
            X,
            tensor(4),
        ),
        because="the convolution's bias is constant",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_where_something_else_reads_the_convolution(
    reader: Callable[[Expr], Expr],
) -> None:
    def compute(x: Expr, emit: Callable[[Expr], Expr]) -> list[Expr]:
        y = emit(conv(x, constant(WEIGHTS), **ATTRS))
        return [add(y, constant(ADDEND)), reader(y)]

    assert_declines(RULE, graph(compute, X), because="the sum is the convolution's only reader")


def test_declines_a_sum_that_would_overflow() -> None:
    large = np.full(4, 60000, "float16")
    weights, x = WEIGHTS.astype("float16"), tensor(*SHAPE, dtype="float16")
    assert_declines(
        RULE,
        graph(
            lambda x, _: add(
                conv(x, constant(weights), constant(large), **ATTRS),
                constant(large.reshape(4, 1, 1)),
            ),
            x,
        ),
        because="the summed bias is finite",
    )


def test_ignores_sums_of_other_operators() -> None:
    assert_ignores(RULE, graph(lambda x, _: add(exp(x), x), X))


def test_weights_that_two_convolutions_of_a_model_share() -> None:
    rng = np.random.default_rng(0)
    constants = {
        "w": rng.standard_normal((4, 3, 1, 1)).astype("float32"),
        "k": rng.standard_normal((4, 1, 1)).astype("float32"),
    }
    nodes = [
        make_node("Conv", ["x", "w"], ["c"]),
        make_node("Add", ["k", "c"], ["y"]),
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
