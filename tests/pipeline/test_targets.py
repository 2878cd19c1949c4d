"""pipeline.targets: an unknown CPU is measured where a compilation begins, and nothing else is."""

from pathlib import Path
from typing import Any

import pytest
from graphs import onnx_model
from onnx import helper
from pretended_cpu import TWO_A_CYCLE, be

import tvmfuse
from tvmfuse.calibrate import kept
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.target.machine import Machine


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "measure", lambda _target: TWO_A_CYCLE)
    monkeypatch.setattr(kept, "_here", {})


def test_an_unknown_cpu_is_measured_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be(monkeypatch, "skylake")
    said: list[str] = []
    settings = CompileSettings.of(cache=tmp_path, progress=said.append)
    assert said == ["measure this CPU, once"]
    assert settings.calibration == TWO_A_CYCLE
    assert Machine.of(settings.target).tuned_as == "zen3"
    assert [file.suffix for file in tmp_path.iterdir()] == [".calibration"]
    again = CompileSettings.of(cache=tmp_path)
    assert (str(again.target), again.calibration) == (str(settings.target), TWO_A_CYCLE)


def test_the_manifest_has_the_numbers_that_code_depends_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be(monkeypatch, "skylake")
    relu = helper.make_node("Relu", ["x"], ["y"])
    model = onnx_model([relu], {"x": ("float32", (2, 3))}, {"y": "float32"})
    said = tvmfuse.compile(model, cache=tmp_path).manifest
    assert said.calibration == TWO_A_CYCLE.to_json()
    assert said.machine["tuned_as"] == "zen3"
    assert not tvmfuse.compile(model, cache=tmp_path, calibration=False).manifest.calibration


@pytest.mark.parametrize(
    ("cpu", "settings"),
    [
        ("znver4", {}),
        ("skylake", {"calibration": False}),
        ("skylake", {"target": "skylake"}),
        ("skylake", {"target": "avx2"}),
    ],
    ids=str,
)
def test_nothing_else_is_measured(
    monkeypatch: pytest.MonkeyPatch, cpu: str, settings: dict[str, Any]
) -> None:
    be(monkeypatch, cpu)
    monkeypatch.setattr(kept, "measure", lambda _target: pytest.fail("measured"))
    made = CompileSettings.of(cache=False, **settings)
    assert made.calibration is None
    assert not Machine.of(made.target).tuned_as
