"""What tests of whole models share, beside the reference: which exports there are, a copy split."""

from __future__ import annotations

import os
from pathlib import Path

import onnx

from bench.models import MODELS

EXPORTERS = ("classic", "dynamo")

#: The models of bench.models that have a reduced size of their own.
KINDS = tuple(
    {(m.architecture, repr(m.reduced)): name for name, m in reversed(MODELS.items())}.values()
)[::-1]

EXPORTS = tuple((name, exporter) for name in KINDS for exporter in EXPORTERS)
"""Each of them by every exporter: the first arguments of `onnx_file`."""


def save_external(file: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Path:
    """Copy a model into `folder` with its weights in one file beside it, ``weights.bin``."""
    copy = Path(folder, Path(file).name)
    onnx.save_model(
        onnx.load(file),
        copy,
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location="weights.bin",
        size_threshold=0,
    )
    return copy
