"""Both of torch's exporters: a network becomes an ONNX file, with or without symbolic sizes."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from architectures.example import Example, seeded

EXPORTERS = ("classic", "dynamo")


def exported(example: Example, exporter: str, path: Path, *, symbolic: bool) -> None:
    """Write an example as an ONNX file.

    Args:
        example: What is exported.
        exporter: One of `EXPORTERS`: TorchScript's, or that of `torch.export`.
        path: The file.
        symbolic: Whether each dimension that may be symbolic is.

    Raises:
        Exception: Torch does not export it; it raises what it likes.
    """
    module, feeds = seeded(example.module), example.feeds(example.sizes[0])
    inputs = tuple(feeds.values())
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        module(*inputs)  # what is made at the first call is not a part of the graph
        if exporter == "classic":
            torch.onnx.export(
                module, inputs, path, dynamo=False, input_names=[*feeds], opset_version=17,
                dynamic_axes={name: dict(dims) for name, dims in example.dims.items()}
                if symbolic else None,
            )  # fmt: skip
        else:
            torch.onnx.export(
                module, inputs, path, dynamo=True, input_names=[*feeds], external_data=False,
                verbose=False, dynamic_shapes=_dynamic(example, module) if symbolic else None,
            )  # fmt: skip


def _dynamic(example: Example, module: torch.nn.Module) -> dict[str, object]:
    """Return what `torch.export` is told: each parameter's dimensions, and those of ``*inputs``."""
    shapes = [
        dict.fromkeys(example.dims.get(name, {}), torch.export.Dim.DYNAMIC)
        for name in example.feeds(example.sizes[0])
    ]
    code = module.forward.__code__
    named = code.co_varnames[1 : code.co_argcount]
    told: dict[str, object] = dict(zip(named, shapes, strict=False))
    if code.co_flags & 4:  # it takes *inputs
        told[code.co_varnames[code.co_argcount]] = tuple(shapes[len(named) :])
    return told
