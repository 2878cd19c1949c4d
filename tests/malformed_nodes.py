"""Models of one node that is wrong, by families of operators: a line each, and the node's name is `culprit`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import onnx
from graphs import onnx_model
from onnx import helper

Operand = tuple[Any, ...] | list[Any] | np.ndarray | None


def of(
    op: str, *operands: Operand, gives: str = "float32", opset: int = 17, **attributes: Any
) -> onnx.ModelProto:
    """Return a model of one node.

    Args:
        op: The operator.
        operands: A tuple is the shape of an input, of float32 or of the dtype that it begins with;
            a list or an array is an initializer; None is absent.
        gives: The dtypes of its outputs, with spaces between them.
        opset: Of the ONNX domain.
        attributes: Of the node.
    """
    inputs: dict[str, tuple[str, tuple[Any, ...]]] = {}
    weights: dict[str, np.ndarray] = {}
    names = []
    for place, operand in enumerate(operands):
        names.append("" if operand is None else f"x{place}")
        if isinstance(operand, tuple):
            typed = bool(operand) and operand[0] in DTYPES
            dtype, shape = (operand[0], operand[1:]) if typed else ("float32", operand)
            inputs[names[-1]] = dtype, shape
        elif operand is not None:
            weights[names[-1]] = np.asarray(operand)
    outputs = {f"y{place}": dtype for place, dtype in enumerate(gives.split())}
    made = helper.make_node(op, names, [*outputs], name="culprit", **attributes)
    return onnx_model([made], inputs, outputs, weights, opset=opset)


DTYPES: Final = ("float32", "float64", "float16", "int64", "int32", "uint8", "int8", "bool")


def ones(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.ones(shape, dtype)


def floats(numbers: list[float]) -> np.ndarray:
    return np.array(numbers, "float32")


IMAGE: Final = (1, 3, 8, 8)
WEIGHT: Final = ones(4, 3, 3, 3)

ELEMENTWISE: Final[Mapping[str, onnx.ModelProto]] = {
    "Add: no common shape": of("Add", (2, 3), (4, 3)),
    "Add: no common shape, ranks differ": of("Add", (2, 3, 4), (3, 3)),
    "Add: two dtypes": of("Add", (2, 3), ("int64", 2, 3)),
    "Add: three operands": of("Add", (2, 3), (2, 3), (2, 3)),
    "Add: one operand": of("Add", (2, 3)),
    "Add: no operand": of("Add"),
    "Add: an absent operand": of("Add", (2, 3), None),
    "Add: of booleans": of("Add", ("bool", 2), ("bool", 2), gives="bool"),
    "Add: an attribute of opset 6": of("Add", (2, 3), (3,), broadcast=1, axis=1),
    "Sub: to another dtype": of("Sub", (2, 3), (2, 3), gives="int64"),
    "Mul: float16 and float32": of("Mul", ("float16", 2), (2,)),
    "Div: with a boolean": of("Div", (2,), ("bool", 2)),
    "Pow: of booleans": of("Pow", ("bool", 2), ("bool", 2), gives="bool"),
    "Pow: no common shape": of("Pow", (2, 3), (2,)),
    "Mod: fmod is no flag": of("Mod", (2, 3), (2, 3), fmod="yes"),
    "Max: nothing": of("Max"),
    "Max: two dtypes": of("Max", (2,), ("int32", 2)),
    "Min: no common shape": of("Min", (2, 3), (2, 3), (5,)),
    "Sum: no common shape": of("Sum", (2, 3), (4,)),
    "Sum: of integers": of("Sum", ("int64", 2), ("int64", 2), gives="int64"),
    "Mean: of booleans": of("Mean", ("bool", 2), gives="bool"),
    "And: of floats": of("And", (2,), (2,), gives="bool"),
    "Or: no common shape": of("Or", ("bool", 2), ("bool", 3), gives="bool"),
    "Xor: to floats": of("Xor", ("bool", 2), ("bool", 2)),
    "Not: of floats": of("Not", (2,), gives="bool"),
    "Equal: two dtypes": of("Equal", (2,), ("int64", 2), gives="bool"),
    "Less: of booleans": of("Less", ("bool", 2), ("bool", 2), gives="bool"),
    "Greater: to floats": of("Greater", (2,), (2,)),
    "Where: a condition of floats": of("Where", (2,), (2,), (2,)),
    "Where: two dtypes": of("Where", ("bool", 2), (2,), ("int64", 2)),
    "Where: no common shape": of("Where", ("bool", 2), (3,), (4,)),
    "BitShift: of floats": of("BitShift", (2,), (2,), direction="LEFT"),
    "BitShift: no direction": of("BitShift", ("uint8", 2), ("uint8", 2), gives="uint8"),
    "BitShift: to nowhere": of(
        "BitShift", ("uint8", 2), ("uint8", 2), gives="uint8", direction="UP"
    ),
    "BitwiseAnd: of floats": of("BitwiseAnd", (2,), (2,), opset=18),
    "BitwiseNot: of an earlier opset": of("BitwiseNot", ("int32", 2), gives="int32", opset=17),
    "Relu: two operands": of("Relu", (2,), (2,)),
    "Relu: no operand": of("Relu"),
    "Relu: two outputs": of("Relu", (2,), gives="float32 float32"),
    "Relu: of booleans": of("Relu", ("bool", 2), gives="bool"),
    "Relu: an attribute of nobody": of("Relu", (2,), slope=0.5),
    "Sqrt: of integers": of("Sqrt", ("int64", 2), gives="int64"),
    "Exp: to half": of("Exp", (2,), gives="float16"),
    "Erf: of booleans": of("Erf", ("bool", 2), gives="bool"),
    "IsNaN: of integers": of("IsNaN", ("int64", 2), gives="bool"),
    "IsInf: to floats": of("IsInf", (2,)),
    "Elu: alpha is a word": of("Elu", (2,), alpha="much"),
    "Elu: alpha is a whole number": of("Elu", (2,), alpha=1),
    "LeakyRelu: alpha is a list": of("LeakyRelu", (2,), alpha=[0.1, 0.2]),
    "Selu: gamma twice": of("Selu", (2,), gamma=[1.0, 1.0]),
    "PRelu: a slope that does not fit": of("PRelu", (2, 3), (4,)),
    "PRelu: no slope": of("PRelu", (2, 3)),
    "Clip: bounds of rank 1": of("Clip", (2, 3), ones(3), ones(3)),
    "Clip: a bound of another dtype": of("Clip", (2, 3), [1]),
    "Clip: bounds as attributes of opset 6": of("Clip", (2, 3), min=0.0, max=1.0),
    "Clip: of booleans": of("Clip", ("bool", 2), gives="bool"),
    "Gelu: of an earlier opset": of("Gelu", (2, 3), opset=19),
    "Gelu: a word of nobody": of("Gelu", (2, 3), opset=20, approximate="erf"),
    "HardSwish: of an earlier opset": of("HardSwish", (2,), opset=13),
    "Celu: of an earlier opset": of("Celu", (2,), opset=11),
    "Shrink: of booleans": of("Shrink", ("bool", 2), gives="bool"),
    "Dropout: a ratio of rank 1": of("Dropout", (2, 3), ones(2)),
    "Identity: to another dtype": of("Identity", (2,), gives="int64"),
}

CASTS: Final[Mapping[str, onnx.ModelProto]] = {
    "Cast: to nothing": of("Cast", (2,), to=0),
    "Cast: no dtype": of("Cast", (2,)),
    "CastLike: one operand": of("CastLike", (2,)),
    "CastLike: to another dtype": of("CastLike", (2,), ("int64", 2)),
    "Constant: nothing": of("Constant"),
    "Constant: two values": of("Constant", value_float=1.0, value_int=1),
    "Constant: an operand": of("Constant", (2,), value_float=1.0),
    "Constant: of another dtype": of("Constant", value_int=1),
    "ConstantOfShape: a negative size": of("ConstantOfShape", [-2, 3]),
    "ConstantOfShape: sizes of floats": of("ConstantOfShape", [2.0, 3.0]),
    "ConstantOfShape: a shape of rank 2": of("ConstantOfShape", [[2, 3]]),
    "ConstantOfShape: a value of two": of(
        "ConstantOfShape", [2], value=onnx.numpy_helper.from_array(ones(2))
    ),
    "EyeLike: of rank 3": of("EyeLike", (2, 3, 4)),
    "EyeLike: of rank 1": of("EyeLike", (2,)),
    "EyeLike: a dtype of nobody": of("EyeLike", (2, 2), dtype=99),
    "Range: a step of 0": of("Range", np.array(0), np.array(5), np.array(0), gives="int64"),
    "Range: two dtypes": of("Range", np.array(0), np.array(5.0), np.array(1), gives="int64"),
    "Range: a limit of rank 1": of("Range", np.array(0), [5, 6], np.array(1), gives="int64"),
    "OneHot: values of three": of("OneHot", ("int64", 2), np.array(3), ones(3)),
    "OneHot: an axis beyond": of("OneHot", ("int64", 2), np.array(3), ones(2), axis=5),
    "OneHot: a negative depth": of("OneHot", ("int64", 2), np.array(-3), ones(2)),
    "OneHot: a depth of rank 2": of("OneHot", ("int64", 2), [[3, 3]], ones(2)),
    "Trilu: of rank 1": of("Trilu", (3,)),
    "Trilu: k is a float": of("Trilu", (3, 3), np.array(1.0)),
    "Trilu: k of rank 2": of("Trilu", (3, 3), [[1, 2]]),
}

MATRICES: Final[Mapping[str, onnx.ModelProto]] = {
    "MatMul: inner dimensions": of("MatMul", (2, 3), (4, 5)),
    "MatMul: a scalar": of("MatMul", (2, 3), ()),
    "MatMul: batches": of("MatMul", (2, 3, 4), (3, 4, 5)),
    "MatMul: a vector that is too long": of("MatMul", (4,), (3, 5)),
    "MatMul: one operand": of("MatMul", (2, 3)),
    "MatMul: two dtypes": of("MatMul", (2, 3), ("float64", 3, 2)),
    "MatMul: of booleans": of("MatMul", ("bool", 2, 2), ("bool", 2, 2), gives="bool"),
    "Gemm: of rank 3": of("Gemm", (2, 3, 4), (4, 5)),
    "Gemm: a vector": of("Gemm", (3,), (3, 4)),
    "Gemm: inner dimensions": of("Gemm", (2, 3), (4, 5)),
    "Gemm: transposed wrongly": of("Gemm", (2, 3), (3, 5), transA=1),
    "Gemm: a bias that does not fit": of("Gemm", (2, 3), (3, 5), (4,)),
    "Gemm: a bias of rank 3": of("Gemm", (2, 3), (3, 5), (1, 2, 5)),
    "Gemm: alpha is a word": of("Gemm", (2, 3), (3, 5), alpha="half"),
    "Gemm: two dtypes": of("Gemm", (2, 3), ("float16", 3, 5)),
    "MatMulInteger: of floats": of("MatMulInteger", (2, 3), (3, 4), gives="int32"),
    "MatMulInteger: a zero point of floats": of(
        "MatMulInteger", ("uint8", 2, 3), ("uint8", 3, 4), np.array(1.0), gives="int32"
    ),
    "QLinearMatMul: no scales": of(
        "QLinearMatMul", ("uint8", 2, 3), ("uint8", 3, 4), gives="uint8"
    ),
    "Einsum: more terms than operands": of("Einsum", (2, 3), equation="ij,jk->ik"),
    "Einsum: fewer terms than operands": of("Einsum", (2, 3), (3, 4), equation="ij->i"),
    "Einsum: ranks": of("Einsum", (2, 3, 4), (3, 4), equation="ij,jk->ik"),
    "Einsum: sizes": of("Einsum", (2, 3), (4, 5), equation="ij,jk->ik"),
    "Einsum: a letter from nowhere": of("Einsum", (2, 3), (3, 4), equation="ij,jk->iz"),
    "Einsum: a letter twice in the result": of("Einsum", (2, 3), equation="ij->ii"),
    "Einsum: no equation": of("Einsum", (2, 3)),
    "Einsum: an equation that is a number": of("Einsum", (2, 3), equation=3),
    "Einsum: a diagonal of no square": of("Einsum", (2, 3), equation="ii->i"),
    "Det: of no square": of("Det", (2, 3)),
    "Det: of a vector": of("Det", (3,)),
}

CONVOLUTIONS: Final[Mapping[str, onnx.ModelProto]] = {
    "Conv: channels": of("Conv", (1, 5, 8, 8), WEIGHT),
    "Conv: an image of rank 2": of("Conv", (8, 8), WEIGHT),
    "Conv: an image of rank 3": of("Conv", (3, 8, 8), WEIGHT),
    "Conv: a weight of rank 3": of("Conv", IMAGE, ones(4, 3, 3)),
    "Conv: a weight that is a scalar": of("Conv", IMAGE, np.array(1, "float32")),
    "Conv: no weight": of("Conv", IMAGE),
    "Conv: a bias that is too long": of("Conv", IMAGE, WEIGHT, ones(5)),
    "Conv: a bias of rank 2": of("Conv", IMAGE, WEIGHT, ones(4, 1)),
    "Conv: a bias of another dtype": of("Conv", IMAGE, WEIGHT, [1, 2, 3, 4]),
    "Conv: a window without a row": of("Conv", IMAGE, ones(4, 3, 0, 3)),
    "Conv: groups that do not divide": of("Conv", IMAGE, WEIGHT, group=2),
    "Conv: as many groups as nothing": of("Conv", IMAGE, WEIGHT, group=0),
    "Conv: filters that groups do not divide": of("Conv", IMAGE, ones(4, 1, 3, 3), group=3),
    "Conv: one pad": of("Conv", IMAGE, WEIGHT, pads=[1]),
    "Conv: pads that are negative": of("Conv", IMAGE, WEIGHT, pads=[-9] * 4),
    "Conv: three strides": of("Conv", IMAGE, WEIGHT, strides=[1, 1, 1]),
    "Conv: a stride of 0": of("Conv", IMAGE, WEIGHT, strides=[0, 1]),
    "Conv: a negative dilation": of("Conv", IMAGE, WEIGHT, dilations=[-1, 1]),
    "Conv: another window than the weight's": of("Conv", IMAGE, WEIGHT, kernel_shape=[5, 5]),
    "Conv: pads that are words": of("Conv", IMAGE, WEIGHT, pads=["a", "b", "c", "d"]),
    "Conv: a window larger than the image": of("Conv", (1, 3, 2, 2), WEIGHT),
    "Conv: an automatic pad of nobody": of("Conv", IMAGE, WEIGHT, auto_pad="SAME"),
    "Conv: of integers": of("Conv", ("int64", *IMAGE), WEIGHT.astype("int64"), gives="int64"),
    "ConvTranspose: channels": of("ConvTranspose", (1, 5, 8, 8), WEIGHT),
    "ConvTranspose: an output of three": of(
        "ConvTranspose", IMAGE, ones(3, 3, 3, 3), output_shape=[9, 9, 9]
    ),
    "ConvTranspose: an output that is negative": of(
        "ConvTranspose", IMAGE, ones(3, 3, 3, 3), output_shape=[-9, 9]
    ),
    "ConvTranspose: one output pad": of(
        "ConvTranspose", IMAGE, ones(3, 3, 3, 3), strides=[2, 2], output_padding=[1]
    ),
    "ConvTranspose: a bias that is too short": of(
        "ConvTranspose", IMAGE, ones(3, 4, 3, 3), ones(3)
    ),
    "ConvTranspose: a stride of 0": of("ConvTranspose", IMAGE, ones(3, 4, 3, 3), strides=[0, 0]),
    "ConvInteger: of floats": of("ConvInteger", IMAGE, WEIGHT, gives="int32"),
    "QLinearConv: no scales": of(
        "QLinearConv", ("uint8", *IMAGE), ones(4, 3, 3, 3, dtype="uint8"), gives="uint8"
    ),
    "DeformConv: no offsets": of("DeformConv", IMAGE, WEIGHT, opset=19),
    "MaxPool: no window": of("MaxPool", IMAGE),
    "MaxPool: a window of rank 1": of("MaxPool", IMAGE, kernel_shape=[2]),
    "MaxPool: an image of rank 2": of("MaxPool", (8, 8), kernel_shape=[2, 2]),
    "MaxPool: a window of 0": of("MaxPool", IMAGE, kernel_shape=[0, 2]),
    "MaxPool: larger than the image": of("MaxPool", IMAGE, kernel_shape=[11, 11]),
    "MaxPool: a stride of 0": of("MaxPool", IMAGE, kernel_shape=[2, 2], strides=[0, 2]),
    "MaxPool: pads of two": of("MaxPool", IMAGE, kernel_shape=[2, 2], pads=[1, 1]),
    "MaxPool: a dilation of 0": of("MaxPool", IMAGE, kernel_shape=[2, 2], dilations=[0, 0]),
    "AveragePool: no window": of("AveragePool", IMAGE),
    "AveragePool: of integers": of(
        "AveragePool", ("int64", *IMAGE), gives="int64", kernel_shape=[2, 2]
    ),
    "AveragePool: strides of three": of(
        "AveragePool", IMAGE, kernel_shape=[2, 2], strides=[1, 1, 1]
    ),
    "LpPool: p of 0": of("LpPool", IMAGE, kernel_shape=[2, 2], p=0),
    "GlobalAveragePool: of a scalar": of("GlobalAveragePool", ()),
    "GlobalMaxPool: of integers": of("GlobalMaxPool", ("int64", *IMAGE), gives="int64"),
    "MaxUnpool: no indices": of("MaxUnpool", IMAGE, kernel_shape=[2, 2]),
    "LRN: no size": of("LRN", IMAGE),
    "LRN: a negative size": of("LRN", IMAGE, size=-1),
    "RoiAlign: no regions": of("RoiAlign", IMAGE),
    "Resize: scales for one axis": of("Resize", IMAGE, None, ones(1)),
    "Resize: scales and sizes": of("Resize", IMAGE, None, ones(4), [1, 3, 9, 9]),
    "Resize: neither": of("Resize", IMAGE),
    "Resize: a negative size": of("Resize", IMAGE, None, None, [1, 3, -9, 9]),
    "Resize: a scale of 0": of("Resize", IMAGE, None, floats([1, 1, 0, 2])),
    "Resize: a scale that is negative": of("Resize", IMAGE, None, floats([1, 1, -2, 2])),
    "Resize: a scale that is no number": of("Resize", IMAGE, None, floats([1, 1, np.nan, 2])),
    "Resize: scales of integers": of("Resize", IMAGE, None, [1, 1, 2, 2]),
    "Resize: a mode of nobody": of("Resize", IMAGE, None, ones(4), mode="area"),
    "Upsample: a negative scale": of("Upsample", IMAGE, floats([1, 1, -2, 2]), opset=9),
    "Upsample: scales for two axes": of("Upsample", IMAGE, ones(2), opset=9),
    "Upsample: of a later opset": of("Upsample", IMAGE, ones(4), opset=11),
    "GridSample: a grid of rank 2": of("GridSample", IMAGE, (4, 2)),
    "GridSample: points of three": of("GridSample", IMAGE, (1, 4, 4, 3)),
    "GridSample: another batch": of("GridSample", IMAGE, (2, 4, 4, 2)),
    "AffineGrid: no size": of("AffineGrid", (1, 2, 3), opset=20),
    "DepthToSpace: no block": of("DepthToSpace", IMAGE),
    "DepthToSpace: channels": of("DepthToSpace", IMAGE, blocksize=2),
    "DepthToSpace: of rank 3": of("DepthToSpace", (4, 8, 8), blocksize=2),
    "SpaceToDepth: a block of 0": of("SpaceToDepth", IMAGE, blocksize=0),
    "SpaceToDepth: a block that does not divide": of("SpaceToDepth", IMAGE, blocksize=3),
}
