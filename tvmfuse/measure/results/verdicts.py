"""What a report's parts mean, in three sentences with the numbers first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tvmfuse.measure.machine import Machine, worst
from tvmfuse.measure.statistics import Ratio
from tvmfuse.measure.words import BY_MAGNITUDE, counted, scientific

SENTENCES: Final = 3
TIMED: Final = ("ladder", "ablate", "profile")


def verdicts(parts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return at most three sentences without full stops, of the parts that there are.

    Args:
        parts: ``ladder``, ``ablate``, ``accuracy`` and ``diff``, each what `tvmfuse.measure` makes
            of it, or None.
    """
    makers = {"ladder": _levels, "ablate": _passes, "accuracy": _numbers, "diff": _graph}
    said = (make(parts[name]) for name, make in makers.items() if parts.get(name) is not None)
    return tuple(words for words in said if words)[:SENTENCES]


def banner(parts: Mapping[str, Any]) -> str:
    """Return why times among them give no verdict, and which; nothing where all do.

    Args:
        parts: As `verdicts` takes them, and ``profile``.
    """
    doubtful = {n: m for n, m in _machines(parts).items() if m.banner}
    return worst([*doubtful.values()]).banner_over(*doubtful) if doubtful else ""


def cautions(parts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what else to know of the times among them, each reason once.

    Args:
        parts: As `banner` takes them.
    """
    machines = [*_machines(parts).values()]
    return worst(machines).notes if machines else ()


def _machines(parts: Mapping[str, Any]) -> dict[str, Machine]:
    """Return what the machine did, by the part that was timed meanwhile."""
    timed = {name: parts[name] for name in TIMED if parts.get(name) is not None}
    return {name: part.machine for name, part in timed.items() if part.machine}


def _levels(ladder: Any) -> str:
    timed = [rung for rung in ladder.rungs if rung.speedup is not None]
    if not timed:
        return ""
    shown = [rung for rung in timed if rung.speedup.effect]
    if not shown:
        best = max(timed, key=lambda rung: rung.speedup.median).speedup
        doubts = dict.fromkeys(rung.speedup.doubt for rung in timed)
        if best.disturbed or best.too_wide:
            return f"0 levels have a speedup that can be told: {', '.join(doubts)}"
        return f"{_interval(best)} is the largest speedup of a level: {best.doubt}"
    best = max(shown, key=lambda rung: rung.speedup.median)
    said = f"{_interval(best.speedup)} is the speedup of level {best.level} over level none"
    first = ladder.rungs[0].timing
    if best.timing.summary and first.summary:
        said += f": {best.timing.summary.median:.4g} ms instead of {first.summary.median:.4g} ms"
    if best.timing.cost and first.cost and best.timing.cost.kernels is not None:
        kernels = counted(best.timing.cost.kernels, "kernel")
        said += f", with {kernels} instead of {first.cost.kernels}"
    return said


def _passes(ablation: Any) -> str:
    timed = [effect for effect in ablation.effects if effect.leave_one_out.speedup is not None]
    shown = [effect for effect in timed if effect.leave_one_out.speedup.effect]
    fired = f"of {len(ablation.effects)} passes that fire"
    if not shown and any(effect.leave_one_out.speedup.disturbed for effect in timed):
        return f"0 {fired} have a verdict"
    if not shown:
        return f"0 {fired} have a significant effect on level all" if timed else ""
    best = max(shown, key=lambda effect: effect.leave_one_out.speedup.median)
    faster = [e.name for e in shown if e.leave_one_out.speedup.median < 1]
    significant = f"{len(shown)} {fired} have a significant effect on level all"
    if best.leave_one_out.speedup.median < 1:
        return f"{significant}; it is faster when disabled: {', '.join(faster)}"
    said = f"{_interval(best.leave_one_out.speedup)} is the largest speedup of a pass in level all"
    said += f", {best.name}'s; {significant}"
    return said + (f"; faster when disabled: {', '.join(faster)}" if faster else "")


def _numbers(accuracy: Any) -> str:
    if not accuracy.agrees:
        return str(accuracy.sentence)
    largest = max((row.distance.max_rel or 0.0 for row in accuracy.outputs), default=0.0)
    return (
        f"{largest:.1e} is the largest difference from {accuracy.against}'s numbers "
        f"({BY_MAGNITUDE}), tolerance {scientific(accuracy.tolerance)}"
    )


def _graph(diff: Any) -> str:
    compared = diff.stages.get("operators")
    if compared is None:
        return ""
    before, after = len(compared.before.operators), len(compared.after.operators)
    kernels = counted(diff.report.kernels, "kernel")
    return f"{before} operators became {after}, and {kernels}"


def _interval(speedup: Ratio) -> str:
    """Return a speedup with its interval; the confidence stands in the tables."""
    if speedup.low is None or speedup.high is None:
        return str(speedup)
    return f"{speedup.median:.3f}x (CI {speedup.low:.3f} to {speedup.high:.3f})"
