"""The layers that a model spends its time in, each as a model of one operator."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

KINDS: Final = ("Conv", "ConvTranspose", "Gemm", "MatMul")


@dataclass(frozen=True)
class Layer:
    """One operator at one size.

    Attributes:
        kind: Its ONNX operator.
        shapes: Of its operands.
        constant: Which of them are weights.
        attributes: The node's.
        opset: The version of the operator.
    """

    kind: str
    shapes: tuple[tuple[int, ...], ...]
    constant: tuple[bool, ...]
    attributes: tuple[tuple[str, Any], ...]
    opset: int
    output: tuple[int, ...] = field(compare=False)

    @property
    def flop(self) -> float:
        """Floating-point operations, a multiply-add counted as two."""
        first, second, *_ = self.shapes
        if self.kind == "Conv":
            terms = math.prod(second[1:])
        elif self.kind == "ConvTranspose":
            return 2.0 * math.prod(first) * math.prod(second[1:])
        else:
            terms = first[-2] if dict(self.attributes).get("transA") else first[-1]
        return 2.0 * math.prod(self.output) * terms

    def __str__(self) -> str:
        """Say the sizes, as in ``Conv 1x64x56x56 64x64x3x3 /2``."""
        words = [self.kind, *("x".join(map(str, s)) for s in self.shapes[:2])]
        said = dict(self.attributes)
        if max(said.get("strides", [1])) > 1:
            words.append(f"/{said['strides'][0]}")
        if said.get("group", 1) > 1:
            words.append(f"in {said['group']} groups")
        return " ".join(words)

    def model(self, seed: int = 0) -> onnx.ModelProto:
        """Return the operator as a model: its inputs are `x0`, `x1`, ...; its output is `y`."""
        rng = np.random.default_rng(seed)
        names = [f"x{i}" for i in range(len(self.shapes))]
        inputs, weights = [], []
        for name, shape, constant in zip(names, self.shapes, self.constant, strict=True):
            if constant:
                numbers = rng.standard_normal(shape, dtype="float32")
                weights.append(numpy_helper.from_array(numbers, name))
            else:
                inputs.append(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))
        node = helper.make_node(self.kind, names, ["y"], **dict(self.attributes))
        output = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, self.output)
        graph = helper.make_graph([node], str(self), inputs, [output], weights)
        return helper.make_model(
            graph, ir_version=10, opset_imports=[helper.make_opsetid("", self.opset)]
        )


def layers_of(path: Path) -> dict[Layer, int]:
    """Return a model's distinct layers, in order, and how often each occurs."""
    model = onnx.shape_inference.infer_shapes(onnx.load(path))
    found: dict[Layer, int] = {}
    for layer in _layers(model):
        found[layer] = found.get(layer, 0) + 1
    return found


def _layers(model: onnx.ModelProto) -> Iterator[Layer]:
    graph, opset = model.graph, int(model.opset_import[0].version)
    weights = {t.name: tuple(t.dims) for t in graph.initializer}
    shapes = dict(weights)
    for value in (*graph.input, *graph.value_info, *graph.output):
        shapes[value.name] = tuple(d.dim_value for d in value.type.tensor_type.shape.dim)
    for node in graph.node:
        if node.op_type in KINDS:
            attributes = {a.name: _plain(helper.get_attribute_value(a)) for a in node.attribute}
            yield Layer(
                node.op_type,
                tuple(shapes[i] for i in node.input),
                tuple(i in weights for i in node.input),
                tuple(sorted(attributes.items())),
                opset,
                shapes[node.output[0]],
            )


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, Sequence) and not isinstance(value, bytes) else value
