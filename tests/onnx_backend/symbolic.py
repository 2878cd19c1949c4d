"""The cases' models with symbolic sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import onnx
from onnx_backend.cases import cases
from outcome import PASS, Outcome

#: Operators and which of their operands are weights or scales, whose sizes a model knows.
WEIGHTS: Final[Mapping[str, slice]] = {
    **dict.fromkeys(("Conv", "ConvTranspose", "ConvInteger", "DeformConv"), slice(1, 2)),
    "CausalConvWithState": slice(1, 2),
    "QLinearConv": slice(3, 4),
    **dict.fromkeys(("Resize", "Upsample"), slice(1, None)),
    **dict.fromkeys(("LSTM", "GRU", "RNN"), slice(1, 4)),
}
#: Vectors of these are shapes, axes and pads: how many they are is a rank.
WHOLE: Final = (onnx.TensorProto.INT32, onnx.TensorProto.INT64)


def symbolic_cases(table: Mapping[tuple[str, str], Outcome]) -> list[str]:
    """Name the cases that pass with the sizes that they have, but for published models."""
    return [
        name
        for name, case in sorted(cases().items())
        if table.get((name, "all"), Outcome(PASS)).kind == PASS and case.kind != "real"
    ]


def with_symbolic_sizes(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model that is told no size of its inputs that is more than 1.

    Equal sizes have one name, as nothing tells whether they are equal by chance. Weights and
    vectors of whole numbers have the sizes that they had; so have scales, one for each axis.
    """
    made = onnx.ModelProto()
    made.CopyFrom(model)
    for dim in _told(made.graph):
        if dim.dim_value > 1:
            dim.dim_param = f"d{dim.dim_value}"
    for value in made.graph.output:
        for tensor in _tensors(value.type):
            for dim in tensor.shape.dim:
                dim.Clear()
    del made.graph.value_info[:]
    return made


def _told(graph: onnx.GraphProto) -> Iterator[onnx.TensorShapeProto.Dimension]:
    """Yield the dimensions of a graph's inputs, but of those whose sizes a model knows."""
    known = {tensor.name for tensor in graph.initializer}
    for node in graph.node:
        known.update(node.input[WEIGHTS.get(node.op_type, slice(0))])
    for value in graph.input:
        for tensor in _tensors(value.type) if value.name not in known else ():
            if len(tensor.shape.dim) != 1 or tensor.elem_type not in WHOLE:
                yield from tensor.shape.dim


def _tensors(kind: onnx.TypeProto) -> Iterator[onnx.TypeProto.Tensor]:
    """Yield the type of a tensor, also of one in a sequence, if it has a shape."""
    name = kind.WhichOneof("value")
    if name in ("sequence_type", "optional_type"):
        yield from _tensors(getattr(kind, name).elem_type)
    elif name == "tensor_type" and kind.tensor_type.HasField("shape"):
        yield kind.tensor_type
