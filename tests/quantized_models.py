"""Small models to quantize, and data for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from graphs import onnx_model
from onnx.helper import make_node

SHAPE = (2, 3, 8, 8)


def network(**changes: Any) -> onnx.ModelProto:
    """Return a Conv with BatchNormalization and Relu, a pool, and a Gemm."""
    rng = np.random.default_rng(0)

    def weights(*shape: int) -> np.ndarray:
        return (rng.standard_normal(shape) * 0.2).astype(np.float32)

    nodes = [
        make_node("Conv", ["x", "w"], ["c"], name="conv", pads=[1, 1, 1, 1]),
        make_node("BatchNormalization", ["c", "s", "b", "m", "v"], ["n"], name="norm"),
        make_node("Relu", ["n"], ["r"], name="relu"),
        make_node("GlobalAveragePool", ["r"], ["g"], name="pool"),
        make_node("Flatten", ["g"], ["f"], name="flat"),
        make_node("Gemm", ["f", "u", "d"], ["y"], name="fc", transB=1),
    ]
    constants = {"w": weights(16, 3, 3, 3), "u": weights(5, 16), "d": weights(5)}
    constants |= {name: weights(16) for name in "sbm"} | {"v": np.ones(16, np.float32)}
    return onnx_model(nodes, {"x": ("float32", SHAPE)}, {"y": "float32"}, constants, **changes)


def samples(count: int, seed: int = 1) -> list[dict[str, np.ndarray]]:
    """Return inputs of the network."""
    rng = np.random.default_rng(seed)
    return [{"x": rng.standard_normal(SHAPE).astype(np.float32)} for _ in range(count)]


def products(*matrices: np.ndarray, dtype: str = "float32") -> onnx.ModelProto:
    """Return a chain of MatMuls, called m0, m1, ... with Relus between them."""
    nodes, value = [], "x"
    for place in range(len(matrices)):
        last = place == len(matrices) - 1
        product = "y" if last else f"p{place}"
        nodes.append(make_node("MatMul", [value, f"w{place}"], [product], name=f"m{place}"))
        if not last:
            value = f"r{place}"
            nodes.append(make_node("Relu", [product], [value], name=f"relu{place}"))
    constants = {f"w{place}": matrix.astype(dtype) for place, matrix in enumerate(matrices)}
    return onnx_model(nodes, {"x": (dtype, (4, len(matrices[0])))}, {"y": dtype}, constants)
