"""Which front end reads a model: that of ONNX, or that of PyTorch."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeAlias

import onnx

from tvmfuse.errors import ConfigurationError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model as import_onnx
from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.frontend.torch_program import TorchProgram, is_torch
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.limits import Limits
from tvmfuse.size_ranges import GivenShapes, GivenSizes

if TYPE_CHECKING:
    import torch

OnnxModel = str | os.PathLike[str] | bytes | onnx.ModelProto
"""A path, a file's bytes or a ``ModelProto``; or the path or bytes of an optimized graph."""

Model = OnnxModel | TorchProgram
"""The same, or a program of PyTorch's."""

Source = Model | ImportedModel
"""The same, or what a front end made of one."""

GivenModel: TypeAlias = "Model | torch.nn.Module | torch.export.ExportedProgram"
"""What a caller may give."""


def source_of(model: GivenModel, example_inputs: Any = None, dynamic_shapes: Any = None) -> Model:
    """Return a model as the stages take it: of a PyTorch module, what torch exports.

    Raises:
        ConfigurationError: Example inputs are missing, or are given to what takes none.
        UnsupportedModelError: torch cannot export the module.
    """
    if is_torch(model):
        from tvmfuse.frontend.torch.export import program_of

        return program_of(model, example_inputs, dynamic_shapes)
    if example_inputs is not None or dynamic_shapes is not None:
        raise ConfigurationError(
            "example_inputs= and dynamic_shapes= are for PyTorch modules, and found "
            f"a {type(model).__name__}"
        )
    found: Model = model  # type: ignore[assignment]
    return found


def import_model(
    model: Source,
    *,
    shapes: GivenShapes | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | None = None,
    map_weights: bool = False,
) -> ImportedModel:
    """Express a model in Relax operators; the arguments are those of `tvmfuse.compile`.

    Raises:
        ConfigurationError: `shapes` or `dims` do not fit the model.
        ModelError: The model is malformed, beyond what can be compiled, or exceeds the limits.
        OutOfMemoryError: This machine's memory ran out.
    """
    if isinstance(model, ImportedModel):
        return model
    if not isinstance(model, TorchProgram):
        return import_onnx(model, shapes=shapes, dims=dims, limits=limits, map_weights=map_weights)
    if shapes:
        raise ConfigurationError(
            "shapes= is for ONNX models; of a PyTorch module, dynamic_shapes= says which sizes are "
            "symbolic, and dims= fixes them"
        )
    from tvmfuse.frontend.torch.importer import import_program

    return import_program(
        model.program,
        names=model.names,
        title=model.title,
        dims=dims,
        limits=limits,
        live=model.live,
    )


def source_graph(model: Model, limits: Limits | None = None) -> SourceGraph:
    """Read a model's graph.

    Raises:
        ConfigurationError: `model` is no model's path, bytes or proto.
        ModelError: There is no such model, it is malformed, or it exceeds the limits.
    """
    if isinstance(model, TorchProgram):
        raise UnsupportedModelError("this is for ONNX models, and found a program of PyTorch's")
    return OnnxGraph.of(model, limits)
