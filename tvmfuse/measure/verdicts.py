"""What a report's parts mean, in three sentences with the numbers first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tvmfuse.measure.machine import worst
from tvmfuse.measure.statistics import Ratio

SENTENCES: Final = 3


def verdicts(parts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return at most three sentences without full stops, of the parts that there are.

    Args:
        parts: ``ladder``, ``ablate``, ``accuracy`` and ``diff``, each what `tvmfuse.measure` makes
            of it, or None.
    """
    makers = {"ladder": _levels, "ablate": _passes, "accuracy": _numbers, "diff": _graph}
    said = (make(parts[name]) for name, make in makers.items() if parts.get(name) is not None)
    return tuple(words for words in said if words)[:SENTENCES]


def cautions(parts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return why the times among them cannot be trusted, each reason once; nothing where they can.

    Args:
        parts: As `verdicts` takes them.
    """
    ladder, ablation = parts.get("ladder"), parts.get("ablate")
    both = (getattr(getattr(ladder, "standings", None), "machine", None),
            getattr(ablation, "machine", None))  # fmt: skip
    machines = [machine for machine in both if machine]
    return worst(machines).notes if machines else ()


def _levels(ladder: Any) -> str:
    timed = [rung for rung in ladder.rungs if rung.gain is not None]
    if not timed:
        return ""
    best = max(timed, key=lambda rung: rung.gain.median)
    if not best.gain.effect:
        words = f"{_gain(best.gain)} times as fast as level none is level {best.level}"
        return f"{words}, the best: no effect shown"
    first = ladder.rungs[0].timing
    words = f"{_gain(best.gain)} times as fast as level none is level {best.level}"
    if best.timing.summary and first.summary:
        words += f": {best.timing.summary.median:.4g} ms instead of {first.summary.median:.4g} ms"
    if best.timing.cost and first.cost and best.timing.cost.kernels is not None:
        kernels = best.timing.cost.kernels
        counted = "one kernel" if kernels == 1 else f"{kernels} kernels"
        words += f", with {counted} instead of {first.cost.kernels}"
    return words


def _passes(ablation: Any) -> str:
    timed = [effect for effect in ablation.effects if effect.off.gain is not None]
    shown = [effect for effect in timed if effect.off.gain.effect]
    fired = f"of {len(ablation.effects)} passes that fire"
    if not shown:
        return f"0 {fired} show an effect in level all" if timed else ""
    best = max(shown, key=lambda effect: effect.off.gain.median)
    costs = [effect.name for effect in shown if effect.off.gain.median < 1]
    if best.off.gain.median < 1:
        return f"{len(shown)} {fired} show an effect in level all, and cost: {', '.join(costs)}"
    words = f"{_gain(best.off.gain)} times as fast with {best.name} as without: {fired} "
    words += f"{len(shown)} show an effect in level all, and it pays most"
    return words + (f"; {', '.join(costs)} costs" if costs else "")


def _numbers(accuracy: Any) -> str:
    if not accuracy.agrees:
        return str(accuracy.sentence)
    largest = max((row.distance.max_rel or 0.0 for row in accuracy.outputs), default=0.0)
    return (
        f"{largest:.1e} of the largest magnitude is the largest difference from "
        f"{accuracy.against}'s numbers, and {accuracy.tolerance:.0e} is tolerated"
    )


def _graph(diff: Any) -> str:
    compared = diff.stages.get("operators")
    if compared is None:
        return ""
    before, after = len(compared.before.operators), len(compared.after.operators)
    kernels = "one kernel" if diff.report.kernels == 1 else f"{diff.report.kernels} kernels"
    return f"{before} operators became {after}, and {kernels}"


def _gain(ratio: Ratio) -> str:
    """Return a ratio with its interval; how sure that is stands in the tables."""
    if ratio.low is None or ratio.high is None:
        return str(ratio)
    return f"{ratio.median:.3f} (interval {ratio.low:.3f} to {ratio.high:.3f})"
