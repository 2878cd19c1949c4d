"""The page of torch's table of operators: which entries are compiled, and why others are not."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch
from outcome import PASS, REFUSED, Outcome
from torch_operators.entries import DTYPES, names
from torch_operators.expectations import Table

PAGE: Final = Path(__file__).parents[2] / "docs/torch-operators.md"

HEAD: Final = """\
# torch's operators

torch tests its operators by a table of its own, `op_db`: what each is called with, in which dtypes, and how near its
results have to be. Here each entry's samples are exported, compiled at level `none` and compared with eager, in a
process that may die or hang without ending the others. Results have to have eager's dtypes and shapes, and its numbers
within the widest tolerance that torch's own tests state for the entry, by default that of `torch.testing`; where they
are not, eager's numbers in double precision, rounded, are what counts. Of equal elements a sort that need not be stable
and `topk`, `kthvalue`, `mode` and `median` may name any, and tvmfuse names others than eager:

    python -m pytest tests/torch_operators            # all of them, and whether this page is right
    python -m pytest tests/torch_operators --renew    # writes what it finds, and this page

An entry passes where all its samples do. One is refused where one sample is: the others are run as well, and would be
wrong where they are. What is refused stays with eager under `torch.compile`, node by node. Torch is {torch}.
"""

MIDDLE: Final = """
Entries that are not listed pass. A dtype in brackets says where an entry is not taken; without one it is nowhere.
"""


def page(table: Table) -> str:
    """Return the page as Markdown."""
    kinds = {
        dtype: Counter(table.get((name, dtype), Outcome(PASS)).kind for name in names(dtype))
        for dtype in DTYPES
    }
    others = {kind for counts in kinds.values() for kind in counts} - {PASS, REFUSED}
    lines = [
        HEAD.format(torch=torch.__version__.partition("+")[0]),
        f"| | {' | '.join(f'`{dtype}`' for dtype in DTYPES)} |",
        "|---|" + "---|" * len(DTYPES),
        f"| entries | {' | '.join(str(len(names(dtype))) for dtype in DTYPES)} |",
        *(
            f"| {kind} | {' | '.join(str(kinds[dtype][kind]) for dtype in DTYPES)} |"
            for kind in (PASS, REFUSED, *sorted(others))
        ),
        MIDDLE,
    ]
    reasons: dict[str, dict[str, list[str]]] = {}
    for (name, dtype), outcome in sorted(table.items(), key=lambda row: row[0][0].casefold()):
        if outcome.kind != PASS:
            reasons.setdefault(_reason(outcome), {}).setdefault(name, []).append(dtype)
    for reason, ends in sorted(reasons.items(), key=_place):
        listed = ", ".join(_entry(name, dtypes) for name, dtypes in ends.items())
        lines.append(textwrap.fill(f"- {reason}: {listed}.", 118, subsequent_indent="  "))
    return "\n".join(lines) + "\n"


def _place(row: tuple[str, dict[str, list[str]]]) -> tuple[int, str]:
    """Return where a reason stands: those of many entries first."""
    reason, ends = row
    return -len(ends), reason


def _reason(outcome: Outcome) -> str:
    why = outcome.why.partition(" samples: ")[2] or outcome.why
    of = f", `{outcome.operator}`" if outcome.operator else ""
    return f"{outcome.kind}{of}: {why.replace('<', '&lt;')}"


def _entry(name: str, dtypes: Sequence[str]) -> str:
    """Return an entry, with the dtypes in which it ends so where it has others."""
    held = [dtype for dtype in DTYPES if name in names(dtype)]
    return f"`{name}`" if held == dtypes else f"`{name}` ({', '.join(dtypes)})"
