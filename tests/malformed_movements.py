"""More models of one node that is wrong: what moves elements, reduces, normalizes, quantizes, loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import onnx
from malformed_nodes import IMAGE, of, ones
from onnx import TensorProto, helper

MOVEMENTS: Final[Mapping[str, onnx.ModelProto]] = {
    "Reshape: another number of elements": of("Reshape", (2, 3), [7]),
    "Reshape: two dimensions to be found": of("Reshape", (2, 3), [-1, -1]),
    "Reshape: a dimension of -2": of("Reshape", (2, 3), [-2, 3]),
    "Reshape: a size that does not divide": of("Reshape", (2, 3), [-1, 4]),
    "Reshape: a shape of rank 2": of("Reshape", (2, 3), [[3, 2]]),
    "Reshape: a shape of floats": of("Reshape", (2, 3), [3.0, 2.0]),
    "Reshape: a shape as an attribute of opset 1": of("Reshape", (2, 3), shape=[3, 2]),
    "Reshape: a 0 that copies nothing": of("Reshape", (2, 3), [2, 3, 0]),
    "Flatten: an axis beyond": of("Flatten", (2, 3), axis=3),
    "Flatten: an axis before": of("Flatten", (2, 3), axis=-3),
    "Transpose: an axis twice": of("Transpose", (2, 3), perm=[0, 0]),
    "Transpose: an axis beyond": of("Transpose", (2, 3), perm=[0, 2]),
    "Transpose: a negative axis": of("Transpose", (2, 3), perm=[-1, 0]),
    "Transpose: too few axes": of("Transpose", (2, 3), perm=[0]),
    "Transpose: axes of floats": of("Transpose", (2, 3), perm=[1.0, 0.0]),
    "Squeeze: a dimension of 2": of("Squeeze", (2, 1), [0]),
    "Squeeze: an axis beyond": of("Squeeze", (2, 1), [2]),
    "Squeeze: axes as an attribute of opset 11": of("Squeeze", (2, 1), axes=[1]),
    "Unsqueeze: an axis beyond": of("Unsqueeze", (2, 3), [4]),
    "Unsqueeze: an axis twice": of("Unsqueeze", (2, 3), [0, 0]),
    "Unsqueeze: no axes": of("Unsqueeze", (2, 3)),
    "Expand: a size that does not fit": of("Expand", (2, 3), [5, 5]),
    "Expand: a negative size": of("Expand", (2, 3), [-2, 3]),
    "Expand: a shape of floats": of("Expand", (2, 3), [2.0, 3.0]),
    "Tile: too few repeats": of("Tile", (2, 3), [2]),
    "Tile: a negative repeat": of("Tile", (2, 3), [-1, 1]),
    "Tile: repeats of rank 2": of("Tile", (2, 3), [[1, 1]]),
    "Concat: no axis": of("Concat", (2, 3), (2, 3)),
    "Concat: an axis beyond": of("Concat", (2, 3), (2, 3), axis=2),
    "Concat: ranks": of("Concat", (2, 3), (2, 3, 4), axis=0),
    "Concat: sizes": of("Concat", (2, 3), (2, 4), axis=0),
    "Concat: two dtypes": of("Concat", (2, 3), ("int64", 2, 3), axis=0),
    "Concat: nothing": of("Concat", axis=0),
    "Concat: scalars": of("Concat", (), (), axis=0),
    "Split: a sum that does not fit": of("Split", (2, 3), [1, 3], gives="float32 float32"),
    "Split: a negative size": of("Split", (2, 3), [-1, 3], gives="float32 float32"),
    "Split: more sizes than outputs": of("Split", (3, 3), [1, 1, 1], gives="float32 float32"),
    "Split: an axis beyond": of("Split", (2, 3), axis=2, gives="float32 float32"),
    "Split: sizes and a number of outputs": of(
        "Split", (2, 3), [1, 1], opset=18, num_outputs=2, gives="float32 float32"
    ),
    "Split: another number of outputs": of(
        "Split", (6, 3), opset=18, num_outputs=3, gives="float32 float32"
    ),
    "Split: uneven parts": of("Split", (3, 3), gives="float32 float32"),
    "Slice: more ends than starts": of("Slice", (2, 3), [0], [1, 2]),
    "Slice: a step of 0": of("Slice", (2, 3), [0], [2], [0], [0]),
    "Slice: an axis twice": of("Slice", (2, 3), [0, 0], [1, 1], [0, 0]),
    "Slice: an axis beyond": of("Slice", (2, 3), [0], [1], [2]),
    "Slice: starts of floats": of("Slice", (2, 3), [0.0], [1.0]),
    "Slice: no ends": of("Slice", (2, 3), [0]),
    "Slice: starts of rank 2": of("Slice", (2, 3), [[0]], [[1]]),
    "Slice: attributes of opset 1": of("Slice", (2, 3), starts=[0], ends=[1]),
    "Pad: too few pads": of("Pad", (2, 3), [1]),
    "Pad: below nothing": of("Pad", (2, 3), [-5, 0, 0, 0]),
    "Pad: pads of floats": of("Pad", (2, 3), [1.0, 0.0, 0.0, 0.0]),
    "Pad: pads of rank 2": of("Pad", (2, 3), [[1, 0, 0, 0]]),
    "Pad: a value of another dtype": of("Pad", (2, 3), [1, 0, 0, 0], np.array(1)),
    "Pad: an axis beyond": of("Pad", (2, 3), [1, 1], np.array(0, "float32"), [2], opset=18),
    "Pad: an axis twice": of("Pad", (2, 3), [1, 1, 1, 1], np.array(0, "float32"), [0, 0], opset=18),
    "Pad: reflects more than there is": of("Pad", (2, 3), [5, 0, 0, 0], mode="reflect"),
    "Pad: no pads": of("Pad", (2, 3)),
    "Gather: indices of floats": of("Gather", (2, 3), (2,)),
    "Gather: an axis beyond": of("Gather", (2, 3), ("int64", 2), axis=2),
    "Gather: from a scalar": of("Gather", (), ("int64", 2)),
    "Gather: an index beyond": of("Gather", (2, 3), [7]),
    "GatherElements: ranks": of("GatherElements", (2, 3), ("int64", 2)),
    "GatherElements: indices that reach beyond": of("GatherElements", (2, 3), ("int64", 2, 9)),
    "GatherND: more indices than axes": of("GatherND", (2, 3), ("int64", 2, 5)),
    "GatherND: batches": of("GatherND", (2, 3), ("int64", 4, 1), batch_dims=1),
    "GatherND: more batches than axes": of("GatherND", (2, 3), ("int64", 2, 1), batch_dims=5),
    "GatherND: a scalar index": of("GatherND", (2, 3), ("int64",)),
    "ScatterElements: ranks": of("ScatterElements", (2, 3), ("int64", 2), (2,)),
    "ScatterElements: updates": of("ScatterElements", (2, 3), ("int64", 1, 2), (1, 3)),
    "ScatterElements: an axis beyond": of(
        "ScatterElements", (2, 3), ("int64", 1, 2), (1, 2), axis=4
    ),
    "ScatterElements: a reduction of nobody": of(
        "ScatterElements", (2, 3), ("int64", 1, 2), (1, 2), reduction="mean"
    ),
    "ScatterND: updates": of("ScatterND", (4, 3), ("int64", 2, 1), (2, 5)),
    "ScatterND: more indices than axes": of("ScatterND", (4, 3), ("int64", 2, 5), (2,)),
    "ScatterND: two dtypes": of("ScatterND", (4, 3), ("int64", 2, 1), ("int64", 2, 3)),
    "Compress: a condition of floats": of("Compress", (2, 3), (2,)),
    "Compress: a condition of rank 2": of("Compress", (2, 3), ("bool", 2, 3)),
    "ReverseSequence: lengths of rank 2": of("ReverseSequence", (4, 5), ("int64", 5, 1)),
    "ReverseSequence: one axis for both": of(
        "ReverseSequence", (4, 5), ("int64", 5), batch_axis=1, time_axis=1
    ),
    "Unique: an axis beyond": of("Unique", (2, 3), axis=4),
    "Shape: a start of a word": of("Shape", (2, 3), gives="int64", start="first"),
    "Shape: to floats": of("Shape", (2, 3)),
    "Size: two operands": of("Size", (2, 3), (2, 3), gives="int64"),
    "NonZero: to floats": of("NonZero", (2, 3)),
}

REDUCTIONS: Final[Mapping[str, onnx.ModelProto]] = {
    "ReduceSum: an axis beyond": of("ReduceSum", (2, 3), [5]),
    "ReduceSum: axes of floats": of("ReduceSum", (2, 3), [0.0]),
    "ReduceSum: axes of rank 2": of("ReduceSum", (2, 3), [[0]]),
    "ReduceSum: axes as an attribute of opset 11": of("ReduceSum", (2, 3), axes=[0]),
    "ReduceSum: of booleans": of("ReduceSum", ("bool", 2), gives="bool"),
    "ReduceMean: an axis before": of("ReduceMean", (2, 3), axes=[-3]),
    "ReduceMax: axes as an operand of opset 18": of("ReduceMax", (2, 3), [0]),
    "ReduceMin: axes that are a word": of("ReduceMin", (2, 3), axes="all"),
    "ReduceProd: two operands that are absent": of("ReduceProd", None, None),
    "ReduceL2: of booleans": of("ReduceL2", ("bool", 2), gives="bool"),
    "ArgMax: an axis beyond": of("ArgMax", (2, 3), axis=2, gives="int64"),
    "ArgMax: to floats": of("ArgMax", (2, 3)),
    "ArgMin: of booleans": of("ArgMin", ("bool", 2), gives="int64"),
    "ArgMin: of a scalar, an axis beyond": of("ArgMin", (), axis=1, gives="int64"),
    "TopK: more than there are": of("TopK", (2, 3), [9], gives="float32 int64"),
    "TopK: a negative number": of("TopK", (2, 3), [-1], gives="float32 int64"),
    "TopK: a number of floats": of("TopK", (2, 3), [1.0], gives="float32 int64"),
    "TopK: two numbers": of("TopK", (2, 3), [1, 2], gives="float32 int64"),
    "TopK: an axis beyond": of("TopK", (2, 3), [1], axis=5, gives="float32 int64"),
    "CumSum: an axis beyond": of("CumSum", (2, 3), np.array(2)),
    "CumSum: an axis of floats": of("CumSum", (2, 3), np.array(1.0)),
    "CumSum: two axes": of("CumSum", (2, 3), [0, 1]),
    "CumSum: no axis": of("CumSum", (2, 3)),
    "Softmax: an axis beyond": of("Softmax", (2, 3), axis=2),
    "Softmax: an axis before": of("Softmax", (2, 3), axis=-3),
    "Softmax: of integers": of("Softmax", ("int64", 2), gives="int64"),
    "LogSoftmax: an axis that is a list": of("LogSoftmax", (2, 3), axis=[0, 1]),
    "Hardmax: an axis beyond": of("Hardmax", (2, 3), axis=7),
    "SoftmaxCrossEntropyLoss: labels of floats": of("SoftmaxCrossEntropyLoss", (2, 3), (2,)),
    "NegativeLogLikelihoodLoss: a reduction of nobody": of(
        "NegativeLogLikelihoodLoss", (2, 3), ("int64", 2), reduction="max"
    ),
    "Multinomial: of integers": of("Multinomial", ("int64", 2, 3), gives="int32"),
    "RandomNormal: no shape": of("RandomNormal"),
}

NORMS: Final[Mapping[str, onnx.ModelProto]] = {
    "BatchNormalization: statistics": of("BatchNormalization", IMAGE, *[ones(5)] * 4),
    "BatchNormalization: no variance": of("BatchNormalization", IMAGE, *[ones(3)] * 3),
    "BatchNormalization: a scale of rank 2": of(
        "BatchNormalization", IMAGE, ones(3, 1), *[ones(3)] * 3
    ),
    "BatchNormalization: of a scalar": of("BatchNormalization", (), *[ones(3)] * 4),
    "BatchNormalization: statistics of integers": of(
        "BatchNormalization", IMAGE, *[ones(3, dtype="int64")] * 4
    ),
    "BatchNormalization: outputs of training": of(
        "BatchNormalization", IMAGE, *[ones(3)] * 4, gives="float32 float32 float32"
    ),
    "InstanceNormalization: a scale": of("InstanceNormalization", IMAGE, ones(5), ones(5)),
    "InstanceNormalization: no bias": of("InstanceNormalization", IMAGE, ones(3)),
    "InstanceNormalization: of a vector": of("InstanceNormalization", (3,), ones(3), ones(3)),
    "LayerNormalization: a scale": of("LayerNormalization", (2, 3), ones(5)),
    "LayerNormalization: an axis beyond": of("LayerNormalization", (2, 3), ones(3), axis=2),
    "LayerNormalization: no scale": of("LayerNormalization", (2, 3)),
    "GroupNormalization: groups that do not divide": of(
        "GroupNormalization", IMAGE, ones(3), ones(3), opset=21, num_groups=2
    ),
    "GroupNormalization: no groups": of("GroupNormalization", IMAGE, ones(3), ones(3), opset=21),
    "GroupNormalization: 0 groups": of(
        "GroupNormalization", IMAGE, ones(3), ones(3), opset=21, num_groups=0
    ),
    "GroupNormalization: a scale": of(
        "GroupNormalization", IMAGE, ones(5), ones(5), opset=21, num_groups=3
    ),
    "RMSNormalization: a scale": of("RMSNormalization", (2, 3), ones(5), opset=23),
    "LpNormalization: p of 3": of("LpNormalization", (2, 3), p=3),
    "LpNormalization: an axis beyond": of("LpNormalization", (2, 3), axis=4),
    "MeanVarianceNormalization: an axis beyond": of("MeanVarianceNormalization", (2, 3), axes=[9]),
    "Attention: heads that do not divide": of(
        "Attention", (1, 4, 10), (1, 4, 10), (1, 4, 10), opset=23, q_num_heads=3, kv_num_heads=3
    ),
    "Attention: no heads for rank 3": of("Attention", (1, 4, 9), (1, 4, 9), (1, 4, 9), opset=23),
    "Attention: values of another length": of(
        "Attention", (1, 2, 4, 8), (1, 2, 4, 8), (1, 2, 5, 8), opset=23
    ),
    "RotaryEmbedding: no tables": of("RotaryEmbedding", (1, 2, 4, 8), opset=23),
}

U8: Final = ("uint8", 2, 3)
QUANTIZED: Final[Mapping[str, onnx.ModelProto]] = {
    "QuantizeLinear: no scale": of("QuantizeLinear", (2, 3), gives="uint8"),
    "QuantizeLinear: a scale of integers": of("QuantizeLinear", (2, 3), np.array(1), gives="uint8"),
    "QuantizeLinear: scales that do not fit": of(
        "QuantizeLinear", (2, 3), ones(5), ones(5, dtype="uint8"), gives="uint8"
    ),
    "QuantizeLinear: an axis beyond": of(
        "QuantizeLinear", (2, 3), ones(3), ones(3, dtype="uint8"), axis=4, gives="uint8"
    ),
    "QuantizeLinear: a zero point of another length": of(
        "QuantizeLinear", (2, 3), ones(3), ones(2, dtype="uint8"), axis=1, gives="uint8"
    ),
    "QuantizeLinear: to the dtype of no zero point": of(
        "QuantizeLinear", (2, 3), np.array(1, "float32"), np.array(0, "int8"), gives="uint8"
    ),
    "DequantizeLinear: of floats": of("DequantizeLinear", (2, 3), np.array(1, "float32")),
    "DequantizeLinear: a zero point of another dtype": of(
        "DequantizeLinear", U8, np.array(1, "float32"), np.array(0, "int8")
    ),
    "DequantizeLinear: scales that do not fit": of(
        "DequantizeLinear", U8, ones(5), ones(5, dtype="uint8")
    ),
    "DynamicQuantizeLinear: of integers": of(
        "DynamicQuantizeLinear", ("int64", 2), gives="uint8 float32 uint8"
    ),
    "QLinearConv: eight operands that are absent": of("QLinearConv", U8, gives="uint8"),
}

SIGNAL: Final = (5, 1, 3)
RECURRENT: Final[Mapping[str, onnx.ModelProto]] = {
    "LSTM: no weights": of("LSTM", SIGNAL, hidden_size=4),
    "LSTM: a signal of rank 2": of("LSTM", (5, 3), ones(1, 16, 3), ones(1, 16, 4), hidden_size=4),
    "LSTM: weights of another width": of(
        "LSTM", SIGNAL, ones(1, 16, 7), ones(1, 16, 4), hidden_size=4
    ),
    "LSTM: another hidden size": of("LSTM", SIGNAL, ones(1, 16, 3), ones(1, 16, 4), hidden_size=5),
    "LSTM: a direction of nobody": of(
        "LSTM", SIGNAL, ones(1, 16, 3), ones(1, 16, 4), hidden_size=4, direction="up"
    ),
    "LSTM: one direction of two": of(
        "LSTM", SIGNAL, ones(1, 16, 3), ones(1, 16, 4), hidden_size=4, direction="bidirectional"
    ),
    "GRU: a bias that is too short": of(
        "GRU", SIGNAL, ones(1, 12, 3), ones(1, 12, 4), ones(1, 3), hidden_size=4
    ),
    "RNN: recurrence of another width": of(
        "RNN", SIGNAL, ones(1, 4, 3), ones(1, 4, 9), hidden_size=4
    ),
}


def branch(*nodes: onnx.NodeProto, gives: str = "r", inputs: Any = ()) -> onnx.GraphProto:
    value = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in gives.split()]
    return helper.make_graph(nodes, "branch", inputs, value)


ONE: Final = helper.make_node("Constant", [], ["r"], value_float=1.0)
FLAG: Final = ("bool",)
GIVEN: Final = [helper.make_tensor_value_info("i", TensorProto.FLOAT, (2,))]
FINE: Final = branch(ONE)
CONTROL: Final[Mapping[str, onnx.ModelProto]] = {
    "If: no branches": of("If", FLAG),
    "If: one branch": of("If", FLAG, then_branch=FINE),
    "If: a branch that is a number": of("If", FLAG, then_branch=1, else_branch=2),
    "If: a condition of floats": of("If", (), then_branch=branch(), else_branch=branch()),
    "If: a condition of two": of("If", ("bool", 2), then_branch=FINE, else_branch=FINE),
    "If: an operand too many": of("If", FLAG, (2,), then_branch=FINE, else_branch=FINE),
    "If: branches with inputs": of(
        "If", FLAG, then_branch=branch(ONE, inputs=GIVEN), else_branch=FINE
    ),
    "If: more outputs than branches have": of(
        "If", FLAG, then_branch=FINE, else_branch=FINE, gives="float32 float32"
    ),
    "If: branches that disagree": of(
        "If", FLAG, then_branch=FINE, else_branch=branch(ONE, gives="r r")
    ),
    "If: a branch without outputs": of(
        "If", FLAG, then_branch=branch(ONE, gives=""), else_branch=FINE
    ),
    "If: a branch that reads nothing": of(
        "If",
        FLAG,
        then_branch=FINE,
        else_branch=branch(helper.make_node("Exp", ["no"], ["r"], name="culprit")),
    ),
    "If: a branch that nobody ends": of(
        "If", FLAG, then_branch=FINE, else_branch=branch(gives="nowhere")
    ),
    "If: a branch of an operator of nobody": of(
        "If",
        FLAG,
        then_branch=FINE,
        else_branch=branch(helper.make_node("Rleu", ["x0"], ["r"], name="culprit")),
    ),
    "Loop: no body": of("Loop", np.array(3), np.array(True)),
    "Loop: a body of two inputs": of(
        "Loop", np.array(3), np.array(True), (2,), body=branch(ONE, inputs=GIVEN * 2)
    ),
    "Loop: as often as a float": of("Loop", np.array(3.0), np.array(True), body=FINE),
    "Scan: no body": of("Scan", (2, 3), num_scan_inputs=1),
    "Scan: more inputs than there are": of("Scan", (2, 3), num_scan_inputs=7, body=FINE),
    "Scan: no number of inputs": of("Scan", (2, 3), body=FINE),
    "SequenceAt: of a tensor": of("SequenceAt", (2, 3), np.array(0)),
    "SequenceConstruct: nothing": of("SequenceConstruct"),
    "ConcatFromSequence: of a tensor": of("ConcatFromSequence", (2, 3), axis=0),
    "SplitToSequence: to a tensor": of("SplitToSequence", (2, 3)),
    "OptionalGetElement: of two": of("OptionalGetElement", (2, 3), (2, 3), opset=18),
    "StringNormalizer: of floats": of("StringNormalizer", (2,)),
    "TfIdfVectorizer: no attributes": of("TfIdfVectorizer", ("int64", 2)),
}
