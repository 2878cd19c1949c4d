"""Which front end reads a model: there is one, that of ONNX."""

from __future__ import annotations

from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.limits import Limits
from tvmfuse.pipeline.compile import Model

__all__ = ["import_model", "source_graph"]


def source_graph(model: Model, limits: Limits | None = None) -> SourceGraph:
    """Read a model's graph.

    Raises:
        ConfigurationError: `model` is no model's path, bytes or proto.
        ModelError: There is no such model, it is malformed, or it exceeds the limits.
    """
    return OnnxGraph.of(model, limits)
