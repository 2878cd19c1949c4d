"""Packages that run onnxruntime inside, unmodified: with it and with tvmfuse, the same results."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.clients

PROGRAMS = Path(__file__).parent / "programs"
#: What each program takes.
TAKES = {"optimum_models": "optimum", "sentences": "sentence_transformers"}


def run(*arguments: object) -> None:
    """Run Python without a network."""
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    command = [sys.executable, "-W", "ignore", *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny networks, exported by optimum."""
    pytest.importorskip("optimum.exporters.onnx")
    made = tmp_path_factory.mktemp("models")
    run(PROGRAMS / "export.py", made)
    return made


@pytest.mark.parametrize("program", TAKES)
def test_a_program_gives_what_it_gives_with_onnxruntime(
    program: str, folder: Path, tmp_path: Path
) -> None:
    if importlib.util.find_spec(TAKES[program]) is None:
        pytest.skip(f"{TAKES[program]} is not installed: tests/clients/transformers.txt")
    file = PROGRAMS / f"{program}.py"
    run(file, folder, tmp_path / "theirs.npz")
    run("-m", "tvmfuse.as_onnxruntime", "--start", "compiled", file, folder, tmp_path / "ours.npz")
    theirs, ours = (dict(np.load(tmp_path / f"{name}.npz")) for name in ("theirs", "ours"))
    assert [*theirs] == [*ours]
    for name, expected in theirs.items():
        compare(name, ours[name], expected)


def compare(name: str, found: Any, expected: Any) -> None:
    """Compare labels and tokens exactly, and other numbers within 1e-3."""
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype), name
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-3, err_msg=name)
    else:
        np.testing.assert_array_equal(found, expected, err_msg=name)
