"""ConvBNFusion: conv -> batch_norm, and batch_norm -> conv, become one conv."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import graph, tensor
from tvm import IRModule, tirx
from tvm.ir import Expr
from tvm.relax.op import add, exp, multiply
from tvm.relax.op.nn import batch_norm

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.types import constant
from tvmfuse.ops import conv, conv_transpose
from tvmfuse.passes.basic.conv_add_fusion import ConvAddFusion
from tvmfuse.passes.basic.conv_bn_fusion import ConvBNFusion
from tvmfuse.passes.basic.conv_mul_fusion import ConvMulFusion
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import (
    assert_declines,
    assert_ignores,
    assert_rewrites,
    assert_same_numbers,
)

RULE = ConvBNFusion()
SHAPE = (2, 3, 5, 5)
X = tensor(*SHAPE)
ATTRS: dict[str, Any] = {"strides": [1, 1], "padding": [0, 0, 0, 0], "dilation": [1, 1]}
# Powers of two: every number below is exact, so modules can be compared bit by bit.
WEIGHTS = np.exp2(np.arange(4 * 3).reshape(4, 3, 1, 1) % 5).astype("float32")
BIAS = np.array([1, 3, 5, 7], "float32")
GAMMA, BETA = np.array([2, 4, 1, -8], "float32"), np.array([1, 8, 0, 2], "float32")
MEAN, VAR = np.array([4, 2, -1, 0], "float32"), np.array([4, 16, 1, 0.25], "float32")
SCALE = GAMMA / np.sqrt(VAR)
SHIFT = BETA - MEAN * SCALE

Emit = Callable[[Expr], Expr]


def norm(y: Expr, *parameters: np.ndarray, **attrs: Any) -> Expr:
    """Return the batch norm's three outputs."""
    constants = [constant(p) for p in parameters or (GAMMA, BETA, MEAN, VAR)]
    return batch_norm(y, *constants, **{"axis": 1, "epsilon": 0.0, "training": False, **attrs})


def conv_norm(*parameters: np.ndarray, weights: np.ndarray = WEIGHTS, **attrs: Any) -> IRModule:
    return graph(
        lambda x, emit: emit(norm(conv(x, constant(weights), **ATTRS), *parameters, **attrs))[0],
        tensor(*SHAPE, dtype=str(weights.dtype)),
    )


def plain(weights: np.ndarray, bias: np.ndarray) -> IRModule:
    return graph(
        lambda x, _: conv(x, constant(weights), constant(bias), **ATTRS),
        tensor(*SHAPE, dtype=str(weights.dtype)),
    )


@pytest.mark.parametrize(
    ("dtype", "rtol"), [("float16", 1e-2), ("float32", 1e-5), ("float64", 1e-12)]
)
def test_scales_the_weights_and_adds_the_shift(dtype: str, rtol: float) -> None:
    parameters = [p.astype(dtype) for p in (GAMMA, BETA, MEAN, VAR)]
    weights = (WEIGHTS * SCALE[:, None, None, None]).astype(dtype)
    assert_rewrites(
        RULE,
        conv_norm(*parameters, weights=WEIGHTS.astype(dtype)),
        plain(weights, SHIFT.astype(dtype)),
        rtol=rtol,
    )


def test_the_bias_is_normalized_too() -> None:
    assert_rewrites(
        RULE,
        graph(
            lambda x, emit: emit(norm(conv(x, constant(WEIGHTS), constant(BIAS), **ATTRS)))[0],
            X,
        ),
        plain(WEIGHTS * SCALE[:, None, None, None], BIAS * SCALE + SHIFT),
    )


@pytest.mark.parametrize(
    ("attrs", "scale", "shift"),
    [
        ({"scale": False}, 1 / np.sqrt(VAR), BETA - MEAN / np.sqrt(VAR)),
        ({"center": False}, SCALE, -MEAN * SCALE),
        ({"epsilon": 4.0}, None, None),
        ({"axis": -3}, SCALE, SHIFT),
    ],
)
def test_the_attributes_count(attrs: dict[str, Any], scale: Any, shift: Any) -> None:
    parameters = [GAMMA, BETA, MEAN, VAR]
    if scale is None:
        parameters[3] = VAR - np.float32(4)  # epsilon makes it VAR again
        scale, shift = SCALE, SHIFT
    assert_rewrites(
        RULE,
        conv_norm(*parameters, **attrs),
        plain(WEIGHTS * scale.astype("float32")[:, None, None, None], shift.astype("float32")),
    )


