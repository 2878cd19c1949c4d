"""Run programs that import onnxruntime, with it and with tvmfuse in its place, and compare."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE: Final = Path(__file__).parent
PROGRAMS: Final = {p.stem.removeprefix("with_"): p for p in HERE.glob("programs/with_*.py")}
"""By the name of what each imports, a program that writes what it found as JSON."""

OURS: Final = ("-m", "tvmfuse.as_onnxruntime", "--start", "compiled")
"""What has a program run tvmfuse for onnxruntime, and wait for the compilation."""
TOLERANCE: Final = 1e-3
"""How much a number may differ: of 1, or of itself where it is larger."""
LONGEST: Final = 900
"""Seconds for one program."""
INSTALL: Final = (
    "python -m pip install -r tests/clients/support.txt && "
    "python -m pip install --no-deps -r tests/clients/packages.txt"
)


def packages() -> Iterator[tuple[str, str]]:
    """Yield name and version of each package that is asked for."""
    for line in (HERE / "packages.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            requirement = Requirement(line)
            (version,) = requirement.specifier
            yield requirement.name, version.version


def missing() -> list[str]:
    """Return the packages that are not installed, or in another version."""
    there = importlib.metadata.distributions()
    installed = {canonicalize_name(d.metadata["Name"]): d.version for d in there}
    return [f"{n}=={v}" for n, v in packages() if installed.get(canonicalize_name(n)) != v]


@dataclass(frozen=True)
class Outcome:
    """What a program did in one process.

    Attributes:
        found: What it wrote; None where it failed.
        words: The last line of its error.
    """

    found: Any
    words: str


def run(program: Path, before: Sequence[str] = (), *arguments: object) -> Outcome:
    """Run a program in a process of its own.

    Args:
        program: Its file.
        before: What stands between Python and the file: ``-m tvmfuse.as_onnxruntime``.
        arguments: What stands after it.
    """
    command = [sys.executable, *before, str(program), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(program.parent)}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return Outcome(None, f"no result in {LONGEST} s")
    if done.returncode:
        return Outcome(None, (done.stderr.strip().splitlines() or [f"rc {done.returncode}"])[-1])
    return Outcome(json.loads(done.stdout.splitlines()[-1]), "")


def with_onnxruntime(name: str) -> Outcome:
    """Run a client as it is."""
    return run(PROGRAMS[name])


def with_tvmfuse(name: str) -> Outcome:
    """Run a client with tvmfuse in onnxruntime's place."""
    return run(PROGRAMS[name], OURS)


def differences(ours: Any, theirs: Any, place: str = "") -> Iterator[str]:
    """Yield where two results differ: texts and structure at all, numbers by `TOLERANCE`.

    >>> list(differences({"boxes": [1, 2.0]}, {"boxes": [1, 2.1]}))
    ['boxes[1]: 2.0, expected 2.1']
    >>> list(differences({"text": "a", "score": 0.5}, {"text": "a", "score": 0.5001}))
    []
    """
    if isinstance(theirs, dict) and isinstance(ours, dict) and ours.keys() == theirs.keys():
        for key, value in theirs.items():
            yield from differences(ours[key], value, f"{place}.{key}".lstrip("."))
    elif isinstance(theirs, list) and isinstance(ours, list) and len(ours) == len(theirs):
        for index, value in enumerate(theirs):
            yield from differences(ours[index], value, f"{place}[{index}]")
    elif not _close(ours, theirs):
        yield f"{place}: {ours!r}, expected {theirs!r}"


def _close(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, float) and isinstance(ours, float | int):
        return abs(ours - theirs) <= TOLERANCE * max(1.0, abs(theirs))
    return type(ours) is type(theirs) and bool(ours == theirs)
