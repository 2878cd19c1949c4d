"""Memory that runs out while a model runs, or is compiled: said to be that, and all stays usable."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from relax_models import WITHOUT_TORCH

pytestmark = pytest.mark.sampled(5)

PROGRAM = Path(__file__).parent / "exhausting.py"
RUN = f"{WITHOUT_TORCH}import runpy; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"


def exhausted(name: str, mib: int) -> dict[str, Any]:
    command = [sys.executable, "-c", RUN, str(PROGRAM), name, str(mib)]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert process.returncode == 0, process.stderr
    found: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("program", ["large_results", "large_copies", "large_feeds"])
def test_a_run_that_does_not_fit_is_an_error_after_which_the_next_is_right(program: str) -> None:
    for way, (kind, said, right) in exhausted(program, 256).items():
        assert kind == "OutOfMemoryError", (way, kind, said)
        assert "ran out of memory on inputs of these sizes" in said
        assert "free memory, or feed it less" in said
        assert right, way


@pytest.mark.parametrize("mib", [1, 2])
def test_a_compilation_that_does_not_fit_is_an_error(mib: int) -> None:
    """Its weights alone take 64 MiB."""
    kind, said = exhausted("compilation", mib)["compile"]
    assert kind == "OutOfMemoryError", said
    assert "memory ran out in the " in said
