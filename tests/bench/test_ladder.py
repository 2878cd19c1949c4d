"""`python -m bench.ladder`: levels in turn, what is kept of them, the page of the documents."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench import ladder, ladder_record
from bench.ladder_record import LEVELS, Ladder, Rung
from tvmfuse.measure.statistics import Ratio

RECORD = {"command": "python -m bench.ladder", "commit": "1234567", "cpu": "Pretended",
          "instructions": "avx2", "cores": 1, "versions": {"apache-tvm": "0.27"}}  # fmt: skip


def rung(model: Any, level: Any, milliseconds: Any, gain: Any, pairs: int = 40) -> Rung:
    low, high = (gain - 0.01, gain + 0.01) if pairs >= 8 else (None, None)
    return Rung(model, level, milliseconds, Ratio(gain, low, high, 0.99, pairs), 9, 1e-6, warm=True)


LADDER = Ladder(
    1,
    RECORD,
    tuple(rung("vit", level, 100 / (i + 1), float(i + 1)) for i, level in enumerate(LEVELS)),
)


@pytest.fixture
def small(take_reduced: Any) -> None:
    take_reduced(ladder)


def run(*words: Any) -> Any:
    return CliRunner().invoke(ladder.main, words)


def test_every_level_is_measured_against_none(small: None) -> None:
    result = run("resnet18", "--duration", "0.01", "--json")
    assert result.exit_code == 0, result.output
    found = Ladder.from_json(json.loads(result.stdout))
    assert [(r.model, r.level) for r in found.rungs] == [("resnet18", level) for level in LEVELS]
    assert found.rungs[0].gain.median == 1.0
    assert all(r.gain.pairs >= 8 for r in found.rungs)
    assert found.rungs[0].kernels == found.rungs[1].kernels > found.rungs[2].kernels


def test_an_interrupt_keeps_whole_models(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    export = vars(ladder)["onnx_file"]

    def interrupted_at_the_second(name: Any, **options: Any) -> Any:
        if name == "vit":
            raise KeyboardInterrupt
        return export(name, **options)

    monkeypatch.setattr(ladder, "onnx_file", interrupted_at_the_second)
    result = run("resnet18", "vit", "--duration", "0.01", "--json")
    assert result.exit_code == 130
    assert {r["model"] for r in json.loads(result.stdout)["rungs"]} == {"resnet18"}


def test_json_comes_back_whole(tmp_path: Path) -> None:
    assert Ladder.from_json(json.loads(json.dumps(LADDER.to_json()))) == LADDER
    file = tmp_path / "ladder.json"
    file.write_text(json.dumps(LADDER.to_json()))
    shown = run("--from", str(file))
    assert "threads: 1, Pretended (avx2)" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 100
    assert run("--from", str(file), "--markdown").stdout == LADDER.markdown() + "\n"


def test_markdown_has_a_row_for_each_model_and_level() -> None:
    assert LADDER.markdown().splitlines()[2:] == [
        "Written by `python -m bench.ladder --markdown`: milliseconds of one run, and the",
        "speedup over level `none` with its 99 % interval; levels in turn in one process.",
        "threads: 1, Pretended (avx2), commit 1234567, TVM 0.27.",
        "",
        "| model | level | kernels | ms | speedup |",
        "|---|---|---|---|---|",
        "| vit | `none` | 9 | 100 |  |",
        "| vit | `basic` | 9 | 50 | 2.000 (1.990 to 2.010) |",
        "| vit | `extended` | 9 | 33.3 | 3.000 (2.990 to 3.010) |",
        "| vit | `layout` | 9 | 25 | 4.000 (3.990 to 4.010) |",
    ]


def test_a_ratio_without_an_interval_says_so() -> None:
    few = Ladder(1, RECORD, (rung("vit", "none", 1.0, 1.0, 3), rung("vit", "basic", 1.0, 1.0, 3)))
    assert "| 1 | 1.000 (no interval) |" in few.markdown()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rungs": [], "threads": 1}'])
def test_a_file_that_is_none_is_refused_in_words(text: str, tmp_path: Path) -> None:
    file = tmp_path / "ladder.json"
    file.write_text(text)
    result = run("--from", str(file))
    assert result.exit_code == 2
    assert "is not what --json printed" in result.stderr


def test_doctests() -> None:
    assert doctest.testmod(ladder_record).failed == 0
