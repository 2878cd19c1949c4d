"""What a model's tensors should be: onnxruntime's without optimizations, or our level `none`'s."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx
from onnx.shape_inference import infer_shapes

from tvmfuse.measure.agreement import Array
from tvmfuse.measure.onnxruntime_session import open_session

REFERENCES: Final = ("onnxruntime", "none")

Feeds = Mapping[str, Array]


@dataclass(frozen=True)
class Reference:
    """One way to compute what is expected.

    Attributes:
        name: One of `REFERENCES`.
        compute: Returns a model's outputs by name.
    """

    name: str
    compute: Callable[[onnx.ModelProto, Feeds], dict[str, Array]]

    def tensors(
        self, model: onnx.ModelProto, feeds: Feeds, names: Sequence[str]
    ) -> dict[str, Array]:
        """Return tensors of the graph by name: an output, an input, or what any node computes.

        What is no tensor, a sequence say, or has a type that onnx does not know, is left out.
        """
        asked = onnx.ModelProto()
        asked.CopyFrom(model)
        there = {output.name for output in asked.graph.output}
        types = {value.name: value for value in infer_shapes(model).graph.value_info}
        wanted = [name for name in names if name in types and name not in there]
        asked.graph.output.extend(_without_shape(types[name]) for name in wanted)
        computed = {**self.compute(asked, feeds), **feeds}
        return {name: a for name in names if isinstance(a := computed.get(name), np.ndarray)}


def by_onnxruntime(
    model: onnx.ModelProto, feeds: Feeds, *, threads: int | None = None
) -> dict[str, Array]:
    """Run a model in onnxruntime with all graph optimizations off.

    Raises:
        ConfigurationError: onnxruntime is not installed.
        UnsupportedModelError: onnxruntime cannot run the model.
    """
    return open_session(model, threads=threads, hint="; take against='none'").by_name(feeds)


def _without_shape(value: onnx.ValueInfoProto) -> onnx.ValueInfoProto:
    """Return the value with its dtype only: its shape is for whoever computes it to find."""
    found = onnx.ValueInfoProto()
    found.CopyFrom(value)
    found.type.tensor_type.ClearField("shape")
    return found
