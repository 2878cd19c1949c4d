"""What the passes did: plain data, to print, to compare, to write as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

Status = Literal[
    "ran", "disabled", "opt-in", "above level", "not for this target", "not applicable"
]


@dataclass(frozen=True)
class Decline:
    """One reason for which a pass left places alone.

    Attributes:
        reason: The condition that did not hold.
        nodes: The ONNX nodes of the places, each once.
        count: The number of places.
    """

    reason: str
    nodes: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class PassReport:
    """What one pass did.

    Attributes:
        name: The pass.
        tier: Its level: `basic`, `extended` or `layout`.
        status: Whether it ran, or why not.
        fired: The number of rewrites.
        rewrites: For each rewrite, the ONNX nodes that it replaced.
        declined: What it left alone and why.
        ops_before: The operators in the module when it first ran.
        ops_after: That number less what this pass removed.
        seconds: The time that it took.
        note: What a user has to know where it fired, or why it was left out; mostly nothing.
    """

    name: str
    tier: str
    status: Status
    fired: int = 0
    rewrites: tuple[tuple[str, ...], ...] = ()
    declined: tuple[Decline, ...] = ()
    ops_before: int = 0
    ops_after: int = 0
    seconds: float = 0.0
    note: str = ""


@dataclass(frozen=True)
class HandedOver:
    """A node that another engine computes.

    Attributes:
        name: In the ONNX graph.
        operator: Its operator.
        why: Why it is not compiled.
        engine: The other engine.
    """

    name: str
    operator: str
    why: str
    engine: str


@dataclass(frozen=True)
class OptimizationReport:
    """What all passes did; of a model in parts, in all of those that are compiled.

    Attributes:
        level: The level's short name.
        passes: Every pass of the catalogue, in running order.
        ops_before: The operators that were imported.
        ops_after: The operators that the passes on operators left.
        seconds: The time that the passes took.
        kernels: The kernels that one run launches.
        steps_disabled: The steps of kernels that were switched off.
        handed_over: The nodes that are not compiled, where a fallback takes them.
    """

    level: str
    passes: tuple[PassReport, ...]
    ops_before: int
    ops_after: int
    seconds: float
    kernels: int = 0
    steps_disabled: tuple[str, ...] = ()
    handed_over: tuple[HandedOver, ...] = ()

    def __getitem__(self, name: str) -> PassReport:
        return next(p for p in self.passes if p.name == name)

    def fired(self) -> dict[str, int]:
        """Return the passes that fired and how often."""
        return {p.name: p.fired for p in self.passes if p.fired}

    def noting(self, notes: Mapping[str, str]) -> OptimizationReport:
        """Return the report with notes on passes, by their names."""
        passes = (replace(p, note=notes.get(p.name, p.note)) for p in self.passes)
        return replace(self, passes=tuple(passes))

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON's types."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> OptimizationReport:
        """Return the report that `to_json` took apart."""
        off = tuple(fields.get("steps_disabled", ()))
        passes = tuple(map(_pass, fields["passes"]))
        handed = tuple(HandedOver(**said) for said in fields.get("handed_over", ()))
        return cls(**{**fields, "passes": passes, "steps_disabled": off, "handed_over": handed})

    def __str__(self) -> str:
        counts = f"{self.ops_before} -> {self.ops_after} operators, {self.kernels} kernels"
        lines = [f"level {self.level}: {counts}"]
        for p in self.passes:
            if p.status == "ran" and (p.fired or p.declined):
                lines.append(f"  {p.name}: fired {p.fired}, {p.ops_before} -> {p.ops_after}")
                lines += [f"    note: {p.note}"] if p.note else []
                lines += [f"    declined {d.count}: requires: {d.reason}" for d in p.declined]
        lines += [f"  {p.name}: {p.note}" for p in self.passes if p.status == "disabled" and p.note]
        off = [p.name for p in self.passes if p.status == "disabled"]
        lines += [f"  disabled: {', '.join(off)}"] if off else []
        steps = ", ".join(self.steps_disabled)
        lines += [f"  disabled steps: {steps}"] if steps else []
        lines += [
            f"  {h.engine} computes {h.operator} {h.name!r}: {h.why}" for h in self.handed_over
        ]
        return "\n".join(lines)


def _pass(fields: Mapping[str, Any]) -> PassReport:
    declined = (Decline(d["reason"], tuple(d["nodes"]), d["count"]) for d in fields["declined"])
    rewrites = tuple(map(tuple, fields["rewrites"]))
    return PassReport(**{**fields, "rewrites": rewrites, "declined": tuple(declined)})


def joined(
    level: str, reports: Sequence[OptimizationReport], handed_over: Iterable[HandedOver]
) -> OptimizationReport:
    """Return one report on a model in parts: what is counted is added up.

    Args:
        level: The level's short name.
        reports: On the parts that are compiled.
        handed_over: The nodes of the others.
    """
    passes = zip(*(report.passes for report in reports), strict=True)
    return OptimizationReport(
        level,
        tuple(map(_together, passes)),
        sum(report.ops_before for report in reports),
        sum(report.ops_after for report in reports),
        sum(report.seconds for report in reports),
        sum(report.kernels for report in reports),
        reports[0].steps_disabled if reports else (),
        tuple(handed_over),
    )


def _together(reports: Sequence[PassReport]) -> PassReport:
    first = next((report for report in reports if report.status == "ran"), reports[0])
    return replace(
        first,
        fired=sum(report.fired for report in reports),
        rewrites=tuple(nodes for report in reports for nodes in report.rewrites),
        declined=_same_declines([d for report in reports for d in report.declined]),
        ops_before=sum(report.ops_before for report in reports),
        ops_after=sum(report.ops_after for report in reports),
        seconds=sum(report.seconds for report in reports),
        note="; ".join(dict.fromkeys(report.note for report in reports if report.note)),
    )


def _same_declines(found: Sequence[Decline]) -> tuple[Decline, ...]:
    reasons = dict.fromkeys(decline.reason for decline in found)
    each = [(reason, [d for d in found if d.reason == reason]) for reason in reasons]
    return tuple(
        Decline(reason, tuple(n for d in same for n in d.nodes), sum(d.count for d in same))
        for reason, same in each
    )


def declines(places: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[Decline, ...]:
    """Group declined places by reason, the most frequent first.

    >>> declines([("is constant", ("a",)), ("is constant", ("b",))])
    (Decline(reason='is constant', nodes=('a', 'b'), count=2),)
    """
    places = list(places)
    counts = Counter(reason for reason, _ in places)
    return tuple(
        Decline(
            reason, tuple(dict.fromkeys(n for r, ns in places if r == reason for n in ns)), count
        )
        for reason, count in counts.most_common()
    )
