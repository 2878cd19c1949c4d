"""`python -m bench.torch`: tvmfuse computes what eager does, and the figures are there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import torch as bench_torch, torch_calls

QUICK = ("--size", "reduced", "--against", "eager", "--duration", "0.01")


@pytest.mark.long
def test_inference_and_training_are_compared_and_timed(tmp_path: Path) -> None:
    picture = tmp_path / "torch.svg"
    modes = ("--mode", "frozen", "--mode", "training")
    given = [*QUICK, *modes, "--json", "--picture", str(picture), "resnet18", "transformer"]
    result = CliRunner().invoke(bench_torch.main, given)
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    assert [(row["model"], row["mode"]) for row in rows] == [
        ("resnet18", "frozen"), ("resnet18", "training"), ("transformer", "training"),
    ]  # fmt: skip
    assert all(row["error"] < 1e-4 and set(row["ratios"]) == {"eager"} for row in rows)
    assert "resnet18" in picture.read_text()


def test_a_model_that_is_not_there_is_named() -> None:
    result = CliRunner().invoke(bench_torch.main, [*QUICK, "resnet19"])
    assert result.exit_code == 2
    assert "no model is called 'resnet19'" in result.output
    assert "resnet18" in result.output


def test_calls_of_small_modules_are_compared_and_timed() -> None:
    given = ("--weights", "1", "--mode", "gradients", "--against", "eager", "--duration", "0.01")
    result = CliRunner().invoke(torch_calls.main, [*given, "--json"])
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)["rows"]
    assert (row["model"], row["mode"]) == ("1 weights", "gradients")
    assert set(row["microseconds"]) == {"eager", "tvmfuse"}
    assert set(row["ratios"]) == {"eager"}
