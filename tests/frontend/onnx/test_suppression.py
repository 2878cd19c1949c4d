"""NonMaxSuppression against onnxruntime: ties, boxes that are the same, turned, empty or no boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse

RNG = np.random.default_rng(0)


def drawn(images: int, classes: int, count: int) -> dict[str, np.ndarray]:
    boxes = RNG.random((images, count, 4)).astype("float32") * 10
    scores = np.round(RNG.standard_normal((images, classes, count)), 1).astype("float32")
    if count > 5:
        boxes[0, 4] = boxes[0, 3]
        boxes[0, 2, 2:] = boxes[0, 2, :2]
        boxes[0, 0], boxes[0, 1, 2] = np.nan, np.inf
        scores[0, 0, :6] = [0.0, -0.0, 0.0, np.nan, np.inf, -np.inf]
    return {"boxes": boxes, "scores": scores}


def suppressing(shape: tuple[Any, Any, Any], most: int, overlap: float) -> Any:
    images, classes, count = shape
    inputs = {
        "boxes": ("float32", (images, count, 4)),
        "scores": ("float32", (images, classes, count)),
    }
    weights = {
        "k": np.array([most]),
        "o": np.array([overlap], "float32"),
        "t": np.array([-1], "float32"),
    }
    node = helper.make_node("NonMaxSuppression", [*inputs, *weights], ["y"])
    return onnx_model([node], inputs, {"y": "int64"}, weights)


@pytest.mark.parametrize(("most", "overlap"), [(70, 0.1), (1000, 1.0)])
def test_of_any_number_of_boxes(most: int, overlap: float) -> None:
    model = suppressing(("n", "c", "b"), most, overlap)
    loaded = tvmfuse.compile(model, strict=True).load()
    for sizes in ((2, 3, 65), (1, 1, 200), (2, 1, 17), (1, 2, 1), (1, 1, 0)):
        feeds = drawn(*sizes)
        assert_agrees(loaded(feeds), reference(model, feeds))


def test_of_fixed_sizes() -> None:
    model, feeds = suppressing((2, 3, 130), 64, 0.5), drawn(2, 3, 130)
    loaded = tvmfuse.compile(model, level="none", strict=True).load()
    assert_agrees(loaded(feeds), reference(model, feeds))
