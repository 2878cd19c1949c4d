"""What docs/how-to/deploy.md ships runs: an image of four files, and what is said without /proc."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tvmfuse.c.export import export

PAGE = Path(__file__).parents[2] / "docs/how-to/deploy.md"
BUILD, CHROOT, MEASURE = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
AS_ROOT = ["unshare", "--mount", "--map-root-user"]


@pytest.fixture
def image(model_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """Return the folder in which the page's first lines made an image."""
    if shutil.which("cc") is None:
        pytest.skip("the page compiles with cc, which is not installed")
    if subprocess.run([*AS_ROOT, "mount", "--rbind", "/proc", "/proc"], check=False).returncode:
        pytest.skip("this system lets nobody mount in a namespace of his own")
    export(model_file("rows"), tmp_path / "model.tar.gz")
    done = run(BUILD, tmp_path)
    assert done.returncode == 0, done.stderr
    return tmp_path / "model"


def run(lines: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    command = ["sh", "-ec", lines]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def test_four_files_are_all_that_a_model_takes(image: Path) -> None:
    done = run(CHROOT, image)
    assert done.returncode == 0, done.stderr
    assert "output y: float32[4, 6]\noutput0.bin: 96 bytes\n" in done.stdout
    files = [file for file in (image / "image").rglob("*") if file.is_file()]
    assert len(files) == 4 + 1, files  # and what it wrote


def test_without_proc_an_error_says_so(image: Path) -> None:
    done = run(CHROOT.replace("mount --rbind /proc image/proc && ", ""), image)
    assert done.returncode == 1
    assert "/proc/cpuinfo, which says what this machine's has, cannot be read" in done.stderr


def test_a_start_is_measured_with_the_digest_and_without(image: Path) -> None:
    done = run(MEASURE + BUILD.splitlines()[1] + "\n./run model.so", image)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^opened in .*^ran in ", done.stdout, re.M | re.S)) == 1
    assert done.stdout.count("opened in ") == 2
    assert "tvmfuse_open(argv[1], &(tvmfuse_options){" in (image / "run.c").read_text()