@pytest.mark.parametrize("rank", [1, 3])
def test_one_and_three_dimensions(rank: int) -> None:
    attrs: dict[str, Any] = {
        "strides": [2] * rank,
        "padding": [1] * 2 * rank,
        "dilation": [1] * rank,
    }
    shape = (-1, *[1] * (rank + 1))
    weights, x = WEIGHTS.reshape(4, 3, *[1] * rank), tensor(1, 3, *[3] * rank)
    assert_rewrites(
        RULE,
        graph(lambda x, emit: emit(norm(conv(x, constant(weights), **attrs)))[0], x),
        graph(
            lambda x, _: conv(
                x, constant(weights * SCALE.reshape(shape)), constant(SHIFT), **attrs
            ),
            x,
        ),
    )


def test_depthwise_convolution() -> None:
    weights, attrs = WEIGHTS[:, :1], {**ATTRS, "groups": 4}
    assert_rewrites(
        RULE,
        graph(
            lambda x, emit: emit(norm(conv(x, constant(weights), **attrs)))[0], tensor(1, 4, 3, 3)
        ),
        graph(
            lambda x, _: conv(
                x, constant(weights * SCALE[:, None, None, None]), constant(SHIFT), **attrs
            ),
            tensor(1, 4, 3, 3),
        ),
    )


