"""Every operator in tiny: a case is one node, and what it is fed."""

from collections.abc import Iterator

import numpy as np
from operator_case import (
    BOOL,
    CUBE,
    F64,
    HALF,
    HOLED,
    I32,
    I64,
    IMAGE,
    INF,
    INFINITE,
    J64,
    MATRIX,
    OTHER,
    RNG,
    SIGNAL,
    SPECIAL,
    STRIPED,
    U8,
    UNIT,
    V8,
    VOLUME,
    Case,
    K,
    case,
)
from operator_movements import movements

UNARY = (
    "Abs Ceil Cos Elu Erf Exp Floor HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Neg Reciprocal Relu "
    "Round Selu Shrink Sigmoid Sign Sin Softplus Softsign Tanh ThresholdedRelu Celu"
).split()
POSITIVE_ONLY = "Sqrt Log".split()
BOUNDED = "Acos Asin Atan Atanh Acosh Asinh Cosh Sinh Tan".split()
BINARY = "Add Sub Mul Div Max Min Pow PRelu".split()
COMPARE = "Equal Greater GreaterOrEqual Less LessOrEqual".split()
LOGIC = "And Or Xor".split()
REDUCTIONS = (
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare"
).split()


def elementwise() -> Iterator[Case]:
    for op in UNARY:
        yield case(op, SPECIAL, to="bool" if op.startswith("Is") else "float32")
    for op in POSITIVE_ONLY:
        yield case(op, np.abs(SPECIAL), note="positive")
        yield case(op, SPECIAL)
    for op in BOUNDED:
        yield case(op, UNIT)
    for op in BINARY:
        yield case(op, SPECIAL, OTHER)
        yield case(
            op,
            SPECIAL,
            K(2.0, "float32") if op != "PRelu" else K([0.25], "float32"),
            note="by a scalar",
        )
    for op in COMPARE:
        yield case(op, SPECIAL, OTHER, to="bool")
        yield case(op, I64, J64, to="bool", note="int64")
    for op in LOGIC:
        yield case(op, BOOL, ~BOOL[:1])
    yield case("Not", BOOL)
    for op in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Mod"):
        yield case(op, I64, J64, note="int64")
    for op in ("Add", "Mul", "Div", "Max", "Min", "Mod"):
        yield case(op, U8, V8, note="uint8")
    yield case("Div", I32, K(np.array(3, "int32")), note="int32")
    yield case("Abs", I32, note="int32")
    yield case("Neg", I64, note="int64")
    yield case("Sign", I64, note="int64")
    yield case("Relu", I32, note="int32")
    yield case(
        "Pow", np.array([2.0, -3.0, 0.0], "float32"), np.array([3, 2, 0]), note="to an int64"
    )
    yield case("Pow", np.array([2, -3, 0]), np.array([3, 2, 0]), note="int64")
    yield case("Mod", SPECIAL, OTHER, fmod=1)
    yield case("Mod", I64, J64, fmod=1, note="int64")
    yield case("BitShift", U8, K(np.array(2, "uint8")), direction="LEFT")
    yield case("BitShift", U8, K(np.array(1, "uint8")), direction="RIGHT")
    yield case("Max", SPECIAL, OTHER, SPECIAL[:1], note="of three")
    yield case("Min", SPECIAL, OTHER, SPECIAL[:1], note="of three")
    yield case("Sum", SPECIAL, OTHER, SPECIAL[:1])
    yield case("Mean", SPECIAL, OTHER, SPECIAL[:1])
    yield case("Max", SPECIAL, note="of one")
    yield case("Where", np.isnan(SPECIAL), OTHER, SPECIAL, to="float32")
    yield case("IsInf", SPECIAL, to="bool", detect_negative=0)
    yield case("IsInf", SPECIAL, to="bool", detect_positive=0)
    yield case("Elu", SPECIAL, alpha=0.3)
    yield case("Selu", SPECIAL, alpha=2.0, gamma=0.5)
    yield case("LeakyRelu", SPECIAL, alpha=-0.2)
    yield case("HardSigmoid", SPECIAL, alpha=0.5, beta=0.1)
    yield case("Shrink", SPECIAL, lambd=1.0, bias=0.25)
    yield case("Round", np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.4999], "float32"), note="to even")
    yield case("Exp", F64, note="float64")
    yield case("Relu", F64, note="float64")
    yield case("Add", F64, F64, note="float64")
    yield case("Add", HALF, HALF, note="float16")
    yield case("Sigmoid", HALF, note="float16")


