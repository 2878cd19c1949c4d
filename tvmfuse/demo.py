"""The model that `tvmfuse ab` takes when none is named."""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CHANNELS: Final = 64
SIZE: Final = 128


def wee_net(*, seed: int = 0) -> onnx.ModelProto:
    """Return WeeNet: one 3x3 convolution, batch normalization and ReLU.

    float32, ``x[1, 3, 128, 128] -> y[1, 64, 128, 128]``, opset 17, seeded random weights. With
    three input channels the convolution is 57 million multiply-adds, and batch norm and ReLU each
    move 8 MiB: cheap enough beside each other that folding and fusing them shows.
    """
    rng = np.random.default_rng(seed)
    fan_in = 3 * 3 * 3
    weights = {
        "conv.weight": rng.standard_normal((CHANNELS, 3, 3, 3)) * np.sqrt(2 / fan_in),
        "norm.scale": rng.uniform(0.5, 1.5, CHANNELS),
        "norm.bias": rng.standard_normal(CHANNELS),
        "norm.mean": rng.standard_normal(CHANNELS),
        "norm.var": rng.uniform(0.5, 1.5, CHANNELS),
    }
    norm = ["norm.scale", "norm.bias", "norm.mean", "norm.var"]
    nodes = [
        helper.make_node("Conv", ["x", "conv.weight"], ["conv.y"], name="conv", pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["conv.y", *norm], ["norm.y"], name="norm"),
        helper.make_node("Relu", ["norm.y"], ["y"], name="relu"),
    ]
    graph = helper.make_graph(
        nodes,
        "WeeNet",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, SIZE, SIZE])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, CHANNELS, SIZE, SIZE])],
        [numpy_helper.from_array(w.astype(np.float32), name) for name, w in weights.items()],
    )
    opset = helper.make_opsetid("", 17)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8, producer_name="tvmfuse")
