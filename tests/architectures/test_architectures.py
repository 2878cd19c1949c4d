"""Exports of many architectures compute onnxruntime's numbers, at every size that they take.

    python -m pytest -m architectures tests/architectures

compiles each network of this folder in a reduced size, written by both of torch's exporters, with
fixed sizes and with symbolic ones. What torch does not export is skipped, and so is an export that
onnxruntime refuses: with symbolic sizes torch writes some axes that count from the back wrongly.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import onnx
import pytest
from architectures.decoders import decoders
from architectures.example import Example, Sizes
from architectures.exporting import EXPORTERS, exported
from architectures.modules import modules
from architectures.sound import sound
from architectures.text import text
from architectures.vision import vision
from reference import assert_agrees, reference

import tvmfuse

TOLERANCE = 1e-4
"""Of an output's largest magnitude."""

FAMILIES = (text, decoders, vision, sound, modules)
EXAMPLES: dict[str, Example] = {
    f"{family.__name__}:{name}": example for family in FAMILIES for name, example in family()
}


def cases() -> Iterator[object]:
    for name, exporter, symbolic in product(EXAMPLES, EXPORTERS, (False, True)):
        case = f"{name}-{exporter}-{'symbolic' if symbolic else 'fixed'}"
        yield pytest.param(name, exporter, symbolic, id=case)


@pytest.fixture
def outcome(request: pytest.FixtureRequest) -> Iterator[dict[str, object]]:
    """Keep what became of an export, for the page."""
    found: dict[str, object] = {}
    yield found
    folder = request.config.cache.mkdir("architectures")
    name = request.node.callspec.id.replace(":", " ")
    (folder / f"{name}.json").write_text(json.dumps(found))


@pytest.mark.architectures
@pytest.mark.parametrize(("name", "exporter", "symbolic"), [*cases()])
def test_an_export(
    name: str, exporter: str, symbolic: bool, tmp_path: Path, outcome: dict[str, object]
) -> None:
    example, path = EXAMPLES[name], tmp_path / "network.onnx"
    try:
        exported(example, exporter, path, symbolic=symbolic)
        model = onnx.load(path)
        reference(model, fed(example, model, example.sizes[0]))
    except Exception as error:
        outcome["not exported"] = f"{type(error).__name__}: {error}".partition("\n")[0]
        pytest.skip(f"torch does not export it, or wrongly: {outcome['not exported']}")
    outcome["failed"] = "compile"
    try:
        network = tvmfuse.compile(model, strict=True).load()
        outcome["failed"] = "numbers"
        outcome["error"], outcome["sizes"] = agreement(example, model, network, symbolic=symbolic)
    except BaseException as error:
        outcome["why"] = "".join(traceback.format_exception_only(error))[:2000]
        raise
    del outcome["failed"]


def agreement(
    example: Example, model: onnx.ModelProto, network: tvmfuse.Executable, *, symbolic: bool
) -> tuple[float, int]:
    """Return how far the numbers are from onnxruntime's, and at how many sizes it runs."""
    worst, ran = 0.0, 0
    for sizes in example.sizes if symbolic else example.sizes[:1]:
        feeds = fed(example, model, sizes)
        try:
            expected = reference(model, feeds)
        except Exception:  # the exporter made it one of fixed sizes all the same
            continue
        assert any(map(np.any, expected.values())), "all is 0, which says nothing"
        worst = max(worst, assert_agrees(network(feeds), expected, tolerance=TOLERANCE))
        ran += 1
    return worst, ran


def fed(example: Example, model: onnx.ModelProto, sizes: Sizes) -> dict[str, np.ndarray]:
    """Return what an example feeds, without what the exporter left out."""
    kept = {i.name for i in model.graph.input}
    return {name: x.numpy() for name, x in example.feeds(sizes).items() if name in kept}
