"""Coverage-guided fuzzing of what reads files: 60 seconds each, and nothing but errors in words."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.reliability

HARNESS = Path(__file__).parents[1] / "fuzz" / "harness.py"


@pytest.mark.parametrize("target", ["import", "manifest", "graph"])
def test_nothing_but_errors_in_words(target: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed: pip install tvmfuse[fuzz]")
    # A program begins with the peak memory of the process that it replaces: here a shell's child.
    fuzz = [sys.executable, str(HARNESS), target, "-max_total_time=60"]
    command = ["sh", "-c", '"$@"; exit $?', "fuzz", *fuzz]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr[-4000:]
    assert "Done" in run.stderr
    assert not [*tmp_path.iterdir()]  # libFuzzer writes what broke it there
