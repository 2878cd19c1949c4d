"""The measuring verbs take a module with its example inputs, which it runs on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from planting import plant

import tvmfuse
from tvmfuse.errors import ConfigurationError, UnsupportedModelError, WrongPassWarning
from tvmfuse.frontend.torch.eager import run_eager
from tvmfuse.frontend.torch.export import exported
from tvmfuse.frontend.torch_program import TorchProgram
from tvmfuse.measure import ab, ablate, bisect, ladder, profile
from tvmfuse.measure.examples import examples_of
from tvmfuse.passes.selection import entries

WORDS = 700
PASSES = {entry.name: entry for _, entry in entries()}


class Tagger(torch.nn.Module):
    """What random inputs would not do: they name the first two words alone."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.table = torch.nn.Embedding(WORDS, 16)
        self.linear = torch.nn.Linear(16, 8)

    def forward(self, words: torch.Tensor, *, scale: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"scores": torch.nn.functional.gelu(self.linear(self.table(words)) * scale)}


@pytest.fixture(scope="module")
def given() -> dict[str, Any]:
    inputs = {"scale": torch.tensor(0.5), "words": torch.tensor([[3, WORDS - 1, 0]])}
    return {"model": Tagger().eval(), "example_inputs": inputs}


def test_examples_are_fed_by_name(given: dict[str, Any]) -> None:
    program = exported(given["model"], given["example_inputs"])
    found = examples_of(program, None) or {}
    assert found["words"].tolist() == [[3, WORDS - 1, 0]]
    assert found["scale"] == np.float32(0.5)
    outputs = run_eager(program.program, found)
    with torch.no_grad():
        wanted = given["model"](**given["example_inputs"])["scores"]
    np.testing.assert_array_equal(outputs["scores"], wanted)


def test_ab_and_ladder(given: dict[str, Any]) -> None:
    compared = ab(**given, b="level=none", duration_s=0.05)
    assert compared.agreement[0].output == "scores"
    assert compared.conditions.assumed == ()
    steps = ladder(**given, duration_s=0.05)
    assert steps.model == "Tagger"
    assert not any(rung.failed for rung in steps.rungs)


def test_ablate_and_profile(given: dict[str, Any]) -> None:
    assert ablate(**given, duration_s=0.1).effects
    assert profile(**given, duration_s=0.05, warm_up_s=0.05).model == "Tagger"


def test_explain_names_the_passes_that_fire(given: dict[str, Any]) -> None:
    report = tvmfuse.explain(**given)
    assert any(entry.fired for entry in report.passes)


def test_bisect_finds_a_wrong_pass(given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert bisect(**given).verdict == "agrees"
    plant(monkeypatch, PASSES["FuseOps"])
    for against in ("eager", "none"):
        found = bisect(**given, against=against)
        assert found.culprit is not None
        assert found.culprit.name == "FuseOps"
        assert found.against == against
    with pytest.warns(WrongPassWarning, match="FuseOps"):
        tvmfuse.compile(**given, verify=True)


def test_what_is_for_onnx_models_is_said(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="against: expected eager or none"):
        bisect(**given, against="onnxruntime")
    with pytest.raises(ConfigurationError, match="folder: .* of an ONNX model only"):
        bisect(**given, folder="x")
    with pytest.raises(UnsupportedModelError, match="onnxruntime runs ONNX models"):
        ab(**given, b="engine=onnxruntime")
    with pytest.raises(ConfigurationError, match="takes example inputs"):
        ladder(given["model"])


def test_a_program_without_example_inputs_cannot_be_run_in_eager() -> None:
    program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
    program.example_inputs = None
    for run in (lambda: run_eager(program, {}), lambda: examples_of(TorchProgram(program), None)):
        with pytest.raises(ConfigurationError, match="this exported program has no example inputs"):
            run()
