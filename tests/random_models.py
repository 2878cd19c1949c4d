"""Random small models for the tests of passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from graphs import onnx_model
from onnx import helper

SHAPE = (2, 4, 6, 6)
LENGTH = 12


class RandomModel:
    """A chain of random nodes, some of which also read, or return, what came before.

    Attributes:
        shapes: Of each value so far, in order; the first one is the input.
    """

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}
        self.shapes: dict[str, tuple[int, ...]] = {"x": SHAPE}

    def onnx(self) -> onnx.ModelProto:
        last = "x"
        for _ in range(LENGTH):
            last = self.step(last)
        extra = [
            name for name in self.shapes if name not in ("x", last) and self.rng.random() < 0.1
        ]
        outputs = dict.fromkeys([*extra, last], "float32")
        return onnx_model(self.nodes, {"x": ("float32", SHAPE)}, outputs, self.constants)

    def step(self, x: str) -> str:
        """Append one node, or two, that read `x`; return the result."""
        fit: list[Callable[[str], str]] = [
            self.relu, self.clip, self.identity, self.dropout, self.cast, self.arithmetic,
            self.residual, self.slice, self.transpose, self.reshape, self.matmul, self.relu_clip,
        ]  # fmt: skip
        if len(self.shapes[x]) == 4:
            fit += [*[self.conv] * 4, self.norm, self.norm, self.arithmetic, self.arithmetic]
        if len(self.shapes[x]) == 2:
            fit += [self.gemm, self.gemm, self.arithmetic]
        return fit[self.rng.integers(len(fit))](x)

    def add(self, op: str, operands: list[str], shape: tuple[int, ...], **attributes: Any) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, operands, [name], name=f"{op}_{name}", **attributes))
        self.shapes[name] = shape
        return name

    def constant(self, *shape: int, scale: float = 0.5) -> str:
        return self.stored(np.asarray(scale * self.rng.standard_normal(shape), "float32"))

    def stored(self, array: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = array
        return name

    def relu(self, x: str) -> str:
        return self.add("Relu", [x], self.shapes[x])

    def clip(self, x: str) -> str:
        low, high = (self.stored(np.array(n, "float32")) for n in (self.rng.choice([-1, 0.25]), 2))
        return self.add("Clip", [x, str(self.rng.choice([low, ""])), high], self.shapes[x])

    def relu_clip(self, x: str) -> str:
        return self.clip(self.relu(x))

    def identity(self, x: str) -> str:
        return self.add("Identity", [x], self.shapes[x])

    def dropout(self, x: str) -> str:
        return self.add("Dropout", [x], self.shapes[x])

    def cast(self, x: str) -> str:
        wide = self.add("Cast", [x], self.shapes[x], to=onnx.TensorProto.DOUBLE)
        narrow = self.add("Cast", [wide], self.shapes[x], to=onnx.TensorProto.FLOAT)
        del self.shapes[wide]  # no operand of what comes after
        return narrow

    def arithmetic(self, x: str) -> str:
        shape = self.shapes[x]
        sizes = [(), (1,), (shape[-1],), (1, *shape[1:2], *[1] * (len(shape) - 2))]
        c = self.constant(*sizes[self.rng.integers(len(sizes))])
        if self.rng.random() < 0.2:
            self.constants[c][...] = self.rng.integers(2)
        op = str(self.rng.choice(["Add", "Mul", "Sub"]))
        operands = [x, c] if self.rng.random() < 0.5 else [c, x]
        return self.add(op, operands, shape)

    def residual(self, x: str) -> str:
        alike = [name for name, shape in self.shapes.items() if shape == self.shapes[x]]
        return self.add("Add", [x, str(self.rng.choice(alike))], self.shapes[x])

    def slice(self, x: str) -> str:
        axis = int(self.rng.integers(len(self.shapes[x])))
        size = self.shapes[x][axis]
        start = int(self.rng.integers(2)) if size > 3 else 0
        bounds = [self.stored(np.array([n])) for n in (start, 2**63 - 1, axis)]
        shape = (*self.shapes[x][:axis], size - start, *self.shapes[x][axis + 1 :])
        return self.add("Slice", [x, *bounds], shape)

    def transpose(self, x: str) -> str:
        perm = self.rng.permutation(len(self.shapes[x])).tolist()
        return self.add("Transpose", [x], tuple(self.shapes[x][i] for i in perm), perm=perm)

    def reshape(self, x: str) -> str:
        shape = self.shapes[x]
        to = (shape[0], int(np.prod(shape[1:]))) if len(shape) > 2 else (1, 1, *shape)
        return self.add("Reshape", [x, self.stored(np.array(to))], to)

    def matmul(self, x: str) -> str:
        *rows, depth = self.shapes[x]
        product = self.add("MatMul", [x, self.constant(depth, 5, scale=depth**-0.5)], (*rows, 5))
        return self.add("Add", [product, self.constant(5)], (*rows, 5))

    def gemm(self, x: str) -> str:
        rows, depth = self.shapes[x]
        w = self.constant(3, depth, scale=depth**-0.5)
        return self.add("Gemm", [x, w], (rows, 3), transB=1, alpha=0.5)

    def conv(self, x: str) -> str:
        batch, channels, *size = self.shapes[x]
        w = self.constant(4, channels, 3, 3, scale=(9 * channels) ** -0.5)
        return self.add("Conv", [x, w], (batch, 4, *size), pads=[1, 1, 1, 1])

    def norm(self, x: str) -> str:
        c = self.shapes[x][1]
        variance = self.stored(self.rng.random(c).astype("float32") + np.float32(0.5))
        parameters = [*(self.constant(c) for _ in range(3)), variance]
        return self.add("BatchNormalization", [x, *parameters], self.shapes[x])
