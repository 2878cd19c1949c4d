"""scratch: folders that builds work in go with the build, and what killed ones left with the next."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from graphs import onnx_model
from onnx import helper
from relax_models import WITHOUT_TORCH

import tvmfuse
from tvmfuse.build import scratch
from tvmfuse.build.scratch import PREFIX, sweep, temporary_folder

MODEL = onnx_model(
    [helper.make_node("Relu", ["x"], ["y"])], {"x": ("float32", (64,))}, {"y": "float32"}
)

#: A compilation whose linker takes a minute.
COMPILES = """
import tvmfuse
tvmfuse.compile(sys.argv[1])
"""
LINKER = '#!/bin/sh\necho $$ > "$TMPDIR/linker"\nexec sleep 60\n'
LONGEST_S = 60


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the system's folder for temporary files, which is the test's own."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path / "temporary"


def left_by(name: str, place: Path) -> Path:
    """Make what a killed build left."""
    folder = place / f"{PREFIX}{name:0>16}"
    folder.mkdir(mode=0o700)
    (folder / "0.o").write_bytes(b"half")
    return folder


def test_a_folder_is_this_users_and_goes_with_all_that_is_in_it(place: Path) -> None:
    with temporary_folder() as folder:
        assert folder.parent == place
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "deep").mkdir()
        (folder / "deep" / "0.o").touch()
    assert not [*place.iterdir()]


def test_a_folder_goes_with_an_error(place: Path) -> None:
    with pytest.raises(ZeroDivisionError), temporary_folder():
        raise ZeroDivisionError
    assert not [*place.iterdir()]


def test_the_next_one_removes_what_a_killed_one_left(place: Path) -> None:
    left = left_by("0", place)
    with temporary_folder() as folder:
        assert [*place.iterdir()] == [folder]
    assert not left.exists()


def test_a_folder_that_somebody_works_in_stays(place: Path) -> None:
    with temporary_folder() as folder:
        sweep(place)
        assert folder.is_dir()


def test_what_nobody_left_stays(place: Path, tmp_path: Path) -> None:
    """A file, a link, folders of other names: nothing of them is ours."""
    kept = tmp_path / "kept"
    kept.mkdir()
    (place / f"{PREFIX}{'1':0>16}").symlink_to(kept)
    (place / f"{PREFIX}{'2':0>16}").touch()
    for name in (f"{PREFIX}notes", "tvmfuse-0123456789abcdef", f"{PREFIX}{'3':0>17}"):
        (place / name).mkdir()
    before = {*place.iterdir()}
    sweep(place)
    assert {*place.iterdir()} == before
    assert kept.is_dir()


def test_another_users_folder_stays(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = left_by("0", place)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    sweep(place)
    assert left.is_dir()


def test_a_place_that_cannot_be_read_is_no_error(place: Path) -> None:
    sweep(place / "nowhere")


def test_a_folder_that_is_swept_before_it_is_locked_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[Path] = []
    locked: Callable[[Path], int | None] = scratch._locked

    def late(folder: Path) -> int | None:
        if len(swept) < 2:
            swept.append(folder)
            sweep(place)
        return locked(folder)

    monkeypatch.setattr(scratch, "_locked", late)
    with temporary_folder() as folder:
        assert [*place.iterdir()] == [folder]
        assert folder not in swept


def test_many_at_once_keep_what_they_write(place: Path) -> None:
    def work(number: int) -> bool:
        with temporary_folder() as folder:
            (folder / "0.o").write_text(str(number))
            time.sleep(0.001)
            return (folder / "0.o").read_text() == str(number)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(400)))
    assert not [*place.iterdir()]


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """Return a folder for PATH with a compiler that takes a minute to link."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "cc").write_text(LINKER)
    (tools / "cc").chmod(0o755)
    return tools


def linking(tmp_path: Path, place: Path, tools: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Start a process that compiles; return it when it links, and its linker's number."""
    before, model = {*place.iterdir()}, tmp_path / "model.onnx"
    model.write_bytes(MODEL.SerializeToString())
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        [sys.executable, "-c", WITHOUT_TORCH + COMPILES, str(model)],
        env={**os.environ, "PATH": path, "TMPDIR": str(place)},
        cwd="/",
    )
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end and process.poll() is None:
        for folder in {*place.iterdir()} - before:
            if (folder / "linker").exists() and (number := (folder / "linker").read_text()):
                return process, int(number)
        time.sleep(0.01)
    process.kill()
    raise AssertionError(f"it does not link: exit {process.wait()}")


def test_a_killed_compilation_leaves_its_folder_to_the_next_one(
    tmp_path: Path, place: Path, slow: Path
) -> None:
    killed, one = linking(tmp_path, place, slow)
    works, other = linking(tmp_path, place, slow)
    try:
        killed.kill()
        killed.wait()
        os.kill(one, signal.SIGKILL)  # the linker does not know that nobody waits for it
        assert len([*place.iterdir()]) == 2
        tvmfuse.compile(MODEL)
        (folder,) = place.iterdir()
        assert int((folder / "linker").read_text()) == other
    finally:
        works.kill()
        works.wait()
        os.kill(other, signal.SIGKILL)
    tvmfuse.compile(MODEL)
    assert not [*place.iterdir()]
