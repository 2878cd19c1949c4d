"""Operators with integer attributes, each tried at unusual numbers, of fixed and symbolic sizes.

What holds of each: onnxruntime's result or an error in words, and no memory but for what there is.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import onnx
from graphs import onnx_model
from number_cases import NUMBERS, OK, REFUSED, Outcome, ended, small
from onnx import helper
from reference import reference

import tvmfuse

RNG: Final = np.random.default_rng(0)
ML: Final = "ai.onnx.ml"
MICROSOFT: Final = "com.microsoft"


@dataclass(frozen=True)
class AttributeCase:
    """One node.

    Attributes:
        operands: Arrays; the first one is fed, others are constants; None is absent.
        attributes: What usually stands there. Each integer is tried, of a list the first and last.
    """

    op: str
    operands: Sequence[np.ndarray | None]
    attributes: Mapping[str, Any]
    dtypes: Sequence[str]
    opset: int
    domain: str

    def tried(self, attribute: str) -> Iterator[Mapping[str, Any]]:
        """Yield the usual attributes, and then others of which one number is unusual."""
        yield self.attributes
        usual = self.attributes[attribute]
        for number in NUMBERS:
            if isinstance(usual, int):
                yield {**self.attributes, attribute: number}
                continue
            for place in {0, len(usual) - 1}:
                value = [*usual]
                value[place] = number
                yield {**self.attributes, attribute: value}

    def model(self, attributes: Mapping[str, Any], *, symbolic: bool) -> onnx.ModelProto:
        """Return a model of the node with these attributes."""
        names = ["" if o is None else f"i{place}" for place, o in enumerate(self.operands)]
        arrays = {n: o for n, o in zip(names, self.operands, strict=True) if o is not None}
        inputs: dict[str, Any] = {
            name: (a.dtype.name, [f"d{n}" for n in range(a.ndim)] if symbolic else a.shape)
            for name, a in arrays.items()
            if name == "i0"
        }
        constants = {name: a for name, a in arrays.items() if name != "i0"}
        outputs = {f"y{place}": dtype for place, dtype in enumerate(self.dtypes)}
        node = helper.make_node(self.op, names, [*outputs], domain=self.domain, **attributes)
        domains = [self.domain] if self.domain else []
        return onnx_model([node], inputs, outputs, constants, opset=self.opset, domains=domains)

    def feeds(self) -> dict[str, np.ndarray]:
        """Return what a model is fed."""
        first = self.operands[0] if self.operands else None
        return {} if first is None else {"i0": first}


def case(
    op: str,
    *operands: np.ndarray | None,
    to: Sequence[str] = ("float32",),
    opset: int = 18,
    domain: str = "",
    **attributes: Any,
) -> AttributeCase:
    return AttributeCase(op, operands, attributes, to, opset, domain)


def f(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, "float32")


def u8(*shape: int) -> np.ndarray:
    return RNG.integers(0, 200, shape).astype("uint8")


X: Final = f(3, 4)
IMAGE: Final = f(1, 2, 6, 6)
SEQUENCE: Final = f(4, 2, 3)
PLACES: Final = np.array([[0, 1], [2, 0]])
ONE: Final = np.array(1.0, "float32")
SCALE: Final = np.array(0.1, "float32")
ZERO: Final = np.array(0, "uint8")
WINDOW: Final[dict[str, Any]] = {
    "kernel_shape": [2, 3],
    "strides": [1, 2],
    "dilations": [1, 1],
    "pads": [0, 1, 1, 0],
}
POOL: Final[dict[str, Any]] = {**WINDOW, "ceil_mode": 0}
TREE: Final[dict[str, Any]] = {
    "n_targets": 1, "nodes_falsenodeids": [2, 0, 0], "nodes_featureids": [1, 0, 0],
    "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_nodeids": [0, 1, 2],
    "nodes_treeids": [0, 0, 0], "nodes_truenodeids": [1, 0, 0], "nodes_values": [0.5, 0.0, 0.0],
    "target_ids": [0, 0], "target_nodeids": [1, 2], "target_treeids": [0, 0],
    "target_weights": [1.0, 2.0],
}  # fmt: skip

CASES: Final = {
    "Conv": case("Conv", IMAGE, f(4, 1, 2, 3), **WINDOW, group=2),
    "Conv, no pads": case("Conv", IMAGE, f(4, 2, 4, 5), auto_pad="SAME_UPPER", strides=[2, 1]),
    "ConvTranspose": case(
        "ConvTranspose", IMAGE, f(2, 3, 2, 3), **WINDOW, group=1, output_padding=[0, 1]
    ),
    "ConvTranspose, to a shape": case(
        "ConvTranspose", IMAGE, f(2, 3, 2, 2), strides=[2, 2], output_shape=[12, 12]
    ),
    "ConvInteger": case("ConvInteger", u8(1, 2, 6, 6), u8(3, 2, 2, 3), to=["int32"], **WINDOW),
    "QLinearConv": case(
        "QLinearConv", u8(1, 2, 6, 6), SCALE, ZERO, u8(4, 1, 2, 3), SCALE, ZERO, SCALE, ZERO,
        to=["uint8"], **WINDOW, group=2,
    ),
    "DeformConv": case(
        "DeformConv", IMAGE, f(2, 2, 2, 2), f(1, 8, 5, 5), opset=19, kernel_shape=[2, 2],
        strides=[1, 1], pads=[0, 0, 0, 0], dilations=[1, 1], group=1, offset_group=1,
    ),
    "MaxPool": case("MaxPool", IMAGE, to=["float32", "int64"], **POOL, storage_order=0),
    "AveragePool": case("AveragePool", IMAGE, opset=19, **POOL, count_include_pad=1),
    "LpPool": case("LpPool", IMAGE, **POOL, p=2),
    "GlobalLpPool": case("GlobalLpPool", IMAGE, p=2),
    "MaxUnpool": case(
        "MaxUnpool", f(1, 1, 2, 2), np.arange(4).reshape(1, 1, 2, 2), kernel_shape=[2, 2],
        strides=[2, 2], pads=[0, 0, 0, 0],
    ),
    "MaxRoiPool": case(
        "MaxRoiPool", IMAGE, np.array([[0, 0, 0, 3, 3]], "float32"), pooled_shape=[2, 2]
    ),
    "RoiAlign": case(
        "RoiAlign", IMAGE, np.array([[0, 0, 3, 3]], "float32"), np.array([0]), output_height=2,
        output_width=2, sampling_ratio=2,
    ),
    "Col2Im": case(
        "Col2Im", f(1, 8, 9), np.array([4, 4]), np.array([2, 2]), dilations=[1, 1],
        pads=[0, 0, 0, 0], strides=[1, 1],
    ),
    "LRN": case("LRN", IMAGE, size=3),
    "LpNormalization": case("LpNormalization", X, axis=-1, p=2),
    "GroupNormalization": case(
        "GroupNormalization", f(1, 4, 3), f(4), f(4), opset=21, num_groups=2, stash_type=1
    ),
    "LayerNormalization": case("LayerNormalization", X, f(4), axis=-1, stash_type=1),
    "BatchNormalization": case(
        "BatchNormalization", IMAGE, f(2), f(2), f(2), np.abs(f(2)), training_mode=0
    ),
    "MeanVarianceNormalization": case("MeanVarianceNormalization", IMAGE, axes=[0, 2, 3]),
    "DepthToSpace": case("DepthToSpace", f(1, 8, 2, 3), blocksize=2),
    "SpaceToDepth": case("SpaceToDepth", IMAGE, blocksize=2),
    "Gather": case("Gather", X, PLACES, axis=0),
    "GatherElements": case("GatherElements", X, PLACES, axis=0),
    "GatherND": case("GatherND", f(2, 3, 4), np.array([[1], [2]]), batch_dims=1),
    "ScatterElements": case("ScatterElements", X, PLACES, f(2, 2), axis=0),
    "Compress": case("Compress", X, np.array([True, False, True]), axis=0),
    "Concat": case("Concat", X, f(3, 4), axis=1),
    "Split, outputs": case("Split", X, to=["float32"] * 2, axis=1, num_outputs=2),
    "Split, sizes": case("Split", X, to=["float32"] * 2, opset=11, axis=1, split=[1, 3]),
    "Flatten": case("Flatten", SEQUENCE, axis=1),
    "Softmax": case("Softmax", SEQUENCE, axis=-1),
    "Softmax, coerced": case("Softmax", SEQUENCE, opset=11, axis=1),
    "Hardmax": case("Hardmax", SEQUENCE, axis=1),
    "ArgMax": case("ArgMax", X, to=["int64"], axis=1, keepdims=1, select_last_index=0),
    "ReduceSum": case("ReduceSum", SEQUENCE, opset=11, axes=[0, -1], keepdims=1),
    "ReduceMean, of none": case(
        "ReduceMean", SEQUENCE, np.zeros(0, "int64"), keepdims=1, noop_with_empty_axes=1
    ),
    "Squeeze": case("Squeeze", f(1, 4, 1), opset=11, axes=[0, 2]),
    "Unsqueeze": case("Unsqueeze", X, opset=11, axes=[0, 3]),
    "Transpose": case("Transpose", SEQUENCE, perm=[2, 0, 1]),
    "CumSum": case("CumSum", X, np.array(1), exclusive=0, reverse=1),
    "DequantizeLinear": case(
        "DequantizeLinear", u8(3, 4), np.abs(f(4)), u8(4), opset=21, axis=1
    ),
    "DequantizeLinear, blocks": case(
        "DequantizeLinear", u8(3, 4), np.abs(f(3, 2)), u8(3, 2), opset=21, axis=1, block_size=2
    ),
    "QuantizeLinear": case(
        "QuantizeLinear", X, np.abs(f(3, 2)), opset=21, to=["uint8"], axis=1, block_size=2,
        output_dtype=2, saturate=1,
    ),
    "EyeLike": case("EyeLike", X, dtype=1, k=1),
    "GRU": case("GRU", SEQUENCE, f(1, 15, 3), f(1, 15, 5), hidden_size=5, layout=0, linear_before_reset=1),
    "LSTM": case("LSTM", SEQUENCE, f(1, 20, 3), f(1, 20, 5), hidden_size=5, layout=0, input_forget=0),
    "RNN": case("RNN", SEQUENCE, f(1, 5, 3), f(1, 5, 5), hidden_size=5, layout=0),
    "OneHot": case("OneHot", PLACES, np.array(3), np.array([0, 1], "float32"), axis=-1),
    "Pad": case("Pad", X, opset=2, pads=[0, 1, 1, 0]),
    "Shape": case("Shape", SEQUENCE, to=["int64"], start=1, end=2),
    "Slice": case("Slice", X, opset=1, starts=[0, 1], ends=[2, 3], axes=[0, 1]),
    "TopK": case("TopK", X, np.array([2]), to=["float32", "int64"], axis=1, largest=1),
    "TopK, of old": case("TopK", X, opset=9, to=["float32", "int64"], axis=1, k=2),
    "Trilu": case("Trilu", X, upper=1),
    "Unique": case("Unique", X, axis=1, sorted=1),
    "DFT": case("DFT", f(2, 6, 1), opset=17, axis=1, inverse=0, onesided=1),
    "STFT": case("STFT", f(1, 20, 1), np.array(4), f(8), opset=17, onesided=1),
    "HannWindow": case("HannWindow", np.array(5), periodic=1, output_datatype=1),
    "MelWeightMatrix": case(
        "MelWeightMatrix", np.array(4), np.array(8), np.array(100), np.array(0.0, "float32"),
        np.array(50.0, "float32"), output_datatype=1,
    ),
    "NonMaxSuppression": case(
        "NonMaxSuppression", np.abs(f(1, 6, 4)), f(1, 1, 6), np.array([2]), to=["int64"],
        center_point_box=0,
    ),
    "Resize": case(
        "Resize", IMAGE, None, None, np.array([3, 4]), axes=[2, 3], mode="linear", antialias=0,
        exclude_outside=0,
    ),
    "ReverseSequence": case("ReverseSequence", X, np.array([1, 2, 3, 1]), batch_axis=1, time_axis=0),
    "GridSample": case("GridSample", IMAGE, f(1, 3, 3, 2), opset=20, align_corners=0),
    "AffineGrid": case("AffineGrid", f(1, 2, 3), np.array([1, 2, 3, 4]), opset=20, align_corners=0),
    "CenterCropPad": case("CenterCropPad", X, np.array([2, 5]), axes=[0, 1]),
    "Dropout": case("Dropout", X, seed=1),
    "NegativeLogLikelihoodLoss": case(
        "NegativeLogLikelihoodLoss", X, np.array([0, 1, 3]), ignore_index=1
    ),
    "SoftmaxCrossEntropyLoss": case(
        "SoftmaxCrossEntropyLoss", X, np.array([0, 1, 3]), ignore_index=1
    ),
    "TfIdfVectorizer": case(
        "TfIdfVectorizer", np.array([1, 2, 3, 2]), mode="TF", min_gram_length=1, max_gram_length=2,
        max_skip_count=1, ngram_counts=[0, 2], ngram_indexes=[0, 1, 2], pool_int64s=[1, 2, 2, 3],
    ),
    "Gemm": case("Gemm", X, f(3, 5), transA=1, transB=0),
    "Mod": case("Mod", X, np.abs(f(3, 4)) + 1, fmod=1),
    "IsInf": case("IsInf", X, to=["bool"], detect_positive=1, detect_negative=0),
    "Attention": case(
        "Attention", f(1, 4, 8), f(1, 4, 8), f(1, 4, 8), opset=23, q_num_heads=2, kv_num_heads=2,
        is_causal=1, qk_matmul_output_mode=0,
    ),
    "RotaryEmbedding": case(
        "RotaryEmbedding", f(1, 3, 8), f(1, 3, 2), f(1, 3, 2), opset=23, num_heads=2,
        interleaved=0, rotary_embedding_dim=4,
    ),
    "RMSNormalization": case("RMSNormalization", X, f(4), opset=23, axis=-1, stash_type=1),
    "MatMulNBits": case(
        "MatMulNBits", f(2, 32), u8(8, 2, 8), np.abs(f(16)), domain=MICROSOFT, K=32, N=8, bits=4,
        block_size=16, accuracy_level=0,
    ),
    "MultiHeadAttention": case(
        "MultiHeadAttention", f(1, 4, 8), f(1, 4, 8), f(1, 4, 8), domain=MICROSOFT, num_heads=2,
        unidirectional=0,
    ),
    "Attention of three": case(
        "Attention", f(1, 4, 8), f(8, 24), f(24), domain=MICROSOFT, num_heads=2, unidirectional=0,
        qkv_hidden_sizes=[8, 8, 8], do_rotary=0, rotary_embedding_dim=0,
    ),
    "GroupQueryAttention": case(
        "GroupQueryAttention", f(1, 4, 16), f(1, 4, 16), f(1, 4, 16), None, None, np.array([3], "int32"),
        np.array(4, "int32"), domain=MICROSOFT, num_heads=2, kv_num_heads=2, do_rotary=0,
        local_window_size=2,
    ),
    "QLinearAveragePool": case(
        "QLinearAveragePool", u8(1, 2, 6, 6), SCALE, ZERO, SCALE, ZERO, to=["uint8"],
        domain=MICROSOFT, kernel_shape=[2, 3], strides=[1, 2], pads=[0, 1, 1, 0], ceil_mode=0,
        count_include_pad=0, channels_last=0,
    ),
    "QLinearConcat": case(
        "QLinearConcat", SCALE, ZERO, u8(2, 3), SCALE, ZERO, to=["uint8"], domain=MICROSOFT, axis=0
    ),
    "TreeEnsembleRegressor": case("TreeEnsembleRegressor", X, domain=ML, **TREE),
    "OneHotEncoder": case(
        "OneHotEncoder", np.array([1, 2, 5]), domain=ML, cats_int64s=[1, 2, 3], zeros=1
    ),
    "LinearRegressor": case(
        "LinearRegressor", X, domain=ML, coefficients=[1.0, 2.0, 3.0, 4.0], targets=1
    ),
    "Imputer": case(
        "Imputer", PLACES, to=["int64"], domain=ML, imputed_value_int64s=[7], replaced_value_int64=1
    ),
    "TreeEnsembleClassifier": case(
        "TreeEnsembleClassifier", X, to=["int64", "float32"], domain=ML,
        classlabels_int64s=[3, 5, 9], class_ids=[0, 1], class_nodeids=[1, 2], class_treeids=[0, 0],
        class_weights=[1.0, 2.0], **{n: v for n, v in TREE.items() if n.startswith("nodes_")},
    ),
    "FeatureVectorizer": case("FeatureVectorizer", X, domain=ML, inputdimensions=[4]),
}  # fmt: skip


def tried() -> Iterator[tuple[str, str]]:
    """Yield each case with each of its attributes that has integers."""
    for name, one in CASES.items():
        for attribute, value in one.attributes.items():
            if isinstance(value, int) or (isinstance(value, list) and isinstance(value[0], int)):
                yield name, attribute


def model_of(name: str, attribute: str, place: int, *, symbolic: bool) -> onnx.ModelProto:
    """Return one of the models; the usual one is at place 0."""
    return CASES[name].model([*CASES[name].tried(attribute)][place], symbolic=symbolic)


def ours(name: str, attribute: str, place: int, symbolic: bool) -> tuple[Outcome, int]:
    """Return how one of the runs ends in this process, and by how many bytes that has grown."""
    model, before = model_of(name, attribute, place, symbolic=symbolic), _most()
    found: Outcome
    try:
        found = OK, small(tvmfuse.compile(model).load(num_threads=1)(CASES[name].feeds()))
    except Exception as error:  # of whatever class: it is returned
        found = ended(error)
    return found, _most() - before


def theirs(name: str, attribute: str, place: int, symbolic: bool) -> Outcome:
    """Return how onnxruntime ends it."""
    model = model_of(name, attribute, place, symbolic=symbolic)
    try:
        return OK, small(reference(model, CASES[name].feeds()))
    except Exception as error:  # pybind's, of no one class
        return REFUSED, str(error)


def _most() -> int:
    """Return how many bytes this process has held at most."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
