"""Cases of operators that move elements and compute nothing."""

from collections.abc import Iterator

import numpy as np
from operator_case import (
    CUBE,
    I64,
    IMAGE,
    J64,
    MATRIX,
    OTHER,
    RNG,
    SPECIAL,
    STRIPED,
    U8,
    V8,
    Case,
    K,
    case,
)


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
