"""Real exports, every level, each pass switched off: the numbers are onnxruntime's.

The reduced sizes run in the suite; the published ones with `python -m pytest -m zoo`, whose figures
stand in tests/zoo.md.
"""

import time

import numpy as np
import pytest
import tvm_ffi
from reference import assert_agrees, reference

from bench.light_models import LIGHT, light_inputs, light_model
from bench.models import MODELS, inputs
from tvmfuse.build import build
from tvmfuse.frontend import import_model
from tvmfuse.levels import LEVELS
from tvmfuse.optimize import optimize
from tvmfuse.passes.kernels import kernel_calls
from tvmfuse.passes.selection import Selection, entries
from tvmfuse.schedules.schedule import schedule
from tvmfuse.targets import resolve

PASSES = [p.name for _, p in entries()]
SELECTIONS = {
    **{level: Selection.of(level) for level in LEVELS},
    **{f"all without {name}": Selection.of("all", [name]) for name in PASSES},
}


def check(model, feeds, selections=SELECTIONS) -> dict[str, tuple[int, float]]:
    """Compile for each selection, compare the numbers; return kernels and errors.

    Selections that give the same module give the same numbers: it is compiled once.
    """
    imported, expected, target = import_model(model), reference(model, feeds), resolve("llvm")
    seen: dict[int, tuple[int, float]] = {}
    found = {}
    for name, selection in selections.items():
        kernels = optimize(imported.module, selection).kernels
        key = tvm_ffi.structural_hash(kernels)
        if key not in seen:
            artifact = build_for(imported, kernels, target)
            error = assert_agrees(artifact.load()(feeds), expected)
            seen[key] = (len(kernel_calls(kernels)), error)
        found[name] = seen[key]
    return found
