"""`python -m tests.architectures.page > docs/architectures.md`: what became of each export.

It reads what the last run of `python -m pytest -m architectures tests/architectures` kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

OUTCOMES = Path(".pytest_cache/d/architectures")
COLUMNS = ("classic-fixed", "classic-symbolic", "dynamo-fixed", "dynamo-symbolic")

HEAD = """# Architectures

Written by `python -m tests.architectures.page`, of what the last run of

    python -m pytest -m architectures tests/architectures

kept. Each network has a reduced size and seeded random weights, and is written by both of torch's
exporters (TorchScript's, "classic", and that of `torch.export`, "dynamo"), with fixed sizes and with
symbolic ones. A number is the largest error of any output, relative to the output's largest magnitude,
from onnxruntime with its graph optimizations off, at up to four sizes. "no export": torch does not write
it, or onnxruntime refuses what it writes.
"""


def outcomes(folder: Path) -> dict[str, dict[str, Mapping[str, Any]]]:
    """Return what became of each network: family and name -> column -> what its test kept."""
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for file in sorted(folder.glob("*.json")):
        name, exporter, sizes = file.stem.rsplit("-", 2)
        found.setdefault(name, {})[f"{exporter}-{sizes}"] = json.loads(file.read_text())
    return found


def cell(outcome: Mapping[str, Any] | None) -> str:
    """Return what a table says of one export."""
    if outcome is None:
        return "not run"
    if "not exported" in outcome:
        return "no export"
    if "failed" in outcome:
        return f"**{outcome['failed']}**"
    return f"{outcome['error']:.0e}"


def page(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Return the page, in Markdown."""
    exports = [o for row in found.values() for o in row.values() if "not exported" not in o]
    right = sum("failed" not in outcome for outcome in exports)
    lines = [
        HEAD,
        f"{len(found)} networks, {len(exports)} exports, {right} right.",
        "",
        f"| network | {' | '.join(COLUMNS)} |",
        f"|---|{'---|' * len(COLUMNS)}",
        *(
            f"| {name} | {' | '.join(cell(row.get(column)) for column in COLUMNS)} |"
            for name, row in found.items()
        ),
    ]
    failed = [
        f"- {name}, {column}: {outcome.get('why', '').splitlines()[0]}"[:118]
        for name, row in found.items()
        for column, outcome in row.items()
        if "failed" in outcome
    ]
    if failed:
        lines += ["", "What failed, and why:", "", *failed]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if not OUTCOMES.is_dir():
        sys.exit(f"no {OUTCOMES}: run the tests of architectures first, from this folder")
    print(page(outcomes(OUTCOMES)), end="")
