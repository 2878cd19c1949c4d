"""The layers that a model spends its time in, each as a model of one operator."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

PRODUCTS: Final = ("Conv", "ConvTranspose", "Gemm", "MatMul")
ELEMENTWISE: Final = (
    "Add", "Clip", "Div", "Erf", "Gelu", "Mul", "Relu", "Sigmoid", "Sub", "Tanh",
)  # fmt: skip

Arrays = Mapping[str, np.ndarray]
Limit = Literal["peak", "copy", "slower"]


@dataclass(frozen=True)
class Layer:
    """One operator at one size.

    Attributes:
        kind: Its ONNX operator.
        shapes: Of its operands.
        constant: Which of them are weights.
        numbers: What those of one element are, which are constants, too; None for the others.
        attributes: The node's.
        opset: The version of the operator.
        output: Its shape.
    """

    kind: str
    shapes: tuple[tuple[int, ...], ...]
    constant: tuple[bool, ...]
    numbers: tuple[float | None, ...]
    attributes: tuple[tuple[str, Any], ...]
    opset: int
    output: tuple[int, ...] = field(compare=False)

    @property
    def flop(self) -> float:
        """Floating-point operations: a multiply-add is two, an element's function one."""
        if self.kind in ELEMENTWISE:
            return float(math.prod(self.output))
        first, second, *_ = self.shapes
        if self.kind == "Conv":
            terms = math.prod(second[1:])
        elif self.kind == "ConvTranspose":
            return 2.0 * math.prod(first) * math.prod(second[1:])
        else:
            terms = first[-2] if dict(self.attributes).get("transA") else first[-1]
        return 2.0 * math.prod(self.output) * terms

    @property
    def nbytes(self) -> int:
        """Bytes read and written, each operand and the output once."""
        return 4 * sum(map(math.prod, (*self.shapes, self.output)))

    @property
    def limit(self) -> Limit:
        """What holds it: multiply-adds, a copy of its bytes, or the slower one of both.

        A depthwise convolution, and a matrix times one row, do too few multiply-adds with each
        number to be held by them alone.
        """
        if self.kind in ELEMENTWISE:
            return "copy"
        one_row = self.kind in ("Gemm", "MatMul") and math.prod(self.output[:-1]) == 1
        return "slower" if self.depthwise or one_row else "peak"

    @property
    def depthwise(self) -> bool:
        """Whether it is a convolution whose channels do not meet."""
        return self.kind == "Conv" and self.shapes[1][1] == 1 < self.shapes[0][1]

    def __str__(self) -> str:
        """Say the sizes, as in ``Conv 1x64x56x56 64x64x3x3 /2``."""
        words = [self.kind, *("x".join(map(str, s)) for s in self.shapes[:2] if s)]
        said = dict(self.attributes)
        if max(said.get("strides", [1])) > 1:
            words.append(f"/{said['strides'][0]}")
        if said.get("group", 1) > 1:
            words.append("depthwise" if self.depthwise else f"in {said['group']} groups")
        return " ".join(words)

    def model(self, seed: int = 0) -> onnx.ModelProto:
        """Return the operator as a model: its inputs are `x0`, `x1`, ...; its output is `y`."""
        rng = np.random.default_rng(seed)
        names = [f"x{i}" for i in range(len(self.shapes))]
        inputs, weights = [], []
        operands = zip(names, self.shapes, self.constant, self.numbers, strict=True)
        for name, shape, constant, number in operands:
            if number is not None:
                weights.append(numpy_helper.from_array(np.full(shape, number, "float32"), name))
            elif constant:
                drawn = rng.standard_normal(shape, dtype="float32")
                weights.append(numpy_helper.from_array(drawn, name))
            else:
                inputs.append(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))
        node = helper.make_node(self.kind, names, ["y"], **dict(self.attributes))
        output = helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, self.output)
        graph = helper.make_graph([node], str(self), inputs, [output], weights)
        return helper.make_model(
            graph, ir_version=10, opset_imports=[helper.make_opsetid("", self.opset)]
        )


def layers_of(path: Path, feeds: Arrays) -> dict[Layer, int]:
    """Return a model's distinct layers on these inputs, in order, and how often each occurs."""
    return Counter(layer for _, layer in _layers(onnx.load(path), feeds))


def layers_by_node(path: Path, feeds: Arrays) -> dict[str, Layer]:
    """Return the layers of a model on these inputs by their nodes' names."""
    return dict(_layers(onnx.load(path), feeds))


def _layers(model: onnx.ModelProto, feeds: Arrays) -> Iterator[tuple[str, Layer]]:
    opset = int(model.opset_import[0].version)
    weights = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    constants = {n.output[0] for n in model.graph.node if n.op_type == "Constant"} | weights.keys()
    values = {**weights, **feeds, **_values(model, feeds)}
    for node in model.graph.node:
        if node.op_type not in PRODUCTS + ELEMENTWISE or not all(node.input):
            continue
        operands = [values[name] for name in node.input]
        if any(operand.dtype != np.float32 for operand in operands):
            continue
        attributes = {a.name: _plain(helper.get_attribute_value(a)) for a in node.attribute}
        layer = Layer(
            node.op_type,
            tuple(operand.shape for operand in operands),
            tuple(name in constants for name in node.input),
            tuple(float(a.item()) if a.size == 1 else None for a in operands),
            tuple(sorted(attributes.items())),
            opset,
            values[node.output[0]].shape,
        )
        yield node.name, layer


def _values(model: onnx.ModelProto, feeds: Arrays) -> dict[str, np.ndarray]:
    """Run the model and keep each value: shape inference does not see through computed shapes."""
    known = {output.name for output in model.graph.output}
    names = [name for node in model.graph.node for name in node.output if name]
    model.graph.output.extend(onnx.ValueInfoProto(name=n) for n in names if n not in known)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return dict(zip(names, session.run(names, dict(feeds)), strict=True))


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, Sequence) and not isinstance(value, bytes) else value
