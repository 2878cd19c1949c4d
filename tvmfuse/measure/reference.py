"""What a model's tensors should be: onnxruntime's without optimizations, or our level `none`'s."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.onnxruntime_session import open_session

REFERENCES: Final = ("onnxruntime", "none")
"""Of ONNX models."""

OF_TORCH: Final = ("eager", "none")
"""Of PyTorch modules."""

Feeds = Mapping[str, Array]


@dataclass(frozen=True)
class Reference:
    """One way to compute what is expected.

    Attributes:
        name: One of those above.
        compute: Returns a model's outputs by name.
    """

    name: str
    compute: Callable[[SourceGraph, Feeds], dict[str, Array]]

    def tensors(self, graph: SourceGraph, feeds: Feeds, names: Sequence[str]) -> dict[str, Array]:
        """Return tensors of the graph by name: an output, an input, or what any node computes.

        What is no tensor, a sequence say, or has a type that is not known, is left out.
        """
        computed = {**self.compute(graph.with_outputs(names), feeds), **feeds}
        return {name: a for name in names if isinstance(a := computed.get(name), np.ndarray)}


def by_onnxruntime(
    graph: SourceGraph, feeds: Feeds, *, threads: int | None = None
) -> dict[str, Array]:
    """Run a model in onnxruntime with all graph optimizations off.

    Raises:
        ConfigurationError: onnxruntime is not installed.
        UnsupportedModelError: onnxruntime cannot run the model.
    """
    return open_session(graph.source, threads=threads, hint="; take against='none'").by_name(feeds)
