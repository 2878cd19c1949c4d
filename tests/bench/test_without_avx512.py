"""`bench.without_avx512`: what a library is told, and what a command finds."""

from __future__ import annotations

import ctypes
import importlib.util
import mmap
import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from bench import without_avx512
from bench.without_avx512 import ASKED, TOLD, hidden, hide
from tvmfuse.target import host_cpu

RET = b"\xc3"

SHOWN = """
import onnxruntime
from tvmfuse.target.resolve import this_machine
print(this_machine().name, onnxruntime.__file__)
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="machine code for x86-64")
def test_the_answer_is_x87_sse_and_avx() -> None:
    with mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC) as page:
        page.write(hidden(ASKED + RET))
        start = ctypes.c_char.from_buffer(page)
        assert ctypes.CFUNCTYPE(ctypes.c_uint64)(ctypes.addressof(start))() == 0b111
        del start


def test_only_the_question_changes_and_nothing_moves() -> None:
    code = b"before" + ASKED + b"between" + ASKED[2:] + ASKED
    assert hidden(code) == b"before" + TOLD + b"between" + ASKED[2:] + TOLD
    assert hidden(b"no question") == b"no question"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with one library, on a CPU that has AVX-512."""
    folder = tmp_path / "installed" / "engine"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "library.so.1").write_bytes(ASKED)
    cpuinfo = tmp_path / "real"
    cpuinfo.write_text("flags : fma avx2 avx512f avx_vnni avx512_bf16 bmi2\n")
    found = {"engine": SimpleNamespace(origin=str(folder / "__init__.py"))}
    monkeypatch.setattr(without_avx512, "PACKAGES", ("engine", "not_installed"))
    monkeypatch.setattr(importlib.util, "find_spec", found.get)
    monkeypatch.setitem(vars(host_cpu), "CPUINFO", cpuinfo)
    return folder


def test_copies_change_and_what_is_installed_stays(package: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hidden"
    assert hide(folder) == ["engine"]
    assert (folder / "engine" / "library.so.1").read_bytes() == TOLD
    assert (package / "library.so.1").read_bytes() == ASKED
    assert (folder / "cpuinfo").read_text() == "flags : fma avx2 bmi2\n"


def test_a_package_that_asks_nowhere_is_an_error(package: Path, tmp_path: Path) -> None:
    (package / "library.so.1").write_bytes(ASKED[2:])
    with pytest.raises(click.ClickException, match="no library of engine asks in a way that is"):
        hide(tmp_path / "hidden")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="hides what x86-64 has")
def test_a_command_finds_a_machine_without_avx512() -> None:
    command = [sys.executable, "-m", "bench.without_avx512", "-c", SHOWN]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    name, place = found.stdout.split()
    assert "avx512" not in name
    assert place != importlib.util.find_spec("onnxruntime").origin  # type: ignore[union-attr]
    assert "onnxruntime: a copy that finds no AVX-512" in found.stderr


def test_the_commands_exit_status_is_its_own() -> None:
    command = [sys.executable, "-m", "bench.without_avx512", "-c", "raise SystemExit(7)"]
    assert subprocess.run(command, capture_output=True).returncode == 7
