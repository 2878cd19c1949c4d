"""How cases of a table end, and where that is not as expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PASS: Final = "pass"
#: By an error that is meant; of a case with several parts, one of them at least.
REFUSED: Final = "refused"
#: It raised what is no refusal, or gave other numbers.
WRONG: Final = "wrong"

LONGEST: Final = 160
"""Letters of a reason."""


@dataclass(frozen=True)
class Outcome:
    """How a case ended.

    Attributes:
        kind: One of the words above, or how its process was lost.
        operator: Of a refusal, the operator that it names; else the one that the case is about.
        why: The first line of what was said.
    """

    kind: str
    operator: str = ""
    why: str = ""


def deviations(
    found: Mapping[tuple[str, str], Outcome], expected: Mapping[tuple[str, str], Outcome]
) -> list[str]:
    """Say where outcomes are not those expected: a pass that should be refused is one, too.

    Args:
        found: By the case's name and the column of its table.
        expected: Likewise; those that are not there pass.
    """
    return [
        f"{name} ({column}): expected {_said(expected.get((name, column)))}, found {_said(outcome)}"
        for (name, column), outcome in found.items()
        if _same(outcome) != _same(expected.get((name, column)))
    ]


def first_line(said: str) -> str:
    """Return a reason as it is written down."""
    return " ".join(said.strip().splitlines()[0].split()) if said.strip() else ""


def shortened(line: str) -> str:
    """Return as much of a line as is written down."""
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def _same(outcome: Outcome | None) -> tuple[str, str]:
    if outcome is None or outcome.kind == PASS:
        return PASS, ""
    return outcome.kind, outcome.operator


def _said(outcome: Outcome | None) -> str:
    if outcome is None or outcome.kind == PASS:
        return PASS
    return f"{outcome.kind} ({outcome.operator}: {outcome.why})"
