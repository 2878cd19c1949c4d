"""What is expected of each case, in a file of lines: those that are not there pass.

A line has the case's name, who ran it (``none``, ``all``, or ``none,all``), the outcome, and the
operator with the reason. `python -m pytest tests/onnx_backend --renew` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

from onnx_backend.outcomes import ARMS, FALLBACK, OURS, SYMBOLIC
from outcome import PASS, REFUSED, Outcome

Table = Mapping[tuple[str, str], Outcome]

FILES: Final = {
    Path(__file__).with_name("expected.txt"): OURS,
    Path(__file__).with_name("expected-onnxruntime.txt"): ("onnxruntime",),
    Path(__file__).with_name("expected-fallback.txt"): (FALLBACK,),
    Path(__file__).with_name("expected-symbolic.txt"): (SYMBOLIC,),
}
"""Where the arms' outcomes are kept."""

ORDER: Final = (*ARMS, FALLBACK, SYMBOLIC)


def left_to_the_fallback(table: Table) -> list[str]:
    """Name the cases that are refused at level all: those that the fallback is for."""
    return [name for (name, arm), o in table.items() if arm == "all" and o.kind == REFUSED]


def expected() -> dict[tuple[str, str], Outcome]:
    """Read what is expected, by case and arm."""
    return {
        key: outcome
        for file in FILES
        if file.exists()
        for line in file.read_text().splitlines()
        for key, outcome in _parsed(line)
    }


def _parsed(line: str) -> Iterable[tuple[tuple[str, str], Outcome]]:
    name, arms, kind, operator, *why = line.split(maxsplit=4)
    outcome = Outcome(kind, operator.removesuffix(":"), *why)
    return [((name, arm), outcome) for arm in arms.split(",")]


def renew(found: Table) -> None:
    """Write down what was found; of cases that did not run, what was written stays."""
    table = {**expected(), **found}
    left = left_to_the_fallback(table)
    table = {(n, arm): o for (n, arm), o in table.items() if arm != FALLBACK or n in left}
    for file, arms in FILES.items():
        kept = [(n, a, o) for (n, a), o in table.items() if a in arms and o.kind != PASS]
        kept.sort(key=lambda row: (row[0], row[2].kind, row[2].operator, ORDER.index(row[1])))
        file.write_text("".join(_lines(kept)))


def _lines(rows: Iterable[tuple[str, str, Outcome]]) -> Iterable[str]:
    for (name, outcome), same in groupby(rows, lambda row: (row[0], row[2])):
        arms = ",".join(arm for _, arm, _ in same)
        yield f"{name} {arms} {outcome.kind} {outcome.operator}: {outcome.why}".rstrip() + "\n"
