"""Compilations that are killed at any moment: the next one works, and tidies up after them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
import warnings
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from graphs import onnx_model
from onnx import ModelProto, helper

import tvmfuse

TESTS = Path(__file__).parent.parent
TIDY_S = 20
"""A linker whose compilation was killed comes to its end, and may write a file meanwhile."""

#: Compiles models that differ, one after the other, and saves each.
COMPILES = """
import sys
sys.modules["torch"] = None
sys.path.insert(0, sys.argv[1])
import tvmfuse
from test_killed_compiles import chain
tvmfuse.compile(chain(0), cache=sys.argv[2])
print("ready", flush=True)
for number in range(int(sys.argv[4]), 100_000):
    tvmfuse.compile(chain(number), cache=sys.argv[2]).save(sys.argv[3])
"""


def chain(number: int) -> ModelProto:
    """Return a model with a kernel of its own: ``y = relu(x @ w + number)`` for ``x[8, 16]``."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Add", ["p", "b"], ["s"]),
        helper.make_node("Relu", ["s"], ["y"]),
    ]
    weights = {"w": np.eye(16, 8 + number % 251, dtype="float32"), "b": np.array(number, "float32")}
    return onnx_model(nodes, {"x": ("float32", (8, 16))}, {"y": "float32"}, weights)


def started(folder: Path, first: int) -> subprocess.Popen[str]:
    here = str(Path(__file__).parent)
    arguments = [here, str(folder / "kernels"), str(folder / "model.so"), str(first)]
    process = subprocess.Popen(
        [sys.executable, "-c", COMPILES, *arguments],
        env={
            **os.environ,
            "TMPDIR": str(folder / "temporary"),
            "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]),
        },
        stdout=subprocess.PIPE,
        text=True,
        cwd="/",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def left(folder: Path) -> list[str]:
    """Return what is there beside the model and the kernels that are kept."""
    files = [f for f in folder.rglob("*") if not f.is_dir() or f.parent.name == "temporary"]
    return [f.name for f in files if f.name != "model.so" and f.suffix != ".kernel"]


def killed(folder: Path, seed: int, kills: int, compilers: int) -> None:
    rng = random.Random(seed)
    (folder / "temporary").mkdir()
    for turn in range(kills):
        processes = [started(folder, 1 + 100 * (turn + place)) for place in range(compilers)]
        time.sleep(rng.random())
        for process in processes:
            process.kill()
            process.communicate()
        if (folder / "model.so").exists():
            assert tvmfuse.load(folder / "model.so").outputs[0].name == "y"
    end = time.monotonic() + TIDY_S
    for fresh in count(200_000):  # an entry that is new in the cache makes it tidy up, too
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            artifact = tvmfuse.compile(chain(fresh), cache=folder / "kernels")
        artifact.save(folder / "model.so")
        if not left(folder) or time.monotonic() > end:
            break
    assert left(folder) == []
    x = np.ones((8, 16), "float32")
    assert tvmfuse.load(folder / "model.so")(x=x)["y"].shape[0] == 8


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path


def test_two_that_are_killed(folder: Path) -> None:
    killed(folder, seed=1, kills=1, compilers=2)


@pytest.mark.reliability
@pytest.mark.parametrize("compilers", [1, 2])
def test_many_that_are_killed(compilers: int, folder: Path) -> None:
    killed(folder, seed=2, kills=20 // compilers, compilers=compilers)
