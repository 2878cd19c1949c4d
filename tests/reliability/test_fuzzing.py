"""Coverage-guided fuzzing of what reads files: 60 seconds each, and nothing but errors in words."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.reliability

FOLDER = Path(__file__).parents[1] / "fuzz"


@pytest.mark.parametrize("target", ["import", "manifest", "graph"])
def test_nothing_but_errors_in_words(target: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed: pip install tvmfuse[fuzz]")
    fuzzed([str(FOLDER / "harness.py"), target], tmp_path)


def test_c_refuses_files_in_words_or_describes_them(tmp_path: Path) -> None:
    if shutil.which("clang") is None:
        pytest.skip("clang is not installed: apt-get install clang libclang-rt-dev")
    fuzzed([str(FOLDER / "c_reader.py")], tmp_path)


def fuzzed(harness: list[str], folder: Path) -> None:
    # A program begins with the peak memory of the process that it replaces: here a shell's child.
    command = ["sh", "-c", '"$@"; exit $?', "fuzz", sys.executable, *harness, "-max_total_time=60"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr[-4000:]
    assert "Done" in run.stderr
    assert not [*folder.iterdir()]  # libFuzzer writes what broke it there
