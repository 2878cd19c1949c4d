"""Tiny transformers as exporters write them, drawn at random: the same seed, the same model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

HEAD = 8
LAYERS, WORDS, PATCH = 2, 11, 4
SYMBOL = "length"


@dataclass(frozen=True)
class Transformer:
    """An architecture.

    Attributes:
        heads: Of queries.
        shared: How many of them read one head of keys and values.
        inputs: ``tokens``, ``features`` or ``image``.
        norm: ``layer`` or ``rms``, which exporters write in several operators.
        whole_norm: Whether a layer norm is one operator.
        first: Whether norms stand before attention and the network behind it, or after.
        bias: Whether products have one.
        residual: How a layer adds up: the stream first, the branch first, or the bias last.
        activation: Of the network.
        gated: Whether a second product is multiplied with the activation.
        mask: ``none``, ``causal`` (a constant), ``built`` (from positions) or ``padding`` (fed).
        divided: Whether scores are divided, or queries multiplied.
        joined: Whether one product makes queries, keys and values, and is split.
        dtype: Of all numbers but tokens.
        length: How many rows there are; of an image, squared patches.
        symbolic: Whether the model says so.
    """

    seed: int
    heads: int
    shared: int
    inputs: str
    norm: str
    whole_norm: bool
    first: bool
    bias: bool
    residual: str
    activation: str
    gated: bool
    mask: str
    divided: bool
    joined: bool
    dtype: str
    length: int
    symbolic: bool

    @property
    def width(self) -> int:
        """The numbers of a row."""
        return HEAD * self.heads

    def model(self) -> onnx.ModelProto:
        """Return the model with seeded weights."""
        return _Writer(self).model()

    def feeds(self) -> dict[str, np.ndarray]:
        """Return seeded inputs."""
        rng = np.random.default_rng(self.seed)
        n = self.length
        fed: dict[str, np.ndarray] = {}
        if self.inputs == "tokens":
            fed["tokens"] = rng.integers(0, WORDS, (1, n))
        elif self.inputs == "features":
            fed["features"] = rng.standard_normal((1, n, self.width)).astype(self.dtype)
        else:
            shape = (1, 3, PATCH, PATCH * n)
            fed["image"] = rng.standard_normal(shape).astype(self.dtype)
        if self.mask == "padding":
            fed["mask"] = np.ones((1, n), np.int64)
            fed["mask"][:, n - n // 3 :] = 0
        return fed


def drawn(seed: int, *, length: int) -> Transformer:
    """Draw an architecture."""
    rng = np.random.default_rng(seed)

    def of(*choices: Any) -> Any:
        return choices[int(rng.integers(len(choices)))]

    inputs = of("tokens", "features", "image")
    return Transformer(
        seed=seed,
        heads=of(2, 4),
        shared=of(1, 1, 2),
        inputs=inputs,
        norm=of("layer", "layer", "rms"),
        whole_norm=of(True, False),
        first=of(True, False),
        bias=of(True, True, False),
        residual=of("stream", "branch", "bias last"),
        activation=of("gelu", "tanh gelu", "quick gelu", "silu", "relu"),
        gated=of(False, True),
        mask=of("none", "causal", "built", "padding"),
        divided=of(True, False),
        joined=of(False, False, True),
        dtype=of("float32", "float32", "float32", "float16"),
        length=length,
        symbolic=of(True, False) and inputs != "image",
    )


@dataclass
class _Writer:
    of: Transformer
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.of.seed + 1)

    def op(self, kind: str, *reads: str, **attributes: Any) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, reads, [f"{name}_out"], name, **attributes))
        return f"{name}_out"

    def constant(self, array: Any, dtype: str = "") -> str:
        name = f"constant_{len(self.weights)}"
        held = np.asarray(array, dtype or self.of.dtype)
        self.weights.append(numpy_helper.from_array(held, name))
        return name

    def weight(self, *shape: int) -> str:
        return self.constant(self.rng.standard_normal(shape) / np.sqrt(shape[0]))

    def model(self) -> onnx.ModelProto:
        of = self.of
        length: Any = SYMBOL if of.symbolic else of.length
        shapes = {
            "tokens": (1, length), "features": (1, length, of.width),
            "image": (1, 3, PATCH, PATCH * of.length), "mask": (1, length),
        }  # fmt: skip
        x, mask = self.embedded(), self.mask()
        for _ in range(LAYERS):
            x = self.layer(x, mask)
        x = self.normalized(x) if of.first else x
        self.op("Identity", x)
        self.nodes[-1].output[0] = "y"
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(of.dtype))
        inputs = [
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(array.dtype), shapes[name]
            )
            for name, array in of.feeds().items()
        ]
        output = helper.make_tensor_value_info("y", kind, (1, length, of.width))
        graph = helper.make_graph(
            self.nodes, f"transformer {of.seed}", inputs, [output], self.weights
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    def embedded(self) -> str:
        of, width = self.of, self.of.width
        if of.inputs == "features":
            return "features"
        if of.inputs == "tokens":
            table = self.constant(self.rng.standard_normal((WORDS, width)))
            x = self.op("Gather", table, "tokens")
            return x if of.symbolic else self.op("Add", x, self.positions())
        w = self.weight(width, 3, PATCH, PATCH)
        bias = [self.weight(width)] if of.bias else []
        x = self.op("Conv", "image", w, *bias, strides=[PATCH, PATCH])
        x = self.op("Reshape", x, self.constant([1, width, -1], "int64"))
        return self.op("Add", self.op("Transpose", x, perm=[0, 2, 1]), self.positions())

    def positions(self) -> str:
        return self.constant(self.rng.standard_normal((1, self.of.length, self.of.width)))

    def mask(self) -> str:
        """Write what is added to scores, of shape (1, 1, S or 1, S); "" for nothing."""
        of = self.of
        if of.mask == "padding":
            seen = self.op("Cast", "mask", to=_kind(of.dtype))
            hidden = self.op("Sub", self.constant(1), seen)
            far = self.op("Mul", hidden, self.constant(-1e4))
            return self.op("Unsqueeze", far, self.constant([1, 2], "int64"))
        if of.mask == "none" or (of.mask == "causal" and of.symbolic):
            return ""
        if of.mask == "causal":
            later = np.triu(np.ones((of.length, of.length), bool), 1)
            return self.constant(np.where(later, -np.inf, 0)[None, None])
        return self.built_mask()

    def built_mask(self) -> str:
        """Write a causal mask as it is computed from the length."""
        source = {"tokens": "tokens", "features": "features", "image": "image"}[self.of.inputs]
        axis = 1
        if self.of.inputs == "image":
            length = self.constant(self.of.length, "int64")
        else:
            shape = self.op("Shape", source)
            length = self.op("Gather", shape, self.constant(axis, "int64"))
        steps = self.op("Range", self.constant(0, "int64"), length, self.constant(1, "int64"))
        rows = self.op("Unsqueeze", steps, self.constant([1], "int64"))
        later = self.op("Greater", steps, rows)
        least = float(np.finfo(self.of.dtype).min)
        far = self.op("Where", later, self.constant(least), self.constant(0))
        return self.op("Unsqueeze", far, self.constant([0, 1], "int64"))

    def layer(self, x: str, mask: str) -> str:
        branches = (lambda read: self.attention(read, mask), self.network)
        for branch in branches:
            read = self.normalized(x) if self.of.first else x
            x = self.added(x, *branch(read))
            x = x if self.of.first else self.normalized(x)
        return x

    def added(self, x: str, branch: str, bias: str) -> str:
        """Add a branch, which comes without its bias, to the stream."""
        if bias and self.of.residual == "bias last":
            return self.op("Add", self.op("Add", branch, x), bias)
        branch = self.op("Add", branch, bias) if bias else branch
        pair = (x, branch) if self.of.residual == "stream" else (branch, x)
        return self.op("Add", *pair)

    def normalized(self, x: str) -> str:
        of = self.of
        scale = self.constant(1 + 0.1 * self.rng.standard_normal(of.width))
        shift = self.constant(0.1 * self.rng.standard_normal(of.width))
        if of.norm == "layer" and of.whole_norm:
            return self.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=1e-5)
        centered = x
        if of.norm == "layer":
            centered = self.op("Sub", x, self.op("ReduceMean", x, axes=[-1]))
        squares = self.op("Pow", centered, self.constant(2))
        mean = self.op("ReduceMean", squares, axes=[-1])
        root = self.op("Sqrt", self.op("Add", mean, self.constant(1e-5)))
        scaled = self.op("Mul", self.op("Div", centered, root), scale)
        return self.op("Add", scaled, shift) if of.norm == "layer" else scaled

    def product(self, x: str, rows: int, columns: int) -> tuple[str, str]:
        """Write a product; return it, and the bias that is still to be added, or nothing."""
        bias = self.constant(0.1 * self.rng.standard_normal(columns)) if self.of.bias else ""
        return self.op("MatMul", x, self.weight(rows, columns)), bias

    def projected(self, x: str, rows: int, columns: int) -> str:
        product, bias = self.product(x, rows, columns)
        return self.op("Add", bias, product) if bias else product

    def attention(self, x: str, mask: str) -> tuple[str, str]:
        of, width = self.of, self.of.width
        narrow = width // of.shared
        if of.joined and of.shared == 1:
            together = self.projected(x, width, 3 * width)
            sizes = self.constant([width] * 3, "int64")
            self.op("Split", together, sizes, axis=-1)
            q, k, v = (f"part_{len(self.nodes)}_{i}" for i in range(3))
            self.nodes[-1].output[:] = [q, k, v]
        else:
            q = self.projected(x, width, width)
            k, v = (self.projected(x, width, narrow) for _ in range(2))
        queries = self.in_heads(q, of.heads)
        keys, values = (self.repeated(self.in_heads(e, of.heads // of.shared)) for e in (k, v))
        root = self.constant(np.sqrt(HEAD))
        if not of.divided:
            queries = self.op("Mul", queries, self.constant(1 / np.sqrt(HEAD)))
        scores = self.op("MatMul", queries, self.op("Transpose", keys, perm=[0, 1, 3, 2]))
        scores = self.op("Div", scores, root) if of.divided else scores
        scores = self.op("Add", scores, mask) if mask else scores
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), values)
        rows = self.op("Transpose", mixed, perm=[0, 2, 1, 3])
        rows = self.op("Reshape", rows, self.constant([0, 0, width], "int64"))
        return self.product(rows, width, width)

    def in_heads(self, x: str, heads: int) -> str:
        split = self.op("Reshape", x, self.constant([0, 0, heads, HEAD], "int64"))
        return self.op("Transpose", split, perm=[0, 2, 1, 3])

    def repeated(self, x: str) -> str:
        """Let each head of keys or values stand as often as heads of queries read it."""
        of = self.of
        if of.shared == 1:
            return x
        more = self.op("Unsqueeze", x, self.constant([2], "int64"))
        copies = self.op("Concat", *[more] * of.shared, axis=2)
        return self.op("Reshape", copies, self.constant([0, of.heads, -1, HEAD], "int64"))

    def network(self, x: str) -> tuple[str, str]:
        width = self.of.width
        inner = self.activated(self.projected(x, width, 2 * width))
        if self.of.gated:
            inner = self.op("Mul", inner, self.projected(x, width, 2 * width))
        return self.product(inner, 2 * width, width)

    def activated(self, x: str) -> str:
        kind = self.of.activation
        if kind == "relu":
            return self.op("Relu", x)
        if kind in ("silu", "quick gelu"):
            inside = x if kind == "silu" else self.op("Mul", x, self.constant(1.702))
            return self.op("Mul", x, self.op("Sigmoid", inside))
        if kind == "gelu":
            bent = self.op("Erf", self.op("Div", x, self.constant(np.sqrt(2))))
        else:
            cube = self.op("Mul", self.op("Pow", x, self.constant(3)), self.constant(0.044715))
            inside = self.op("Add", x, cube)
            bent = self.op("Tanh", self.op("Mul", inside, self.constant(np.sqrt(2 / np.pi))))
        half = self.op("Mul", x, self.op("Add", bent, self.constant(1)))
        return self.op("Mul", half, self.constant(0.5))


def _kind(dtype: str) -> int:
    return int(helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))
