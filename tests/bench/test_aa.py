"""`python -m bench.aa`: what it counts, and when it says that the measurement holds."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bench import aa
from bench.aa import Verdict, holds, share
from tvmfuse.measure.clock import Clock


def verdicts(claims: Any, same: Any, found: Any, slow: Any) -> Any:
    kinds = [(False, claims, same), (True, found, slow)]
    return [
        Verdict(planted, i < claimed, 1.0, 0.9, 1.1, 16, ())
        for planted, claimed, count in kinds
        for i in range(count)
    ]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((5, 100, 95, 100), True),
        ((6, 100, 100, 100), False),
        ((0, 100, 94, 100), False),
        ((0, 0, 0, 0), True),
    ],
)
def test_it_holds_within_5_of_100_on_either_side(counts: tuple[int, ...], expected: bool) -> None:
    found = verdicts(*counts)
    assert holds(found) is expected
    assert share(found, planted=False) == counts[:2]
    assert share(found, planted=True) == counts[2:]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let time pass only while a variant runs, and by the busy loop as much as it asks for."""
    state: dict[str, Any] = {"ns": 0.0, "rng": np.random.default_rng(0)}

    def run() -> Any:
        state["ns"] += 10e6 * state["rng"].lognormal(0, 0.05)
        return {"y": np.ones(1, np.float32)}

    def looks() -> Any:
        state["ns"] += 1000  # a busy loop has to end
        return int(state["ns"])

    monkeypatch.setattr("time.perf_counter_ns", looks)
    monkeypatch.setattr(
        "tvmfuse.measure.interleave.system_clock", lambda: Clock(lambda: int(state["ns"]), 1)
    )
    return run


def test_a_planted_slowdown_is_calibrated_and_found(fake: Any) -> None:
    slow = [aa.verdict(fake, planted=True, duration_s=1, seed=s) for s in range(5)]
    assert all(v.claimed for v in slow)
    assert np.median([v.median for v in slow]) == pytest.approx(1.1, abs=0.02)


def test_identical_variants_claim_nothing_to_speak_of(fake: Any) -> None:
    same = [aa.verdict(fake, planted=False, duration_s=1, seed=s) for s in range(10)]
    assert sum(v.claimed for v in same) <= 1


def test_the_command_prints_json() -> None:
    result = CliRunner().invoke(
        aa.main, ["--comparisons", "1", "--duration", "0.05", "--threads", "1", "--json"]
    )
    record = json.loads(result.stdout)
    assert [row["planted"] for row in record["rows"]] == [False, True]
    assert record["claims"][1] == record["found"][1] == 1
    assert result.exit_code == (0 if record["holds"] else 1)
