"""What the passes did: plain data, to print, to compare, to write as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
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
class OptimizationReport:
    """What all passes did.

    Attributes:
        level: The level's short name.
        passes: Every pass of the catalogue, in running order.
        ops_before: The operators that were imported.
        ops_after: The operators that the passes on operators left.
        seconds: The time that the passes took.
        kernels: The kernels that one run launches.
        steps_disabled: The steps of kernels that were switched off.
    """

    level: str
    passes: tuple[PassReport, ...]
    ops_before: int
    ops_after: int
    seconds: float
    kernels: int = 0
    steps_disabled: tuple[str, ...] = ()

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
        return cls(**{**fields, "passes": passes, "steps_disabled": off})

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
        return "\n".join(lines + ([f"  disabled steps: {steps}"] if steps else []))


def _pass(fields: Mapping[str, Any]) -> PassReport:
    declined = (Decline(d["reason"], tuple(d["nodes"]), d["count"]) for d in fields["declined"])
    rewrites = tuple(map(tuple, fields["rewrites"]))
    return PassReport(**{**fields, "rewrites": rewrites, "declined": tuple(declined)})


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
