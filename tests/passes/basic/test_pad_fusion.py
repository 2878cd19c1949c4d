"""Pad_Fusion: pad -> conv, avg_pool or max_pool becomes the reader's own padding."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, run, tensor
from onnx.helper import make_node
from reference import assert_agrees, reference
from tvm import tirx
from tvm.ir import Expr
from tvm.relax.op import astype, exp
from tvm.relax.op.nn import (
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    pad,
)

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.ops import conv, conv_transpose
from tvmfuse.passes.basic.pad_fusion import PadFusion
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = PadFusion()
SHAPE = (1, 2, 5, 6)
X = tensor(*SHAPE)
WIDTHS = [0, 0, 0, 0, 1, 2, 0, 3]  # begin and end of each axis
WEIGHTS = constant(np.linspace(-1, 1, 36, dtype="float32").reshape(2, 2, 3, 3))
ATTRS: dict[str, Any] = {"strides": [2, 1], "dilation": [1, 1]}

Emit = Callable[[Expr], Expr]


def convolved(x: Expr, padding: list[int], weights: Expr = WEIGHTS) -> Expr:
    return conv(x, weights, padding=padding, **ATTRS)


def test_a_convolution_adds_it_to_its_own_padding() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: convolved(pad(x, WIDTHS), [4, 5, 6, 7]), X),
        graph(lambda x, _: convolved(x, [5, 5, 8, 10]), X),
    )


def test_the_bias_and_runtime_weights_stay() -> None:
    types = X, tensor(2, 2, 1, 1), tensor(2)
    assert_rewrites(
        RULE,
        graph(lambda x, w, b, _: conv(pad(x, WIDTHS), w, b, padding=[0] * 4, **ATTRS), *types),
        graph(lambda x, w, b, _: conv(x, w, b, padding=[1, 0, 2, 3], **ATTRS), *types),
    )


@pytest.mark.parametrize("rank", [1, 3])
def test_convolutions_of_one_and_three_dimensions(rank: int) -> None:
    weights = constant(np.ones((2, 2, *[2] * rank), "float32"))
    attrs: dict[str, Any] = {"strides": [1] * rank, "dilation": [1] * rank}
    widths = [0, 0, 0, 0, *[1, 2] * rank]
    x = tensor(1, 2, *[3] * rank)
    assert_rewrites(
        RULE,
        graph(lambda x, _: conv(pad(x, widths), weights, padding=[0] * 2 * rank, **attrs), x),
        graph(lambda x, _: conv(x, weights, padding=[1] * rank + [2] * rank, **attrs), x),
    )


def test_a_cast_between_them_stays() -> None:
    half = tensor(*SHAPE, dtype="float16")
    assert_rewrites(
        RULE,
        graph(lambda x, _: convolved(astype(pad(x, WIDTHS), "float32"), [0, 0, 0, 0]), half),
        graph(lambda x, _: convolved(astype(x, "float32"), [1, 0, 2, 3]), half),
    )


def test_symbolic_size() -> None:
    h, trace = tirx.Var("h", "int64"), Trace()
    RULE(graph(lambda x, _: convolved(pad(x, WIDTHS), [0] * 4), tensor(1, 2, h, 6)), trace)
    assert len(trace.fired) == 1


@pytest.mark.parametrize(
    ("own", "counts"), [([0] * 4, False), ([0] * 4, True), ([1, 0, 1, 2], True)]
)
def test_an_average_counts_what_was_padded(own: list[int], counts: bool) -> None:
    both = [own[0] + 1, own[1], own[2] + 2, own[3] + 3]
    attrs: dict[str, Any] = {"pool_size": (2, 3), "strides": (1, 2)}
    assert_rewrites(
        RULE,
        graph(
            lambda x, _: avg_pool2d(pad(x, WIDTHS), padding=own, count_include_pad=counts, **attrs),
            X,
        ),
        graph(lambda x, _: avg_pool2d(x, padding=both, count_include_pad=True, **attrs), X),
    )


@pytest.mark.parametrize(("pool", "rank"), [(avg_pool1d, 1), (avg_pool3d, 3)])
def test_averages_of_one_and_three_dimensions(pool: Callable[..., Expr], rank: int) -> None:
    widths, x = [0, 0, 0, 0, *[1, 2] * rank], tensor(1, 2, *[3] * rank)
    assert_rewrites(
        RULE,
        graph(lambda x, _: pool(pad(x, widths), [2] * rank), x),
        graph(
            lambda x, _: pool(
                x, [2] * rank, padding=[1] * rank + [2] * rank, count_include_pad=True
            ),
            x,
        ),
    )


@pytest.mark.parametrize(("pool", "rank"), [(max_pool1d, 1), (max_pool2d, 2), (max_pool3d, 3)])
def test_a_maximum_over_minus_infinity(pool: Callable[..., Expr], rank: int) -> None:
    widths, x = [0, 0, 0, 0, *[1, 2] * rank], tensor(1, 2, *[3] * rank)
    assert_rewrites(
        RULE,
        graph(
            lambda x, _: pool(pad(x, widths, pad_value=-math.inf), [4] * rank, [2] * rank,
                              [1] * 2 * rank),
            x,
        ),
        graph(
            lambda x, _: pool(x, [4] * rank, [2] * rank, [2] * rank + [3] * rank), x
        ),
    )  # fmt: skip


@pytest.mark.parametrize("mode", ["reflect", "edge"])
def test_declines_other_modes(mode: str) -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: convolved(pad(x, WIDTHS, mode), [0] * 4), X),
        because="the pad repeats one value",
    )


def test_declines_negative_widths() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: convolved(pad(x, [0, 0, 0, 0, 1, -1, 0, 0]), [0] * 4), X),
        because="the pad removes nothing",
    )


@pytest.mark.parametrize("widths", [[1, 0, 0, 0], [0, 0, 0, 1]])
def test_declines_padded_batches_and_channels(widths: list[int]) -> None:
    weights = constant(np.ones((2, 2 + widths[3], 1, 1), "float32"))
    assert_declines(
        RULE,
        graph(lambda x, _: convolved(pad(x, [*widths, 1, 1, 1, 1]), [0] * 4, weights), X),
        because="only spatial dimensions are padded",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp, lambda y: convolved(y, [0] * 4)])
def test_declines_several_readers(reader: Callable[[Expr], Expr]) -> None:
    def compute(x: Expr, emit: Emit) -> list[Expr]:
        padded = emit(pad(x, WIDTHS))
        return [convolved(padded, [0] * 4), reader(padded)]

    assert_declines(RULE, graph(compute, X), because="the padded tensor has one reader")


def test_declines_several_readers_of_the_cast() -> None:
    def compute(x: Expr, emit: Emit) -> list[Expr]:
        cast = emit(astype(pad(x, WIDTHS), "float32"))
        return [convolved(cast, [0] * 4), exp(cast)]

    assert_declines(
        RULE,
        graph(compute, tensor(*SHAPE, dtype="float64")),
        because="the padded tensor has one reader",
    )


@pytest.mark.parametrize(
    "reader", [lambda p: convolved(p, [0] * 4), lambda p: avg_pool2d(p, (2, 2))]
)
@pytest.mark.parametrize("value", [1.0, -math.inf, math.nan])
def test_declines_other_values(reader: Callable[[Expr], Expr], value: float) -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: reader(pad(x, WIDTHS, pad_value=value)), X),
        because="the pad's value is zero",
    )


def test_declines_an_average_that_does_not_count_its_own_padding() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: avg_pool2d(pad(x, WIDTHS), (2, 2), padding=(1, 1)), X),
        because="the average counts its own padding, too",
    )


@pytest.mark.parametrize(("pool", "value"), [(avg_pool2d, 0.0), (max_pool2d, -math.inf)])
def test_declines_windows_that_end_beyond_the_input(
    pool: Callable[..., Expr], value: float
) -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: pool(pad(x, WIDTHS, pad_value=value), (4, 4), ceil_mode=True), X),
        because="the pool's windows end within the padded input",
    )


def test_declines_other_layouts() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: avg_pool2d(pad(x, WIDTHS), (2, 2), layout="NHWC"), X),
        because="the channels come before the pixels",
    )


@pytest.mark.parametrize("value", [0.0, -1.0, float(np.finfo("float32").min)])
def test_declines_a_maximum_over_numbers(value: float) -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: max_pool2d(pad(x, WIDTHS, pad_value=value), (4, 4)), X),
        because="the pad's value is minus infinity",
    )


def test_declines_a_maximum_of_integers() -> None:
    assert_declines(
        RULE,
        graph(
            lambda x, _: max_pool2d(astype(pad(x, WIDTHS, pad_value=-math.inf), "int8"), (4, 4)),
            X,
        ),
        because="the maximum is a floating-point one",
    )


@pytest.mark.parametrize("attrs", [{"pool_size": (3, 3)}, {"pool_size": 4, "dilation": (1, 2)}])
def test_declines_windows_of_padding_only(attrs: dict[str, Any]) -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: max_pool2d(pad(x, WIDTHS, pad_value=-math.inf), **attrs), X),
        because="every window of the pool reaches beyond the padding",
    )


def test_ignores_other_readers() -> None:
    attrs: dict[str, Any] = {
        "strides": [1, 1],
        "padding": [0] * 4,
        "output_padding": [0] * 2,
        "dilation": [1, 1],
    }
    assert_ignores(RULE, graph(lambda x, _: exp(pad(x, WIDTHS)), X))
    # A transposed convolution's padding removes pixels of its output.
    assert_ignores(RULE, graph(lambda x, _: conv_transpose(pad(x, WIDTHS), WEIGHTS, **attrs), X))


@pytest.mark.parametrize("opset", [10, 11, 18])
def test_a_pad_of_a_model(opset: int) -> None:
    rng = np.random.default_rng(0)
    pads = np.array([0, 0, 1, 0, 0, 0, 2, 3])
    constants = {"w": rng.standard_normal((2, 2, 3, 3)).astype("float32"), "pads": pads}
    pad_node = make_node("Pad", ["x", "pads"], ["p"])
    if opset == 10:
        pad_node = make_node("Pad", ["x"], ["p"], pads=list(pads), value=0.0)
    elif opset == 18:
        constants |= {"axes": np.array([-1, 2]), "pads": np.array([0, 1, 3, 2])}
        constants["zero"] = np.zeros((), "float32")
        pad_node = make_node("Pad", ["x", "pads", "zero", "axes"], ["p"])
    model = onnx_model(
        [pad_node, make_node("Conv", ["p", "w"], ["y"], pads=[1, 0, 0, 1])],
        {"x": ("float32", SHAPE)},
        {"y": "float32"},
        constants,
        opset=opset,
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["conv"]
    x = rng.standard_normal(SHAPE).astype("float32")
    assert_agrees({"y": run(module, x)[0]}, reference(model, {"x": x}))


@pytest.mark.parametrize("include", [0, 1])
def test_a_pad_before_an_average_of_a_model(include: int) -> None:
    model = onnx_model(
        [
            make_node("Pad", ["x", "pads"], ["p"]),
            make_node("AveragePool", ["p"], ["y"], kernel_shape=[3, 2], count_include_pad=include),
        ],
        {"x": ("float32", SHAPE)},
        {"y": "float32"},
        {"pads": np.array([0, 0, 1, 0, 0, 0, 2, 1])},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["avg_pool2d"]
    x = np.random.default_rng(0).standard_normal(SHAPE).astype("float32")
    assert_agrees({"y": run(module, x)[0]}, reference(model, {"x": x}))


def test_a_pad_before_a_maximum_of_a_model() -> None:
    model = onnx_model(
        [
            make_node("Pad", ["x", "pads", "lowest"], ["p"]),
            make_node("MaxPool", ["p"], ["y"], kernel_shape=[3, 2]),
        ],
        {"x": ("float32", SHAPE)},
        {"y": "float32"},
        {"pads": np.array([0, 0, 1, 0, 0, 0, 2, 1]), "lowest": np.array(-np.inf, "float32")},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["max_pool2d"]
    x = np.random.default_rng(0).standard_normal(SHAPE).astype("float32") - 5
    assert_agrees({"y": run(module, x)[0]}, reference(model, {"x": x}))
