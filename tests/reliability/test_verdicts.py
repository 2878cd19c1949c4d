"""No verdict where there is none to give: identical kernels, equal variants, a busy machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pytest
from measure.false_verdicts import NOISES, false_verdicts
from random_models import RandomModel

import tvmfuse
from tvmfuse.demo import wee_net
from tvmfuse.measure import Comparison, ab, ladder, report
from tvmfuse.measure.results.verdicts import TIMED

FOREVER_S = 1e6
"""To measure: what is identical returns at once, for it is not timed."""
SECONDS = 0.5
FALSE = 0.05


def identical(seed: int) -> Comparison:
    """Compare a random graph with itself: without passes that did not fire, or as it is."""
    model, rng = RandomModel(seed).onnx(), np.random.default_rng(seed)
    ran = [p for p in tvmfuse.explain(model).passes if p.status == "ran" and p.tier != "none"]
    idle = [p.name for p in ran if not p.fired and p.name not in ("FuseOps", "FuseTIR")]
    off = rng.choice(idle, rng.integers(0, 4), replace=False)
    threads = rng.integers(1, 3)
    without = f",disable={'+'.join(off)}" if len(off) else ""
    return ab(model, f"threads={threads}", f"threads={threads}{without}", duration_s=FOREVER_S)


def assert_no_verdict(found: Comparison) -> None:
    assert found.identical_code
    assert (found.ratio, found.a.summary, found.to_json()["effect"]) == (None, None, False)
    assert found.sentence.startswith("identical kernels, not timed")


@pytest.mark.parametrize("seed", range(3))
def test_identical_kernels_get_no_verdict(seed: int) -> None:
    assert_no_verdict(identical(seed))


@pytest.mark.reliability
@pytest.mark.parametrize("seed", range(100))
def test_identical_kernels_get_no_verdict_100_times(seed: int) -> None:
    assert_no_verdict(identical(seed))


#: What descends from a process that measures counts as its own: so the parent of these ends at once.
SPIN = """
import os, sys
for _ in range(int(sys.argv[1])):
    if (child := os.fork()) == 0:
        while os.path.exists(sys.argv[2]): pass
        os._exit(0)
"""


@pytest.fixture
def neighbours(tmp_path: Path) -> Iterator[None]:
    """Let a process spin for each core, two at least."""
    awake = tmp_path / "awake"
    awake.touch()
    count = max(2, len(os.sched_getaffinity(0)))
    spin = [sys.executable, "-S", "-c", SPIN, str(count), str(awake)]
    subprocess.run(spin, check=True, stdin=subprocess.DEVNULL)
    yield
    awake.unlink()


def of_ab() -> list[object]:
    found = ab(wee_net(), "threads=1", "threads=1,level=none", duration_s=SECONDS)
    return [found.banner, found.ratio]


def of_ladder() -> list[object]:
    found = ladder(wee_net(), threads=2, duration_s=SECONDS)
    return [found.banner, *(rung.speedup for rung in found.rungs)]


def of_report() -> list[object]:
    found = report(wee_net(), threads=1, duration_s=4 * SECONDS)
    assert all(name in found.banner for name in TIMED)
    assert "has a verdict" not in " ".join(found.summary)
    page = str(found.to_html())
    assert page.count("Not quiet") == page.count('class="banner"') == 1
    effects = found["ablate"].part.effects  # type: ignore[union-attr]
    return [found.banner, *(e.leave_one_out.speedup for e in effects)]


def assert_no_confident_verdict(banner: object, *speedups: object) -> None:
    assert str(banner).startswith("Not quiet: other processes took")
    shown = [speedup for speedup in speedups if speedup is not None]
    assert shown
    assert all(speedup.doubt == "no verdict" for speedup in shown)  # type: ignore[attr-defined]


@pytest.mark.parametrize("measured", [of_ab, of_ladder])
@pytest.mark.usefixtures("neighbours")
def test_a_busy_machine_gives_no_confident_verdict(measured: object) -> None:
    assert_no_confident_verdict(*measured())  # type: ignore[operator]


@pytest.mark.reliability
@pytest.mark.parametrize("number", range(20))
@pytest.mark.usefixtures("neighbours")
def test_a_busy_machine_gives_no_confident_verdict_20_times(number: int) -> None:
    measured = next(islice(cycle((of_ab, of_ladder, of_report)), number, None))
    assert_no_confident_verdict(*measured())


@pytest.mark.reliability
@pytest.mark.parametrize("rounds", [32, 400])
@pytest.mark.parametrize("noise", list(NOISES))
def test_equal_variants_seldom_get_a_verdict_of_5000(noise: str, rounds: int) -> None:
    """At 1 % it is 50 of 5,000; more than 75 do with a chance of 0.04 %."""
    found = false_verdicts(NOISES[noise], 5000, rounds=rounds)
    print(f"{noise}, {rounds} rounds: {found} of 5,000")
    assert found <= FALSE * 5000
    assert found <= 75
