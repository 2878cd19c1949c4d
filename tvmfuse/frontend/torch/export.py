"""From a module and what it is called with to an exported program."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch
from torch.export.graph_signature import InputKind
from torch.utils import _pytree as pytree

from tvmfuse.errors import ConfigurationError, UnsupportedModelError
from tvmfuse.frontend.torch.dtypes import as_array
from tvmfuse.frontend.torch_program import TorchProgram

#: What torch says of an RNN's own list of its parameters, which the caller can do nothing about.
_FLAT_WEIGHTS: Final = (
    r"The tensor attributes? (self\.\S*_flat_weights\[\d+\],? )+(was|were) assigned"
)


def program_of(
    model: Any,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None,
    dynamic_shapes: Any,
) -> TorchProgram:
    """Return an exported program, of a module with what it is called with.

    Raises:
        ConfigurationError: A module has no example inputs, or none that it can be called with; or
            an exported program has some.
        UnsupportedModelError: torch cannot export the module.
    """
    if isinstance(model, torch.export.ExportedProgram):
        if example_inputs is not None or dynamic_shapes is not None:
            raise ConfigurationError(
                "an exported program has its inputs and dynamic shapes; found example_inputs= or "
                "dynamic_shapes= beside it: give them to torch.export.export"
            )
        return TorchProgram(model)
    if example_inputs is None:
        raise ConfigurationError(
            "a module takes example inputs, as it is called with them: "
            "compile(module, example_inputs=(x,))"
        )
    return exported(model, example_inputs, dynamic_shapes)


def exported(
    module: torch.nn.Module,
    example_inputs: Sequence[Any] | Mapping[str, Any] | torch.Tensor,
    dynamic_shapes: Any = None,
) -> TorchProgram:
    """Export a module for inference.

    Args:
        module: Is exported in the mode that it is in; `eval()` is what artifacts are for.
        example_inputs: Positional arguments, a mapping of arguments by name, or one tensor.
        dynamic_shapes: As `torch.export.export` takes it. Dimensions keep the names that
            `torch.export.Dim` gave them.

    Raises:
        ConfigurationError: The inputs are none of these.
        UnsupportedModelError: torch cannot export the module.
    """
    if not isinstance(example_inputs, (Sequence, Mapping, torch.Tensor)):
        raise ConfigurationError(
            "example_inputs= takes the arguments in a tuple, (x,), or by name, or one tensor; "
            f"found {type(example_inputs).__name__}"
        )
    named = dict(example_inputs) if isinstance(example_inputs, Mapping) else {}
    if isinstance(example_inputs, torch.Tensor):
        example_inputs = (example_inputs,)
    positional = () if named else tuple(example_inputs)
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", _FLAT_WEIGHTS, UserWarning)
            program = torch.export.export(
                module, positional, named, dynamic_shapes=dynamic_shapes, strict=False
            )
    except Exception as error:
        raise UnsupportedModelError(
            f"torch.export.export cannot export this {type(module).__name__}: {_said(error)}"
        ) from error
    return TorchProgram(program, dict(_names(program, dynamic_shapes)), type(module).__name__)


def examples_of(program: torch.export.ExportedProgram) -> dict[str, np.ndarray]:
    """Return the tensors that a program was exported with, by the names of its inputs."""
    leaves = pytree.tree_leaves(example_inputs_of(program))
    given = zip(input_names(program), leaves, strict=False)
    return {name: as_array(leaf) for name, leaf in given if isinstance(leaf, torch.Tensor)}


def example_inputs_of(program: torch.export.ExportedProgram) -> Any:
    """Return what a program was exported with, positional and named arguments.

    Raises:
        ConfigurationError: It has lost that, as one may that was saved and loaded.
    """
    if program.example_inputs is None:
        raise ConfigurationError(
            "this exported program has no example inputs, which say what eager is called with: "
            "set program.example_inputs = (args, kwargs), or export the module again"
        )
    return program.example_inputs


def input_names(program: torch.export.ExportedProgram) -> list[str]:
    """Return the names of what a caller gives, each leaf of each argument."""
    specs = program.graph_signature.input_specs
    return [spec.arg.name for spec in specs if spec.kind is InputKind.USER_INPUT]


def _said(error: Exception) -> str:
    """Return an error's first paragraph: torch says more than a line, and how to read on."""
    return str(error).partition("\n\n")[0] or type(error).__name__


def _names(program: torch.export.ExportedProgram, dynamic_shapes: Any) -> Iterator[tuple[str, str]]:
    """Yield torch's names of symbolic dimensions, and those that the caller gave them."""
    said = pytree.tree_leaves(dynamic_shapes, is_leaf=_is_shape)
    placeholders = {node.name: node for node in program.graph.find_nodes(op="placeholder")}
    for name, shape in zip(input_names(program), said, strict=False):
        value = placeholders[name].meta.get("val")
        axes = shape.items() if isinstance(shape, Mapping) else enumerate(shape or ())
        for axis, dim in axes:
            if isinstance(value, torch.Tensor) and hasattr(dim, "__name__"):
                size = value.shape[axis]
                if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol:
                    yield str(size.node.expr), dim.__name__


def _is_shape(said: Any) -> bool:
    if said is None:
        return True
    if isinstance(said, Mapping):
        return all(isinstance(axis, int) for axis in said)
    return isinstance(said, (tuple, list)) and any(
        hasattr(dim, "__name__") or isinstance(dim, int) for dim in said
    )
