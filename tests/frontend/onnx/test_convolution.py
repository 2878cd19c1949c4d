"""Convolutions and pooling: one call each, padded as ONNX says."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model, ops, run
from onnx import helper

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow

RNG = np.random.default_rng(0)


def draw(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype("float32")


AUTO_PADS = ["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]


@pytest.mark.parametrize(
    ("x", "w", "attributes"),
    [
        ((2, 3, 9), (4, 3, 3), {}),
        ((1, 3, 8, 7), (4, 3, 3, 2), {"pads": [1, 0, 2, 1], "strides": [2, 1]}),
        ((2, 4, 9, 9), (6, 2, 3, 3), {"group": 2, "dilations": [2, 1], "kernel_shape": [3, 3]}),
        ((1, 4, 6, 6), (4, 1, 3, 3), {"group": 4, "pads": [1, 1, 1, 1]}),
        ((1, 2, 5, 6, 7), (3, 2, 2, 3, 1), {"strides": [1, 2, 3]}),
    ],
)
@pytest.mark.parametrize("biased", [True, False])
def test_conv(
    node_agrees: Any,
    x: tuple[int, ...],
    w: tuple[int, ...],
    attributes: dict[str, Any],
    biased: bool,
) -> None:
    operands = [draw(*x), draw(*w), *([draw(w[0])] if biased else [])]
    imported = node_agrees("Conv", *operands, fixed=range(1, len(operands)), **attributes)
    assert ops(imported.module) == ["conv"]


@pytest.mark.parametrize(
    ("image", "attributes", "taps"),
    [
        ((1, 1), {"pads": [1, 1, 1, 1]}, (1, 1)),
        ((1, 9), {"pads": [1, 1, 1, 1]}, (1, 3)),
        ((2, 3), {"pads": [1, 2, 2, 4], "strides": [9, 9]}, (2, 1)),
        ((4, 4), {"pads": [6, 6, 6, 6], "dilations": [3, 6]}, (3, 1)),
        ((2, 2), {"pads": [1, 1, 1, 1]}, (3, 3)),
    ],
)
def test_conv_has_no_tap_that_meets_no_pixel(
    node_agrees: Any, image: Any, attributes: dict[str, Any], taps: Any
) -> None:
    imported = node_agrees("Conv", draw(1, 2, *image), draw(3, 2, 3, 3), fixed=[1], **attributes)
    [conv] = [v for _, v in Dataflow.of(imported.module["main"]).bindings if "conv" in str(v.op)]
    assert tuple(map(int, conv.args[1].ty.shape.values[2:])) == taps


@pytest.mark.parametrize("auto_pad", AUTO_PADS)
@pytest.mark.parametrize(("size", "stride"), [(7, 1), (7, 2), (8, 2), (8, 3)])
def test_conv_auto_pad(node_agrees: Any, auto_pad: str, size: int, stride: int) -> None:
    node_agrees(
        "Conv",
        draw(1, 2, size, size + 1),
        draw(3, 2, 3, 4),
        auto_pad=auto_pad,
        strides=[stride, stride],
    )


def test_conv_of_symbolic_sizes(node_agrees: Any) -> None:
    imported = node_agrees(
        "Conv", draw(2, 3, 9, 8), draw(4, 3, 3, 3), fixed=[1], dims={0: ["n", 3, "h", "w"]},
        pads=[1, 1, 1, 1], strides=[2, 2],
    )  # fmt: skip
    assert imported.outputs[0].shape == ("n", 4, "(h - 1)//2 + 1", "(w - 1)//2 + 1")


@pytest.mark.parametrize(
    ("x", "w", "attributes"),
    [
        ((1, 3, 5), (3, 2, 3), {"strides": [2]}),
        ((1, 3, 4, 5), (3, 2, 3, 3), {"strides": [2, 3], "pads": [1, 0, 1, 2]}),
        ((1, 4, 4, 4), (4, 1, 3, 3), {"group": 2, "dilations": [2, 1]}),
        ((1, 2, 4, 4), (2, 2, 3, 3), {"strides": [2, 2], "output_padding": [1, 1]}),
        ((1, 2, 3, 3), (2, 2, 3, 3), {"strides": [3, 2], "output_shape": [10, 8]}),
        ((1, 2, 3, 3), (2, 2, 3, 3), {"strides": [3, 2], "output_shape": [9, 7]}),
        ((1, 2, 3, 3), (2, 2, 3, 3), {"strides": [3, 2], "auto_pad": "SAME_UPPER"}),
        ((1, 2, 3, 3), (2, 2, 3, 3), {"strides": [3, 2], "auto_pad": "SAME_LOWER"}),
        ((1, 2, 3, 3, 3), (2, 1, 2, 2, 2), {"strides": [2, 1, 2]}),
        ((1, 4, 1, 1), (4, 2, 4, 4), {}),
        ((2, 4, 1, 5), (4, 2, 4, 4), {"strides": [1, 2], "pads": [1, 1, 1, 1]}),
        ((1, 4, 5, 2), (4, 3, 2, 1), {"strides": [3, 4], "group": 2}),
        ((1, 2, 5, 4), (2, 2, 3, 3), {"strides": [2, 3], "dilations": [3, 2]}),
        ((1, 2, 5, 4), (2, 2, 3, 3), {"strides": [2, 4], "dilations": [2, 2]}),
    ],
)
def test_conv_transpose(
    node_agrees: Any, x: tuple[int, ...], w: tuple[int, ...], attributes: dict[str, Any]
) -> None:
    bias = draw(w[1] * attributes.get("group", 1))
    imported = node_agrees("ConvTranspose", draw(*x), draw(*w), bias, fixed=[1, 2], **attributes)
    assert ops(imported.module) == ["conv_transpose"]


@pytest.mark.parametrize("value", [np.nan, np.inf], ids=str)
def test_conv_transpose_keeps_what_is_not_finite_where_it_is(
    node_agrees: Any, value: float
) -> None:
    """Phases with fewer taps than others multiply no pixel by zero."""
    for stride in (2, 3):
        x = draw(1, 2, 5, 4)
        x[0, 1, 2, 2] = value
        node_agrees("ConvTranspose", x, draw(2, 3, 4, 3), fixed=[1], strides=[stride, 2])


def test_conv_transpose_of_symbolic_sizes(node_agrees: Any) -> None:
    imported = node_agrees(
        "ConvTranspose", draw(2, 3, 4, 5), draw(3, 2, 3, 3), fixed=[1],
        dims={0: ["n", 3, "h", "w"]}, pads=[1, 1, 1, 1], strides=[2, 3],
    )  # fmt: skip
    assert imported.inputs[0].min_sizes == (0, 0, 1, 1)


POOLS = [
    ((2, 3, 9), {"kernel_shape": [3]}),
    ((1, 2, 9, 8), {"kernel_shape": [3, 2], "strides": [2, 2], "pads": [1, 0, 1, 1]}),
    ((1, 2, 9, 8), {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}),
    (
        (1, 1, 7, 7),
        {"kernel_shape": [3, 3], "strides": [3, 3], "pads": [1, 1, 1, 1], "ceil_mode": 1},
    ),
    ((1, 2, 5, 6, 7), {"kernel_shape": [2, 2, 2], "strides": [1, 2, 2]}),
    *(
        ((1, 2, 7, 8), {"kernel_shape": [3, 2], "strides": [2, 2], "auto_pad": a})
        for a in AUTO_PADS[1:]
    ),
]


@pytest.mark.parametrize(("shape", "attributes"), POOLS)
def test_max_pool(node_agrees: Any, shape: Any, attributes: dict[str, Any]) -> None:
    imported = node_agrees("MaxPool", draw(*shape) - 5, **attributes)
    assert len(ops(imported.module)) == 1


@pytest.mark.parametrize(("shape", "attributes"), POOLS)
@pytest.mark.parametrize("count_include_pad", [0, 1])
def test_average_pool(
    node_agrees: Any, shape: Any, attributes: dict[str, Any], count_include_pad: int
) -> None:
    node_agrees(
        "AveragePool", draw(*shape), opset=19, count_include_pad=count_include_pad, **attributes
    )


def test_dilated_pools(node_agrees: Any) -> None:
    node_agrees("MaxPool", draw(1, 2, 9, 9), kernel_shape=[3, 2], dilations=[2, 3])
    node_agrees("AveragePool", draw(1, 2, 9, 9), opset=19, kernel_shape=[3, 2], dilations=[2, 3])


@pytest.mark.parametrize("shape", [(2, 3, 5), (2, 3, 5, 4), (1, 2, 3, 4, 5)])
def test_global_pools(node_agrees: Any, shape: tuple[int, ...]) -> None:
    assert ops(node_agrees("GlobalAveragePool", draw(*shape)).module) == ["mean"]
    assert ops(node_agrees("GlobalMaxPool", draw(*shape)).module) == ["max"]


def test_lp_pools_and_lrn(node_agrees: Any) -> None:
    node_agrees("LpPool", draw(1, 2, 6, 6), kernel_shape=[2, 3], p=2)
    node_agrees("GlobalLpPool", draw(1, 2, 6, 6), p=2)
    x = draw(1, 6, 4, 4)
    node_agrees("LRN", x, dims={0: "ncwh"}, size=3, alpha=0.01, beta=0.6, bias=1.5)


def test_lrn_of_an_even_number_of_channels() -> None:
    """Of which one more comes after than before: onnxruntime refuses them."""
    x = draw(2, 5)
    node = helper.make_node("LRN", ["x"], ["y"], size=4, alpha=2.0, beta=0.5)
    [found] = run(
        import_model(onnx_model([node], {"x": ("float32", (2, 5))}, {"y": "float32"})).module, x
    )
    sums = np.stack([(x[:, max(c - 1, 0) : c + 3] ** 2).sum(1) for c in range(5)], 1)
    np.testing.assert_allclose(found, x / np.sqrt(1 + sums / 2), rtol=1e-5)
