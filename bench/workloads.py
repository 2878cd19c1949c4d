"""The four workloads of the operator-fusion figure in the TVM paper.

Chen et al., "TVM: An Automated End-to-End Optimizing Compiler for Deep Learning", OSDI 2018,
section 3, figure 4: a 1x1 convolution from 128 to 256 channels of 28 x 28, a depthwise 3x3
convolution over 512 channels of 14 x 14, both with batch norm and ReLU behind them, an RNN cell and
an LSTM cell with 128 hidden units. A cell is one step, at batch 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HIDDEN: Final = 128

Weights = dict[str, np.ndarray]
Shapes = Mapping[str, tuple[int, ...]]


def conv_bn_relu(seed: int = 0) -> onnx.ModelProto:
    """Return ``relu(batch_norm(conv(x)))``: 1x1, 128 -> 256 channels, 28 x 28."""
    rng = np.random.default_rng(seed)
    return _normalized(rng, _drawn(rng, 256, 128, 1, 1, terms=128), (1, 128, 28, 28))


def depthwise_bn_relu(seed: int = 0) -> onnx.ModelProto:
    """Return ``relu(batch_norm(conv(x)))``: 3x3 for each of 512 channels, 14 x 14."""
    rng = np.random.default_rng(seed)
    weight = _drawn(rng, 512, 1, 3, 3, terms=9)
    return _normalized(rng, weight, (1, 512, 14, 14), group=512, pads=[1, 1, 1, 1])


def rnn_cell(seed: int = 0) -> onnx.ModelProto:
    """Return ``h' = tanh(x W + b + h R + c)``, as torch's RNNCell has it."""
    weights = _gates(1, np.random.default_rng(seed))
    nodes = [
        *_sums(),
        helper.make_node("Tanh", ["sums"], ["h_next"], name="state"),
    ]
    state = (1, HIDDEN)
    return _model("RNN cell", nodes, {"x": state, "h": state}, {"h_next": state}, weights)


def lstm_cell(seed: int = 0) -> onnx.ModelProto:
    """Return the next ``h`` and ``c``; the gates are in, forget, cell, out, as in LSTMCell."""
    weights = _gates(4, np.random.default_rng(seed))
    gates = ["in", "forget", "cell", "out"]
    nodes = [
        *_sums(),
        helper.make_node("Split", ["sums"], [f"{g}_sum" for g in gates], name="split", axis=1),
        *(
            helper.make_node("Tanh" if g == "cell" else "Sigmoid", [f"{g}_sum"], [g], name=g)
            for g in gates
        ),
        helper.make_node("Mul", ["forget", "c"], ["kept"], name="kept"),
        helper.make_node("Mul", ["in", "cell"], ["added"], name="added"),
        helper.make_node("Add", ["kept", "added"], ["c_next"], name="memory"),
        helper.make_node("Tanh", ["c_next"], ["bounded"], name="bounded"),
        helper.make_node("Mul", ["out", "bounded"], ["h_next"], name="state"),
    ]
    inputs = dict.fromkeys(("x", "h", "c"), (1, HIDDEN))
    outputs = dict.fromkeys(("h_next", "c_next"), (1, HIDDEN))
    return _model("LSTM cell", nodes, inputs, outputs, weights)


WORKLOADS: Final[Mapping[str, Callable[[], onnx.ModelProto]]] = MappingProxyType(
    {
        "conv+bn+relu": conv_bn_relu,
        "depthwise+bn+relu": depthwise_bn_relu,
        "rnn cell": rnn_cell,
        "lstm cell": lstm_cell,
    }
)
"""In the figure's order."""


def _normalized(
    rng: np.random.Generator,
    weight: np.ndarray,
    shape: tuple[int, ...],
    **attributes: Any,
) -> onnx.ModelProto:
    channels = len(weight)
    weights = {
        "weight": weight,
        "scale": rng.uniform(0.5, 1.5, channels),
        "bias": rng.standard_normal(channels),
        "mean": rng.standard_normal(channels),
        "var": rng.uniform(0.5, 1.5, channels),
    }
    norm = ["conv.y", "scale", "bias", "mean", "var"]
    nodes = [
        helper.make_node("Conv", ["x", "weight"], ["conv.y"], name="conv", **attributes),
        helper.make_node("BatchNormalization", norm, ["norm.y"], name="norm"),
        helper.make_node("Relu", ["norm.y"], ["y"], name="relu"),
    ]
    result = (shape[0], channels, *shape[2:])
    return _model("convolution, batch norm, ReLU", nodes, {"x": shape}, {"y": result}, weights)


def _gates(count: int, rng: np.random.Generator) -> Weights:
    """Draw matrices that read the input and the state, and their biases, for some gates."""
    rows = count * HIDDEN
    return {
        "w": _drawn(rng, rows, HIDDEN, terms=HIDDEN),
        "b": _drawn(rng, rows, terms=HIDDEN),
        "r": _drawn(rng, rows, HIDDEN, terms=HIDDEN),
        "d": _drawn(rng, rows, terms=HIDDEN),
    }


def _sums() -> list[onnx.NodeProto]:
    return [
        helper.make_node("Gemm", ["x", "w", "b"], ["from_x"], name="from_x", transB=1),
        helper.make_node("Gemm", ["h", "r", "d"], ["from_h"], name="from_h", transB=1),
        helper.make_node("Add", ["from_x", "from_h"], ["sums"], name="sums"),
    ]


def _drawn(rng: np.random.Generator, *shape: int, terms: int) -> np.ndarray:
    """Draw so that a sum of so many products is as large as what goes in."""
    return rng.normal(0.0, terms**-0.5, shape)


def _model(
    name: str, nodes: list[onnx.NodeProto], inputs: Shapes, outputs: Shapes, weights: Weights
) -> onnx.ModelProto:
    def values(shapes: Shapes) -> list[onnx.ValueInfoProto]:
        kind = TensorProto.FLOAT
        return [helper.make_tensor_value_info(n, kind, shape) for n, shape in shapes.items()]

    stored = [numpy_helper.from_array(w.astype(np.float32), n) for n, w in weights.items()]
    graph = helper.make_graph(nodes, name, values(inputs), values(outputs), stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
