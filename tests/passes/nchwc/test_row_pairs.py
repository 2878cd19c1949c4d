"""passes.nchwc.convolution: weights for what multiplies two pixels at once, where there are two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.ops.summed_in import INTEGERS

TARGET = "neoverse-v1"


def takes_pairs(shape: tuple[Any, ...], weights: tuple[int, ...], target: str, **said: Any) -> bool:
    node = helper.make_node("ConvInteger", ["x", "w"], ["y"], **said)
    constants = {"w": np.ones(weights, "int8")}
    model = onnx_model([node], {"x": ("uint8", shape)}, {"y": INTEGERS}, constants)
    kernels = tvmfuse.compile(model, target=target).manifest.kernels
    return any("RowPairs" in kernel.plan["steps"] for kernel in kernels)


@pytest.mark.parametrize(
    ("shape", "weights", "said"),
    [
        ((1, 16, 5, 5), (16, 16, 1, 1), {}),
        ((1, 16, "h", "w"), (24, 16, 3, 3), {"strides": [2, 2]}),
        ((1, 8, 5, 5), (16, 8, 3, 3), {}),
        ((1, 32, 5, 5), (32, 16, 3, 3), {"group": 2}),
        ((1, 13, 5, 5), (32, 13, 1, 1), {}),
    ],
    ids=["1x1", "any size", "a word for each tap", "groups", "filled up"],
)
def test_two_pixels_are_multiplied_at_once(shape: Any, weights: Any, said: Any) -> None:
    assert takes_pairs(shape, weights, TARGET, **said)


@pytest.mark.parametrize(
    ("shape", "weights", "said", "target"),
    [
        ((1, 16, 1, 1), (16, 16, 1, 1), {}, TARGET),
        ((1, 3, 9, 9), (16, 3, 3, 3), {}, TARGET),
        ((1, 8, 5, 5), (16, 8, 1, 1), {}, TARGET),
        ((1, 16, 5, 5), (32, 4, 3, 3), {"group": 4}, TARGET),
        ((1, 16, 5, 5), (16, 1, 3, 3), {"group": 16}, TARGET),
        ((1, 16, 5, 5), (16, 16, 1, 1), {}, "neoverse-n1"),
    ],
    ids=["one pixel", "three channels", "one word", "half a word", "depthwise", "another CPU"],
)
def test_others_are_dot_products(shape: Any, weights: Any, said: Any, target: str) -> None:
    assert not takes_pairs(shape, weights, target, **said)
