"""The page of what ONNX's backend suite finds: by operator, at two levels, and onnxruntime beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from drawn_cases import DRAWN
from onnx_backend.cases import KINDS, cases, operator_of
from onnx_backend.expectations import Table, left_to_the_fallback
from onnx_backend.outcomes import ARMS, FALLBACK, OURS, SYMBOLIC
from onnx_backend.symbolic import symbolic_cases
from outcome import PASS, REFUSED, Outcome

PAGE: Final = Path(__file__).parents[2] / "docs/onnx-backend.md"

HEAD: Final = """\
# ONNX's backend suite

onnx's package has {count:,} cases for backends: models of one operator, functions written out, and whole models. Each
runs through `tvmfuse.backend` as it stands, in a process that may die or hang without ending the others:

    python -m pytest tests/onnx_backend            # all of them, and whether this page is right
    python -m pytest tests/onnx_backend --renew    # writes what it finds, and this page
    python -m pytest tests/onnx_backend --fallback # those that are refused, with onnxruntime as the fallback
    python -m pytest tests/onnx_backend --symbolic # those that pass, with symbolic sizes

Expected are the lines of `tests/onnx_backend/expected.txt`, with the reason of each refusal; a case without a line
passes. A refusal that passes fails the command, too. Of {drawn} cases numpy has drawn the results: their types and
shapes are compared. onnxruntime is {onnxruntime}.
"""

SAID: Final = """\
With `fallback="onnxruntime"`, level `all` passes {all:,}: of its {left} refused cases onnxruntime takes over {taken},
as a whole or in parts.

With every size of an input symbolic that is more than 1, but for weights and for shapes, axes, pads and scales (their
sizes are ranks), {symbolic:,} of {of:,} cases pass at level `all`; the others are refused, in
`tests/onnx_backend/expected-symbolic.txt`."""


def page(table: Table) -> str:
    """Return the page as Markdown."""
    import onnxruntime

    names = list(cases())
    lines = [
        HEAD.format(count=len(names), drawn=len(DRAWN), onnxruntime=onnxruntime.__version__),
        "| | level `none` | level `all` | onnxruntime |",
        "|---|---|---|---|",
    ]
    totals = {arm: Counter(_kind(table, name, arm) for name in names) for arm in ARMS}
    others = {kind for total in totals.values() for kind in total} - {PASS, REFUSED}
    lines += [
        f"| {kind} | {' | '.join(f'{totals[arm][kind]:,}' for arm in ARMS)} |"
        for kind in (PASS, REFUSED, *sorted(others))
    ]
    left = left_to_the_fallback(table)
    taken = sum(_kind(table, name, FALLBACK) == PASS for name in left)
    told = symbolic_cases(table)
    said = SAID.format(
        taken=taken, left=len(left), all=totals["all"][PASS] + taken, of=len(told),
        symbolic=sum(_kind(table, name, SYMBOLIC) == PASS for name in told),
    )  # fmt: skip
    lines += ["", said]
    lines += ["", "Cases that pass, by operator; what does not pass is in brackets.", ""]
    lines += ["| operator | cases | `none` | `all` | onnxruntime |", "|---|---|---|---|---|"]
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(operator_of(name), []).append(name)
    for operator in sorted(groups, key=lambda o: (o in KINDS, o.casefold())):
        some = groups[operator]
        ours = " | ".join(_counted(table, some, arm) for arm in OURS)
        theirs = sum(_kind(table, name, "onnxruntime") == PASS for name in some)
        lines.append(f"| {operator} | {len(some)} | {ours} | {theirs} |")
    return "\n".join(lines) + "\n"


def _kind(table: Table, name: str, arm: str) -> str:
    return table.get((name, arm), Outcome(PASS)).kind


def _counted(table: Table, names: Iterable[str], arm: str) -> str:
    """Say how many pass, and in brackets how the others end."""
    kinds = Counter(_kind(table, name, arm) for name in names)
    others = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()) if kind != PASS)
    return f"{kinds[PASS]} ({others})" if others else str(kinds[PASS])
