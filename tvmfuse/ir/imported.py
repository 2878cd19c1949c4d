"""What every front end makes of a model, and what the rest of the compiler begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tvm import IRModule

from tvmfuse.tensor_spec import TensorSpec


@dataclass(frozen=True)
class ImportedModel:
    """A model as Relax.

    Attributes:
        module: `main`: a parameter for each graph input, a tuple of the outputs; bodies of loops.
        inputs: The first parameters, in order; a symbolic dimension is its name.
        outputs: The results, in order.
        opset: The version of ONNX's own operators that the model was written against.
        nodes: How many operations came in.
        metadata: Where the model says it comes from.
        overridable: The last parameters: initializers that a caller may replace.
        defaults: Their values, in order.
    """

    module: IRModule
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    opset: int
    nodes: int
    metadata: Mapping[str, Any] = field(default_factory=dict)
    overridable: tuple[TensorSpec, ...] = ()
    defaults: tuple[np.ndarray, ...] = ()
