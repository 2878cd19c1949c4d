"""Children of a process that uses a model compute what it computes, however they are started."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from reliability.children import WAYS
from reliability.processes import network

import tvmfuse

PROGRAM: Final = Path(__file__).with_name("children.py")

#: Seconds in which children have computed or said why not, their start included.
BOUND: Final = 5.0


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("children") / "model.so"
    tvmfuse.compile(network()).save(path)
    return path


def seconds(how: str, model: Path, count: int) -> list[float]:
    command = [sys.executable, PROGRAM, how, model, count]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=60 * count)
    assert done.returncode == 0, done.stderr
    found: list[float] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.sampled(3)
def test_children_compute(how: str, model: Path) -> None:
    assert len(seconds(how, model, 1)) == 1


@pytest.mark.reliability
@pytest.mark.alone
@pytest.mark.parametrize("how", WAYS)
def test_children_compute_within_seconds(how: str, model: Path) -> None:
    found = seconds(how, model, 20)
    print(how, max(found))
    assert max(found) < BOUND
