"""Random small models: every level and random sets of disabled passes give onnxruntime's numbers."""

from __future__ import annotations

import pytest
import tvm_ffi
from random_models import SHAPE, RandomModel
from reference import assert_agrees, reference
from zoo import executable

from tvmfuse.frontend.onnx import import_model
from tvmfuse.levels import LEVELS
from tvmfuse.passes.selection import Selection, list_passes
from tvmfuse.pipeline.optimize import optimize

SETS = 3  # of disabled passes, for each model
PASSES = [p.name for p in list_passes() if not p.required]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.sampled(3)
def test_every_level_and_random_sets_of_disabled_passes(seed: int) -> None:
    random = RandomModel(seed)
    model = random.onnx()
    sets = [
        random.rng.choice(PASSES, random.rng.integers(1, len(PASSES)), replace=False)
        for _ in range(SETS)
    ]
    selections = [*map(Selection.of, LEVELS), *(Selection.of("all", s.tolist()) for s in sets)]
    feeds = {"x": random.rng.standard_normal(SHAPE).astype("float32")}
    imported, expected, seen = import_model(model), reference(model, feeds), set()
    for selection in selections:
        optimized = optimize(imported.module, selection)
        key = tvm_ffi.structural_hash(optimized.kernels)
        if key not in seen:  # equal modules give equal numbers
            seen.add(key)
            assert_agrees(executable(imported, optimized)(feeds), expected)
