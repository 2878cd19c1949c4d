"""Charts say what is doubtful, and what the noise has made useless sets no axis."""

from __future__ import annotations

import re

from tvmfuse.measure.statistics import Ratio
from tvmfuse.views.html.charts import COLORS, MARK, QUIET, Bar, bars

GOOD = Ratio(1.2, 1.1, 1.3, 0.99, 40)
WIDE = Ratio(40.0, 2.0, 90.0, 0.99, 40)


def drawn(*ratios: Ratio) -> str:
    rows = [Bar.of(f"row {place}", ratio) for place, ratio in enumerate(ratios)]
    return str(bars(rows, axis="speedup (x)", one=True))


def ticks(picture: str) -> list[str]:
    return re.findall(r">(\d+\.\d+)</text>", picture)


def filled(picture: str, color: str) -> int:
    return len(re.findall(rf'style="fill: {re.escape(COLORS[color])}(?:; opacity: 0.5)?"', picture))


def test_an_interval_that_is_too_wide_is_said_to_be_and_sets_no_axis() -> None:
    both = drawn(GOOD, WIDE)
    assert "40, too noisy to tell" in both
    assert max(map(float, ticks(both))) < 2
    assert "too noisy" not in drawn(GOOD)
    assert ">30</text>" in drawn(Ratio(40.0, 39.0, 41.0, 0.99, 40))  # a good one does


def test_what_is_doubtful_is_grey() -> None:
    doubtful = Ratio(1.2, 1.1, 1.3, 0.99, 40, disturbed=True)
    sure, unsure = drawn(GOOD), drawn(doubtful)
    assert filled(sure, MARK) == filled(unsure, MARK) + 1
    assert filled(unsure, QUIET) == filled(sure, QUIET) + 1
    assert ("opacity: 0.5" in unsure, "opacity: 0.5" in sure) == (True, False)


def test_ratios_are_written_alike() -> None:
    assert ">1.00</text>" in drawn(Ratio(1.001, 0.99, 1.01, 0.99, 40))


def test_nothing_but_useless_intervals_is_a_chart_of_words() -> None:
    assert "40, too noisy to tell" in drawn(WIDE, WIDE)
