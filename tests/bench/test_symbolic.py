"""One artifact for all sizes beside those of fixed sizes: both run, and their times are paired."""

import json

import pytest
from click.testing import CliRunner

from bench import symbolic
from bench.symbolic_models import CASES


def test_each_case_has_its_own_name() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)


def test_all_artifacts_run_at_each_of_the_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    [least] = [case for case in CASES if case.name == "LayerNormalization"]
    monkeypatch.setattr(symbolic, "CASES", [least])
    given = ["LayerNormalization", "--duration", "0.01", "--json"]
    shown = CliRunner().invoke(symbolic.main, given)
    assert shown.exit_code == 0, shown.output
    rows = json.loads(shown.stdout)["rows"]
    assert [row["sizes"] for row in rows] == ["n 128", "n 5"]
    ratios = [row[which]["median"] for row in rows for which in ("ratio", "ratio_specialized")]
    assert all(row["error"] < 1e-6 for row in rows)
    assert all(ratio > 0 for ratio in ratios)
