"""Every operator in tiny: a case is one node, and what it is fed.

The inputs hold NaN and infinities wherever onnxruntime says one thing about them whatever its
vector width.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

INF, NAN = np.inf, np.nan
RNG = np.random.default_rng(0)

SPECIAL = np.array(
    [[NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5], [-0.5, 2.0, -2.5, 3.5, 1e-30, 80.0, -104.0, 1.5]],
    "float32",
)
OTHER = np.array(
    [[1.0, -INF, -INF, NAN, 2.0, 0.0, -0.0, 0.5], [0.5, -2.0, NAN, 3.0, 1.0, INF, 2.0, -7.0]],
    "float32",
)
POSITIVE = np.abs(OTHER)
UNIT = np.array([[NAN, 1.0, -1.0, 0.0, 0.5, -0.99, 2.0, -INF]], "float32")
I64 = np.array([[7, -7, 0, 5], [-(2**40), 3, 2**33, -1]])
J64 = np.array([[2, 2, 3, -5], [7, -2, 2, 4]])
I32 = np.array([[7, -7, 0, 5], [-(2**31), 3, 2**31 - 1, -1]], "int32")
U8 = np.array([[0, 1, 2, 255], [128, 127, 3, 200]], "uint8")
V8 = np.array([[1, 3, 2, 255], [2, 7, 1, 3]], "uint8")
F64 = np.array([[NAN, INF, -1e300, 0.1, 3.0, -2.5]])
BOOL = np.array([[True, False, True], [False, False, True]])
IMAGE = RNG.standard_normal((1, 2, 6, 5), dtype="float32")
HOLED = IMAGE.copy()
HOLED[0, 0, 2, 2], HOLED[0, 1, 0, 0], HOLED[0, 1, 5, 4] = NAN, INF, -INF
SIGNAL = RNG.standard_normal((2, 3, 9), dtype="float32")
VOLUME = RNG.standard_normal((1, 2, 4, 5, 4), dtype="float32")
CUBE = RNG.standard_normal((2, 3, 4), dtype="float32")
MATRIX = RNG.standard_normal((4, 5), dtype="float32")
STRIPED = CUBE.copy()
STRIPED[0, 1, 2], STRIPED[1, 0, 0], STRIPED[1, 2, 3] = NAN, INF, -INF
INFINITE = np.nan_to_num(
    STRIPED, nan=1.0, posinf=INF, neginf=-INF
)  # onnxruntime's extrema ignore some NaN
HALF = CUBE.astype("float16")


@dataclass(frozen=True)
class Case:
    """One node.

    Attributes:
        operands: Arrays that are fed; `K(...)` is an initializer; None is absent.
        dtypes: Of the outputs.
    """

    op: str
    operands: Sequence[object]
    dtypes: tuple[str, ...] = ("float32",)
    attributes: dict = field(default_factory=dict)
    opset: int = 17
    note: str = ""

    @property
    def name(self) -> str:
        said = " ".join(f"{k}={v}" for k, v in self.attributes.items())
        return " ".join(filter(None, [self.op, self.note, said]))


class K:
    """An initializer."""

    def __init__(self, *args, **kwargs) -> None:
        self.array = np.array(*args, **kwargs)


def case(
    op: str,
    *operands: object,
    to: str | tuple[str, ...] = "",
    opset: int = 17,
    note: str = "",
    attributes: dict | None = None,
    **more,
) -> Case:
    """Return a case; `to` are the dtypes of its outputs, by default that of the first operand."""
    first = next((o for o in operands if isinstance(o, np.ndarray)), None)
    dtypes = (to,) if isinstance(to, str) else to
    if not to:
        dtypes = (first.dtype.name,)
    return Case(op, operands, dtypes, {**(attributes or {}), **more}, opset, note)


UNARY = "Abs Ceil Cos Elu Erf Exp Floor HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Neg Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Softplus Softsign Tanh ThresholdedRelu Celu".split()
POSITIVE_ONLY = "Sqrt Log".split()
BOUNDED = "Acos Asin Atan Atanh Acosh Asinh Cosh Sinh Tan".split()
BINARY = "Add Sub Mul Div Max Min Pow PRelu".split()
COMPARE = "Equal Greater GreaterOrEqual Less LessOrEqual".split()
LOGIC = "And Or Xor".split()
REDUCTIONS = "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare".split()


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


def movements() -> Iterator[Case]:
    yield case("Concat", SPECIAL, OTHER, axis=-1)
    yield case("Split", MATRIX, K([1, 3]), to=("float32", "float32"))
    yield case("Split", MATRIX, to=("float32", "float32"), note="even")
    yield case("Transpose", CUBE, perm=[2, 0, 1])
    yield case("Transpose", CUBE)
    yield case("Reshape", CUBE, K([0, -1]))
    yield case("Reshape", CUBE[:0], K([0, 12]), allowzero=1)
    yield case("Flatten", CUBE, axis=2)
    yield case("Flatten", CUBE, axis=0)
    yield case("Squeeze", IMAGE, K([0]))
    yield case("Squeeze", IMAGE, note="all")
    yield case("Unsqueeze", CUBE, K([0, -1]))
    yield case("Expand", MATRIX[:1], K([3, 1, 5]))
    yield case("Tile", MATRIX, K([2, 1]))
    yield case("Pad", MATRIX, K([1, 0, 0, 2]), K(7.0, "float32"))
    yield case("Pad", MATRIX, K([1, 0, 0, 2]), mode="edge")
    yield case("Pad", MATRIX, K([1, 2, 0, 2]), mode="reflect")
    yield case("Pad", MATRIX, K([-1, 0, 0, -2]), note="negative")
    yield case("Pad", I64, K([1, 1, 1, 1]), K(-9), note="int64")
    yield case("Slice", MATRIX, K([1]), K([2**62]), K([0]))
    yield case(
        "Slice", MATRIX, K([-1, 4]), K([-(2**62), 0]), K([0, 1]), K([-1, -2]), note="backwards"
    )
    yield case("Slice", MATRIX, np.array([1]), np.array([9]), note="fed")
    yield case("Gather", MATRIX, np.array([[0, -1], [3, 2]]), axis=1, to="float32")
    yield case("Gather", MATRIX, K(-1), note="constant")
    yield case("GatherElements", MATRIX, np.array([[0, -1, 2, 3, 1]]), axis=0, to="float32")
    yield case("GatherND", CUBE, np.array([[0, 1], [-1, 2]]), to="float32")
    yield case("GatherND", CUBE, np.array([[1], [-1]]), to="float32", batch_dims=1)
    yield case(
        "ScatterElements",
        MATRIX,
        np.array([[1, -1]]),
        np.array([[10.0, 20.0]], "float32"),
        to="float32",
        axis=1,
    )
    yield case("ScatterND", MATRIX, np.array([[1], [-1]]), np.ones((2, 5), "float32"), to="float32")
    yield case(
        "ScatterND",
        MATRIX,
        np.array([[1], [1]]),
        np.ones((2, 5), "float32"),
        to="float32",
        reduction="add",
    )
    yield case("OneHot", np.array([0, 2, -1, 9]), K(3), K([0.5, 2.0], "float32"), to="float32")
    yield case("Trilu", MATRIX, K(1), upper=1)
    yield case("Trilu", STRIPED, upper=0)
    yield case("EyeLike", MATRIX, k=1)
    yield case("ConstantOfShape", K([2, 3]), to="float32")
    yield case("Shape", CUBE, to="int64")
    yield case("Shape", CUBE, to="int64", start=-2)
    yield case("Size", CUBE, to="int64")
    yield case("Range", K(1), K(9), K(3), to="int64")
    yield case("ReverseSequence", MATRIX, np.array([1, 2, 3, 4, 2]), to="float32")
    yield case("NonZero", np.array([[1.0, 0.0], [0.0, 3.0]], "float32"), to="int64")
    yield case("Compress", MATRIX, np.array([True, False, True]), to="float32", axis=0)
    yield case("Unique", np.array([3, 1, 3, 2, 1]))
    yield case("MatMul", CUBE, RNG.standard_normal((4, 2), dtype="float32"))
    yield case("MatMul", STRIPED, RNG.standard_normal((2, 4, 2), dtype="float32"), note="special")
    yield case("MatMul", CUBE[0, 0], RNG.standard_normal((2, 4, 3), dtype="float32"), note="vector")
    yield case("MatMul", I64, J64.T.copy(), note="int64")
    yield case(
        "Gemm",
        MATRIX,
        K(RNG.standard_normal((3, 5), dtype="float32")),
        K([1, 2, 3], "float32"),
        transB=1,
        alpha=0.5,
        beta=2.0,
    )
    yield case("Gemm", MATRIX, MATRIX, transA=1)
    yield case(
        "Einsum", CUBE, RNG.standard_normal((2, 4, 5), dtype="float32"), equation="bij,bjk->bik"
    )
    yield case("MatMulInteger", U8, V8.T.copy(), to="int32")
    yield case(
        "QuantizeLinear",
        np.array([0.0, 1.24, -9.0, 300.0], "float32"),
        K(0.5, "float32"),
        K(np.array(10, "uint8")),
        to="uint8",
    )
    yield case("DequantizeLinear", U8, K(0.5, "float32"), K(np.array(10, "uint8")), to="float32")
    yield case("DynamicQuantizeLinear", CUBE, to=("uint8", "float32", "uint8"))
    yield case("SoftmaxCrossEntropyLoss", MATRIX, np.array([0, 1, 2, 4]), to="float32")
    yield case("NegativeLogLikelihoodLoss", MATRIX, np.array([0, 1, 2, 4]), to="float32")


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
