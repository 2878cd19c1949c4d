"""What `python -m bench.networks` measured: kept as JSON while it goes on, shown as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np
from rich.table import Table

from bench.engines import ENGINES
from bench.in_turn import Result
from tvmfuse.measure.statistics import Ratio

SAME: Final = ("commit", "cpu", "versions", "engines", "threads", "batch")
"""What two runs have in common whose figures stand in one table."""


@dataclass
class Record:
    """The networks that were measured, and where.

    Attributes:
        conditions: What `bench.machine.record` says, the engines, threads and batch.
        results: Of each network that was timed, one for each engine.
        failures: Why a network was not timed.
    """

    conditions: Mapping[str, Any]
    results: dict[str, list[Result]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def engines(self) -> Sequence[str]:
        """The engines; the others' times are divided by the first one's."""
        engines: Sequence[str] = self.conditions["engines"]
        return engines

    def better(self, name: str) -> float | None:
        """Return the time of the fastest other engine by the first one's; None of no other."""
        return min((r.ratio.median for r in self.results[name][1:]), default=None)

    def means(self) -> dict[str, float]:
        """Return the geometric mean of each other engine's ratios, and of the better one's."""
        ratios: dict[str, list[float]] = {}
        for name, results in self.results.items():
            for result in results[1:]:
                ratios.setdefault(result.engine, []).append(result.ratio.median)
            if better := self.better(name):
                ratios.setdefault("better", []).append(better)
        return {engine: float(np.exp(np.mean(np.log(rs)))) for engine, rs in ratios.items()}

    def table(self) -> Table:
        """Show a line for each network, and the geometric mean."""
        where = "threads: {threads}, batch: {batch}, {cpu}".format_map(self.conditions)
        shown = Table(title=f"networks, {where}", title_justify="left", show_footer=True)
        columns = self._columns()
        for place, (head, foot, *_) in enumerate(columns):
            shown.add_column(head, foot, justify="right" if place else "left", no_wrap=True)
        for line in zip(*(cells for _, _, *cells in columns), strict=True):
            shown.add_row(*line)
        return shown

    def markdown(self) -> str:
        """Return the same as a table of a document."""
        columns = self._columns()
        head, foot, *lines = (list(line) for line in zip(*columns, strict=True))
        rows = [head, ["---"] * len(columns), *lines, foot]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def _columns(self) -> list[list[str]]:
        """Return each column: its head, its foot, its cells."""
        first, *others = self.engines
        means = self.means()
        columns = [["network", "geometric mean", *self.results]]
        times = (results[0].milliseconds for results in self.results.values())
        columns.append([f"{ENGINES[first].label}, ms", "", *(f"{t:.3g}" for t in times)])
        for place, other in enumerate(others, 1):
            ratios = (results[place].ratio.short for results in self.results.values())
            columns.append([ENGINES[other].label, f"{means.get(other, 1):.3f}", *ratios])
        if len(others) > 1:
            better = (f"{self.better(name):.3f}" for name in self.results)
            columns.append(["better one", f"{means.get('better', 1):.3f}", *better])
        return columns

    def unlike(self, conditions: Mapping[str, Any]) -> list[str]:
        """Return what is not as it was."""
        return [key for key in SAME if self.conditions.get(key) != conditions[key]]

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types."""
        results = {name: [asdict(r) for r in rows] for name, rows in self.results.items()}
        means = self.means()
        return {**self.conditions, "means": means, "results": results, "failures": self.failures}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Record:
        """Return what `to_json` took apart; what failed is tried again."""
        conditions = {
            key: fields[key] for key in fields if key not in ("results", "failures", "means")
        }
        results = {name: list(_results(rows)) for name, rows in fields["results"].items()}
        return cls(conditions, results)


def _results(rows: Iterable[Mapping[str, Any]]) -> Iterable[Result]:
    for row in rows:
        yield Result(**{**row, "ratio": Ratio(**row["ratio"])})