def clips() -> Iterator[Case]:
    bounds = {
        "both": (-1, 2),
        "low": (-1, None),
        "high": (None, 2),
        "none": (None, None),
        "crossed": (2, -1),
        "infinite": (-INF, INF),
    }
    for name, pair in bounds.items():
        yield case(
            "Clip", SPECIAL, *(None if b is None else K(b, "float32") for b in pair), note=name
        )
    yield case("Clip", SPECIAL, np.array(-1, "float32"), np.array(2, "float32"), note="fed bounds")
    yield case("Clip", I64, K(-3), K(5), note="int64")
    yield case("Clip", I64, None, K(5), note="int64 high")
    yield case("Clip", U8, K(np.array(3, "uint8")), None, note="uint8")


def casts() -> Iterator[Case]:
    kinds = {
        "bool": 9,
        "int64": 7,
        "int32": 6,
        "uint8": 2,
        "float16": 10,
        "float64": 11,
        "float32": 1,
    }
    small = np.array([0.0, 1.9, -1.9, 100.4], "float32")
    for name, number in kinds.items():
        source = np.abs(small) if name == "uint8" else small
        yield case("Cast", source, to=name, note="of float32", attributes={"to": number})
        yield case(
            "Cast", np.array([0, 1, 200, 7]), to=name, note="of int64", attributes={"to": number}
        )
    yield case("Cast", BOOL, to="float32", note="of bool", attributes={"to": 1})
    yield case("Cast", SPECIAL, to="float16", note="special", attributes={"to": 10})
    yield case("Cast", SPECIAL, to="bool", note="special", attributes={"to": 9})
    yield case("CastLike", small, K([1, 2]), to="int64")


def reductions() -> Iterator[Case]:
    for op in REDUCTIONS:
        extreme = op in ("ReduceMax", "ReduceMin")
        yield case(op, INFINITE if extreme else STRIPED, note="special", axes=[-1], keepdims=0)
        yield case(op, CUBE, axes=[0, 2])
        yield case(op, CUBE, note="all")
    yield case("ReduceSum", STRIPED, K([-1]), note="special", keepdims=0)
    yield case("ReduceSum", CUBE, note="all")
    yield case("ReduceSum", CUBE, K(np.zeros(0, "int64")), note="noop", noop_with_empty_axes=1)
    yield case("ReduceMax", I64, note="int64", axes=[0])
    yield case("ReduceMin", I32, note="int32", axes=[0])
    yield case("ReduceSum", I64, K([1]), note="int64")
    yield case("ReduceMax", np.full((2, 3), -INF, "float32"), note="of -inf", axes=[1])
    for op in ("ArgMax", "ArgMin"):
        yield case(op, CUBE, to="int64", axis=1)
        yield case(op, np.array([[1, 3, 3, 1.0]], "float32"), to="int64", axis=1, keepdims=0)
        infinite = np.full((2, 3), -INF if op == "ArgMax" else INF, "float32")
        yield case(op, infinite, to="int64", axis=1, note="infinite")
        yield case(
            op, np.array([[1, 3, 3, 1.0]], "float32"), to="int64", axis=1, select_last_index=1
        )
    for op in ("Softmax", "LogSoftmax", "Hardmax"):
        yield case(op, CUBE, note="finite")
        yield case(op, CUBE, axis=1)
        yield case(op, np.array([[1e4, -1e4, 0.0], [3e38, -3e38, 3e38]], "float32"), note="large")
    for op in ("Softmax", "LogSoftmax"):
        yield case(op, STRIPED, note="special", axis=-1)
        yield case(op, np.array([[-INF, 0.0, 1.0], [-INF, -INF, 2.0]], "float32"), note="masked")
    yield case("CumSum", CUBE, K(1))
    yield case("CumSum", CUBE, K(-1), exclusive=1, reverse=1)
    yield case("CumSum", STRIPED, K(2), note="special")
    yield case("TopK", CUBE, K([2]), to=("float32", "int64"))
    yield case("TopK", CUBE, K([3]), to=("float32", "int64"), axis=1, largest=0)


