"""What a session says of its model: inputs, outputs, metadata, and what computes which node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tvmfuse.onnxruntime_api.element_types import words_of
from tvmfuse.tensor_spec import TensorSpec

UNSET_VERSION: Final = 2**63 - 1  # what ONNX Runtime answers for a model without a version


@dataclass(frozen=True, slots=True)
class NodeArg:
    """An input or an output.

    Attributes:
        name: As in the model.
        type: As ONNX Runtime writes it, ``tensor(float)``.
        shape: Integers, and names where a dimension is symbolic.
    """

    name: str
    type: str
    shape: list[int | str]

    @classmethod
    def of(cls, spec: TensorSpec) -> NodeArg:
        """Describe a tensor in ONNX Runtime's words."""
        return cls(spec.name, words_of(spec.dtype), [] if "(" in spec.dtype else [*spec.shape])


@dataclass(frozen=True, slots=True)
class ModelMetadata:
    """What the model says of itself."""

    producer_name: str
    graph_name: str
    domain: str
    description: str
    version: int
    custom_metadata_map: Mapping[str, str]
    graph_description: str = ""

    @classmethod
    def of(cls, words: Mapping[str, Any]) -> ModelMetadata:
        """Take what a compiled model keeps of it."""
        return cls(
            producer_name=words.get("producer_name", ""),
            graph_name=words.get("graph_name", ""),
            domain=words.get("domain", ""),
            description=words.get("description", ""),
            version=int(words.get("model_version", "0")) or UNSET_VERSION,
            custom_metadata_map=dict(words.get("custom", {})),
            graph_description=words.get("graph_description", ""),
        )


@dataclass(frozen=True, slots=True)
class OrtEpAssignedNode:
    """A node of the model."""

    name: str
    domain: str
    op_type: str


@dataclass(frozen=True, slots=True)
class OrtEpAssignedSubgraph:
    """Nodes, and the execution provider that computes them."""

    ep_name: str
    nodes: Sequence[OrtEpAssignedNode] = field(default_factory=tuple)

    def get_nodes(self) -> list[OrtEpAssignedNode]:
        """Return the nodes."""
        return list(self.nodes)
