"""Compile the trained models that packages carry, and compare each with onnxruntime.

`python -m tests.clients.models` does so for every `.onnx` file of the packages in `packages.txt`
that are installed, each in a process of its own, and prints a table.

Models that quantize as they run round what lies between two bytes: there onnxruntime's own results
are as far apart for inputs that differ by a millionth. So both are measured, and a result is right
that is no further off than that. What a DynamicQuantizeLSTM multiplies stays float32 here, and
onnxruntime rounds it: it is given an LSTM of the same weights instead.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from packaging.requirements import Requirement

import tvmfuse
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.tensor_spec import TensorSpec

REFUSED: Final = onnxruntime.capi.onnxruntime_pybind11_state

HERE: Final = Path(__file__).parent
TOLERANCE: Final = 1e-3
"""Largest difference by the largest number of an output."""
NUDGE: Final = 1e-6
"""By how much the inputs differ that show how far results are determined."""
LARGER: Final = 512
"""Symbolic sizes where onnxruntime refuses the usual ones."""
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
        `error`, the largest by the largest number of an output, and `own`, the same of onnxruntime
        for inputs a millionth larger; or `refused`, why it was not compiled.
    """
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    theirs = onnxruntime.InferenceSession(
        with_float_lstms(onnx.load(path)).SerializeToString(), options,
        providers=["CPUExecutionProvider"],
    )  # fmt: skip
    try:
        ours = tvmfuse.compile(path).load()
    except tvmfuse.TvmfuseError as error:
        return {"refused": str(error)}
    feeds, expected = _answered(theirs, ours.inputs)
    nudged = {
        name: np.asarray(x * (1 + NUDGE), x.dtype) if x.dtype.kind == "f" else x
        for name, x in feeds.items()
    }
    return {
        "error": _largest(ours.run(None, feeds), expected),
        "own": _largest(theirs.run(None, nudged), expected),
    }


def with_float_lstms(model: onnx.ModelProto) -> onnx.ModelProto:
    """Put an LSTM of float32 in the place of each DynamicQuantizeLSTM, whose weights are stored."""
    there = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "DynamicQuantizeLSTM":
            for stored, scale, zero in ((1, 8, 9), (2, 10, 11)):
                whole, *given = (there[node.input[place]] for place in (stored, scale, zero))
                factor, offset = (p.reshape(len(whole), 1, -1).astype(np.float32) for p in given)
                weights = ((whole - offset) * factor).transpose(0, 2, 1)
                name = f"{node.name or node.output[0]}/{stored}"
                model.graph.initializer.append(numpy_helper.from_array(weights, name))
                node.input[stored] = name
            del node.input[8:]
            node.op_type, node.domain = "LSTM", ""
    return model


def _answered(
    session: onnxruntime.InferenceSession, specs: Sequence[TensorSpec]
) -> tuple[dict[str, np.ndarray], list[Any]]:
    """Return inputs of sizes that onnxruntime takes, and its answer."""
    feeds = random_inputs(specs)
    try:
        return feeds, session.run(None, feeds)
    except (REFUSED.InvalidArgument, REFUSED.Fail):
        named = {size for spec in specs for size in spec.shape[1:] if isinstance(size, str)}
        feeds = random_inputs(specs, dims=dict.fromkeys(named, LARGER))
        return feeds, session.run(None, feeds)


def _largest(found: Sequence[Any], expected: Sequence[Any]) -> float:
    return max(_error(a, b) for a, b in zip(found, expected, strict=True))


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
        right = result["error"] <= max(TOLERANCE, 2 * result["own"])
        verdict = "right" if right else "**wrong**"
        words = f"{verdict} | {result['error']:.0e} | {result['own']:.0e}"
    else:
        kind, why = next(iter(result.items()))
        words = f"{kind}: {' '.join(why.split())[:200]} | |"
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
    print("| package | model | MB | result | off by | own |")
    print("|---|---|--:|---|--:|--:|", flush=True)
    for model in carried():
        if arguments.only in str(model.path):
            print(row(model, _apart(model.path)), flush=True)


if __name__ == "__main__":
    main()