def windows() -> Iterator[Case]:
    for op in ("MaxPool", "AveragePool", "LpPool"):
        yield case(op, IMAGE, kernel_shape=[3, 2])
        yield case(op, IMAGE, kernel_shape=[3, 3], strides=[2, 1], pads=[1, 0, 1, 1])
        yield case(op, SIGNAL, kernel_shape=[3], strides=[2])
        yield case(op, VOLUME, kernel_shape=[2, 2, 2])
        yield case(op, IMAGE, kernel_shape=[3, 3], auto_pad="SAME_UPPER", strides=[2, 2])
        yield case(op, IMAGE, kernel_shape=[2, 2], auto_pad="SAME_LOWER")
        special = np.nan_to_num(HOLED, posinf=INF, neginf=-INF) if op == "MaxPool" else HOLED
        yield case(op, special, kernel_shape=[2, 2], note="special")
    for op in ("MaxPool", "AveragePool"):
        yield case(op, IMAGE, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
        yield case(op, IMAGE, kernel_shape=[2, 2], strides=[2, 2], pads=[1, 1, 1, 1], ceil_mode=1)
    yield case("MaxPool", IMAGE, kernel_shape=[2, 2], dilations=[2, 2])
    yield case("MaxPool", IMAGE, kernel_shape=[2, 2], to=("float32", "int64"), note="indices")
    yield case("MaxPool", U8[None, None], kernel_shape=[2, 2], note="uint8")
    region = np.array([[0, 0, 3, 3]], "float32")
    yield case("RoiAlign", IMAGE, region, np.array([0]), mode="max")
    yield case("AveragePool", IMAGE, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
    for op in ("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"):
        yield case(op, IMAGE)
        if op != "GlobalMaxPool":
            yield case(op, HOLED, note="special")
        yield case(op, SIGNAL, note="1-d")
    weight = RNG.standard_normal((4, 2, 3, 3), dtype="float32")
    yield case("Conv", IMAGE, K(weight), K(np.ones(4, "float32")), pads=[1, 1, 1, 1])
    yield case("Conv", HOLED, K(weight), note="special")
    yield case("Conv", IMAGE, K(weight), strides=[2, 2], dilations=[2, 1], auto_pad="VALID")
    yield case("Conv", IMAGE, K(weight), auto_pad="SAME_UPPER", strides=[2, 2])
    yield case("Conv", IMAGE, K(weight[:, :1]), group=2)
    yield case("Conv", IMAGE, weight, note="fed weight")
    yield case("Conv", SIGNAL, K(RNG.standard_normal((3, 3, 3), dtype="float32")), note="1-d")
    yield case("Conv", VOLUME, K(RNG.standard_normal((2, 2, 2, 2, 2), dtype="float32")), note="3-d")
    yield case("ConvTranspose", IMAGE, K(weight[:2]), strides=[2, 2], output_padding=[1, 0])
    yield case("ConvTranspose", IMAGE, K(weight[:2]), pads=[1, 1, 1, 1], dilations=[2, 2])
    yield case("ConvTranspose", IMAGE, K(weight[:2]), output_shape=[12, 10], strides=[2, 2])
    yield case(
        "ConvTranspose", SIGNAL, K(RNG.standard_normal((3, 2, 3), dtype="float32")), note="1-d"
    )
    yield case("LRN", IMAGE, size=3)
    yield case("InstanceNormalization", IMAGE, K([1.0, 2.0], "float32"), K([0.5, -1.0], "float32"))
    yield case(
        "BatchNormalization", HOLED, *(K(v, "float32") for v in ([1, 2], [0.5, -1], [0, 1], [1, 4]))
    )
    yield case("LayerNormalization", CUBE, K(np.ones(4, "float32")), K(np.ones(4, "float32")))
    yield case("LayerNormalization", STRIPED, K(np.ones((3, 4), "float32")), note="special", axis=1)
    yield case("LpNormalization", CUBE, p=1)
    yield case("LpNormalization", CUBE, p=2, axis=1)
    yield case("MeanVarianceNormalization", IMAGE)
    yield case("Dropout", CUBE)
    yield case("Resize", IMAGE, None, K([1, 1, 2, 2], "float32"), mode="nearest")
    yield case("Resize", IMAGE, None, None, K([1, 2, 9, 4]), mode="linear")
    yield case("Resize", IMAGE, None, None, K([1, 2, 9, 4]), mode="cubic")
    yield case(
        "Resize",
        IMAGE,
        None,
        None,
        K([1, 2, 3, 7]),
        mode="linear",
        coordinate_transformation_mode="align_corners",
    )
    yield case(
        "GridSample", IMAGE, RNG.uniform(-1.2, 1.2, (1, 3, 4, 2)).astype("float32"), opset=20
    )
    yield case("DepthToSpace", np.concatenate([IMAGE, IMAGE], 1), blocksize=2, mode="CRD")
    yield case("DepthToSpace", np.concatenate([IMAGE, IMAGE], 1), blocksize=2)
    yield case("SpaceToDepth", IMAGE[..., :4], blocksize=2)


def late() -> Iterator[Case]:
    """Operators that came or changed after opset 17."""
    yield case("Gelu", SPECIAL, opset=20)
    yield case("Gelu", CUBE, opset=20, approximate="tanh")
    yield case("BitwiseAnd", U8, V8, opset=20)
    yield case("BitwiseOr", U8, V8, opset=20)
    yield case("BitwiseXor", I64, J64, opset=20)
    yield case("BitwiseNot", I32, opset=20)
    yield case("ReduceMean", CUBE, K([1]), opset=20)
    yield case("ReduceMax", INFINITE, K([2]), opset=20, note="special")
    yield case("ReduceMax", BOOL, K([1]), opset=20, note="bool")
    yield case("Pad", MATRIX, K([1, 2]), K(0.0, "float32"), K([1]), opset=20, note="axes")
    yield case(
        "Split", MATRIX, to=("float32", "float32", "float32"), opset=20, num_outputs=3, axis=1
    )
    yield case("Mish", SPECIAL, opset=20)
    yield case("AveragePool", IMAGE, kernel_shape=[2, 2], dilations=[2, 2], opset=20)
    yield case("IsInf", SPECIAL, to="bool", opset=20)
    yield case(
        "ScatterElements",
        MATRIX,
        np.array([[1, 1]]),
        np.ones((1, 2), "float32"),
        to="float32",
        axis=1,
        reduction="max",
        opset=20,
    )
    yield case(
        "GroupNormalization",
        np.concatenate([IMAGE, IMAGE], 1),
        K(np.ones(4, "float32")),
        K(np.ones(4, "float32")),
        opset=21,
        num_groups=2,
    )
    yield case("Reshape", CUBE, K([4, 6]), opset=21)
    yield case("Cast", I32, opset=21, to="float32", attributes={"to": 1})


EMPTY = np.zeros((0, 3), "float32")
SCALAR = np.array(2.5, "float32")


def odd_shapes() -> Iterator[Case]:
    """0-d and empty tensors."""
    for op in ("Relu", "Exp", "Identity", "Softplus"):
        yield case(op, SCALAR, note="0-d")
        yield case(op, EMPTY, note="empty")
    yield case("Add", SCALAR, SCALAR, note="0-d")
    yield case("Add", SCALAR, MATRIX, note="0-d and 2-d")
    yield case("Add", EMPTY, EMPTY[:, :1], note="empty")
    yield case("Add", EMPTY, MATRIX[:1, :3], note="empty and not")
    yield case("Concat", EMPTY, MATRIX[:, :3], axis=0, note="empty")
    yield case("MatMul", EMPTY, MATRIX[:3], note="no rows")
    yield case("MatMul", EMPTY.T.copy(), EMPTY, note="no terms")
    yield case("Gemm", EMPTY, MATRIX[:3], K([1.0] * 5, "float32"), note="no rows")
    yield case("ReduceSum", EMPTY, K([0]), note="of nothing")
    yield case("ReduceProd", EMPTY, axes=[0], note="of nothing")
    yield case("ReduceSum", EMPTY, K([1]), note="empty")
    yield case("ReduceSum", SCALAR, note="0-d")
    yield case("ReduceMean", SCALAR, note="0-d")
    yield case("Softmax", EMPTY, note="empty")
    yield case("Transpose", EMPTY, note="empty")
    yield case("Transpose", SCALAR, note="0-d")
    yield case("Reshape", EMPTY, K([3, 0]), note="empty", allowzero=1)
    yield case("Reshape", SCALAR, K([1, 1]), note="0-d")
    yield case("Unsqueeze", SCALAR, K([0]), note="0-d")
    yield case("Squeeze", np.ones((1, 1), "float32"), note="to 0-d")
    yield case("Gather", MATRIX, np.zeros(0, "int64"), to="float32", note="nothing")
    yield case("Slice", MATRIX, K([3]), K([1]), note="nothing")
    yield case("Expand", SCALAR, K([2, 0]), note="to nothing")
    yield case("Where", np.array(True), SCALAR, MATRIX, to="float32", note="0-d")
    yield case("Clip", SCALAR, K(0.0, "float32"), K(1.0, "float32"), note="0-d")
    yield case("Flatten", EMPTY, note="empty")
    yield case("Conv", IMAGE[:0], K(np.ones((1, 2, 3, 3), "float32")), note="no batch")
    yield case("MaxPool", IMAGE[:0], kernel_shape=[2, 2], note="no batch")


SECTIONS = (elementwise, clips, casts, reductions, windows, movements, late, odd_shapes)
CASES = {one.name + f" opset {one.opset}" * (one.opset != 17): one for s in SECTIONS for one in s()}
assert len(CASES) == sum(1 for s in SECTIONS for _ in s())
