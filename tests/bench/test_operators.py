"""Operators alone, against onnxruntime: each case has a name of its own, and one of them runs."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from bench import operators
from bench.operator_cases import CASES
from tvmfuse.measure.clock import thread_clock


def test_each_case_has_its_own_name() -> None:
    names = [str(case) for case in CASES]
    assert len(set(names)) == len(names)


def test_an_operator_runs_beside_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> None:
    least = [case for case in CASES if str(case) == "GatherND 512 rows of 64"]
    monkeypatch.setattr(operators, "CASES", least)
    shown = CliRunner().invoke(operators.main, ["GatherND", "--duration", "0.01", "--json"])
    assert shown.exit_code == 0, shown.output
    [row] = json.loads(shown.stdout)["rows"]
    assert row["model"] == "GatherND"
    assert row["error"] == 0
    assert row["ratio"]["median"] > 0


def test_a_thread_s_clock_stands_while_it_has_no_core() -> None:
    clock = thread_clock()
    begin = clock.now()
    float(np.arange(1e6).sum())
    assert clock.now() > begin
    assert clock.resolution_ns >= 1
