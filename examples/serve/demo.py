"""The model that is served when none is named: a small classifier of images of 8 x 8 pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import tvmfuse

PIXELS: Final = (1, 8, 8)
CHANNELS: Final = 16
CLASSES: Final = 10


def classifier(*, seed: int = 0) -> onnx.ModelProto:
    """Return ``image[batch, 1, 8, 8] -> probabilities[batch, 10]``, float32, random weights."""
    rng = np.random.default_rng(seed)
    flat = CHANNELS * PIXELS[1] * PIXELS[2]
    weights = {
        "conv": rng.standard_normal((CHANNELS, 1, 3, 3)) / 3,
        "dense": rng.standard_normal((flat, CLASSES)) / flat**0.5,
    }
    nodes = [
        helper.make_node("Conv", ["image", "conv"], ["features"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["features"], ["positive"]),
        helper.make_node("Flatten", ["positive"], ["row"]),
        helper.make_node("MatMul", ["row", "dense"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["probabilities"]),
    ]
    graph = helper.make_graph(
        nodes,
        "classifier",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", *PIXELS])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["batch", CLASSES])],
        [numpy_helper.from_array(w.astype(np.float32), name) for name, w in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def save_demo(folder: Path) -> Path:
    """Compile the classifier for this machine into a folder; return the file."""
    path = folder / "classifier.so"
    tvmfuse.compile(classifier()).save(path)
    return path
