"""The models: transformers configurations with seeded random weights, as ONNX files.

Nothing is downloaded. torch and transformers are imported when a file has to be made; a file
in the cache needs neither. `python -m bench.export` writes one, `python -m bench.models` times
them on several engines.
"""

from __future__ import annotations

import numpy as np

from bench.models.files import CACHE, int8_file, onnx_file
from bench.models.model import Build, Exporter, Model, Size, Weights
from bench.models.table import MODELS

__all__ = [
    "CACHE",
    "MODELS",
    "Build",
    "Exporter",
    "Model",
    "Size",
    "Weights",
    "inputs",
    "int8_file",
    "onnx_file",
]


def inputs(name: str, size: Size = "reduced", seed: int = 0) -> dict[str, np.ndarray]:
    """Draw the named model's inputs; see `Model.inputs`."""
    return MODELS[name].inputs(size, seed)
