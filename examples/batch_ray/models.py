"""Two small models with random weights: a network of images and an encoder of texts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np
import onnx
from onnx import numpy_helper, parser

PIXELS: Final = (3, 32, 32)
TOKENS: Final = 24
VOCABULARY: Final = 4096
WIDTH: Final = 64
HEADS: Final = 4
LAYERS: Final = 2

IMAGES: Final = """
images (uint8[batch, 3, 32, 32] image) => (float[batch, 10] scores) {
    bytes = Cast<to = 1>(image)
    x = Div(bytes, scale)
    a0 = Conv<strides = [2, 2], pads = [1, 1, 1, 1]>(x, conv0)
    a = Relu(a0)
    b0 = Conv<strides = [2, 2], pads = [1, 1, 1, 1]>(a, conv1)
    b = Relu(b0)
    c0 = Conv<strides = [2, 2], pads = [1, 1, 1, 1]>(b, conv2)
    c = Relu(c0)
    pooled = GlobalAveragePool(c)
    row = Flatten(pooled)
    classes = MatMul(row, dense)
    scores = Softmax(classes)
}"""

TEXTS: Final = """
texts (int64[batch, 24] tokens) => (float[batch, 4] scores) {{
    words = Gather(embedding, tokens)
    x0 = Add(words, places)
    {layers}
    pooled = ReduceMean<keepdims = 0>(x{count}, one)
    classes = MatMul(pooled, dense)
    scores = Softmax(classes)
}}"""

LAYER: Final = """
    n{i} = LayerNormalization(x{i}, gain, shift)
    q0{i} = MatMul(n{i}, q{i})
    k0{i} = MatMul(n{i}, k{i})
    v0{i} = MatMul(n{i}, v{i})
    q1{i} = Reshape(q0{i}, heads)
    k1{i} = Reshape(k0{i}, heads)
    v1{i} = Reshape(v0{i}, heads)
    q2{i} = Transpose<perm = [0, 2, 1, 3]>(q1{i})
    k2{i} = Transpose<perm = [0, 2, 3, 1]>(k1{i})
    v2{i} = Transpose<perm = [0, 2, 1, 3]>(v1{i})
    p0{i} = MatMul(q2{i}, k2{i})
    p1{i} = Div(p0{i}, root)
    p2{i} = Softmax(p1{i})
    a0{i} = MatMul(p2{i}, v2{i})
    a1{i} = Transpose<perm = [0, 2, 1, 3]>(a0{i})
    a2{i} = Reshape(a1{i}, flat)
    a3{i} = MatMul(a2{i}, o{i})
    y{i} = Add(x{i}, a3{i})
    m{i} = LayerNormalization(y{i}, gain, shift)
    f0{i} = MatMul(m{i}, up{i})
    f1{i} = Relu(f0{i})
    f2{i} = MatMul(f1{i}, down{i})
    x{next} = Add(y{i}, f2{i})"""


def image_model() -> onnx.ModelProto:
    """Return ``image: uint8[batch, 3, 32, 32] -> scores: float32[batch, 10]``."""
    rng = np.random.default_rng(0)
    channels = (3, 32, 64, 128)
    weights = {
        f"conv{i}": drawn(rng, out, into, 3, 3) for i, (into, out) in enumerate(pairwise(channels))
    }
    scale = np.array(255, np.float32)
    return _model(IMAGES, {**weights, "dense": 8 * drawn(rng, 10, 128).T, "scale": scale})


def text_model() -> onnx.ModelProto:
    """Return ``tokens: int64[batch, 24] -> scores: float32[batch, 4]``."""
    rng = np.random.default_rng(0)
    weights = {
        f"{name}{i}": drawn(rng, out, into).T
        for i in range(LAYERS)
        for name, into, out in (
            ("q", WIDTH, WIDTH), ("k", WIDTH, WIDTH), ("v", WIDTH, WIDTH), ("o", WIDTH, WIDTH),
            ("up", WIDTH, 4 * WIDTH), ("down", 4 * WIDTH, WIDTH),
        )
    }  # fmt: skip
    others = {
        "embedding": rng.standard_normal((VOCABULARY, WIDTH), np.float32),
        "places": rng.standard_normal((TOKENS, WIDTH), np.float32),
        "gain": np.ones(WIDTH, np.float32),
        "shift": np.zeros(WIDTH, np.float32),
        "heads": np.array([0, TOKENS, HEADS, WIDTH // HEADS]),
        "flat": np.array([0, TOKENS, WIDTH]),
        "root": np.array((WIDTH // HEADS) ** 0.5, np.float32),
        "one": np.array([1]),
        "dense": drawn(rng, 4, WIDTH).T,
    }
    layers = "".join(LAYER.format(i=i, next=i + 1) for i in range(LAYERS))
    return _model(TEXTS.format(layers=layers, count=LAYERS), {**weights, **others})


def drawn(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return weights that keep the size of what they multiply: float32, outputs first."""
    return rng.standard_normal(shape, np.float32) * np.float32(np.prod(shape[1:]) ** -0.5)


def _model(graph: str, weights: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 18]> {graph}')
    model.graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(array), name)
        for name, array in weights.items()
    )
    onnx.checker.check_model(model)
    return model
