"""Compile the trained models that packages carry, and compare each with onnxruntime.

`python -m tests.clients.models` does so for every `.onnx` file of the packages in `packages.txt`
that are installed, each in a process of its own, and prints a table.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from packaging.requirements import Requirement

HERE: Final = Path(__file__).parent
TOLERANCE: Final = 1e-4
"""Largest difference by the largest number of an output."""
LONGEST: Final = 900
"""Seconds for one model."""


@dataclass(frozen=True)
class Carried:
    """A model that a package carries.

    Attributes:
        package: Name and version.
        path: Where it is.
    """

    package: str
    path: Path

    @property
    def size(self) -> float:
        """Megabytes."""
        return self.path.stat().st_size / 1e6


def carried() -> Iterator[Carried]:
    """Yield the models of the packages that are installed, by package and path."""
    for line in (HERE / "packages.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name = Requirement(line).name
            for file in sorted(importlib.metadata.files(name) or (), key=str):
                if file.suffix == ".onnx":
                    version = importlib.metadata.version(name)
                    yield Carried(f"{name} {version}", Path(str(file.locate())))


def compared(path: Path) -> dict[str, Any]:
    """Compile one model and compare it with onnxruntime without its optimizations.

    Returns:
        `seconds` of the compilation in CPU time; `error`, the largest by the largest number of an
        output; or `refused`, why it was not compiled.
    """
    import onnxruntime

    import tvmfuse
    from tvmfuse.measure.inputs import random_inputs

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    theirs = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    began = time.process_time()
    try:
        ours = tvmfuse.compile(path).load()
    except tvmfuse.TvmfuseError as error:
        return {"refused": str(error)}
    seconds = time.process_time() - began
    feeds = random_inputs(ours.inputs)
    expected = theirs.run(None, feeds)
    errors = [_error(a, b) for a, b in zip(ours.run(None, feeds), expected, strict=True)]
    return {"seconds": seconds, "error": max(errors)}


def _error(found: Any, expected: Any) -> float:
    if isinstance(expected, list):
        return max((_error(a, b) for a, b in zip(found, expected, strict=True)), default=0.0)
    if isinstance(expected, dict):
        return max((_error(found[k], expected[k]) for k in expected), default=0.0)
    expected = np.asarray(expected)
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return float("inf")
    if expected.dtype.kind in "OUS":
        return 0.0 if np.array_equal(found, expected) else float("inf")
    if expected.size == 0 or np.array_equal(found, expected, equal_nan=expected.dtype.kind == "f"):
        return 0.0
    a, b = found.astype(np.float64), expected.astype(np.float64)
    return float(np.max(np.abs(a - b)) / max(np.max(np.abs(b)), 1e-30))


def _apart(path: Path) -> dict[str, Any]:
    """Compare in a process of its own, which may die."""
    command = [sys.executable, "-m", "tests.clients.models", "--one", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return {"failed": f"no result in {LONGEST} s"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"rc {done.returncode}"])[-1]}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def row(model: Carried, result: dict[str, Any]) -> str:
    """Return a model's line of the table."""
    if "error" in result:
        verdict = "right" if result["error"] <= TOLERANCE else "**wrong**"
        words = f"{verdict}, {result['error']:.1e} | {result['seconds']:.1f}"
    else:
        kind, why = next(iter(result.items()))
        words = f"{kind}: {' '.join(why.split())[:200]} |"
    return f"| {model.package} | {model.path.name} | {model.size:.1f} | {words} |"


def main() -> None:
    """Print the table; of one model, the result as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", type=Path, help="compare this model in this process; print JSON")
    parser.add_argument("--only", default="", help="models whose path has this in it")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(compared(arguments.one)))
        return
    print("| package | model | MB | result, largest relative difference | compiled in CPU s |")
    print("|---|---|---|---|---|", flush=True)
    for model in carried():
        if arguments.only in str(model.path):
            print(row(model, _apart(model.path)), flush=True)


if __name__ == "__main__":
    main()
