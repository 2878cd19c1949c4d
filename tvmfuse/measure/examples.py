"""What a PyTorch module runs on where nobody gives arrays: what it was exported with."""

from __future__ import annotations

from collections.abc import Mapping

from tvmfuse.frontend.torch_program import TorchProgram
from tvmfuse.measure.agreement import Array
from tvmfuse.pipeline.source import Model
from tvmfuse.size_ranges import GivenSizes


def examples_of(model: Model, dims: GivenSizes | None) -> Mapping[str, Array] | None:
    """Return a module's example inputs by name; None of an ONNX model, or for other sizes."""
    if not isinstance(model, TorchProgram) or dims:
        return None
    from tvmfuse.frontend.torch.export import examples_of as exported_with

    return exported_with(model.program)
