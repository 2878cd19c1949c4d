"""Random graphs compute the same at each level, without each pass, and without random sets of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
import tvm_ffi
from random_models import SHAPE, RandomModel
from reference import assert_agrees

from tvmfuse.frontend.onnx import import_model
from tvmfuse.levels import LEVELS
from tvmfuse.passes.selection import Selection, list_passes
from tvmfuse.pipeline.compile import build_graph
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.stages import graph_of

#: Of an output's largest magnitude, from level `none`.
TOLERANCE = 1e-5
SETS = 5
PASSES = [p.name for p in list_passes() if not p.required]


def selections(rng: np.random.Generator) -> Iterator[Selection]:
    """Yield each level, level `all` without each pass, and without random sets of passes."""
    yield from map(Selection.of, LEVELS)
    yield from (Selection.of("all", [name]) for name in PASSES)
    for _ in range(SETS):
        left_out = rng.choice(PASSES, rng.integers(2, len(PASSES)), replace=False)
        yield Selection.of("all", left_out.tolist())


def farthest(seed: int, cache: Path | bool) -> tuple[int, float]:
    """Return how many different programs one graph became, and how far any is from `none`."""
    random = RandomModel(seed)
    imported = import_model(random.onnx())
    feeds = {"x": random.rng.standard_normal(SHAPE).astype("float32")}
    settings = CompileSettings.of(cache=cache)
    found: dict[int, Mapping[str, np.ndarray]] = {}
    for selection in selections(random.rng):
        optimized = optimize(imported.module, selection, target=settings.target)
        key = tvm_ffi.structural_hash(optimized.kernels)
        if key not in found:  # equal programs give equal numbers
            graph = graph_of(imported, optimized, selection, settings.target)
            found[key] = build_graph(graph, settings).load()(feeds)
    none, *others = found.values()
    return len(found), max(assert_agrees(o, none, tolerance=TOLERANCE) for o in others)


def test_the_first_selection_is_the_level_none() -> None:
    first, *rest = selections(np.random.default_rng(0))
    assert first == Selection.of("none")
    assert len(rest) == len(LEVELS) - 1 + len(PASSES) + SETS


def test_one_graph() -> None:
    programs, _ = farthest(1000, cache=True)  # which the tests keep
    assert programs > 3  # or nothing was compared


@pytest.mark.reliability
@pytest.mark.parametrize("seed", range(2000, 2100))
def test_a_hundred_graphs(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    farthest(seed, tmp_path_factory.getbasetemp() / "kernels")
