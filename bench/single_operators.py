"""Models of one operator each, at a given size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Arrays = Mapping[str, np.ndarray]
Made = tuple[onnx.ModelProto, Arrays]

OPSETS: Final = (("", 21), ("com.microsoft", 1), ("ai.onnx.ml", 3))


def model_of(
    nodes: list[onnx.NodeProto], fed: Arrays, weights: Arrays, outputs: Mapping[str, int]
) -> Made:
    """Return a model, whose outputs have these element types, and what it is fed."""
    graph = helper.make_graph(
        nodes,
        "one",
        [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
            for n, a in fed.items()
        ],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs.items()],
        [numpy_helper.from_array(a, n) for n, a in weights.items()],
    )
    imports = [helper.make_opsetid(*opset) for opset in OPSETS]
    return helper.make_model(graph, ir_version=10, opset_imports=imports), fed


def one(
    operator: str,
    fed: Mapping[str, np.ndarray | None],
    weights: Mapping[str, np.ndarray | None] = {},
    outputs: Mapping[str, int] = {"y": TensorProto.FLOAT},
    **attributes: Any,
) -> Made:
    """Return one node: its operands in order, fed ones first, None for those that it lacks."""
    operands = {**fed, **weights}
    names = [name if array is not None else "" for name, array in operands.items()]
    node = helper.make_node(operator, names, list(outputs), **attributes)
    return model_of(
        [node],
        {n: a for n, a in fed.items() if a is not None},
        {n: a for n, a in weights.items() if a is not None},
        {name: kind for name, kind in outputs.items() if name},
    )


def floats(*shape: int, seed: int = 0) -> np.ndarray:
    """Return normal numbers, the same for each seed."""
    return np.random.default_rng(seed).standard_normal(shape, dtype="float32")


def integers(high: int, *shape: int) -> np.ndarray:
    """Return integers from 0, below a bound."""
    return np.random.default_rng(0).integers(0, high, shape)


GATES: Final = {"LSTM": 4, "GRU": 3, "RNN": 1}


def recurrent(operator: str, hidden: int, batch: int, steps: int, directions: int) -> Made:
    """Return LSTM, GRU or RNN, its inputs as wide as its states."""
    rows = GATES[operator] * hidden
    return one(
        operator,
        {"x": floats(steps, batch, hidden)},
        {
            "W": floats(directions, rows, hidden) * 0.05,
            "R": floats(directions, rows, hidden, seed=1) * 0.05,
            "B": floats(directions, 2 * rows) * 0.1,
        },
        {"y": TensorProto.FLOAT},
        hidden_size=hidden,
        direction="bidirectional" if directions == 2 else "forward",
    )


def suppression(boxes: int, classes: int) -> Made:
    """Return NonMaxSuppression of random boxes, a third of which score enough."""
    rng = np.random.default_rng(0)
    corner, size = rng.random((1, boxes, 2)) * 600, rng.random((1, boxes, 2)) * 60 + 4
    return one(
        "NonMaxSuppression",
        {
            "boxes": np.concatenate([corner, corner + size], -1).astype("float32"),
            "scores": rng.random((1, classes, boxes)).astype("float32") ** 4,
        },
        {
            "most": np.array([300]),
            "overlap": np.array([0.5], "float32"),
            "score": np.array([0.25], "float32"),
        },
        {"y": TensorProto.INT64},
    )


def top_k(k: int, *shape: int, axis: int = -1) -> Made:
    """Return TopK."""
    outputs = {"y": TensorProto.FLOAT, "place": TensorProto.INT64}
    return one("TopK", {"x": floats(*shape)}, {"k": np.array([k])}, outputs, axis=axis)


def resize(mode: str, scale: float, **attributes: Any) -> Made:
    """Return Resize of a picture by one scale."""
    given = {"roi": None, "scales": np.array([1, 1, scale, scale], "float32")}
    return one("Resize", {"x": floats(1, 32, 56, 56)}, given, mode=mode, **attributes)


def grid(mode: str) -> Made:
    """Return GridSample of a picture, some of it outside."""
    grid = floats(1, 56, 56, 2) * 0.6
    return one("GridSample", {"x": floats(1, 32, 56, 56), "grid": grid}, mode=mode)


def regions() -> Made:
    """Return RoiAlign of random regions."""
    corner = np.abs(floats(100, 2)) * 60
    boxes = np.concatenate([corner, corner + 80], -1).astype("float32")
    fed = {"x": floats(1, 64, 50, 50), "rois": boxes, "of": np.zeros(100, "int64")}
    return one(
        "RoiAlign", fed, output_height=7, output_width=7, sampling_ratio=2, spatial_scale=0.25
    )


def stft(samples: int, frame: int) -> Made:
    """Return STFT of a signal by frames that overlap by three quarters."""
    window = np.hanning(frame).astype("float32")
    given = {"step": np.array(frame // 4), "window": window, "length": np.array(frame)}
    return one("STFT", {"x": floats(1, samples, 1)}, given, onesided=1)


def dft(length: int) -> Made:
    """Return DFT of 16 real signals."""
    given = {"length": None, "axis": np.array(1)}
    return one("DFT", {"x": floats(16, length, 1)}, given, onesided=1)


def trees(trees: int, depth: int, rows: int, features: int = 20) -> Made:
    """Whole trees, in the order of heaps."""
    rng = np.random.default_rng(0)
    inner, every = 2**depth - 1, 2 ** (depth + 1) - 1
    nodes = np.arange(every)
    leaf = np.tile(nodes >= inner, trees)
    tree, node = np.repeat(np.arange(trees), every), np.tile(nodes, trees)
    return one(
        "TreeEnsembleRegressor",
        {"x": floats(rows, features)},
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_treeids=tree.tolist(),
        nodes_nodeids=node.tolist(),
        nodes_featureids=rng.integers(0, features, len(node)).tolist(),
        nodes_values=rng.standard_normal(len(node)).tolist(),
        nodes_modes=np.where(leaf, "LEAF", "BRANCH_LEQ").tolist(),
        nodes_truenodeids=np.where(leaf, 0, 2 * node + 1).tolist(),
        nodes_falsenodeids=np.where(leaf, 0, 2 * node + 2).tolist(),
        target_treeids=tree[leaf].tolist(),
        target_nodeids=node[leaf].tolist(),
        target_ids=[0] * int(leaf.sum()),
        target_weights=rng.standard_normal(int(leaf.sum())).tolist(),
    )


def loop(steps: int, width: int, *, counted: bool) -> Made:
    """A state that is scaled and added to, so many times as is fed, or as is known."""
    float_, bool_ = TensorProto.FLOAT, TensorProto.BOOL
    body = helper.make_graph(
        [
            helper.make_node("Mul", ["s", "half"], ["m"]),
            helper.make_node("Add", ["m", "x"], ["s_"]),
            helper.make_node("Identity", ["c"], ["c_"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("c", bool_, []),
            helper.make_tensor_value_info("s", float_, [width]),
        ],
        [
            helper.make_tensor_value_info("c_", bool_, []),
            helper.make_tensor_value_info("s_", float_, [width]),
        ],
    )
    node = helper.make_node("Loop", ["n", "", "x"], ["y"], body=body)
    fed, count = {"x": floats(width)}, {"n": np.array(steps)}
    weights = {"half": np.array([0.5], "float32")}
    if counted:
        return model_of([node], fed, {**weights, **count}, {"y": float_})
    return model_of([node], {**count, **fed}, weights, {"y": float_})


def few_bits(rows: int, columns: int, k: int, accuracy_level: int = 0) -> Made:
    """Return MatMulNBits of 4 bits in blocks of 32; an accuracy level of 4 allows bytes."""
    rng, block = np.random.default_rng(0), 32
    return one(
        "MatMulNBits",
        {"x": floats(rows, k)},
        {
            "B": rng.integers(0, 256, (columns, k // block, block // 2), dtype="uint8"),
            "scales": rng.random(columns * k // block).astype("float32") * 0.02,
        },
        domain="com.microsoft",
        K=k,
        N=columns,
        bits=4,
        block_size=block,
        accuracy_level=accuracy_level,
    )


def norm(operator: str, *shape: int, domain: str = "", **attributes: Any) -> Made:
    """Return a norm of rows."""
    weights = {"scale": floats(shape[-1]), "bias": floats(shape[-1], seed=1)}
    if operator.startswith("Simplified"):
        del weights["bias"]
    return one(operator, {"x": floats(*shape)}, weights, domain=domain, **attributes)


def skip_norm(*shape: int) -> Made:
    """Return SkipLayerNormalization."""
    fed = {"x": floats(*shape), "skip": floats(*shape, seed=1)}
    weights = {"gamma": floats(shape[-1]), "beta": floats(shape[-1], seed=1)}
    return one("SkipLayerNormalization", fed, weights, domain="com.microsoft", epsilon=1e-5)


def rounded(kind: str) -> Made:
    """Cast there and back: numpy has no name for most of them."""
    there, back = (
        helper.make_node("Cast", [x], [y], to=getattr(TensorProto, to))
        for x, y, to in (("x", "r", kind), ("r", "y", "FLOAT"))
    )
    return model_of([there, back], {"x": floats(256, 1024)}, {}, {"y": TensorProto.FLOAT})


def einsum(equation: str, *shapes: tuple[int, ...]) -> Made:
    """Return Einsum of operands of these shapes."""
    fed = {f"x{i}": floats(*shape, seed=i) for i, shape in enumerate(shapes)}
    return one("Einsum", fed, equation=equation)