@pytest.mark.parametrize("groups", [1, 2])
def test_transposed_convolution(groups: int) -> None:
    weights = np.exp2(np.arange(8 // groups * 4).reshape(2, -1, 2, 2) % 5).astype("float32")
    scale = SCALE.reshape(groups, -1) if groups == 2 else SCALE.reshape(1, 4)
    attrs: dict[str, Any] = {**ATTRS, "strides": [2, 2], "output_padding": [1, 0], "groups": groups}
    assert_rewrites(
        RULE,
        graph(
            lambda x, emit: emit(norm(conv_transpose(x, constant(weights), **attrs)))[0],
            tensor(1, 2, 3, 3),
        ),
        graph(
            lambda x, _: conv_transpose(
                x, constant(weights * scale[..., None, None]), constant(SHIFT), **attrs
            ),
            tensor(1, 2, 3, 3),
        ),
    )


def test_a_variance_of_zero_and_ragged_numbers() -> None:
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((4, 3, 3, 2)).astype("float32")
    parameters = [rng.standard_normal(4).astype("float32") for _ in range(3)]
    before = graph(
        lambda x, emit: emit(
            norm(conv(x, constant(weights), **ATTRS), *parameters, np.zeros(4, "float32"),
                 epsilon=1e-5)
        )[0],
        X,
    )  # fmt: skip
    trace = Trace()
    after = RULE(before, trace)
    assert len(trace.fired) == 1
    assert_same_numbers(before, after, rtol=1e-5)


def test_symbolic_batch() -> None:
    trace = Trace()
    n = tirx.Var("n", "int64")
    x = tensor(n, 3, 5, 5)
    RULE(graph(lambda x, emit: emit(norm(conv(x, constant(WEIGHTS), **ATTRS)))[0], x), trace)
    assert len(trace.fired) == 1


@pytest.mark.parametrize("groups", [1, 3])
def test_a_batch_norm_before_the_convolution(groups: int) -> None:
    scale, shift = SCALE[:3], SHIFT[:3]
    weights = np.exp2(np.arange(36 // groups).reshape(6, -1, 2, 1) % 3).astype("float32")
    each = np.repeat(scale.reshape(groups, -1), 6 // groups, axis=0)[..., None, None]
    shifted = np.repeat(shift.reshape(groups, -1), 6 // groups, axis=0)[..., None, None]
    bias = np.arange(6, dtype="float32")
    attrs: dict[str, Any] = {**ATTRS, "groups": groups}
    three = [p[:3] for p in (GAMMA, BETA, MEAN, VAR)]
    assert_rewrites(
        RULE,
        graph(
            lambda x, emit: conv(
                emit(emit(norm(x, *three))[0]), constant(weights), constant(bias), **attrs
            ),
            X,
        ),
        graph(
            lambda x, _: conv(
                x,
                constant(weights * each),
                constant(bias + (weights * shifted).sum((1, 2, 3))),
                **attrs,
            ),
            X,
        ),
    )


def test_product_sum_and_norm_collapse_into_one_convolution() -> None:
    def compute(x: Expr, emit: Emit) -> Expr:
        y = conv(x, constant(WEIGHTS), **ATTRS)
        y = add(constant(np.array(0.5, "float32")), multiply(y, constant(GAMMA.reshape(4, 1, 1))))
        return emit(norm(y))[0]

    before = graph(compute, X)
    after = before
    for _ in range(3):
        for rule in (ConvAddFusion(), ConvMulFusion(), RULE):
            after = rule(after)
    operators = [op_name(value) for _, value in Dataflow(after["main"]).bindings]
    assert [op for op in operators if op] == ["tvmfuse.conv"]
    assert_same_numbers(before, after)


def test_declines_training() -> None:
    assert_declines(RULE, conv_norm(training=True), because="the batch norm is in inference mode")


def test_declines_where_other_outputs_are_read() -> None:
    def compute(x: Expr, emit: Emit) -> list[Expr]:
        outputs = emit(norm(conv(x, constant(WEIGHTS), **ATTRS)))
        return [outputs[0], outputs[1]]

    assert_declines(
        RULE,
        graph(compute, X),
        because="of the batch norm only the first output is read",
    )


def test_declines_runtime_parameters() -> None:
    def compute(x: Expr, gamma: Expr, emit: Emit) -> Expr:
        y = conv(x, constant(WEIGHTS), **ATTRS)
        rest = [constant(p) for p in (BETA, MEAN, VAR)]
        return emit(batch_norm(y, gamma, *rest, axis=1, training=False))[0]

    assert_declines(
        RULE,
        graph(compute, X, tensor(4)),
        because="the batch norm's parameters are constant",
    )


def test_declines_runtime_weights() -> None:
    assert_declines(
        RULE,
        graph(lambda x, w, emit: emit(norm(conv(x, w, **ATTRS)))[0], X, tensor(*WEIGHTS.shape)),
        because="the convolution's weights are constant",
    )


def test_declines_a_runtime_bias() -> None:
    assert_declines(
        RULE,
        graph(
            lambda x, b, emit: emit(norm(conv(x, constant(WEIGHTS), b, **ATTRS)))[0], X, tensor(4)
        ),
        because="the convolution's bias is constant",
    )


def test_declines_another_axis() -> None:
    ones = np.ones(5, "float32")
    assert_declines(
        RULE,
        conv_norm(ones, ones, ones, ones, axis=2),
        because="the batch norm runs over the channels",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_where_something_else_reads_the_convolution(
    reader: Callable[[Expr], Expr],
) -> None:
    def compute(x: Expr, emit: Emit) -> list[Expr]:
        y = emit(conv(x, constant(WEIGHTS), **ATTRS))
        return [emit(norm(y))[0], reader(y)]

    assert_declines(
        RULE,
        graph(compute, X),
        because="the batch norm is the convolution's only reader",
    )


def test_declines_a_division_by_zero() -> None:
    assert_declines(
        RULE,
        conv_norm(GAMMA, BETA, MEAN, np.zeros(4, "float32")),
        because="the scaled weights are finite",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_where_something_else_reads_the_batch_norm(
    reader: Callable[[Expr], Expr],
) -> None:
    def compute(x: Expr, emit: Emit) -> list[Expr]:
        y = emit(emit(norm(x))[0])
        return [conv(y, constant(WEIGHTS.reshape(3, 4, 1, 1)), **ATTRS), reader(y)]

    assert_declines(
        RULE,
        graph(compute, tensor(1, 4, 3, 3)),
        because="the convolution is the batch norm's only reader",
    )


def test_declines_a_padded_convolution_after_the_batch_norm() -> None:
    attrs: dict[str, Any] = {**ATTRS, "padding": [0, 0, 1, 0]}
    assert_declines(
        RULE,
        graph(
            lambda x, emit: conv(emit(norm(x))[0], constant(WEIGHTS.reshape(3, 4, 1, 1)), **attrs),
            tensor(1, 4, 3, 3),
        ),
        because="the convolution pads nothing",
    )


def test_ignores_other_batch_norms() -> None:
    assert_ignores(RULE, graph(lambda x, emit: exp(emit(norm(x))[0]), tensor(1, 4, 3, 3)))


def test_a_batch_norm_between_two_convolutions_goes_into_the_first() -> None:
    def compute(x: Expr, emit: Emit) -> Expr:
        y = emit(norm(conv(x, constant(WEIGHTS), **ATTRS)))[0]
        return conv(y, constant(WEIGHTS.reshape(3, 4, 1, 1)), **ATTRS)

    trace = Trace()
    after = RULE(graph(compute, X), trace)
    first, second = (v for _, v in Dataflow(after["main"]).bindings if op_name(v))
    assert len(trace.fired) == 1
    assert len(first.args) == 3
    assert len(second.args) == 2
