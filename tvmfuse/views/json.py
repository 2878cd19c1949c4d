"""Results as JSON's types: `to_json` writes any result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, is_dataclass, replace
from functools import singledispatch
from typing import Any

from tvmfuse.doctor.diagnosis import Diagnosis
from tvmfuse.json_safe import finite
from tvmfuse.measure.machine import Machine
from tvmfuse.measure.results.ablation import Ablation
from tvmfuse.measure.results.accuracy import Accuracy
from tvmfuse.measure.results.bisection import Bisection
from tvmfuse.measure.results.comparison import Comparison
from tvmfuse.measure.results.comparisons import Comparisons
from tvmfuse.measure.results.ladder import Ladder
from tvmfuse.measure.results.profile import Line, Profile
from tvmfuse.measure.results.report import Report
from tvmfuse.measure.statistics import Ratio
from tvmfuse.quantization.result import Quantized


@singledispatch
def to_json(result: object) -> dict[str, Any]:
    """Write a result's figures as JSON's types; what is not finite is None.

    Times are in milliseconds, but for a profile's: its names say the unit.

    Raises:
        TypeError: It has no figures.
    """
    if not is_dataclass(result) or isinstance(result, type):
        raise TypeError(f"no JSON is written of {type(result).__name__}")
    return finite(asdict(result))


@to_json.register
def _(result: Machine) -> dict[str, Any]:
    said = {"quiet": result.quiet, "banner": result.banner, "notes": result.notes}
    return finite({**asdict(result), **said})


@to_json.register
def _(result: Comparison) -> dict[str, Any]:
    record = {**asdict(result), "machine": to_json(result.machine)}
    effect = result.ratio is not None and result.ratio.effect
    said = {"speedup": _ratio(result.speedup), "effect": effect, "sentence": result.sentence}
    return finite({**record, **said})


@to_json.register
def _(result: Comparisons) -> dict[str, Any]:
    candidates = [
        {
            **asdict(c),
            "speedup": _ratio(c.speedup),
            "problem": c.problem,
            "effect": bool(c.ratio and c.ratio.effect),
        }
        for c in result.candidates
    ]
    machine = to_json(result.machine)
    return finite({**asdict(result), "candidates": candidates, "machine": machine})


@to_json.register
def _(result: Ladder) -> dict[str, Any]:
    figures = asdict(result.comparisons)
    kept = ("tolerance", "confidence", "warm", "interrupted", "seed")
    return finite(
        {
            "model": result.model,
            "rungs": [asdict(rung) for rung in result.rungs],
            "conditions": asdict(result.conditions),
            **{name: figures[name] for name in kept},
            "machine": to_json(result.comparisons.machine),
            "notes": result.notes,
        }
    )


@to_json.register
def _(result: Ablation) -> dict[str, Any]:
    machine = to_json(result.machine) if result.machine else None
    return finite({**asdict(result), "machine": machine, "notes": result.notes})


@to_json.register
def _(result: Accuracy) -> dict[str, Any]:
    rows = {
        kind: [
            {**asdict(row), "growth": row.growth, "excess": row.excess, "alarm": row.alarm}
            for row in getattr(result, kind)
        ]
        for kind in ("outputs", "tensors")
    }
    said = {"agrees": result.agrees, "sentence": result.sentence}
    return finite({**asdict(result), **rows, **said})


@to_json.register
def _(result: Bisection) -> dict[str, Any]:
    return finite({**asdict(result), "sentence": result.sentence})


@to_json.register
def _(result: Line) -> dict[str, Any]:
    speeds = {n: getattr(result, n) for n in ("gflops", "gbytes_per_s", "roofline_share")}
    return finite({**asdict(result), **speeds})


@to_json.register
def _(result: Profile) -> dict[str, Any]:
    """Write everything but the typical run; times are in microseconds."""
    record = asdict(replace(result, launches=(), typical_run=()))
    del record["launches"], record["typical_run"], record["typical_microseconds"]

    def lines(chosen: Sequence[Line]) -> list[dict[str, Any]]:
        return [{**to_json(line), "share": result.share(line.microseconds)} for line in chosen]

    return finite(
        {
            **record,
            "microseconds": result.microseconds,
            "launches": lines(result.launches),
            "kernels": lines(result.lines()),
            "machine": to_json(result.machine),
            "between_share": result.share(result.between_microseconds),
            "notes": result.notes,
        }
    )


@to_json.register
def _(result: Quantized) -> dict[str, Any]:
    """Write everything but the model."""
    record = asdict(replace(result, model=None))  # type: ignore[arg-type]
    del record["model"]
    said = {"sqnr_db": result.sqnr_db, "sentence": result.sentence, "notes": result.notes}
    return finite({**record, **said})


@to_json.register
def _(result: Diagnosis) -> dict[str, Any]:
    return {**asdict(result), "findings": len(result.findings), "sentence": result.sentence}


@to_json.register
def _(result: Report) -> dict[str, Any]:
    return finite(
        {
            "model": result.model,
            "environment": to_json(result.environment),
            "banner": result.banner,
            "summary": result.summary,
            "cautions": result.cautions,
            "interrupted": result.interrupted,
            **{s.name: s.part.to_json() if s.part else None for s in result.sections},
            "problems": {s.name: s.problem for s in result.sections if s.part is None},
        }
    )


def _ratio(ratio: Ratio | None) -> dict[str, Any] | None:
    return asdict(ratio) if ratio else None
