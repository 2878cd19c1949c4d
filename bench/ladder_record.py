"""What `python -m bench.ladder` measured: kept as JSON, written as the page of the documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from tvmfuse.measure.statistics import Ratio

LEVELS: Final = ("none", "basic", "extended", "layout")
"""Each includes those before it. `all` is `layout`: there is no tier after it."""


@dataclass(frozen=True)
class Rung:
    """One level on one model.

    Attributes:
        model: Its name.
        level: Its name.
        milliseconds: Median of one run.
        gain: Level none's time by this one's.
        kernels: Launched in one run.
        error: The largest difference from the numbers of level none, by max abs of the reference.
        warm: Whether times were stable when the warm-up ended.
    """

    model: str
    level: str
    milliseconds: float
    gain: Ratio
    kernels: int
    error: float
    warm: bool


@dataclass(frozen=True)
class Ladder:
    """All rungs, and where they were measured.

    Attributes:
        threads: That computed one run.
        record: What `bench.machine.record` says.
        rungs: Model by model, level by level.
    """

    threads: int
    record: Mapping[str, Any]
    rungs: tuple[Rung, ...]

    @property
    def where(self) -> str:
        """The machine in words."""
        return f"threads: {self.threads}, {self.record['cpu']} ({self.record['instructions']})"

    @property
    def not_warm(self) -> tuple[str, ...]:
        """Models whose times were not stable when the warm-up ended."""
        return tuple(dict.fromkeys(r.model for r in self.rungs if not r.warm))

    def markdown(self) -> str:
        """Return a page: for each model a row for each level."""
        versions = self.record["versions"]
        return "\n".join(
            [
                "# What the levels gain",
                "",
                "Written by `python -m bench.ladder --markdown`: milliseconds of one run, and the",
                "speedup over level `none` with its 99 % interval; levels in turn in one process.",
                f"{self.where}, commit {self.record['commit']}, TVM {versions['apache-tvm']}.",
                "",
                "| model | level | kernels | ms | speedup |",
                "|---|---|---|---|---|",
                *(self._row(r) for r in self.rungs),
            ]
        )

    @staticmethod
    def _row(r: Rung) -> str:
        speedup = "" if r.level == LEVELS[0] else _gain(r)
        return f"| {r.model} | `{r.level}` | {r.kernels} | {r.milliseconds:.3g} | {speedup} |"

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types."""
        rungs = [asdict(rung) for rung in self.rungs]
        return {**self.record, "threads": self.threads, "rungs": rungs}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Ladder:
        """Return what `to_json` took apart."""
        if missing := {"commit", "cpu", "instructions", "versions"} - fields.keys():
            raise KeyError(*sorted(missing))
        rungs = (Rung(**{**rung, "gain": Ratio(**rung["gain"])}) for rung in fields["rungs"])
        record = {key: fields[key] for key in fields if key not in ("rungs", "threads")}
        return cls(fields["threads"], record, tuple(rungs))


def _gain(rung: Rung) -> str:
    """Say a ratio in a cell.

    >>> _gain(Rung("bert", "basic", 3.0, Ratio(1.3519, 1.3401, 1.3607, 0.99, 40), 9, 0.0, True))
    '1.352 (1.340 to 1.361)'
    """
    gain = rung.gain
    if gain.low is None or gain.high is None:
        return f"{gain.median:.3f} (no interval)"
    return f"{gain.median:.3f} ({gain.low:.3f} to {gain.high:.3f})"
