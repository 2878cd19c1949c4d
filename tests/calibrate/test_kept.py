"""calibrate.kept: a CPU is measured once, and what is kept of it counts if it can be read."""

from pathlib import Path

import pytest
from pretended_cpu import TWO_A_CYCLE
from tvm.target import Target

from tvmfuse.calibrate import kept
from tvmfuse.calibrate.kept import calibrated
from tvmfuse.target import host_cpu
from tvmfuse.target.calibration import Calibration
from tvmfuse.target.resolve import resolve

HERE = resolve("llvm")


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the targets that were measured, as pretended here."""
    seen: list[str] = []

    def measure(target: Target) -> Calibration:
        seen.append(str(target))
        return TWO_A_CYCLE

    monkeypatch.setattr(kept, "measure", measure)
    monkeypatch.setattr(kept, "_here", {})
    return seen


def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_here", {})


def test_the_next_process_takes_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measured: list[str]
) -> None:
    said: list[str] = []
    for _ in range(2):
        assert calibrated(HERE, tmp_path / "new", said.append) == TWO_A_CYCLE
        another_process(monkeypatch)
    assert measured == [str(HERE)]
    assert said == ["measure this CPU, once"]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"fma_ns": 0.1}', b"\xff" * 9])
def test_a_damaged_file_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measured: list[str], content: bytes
) -> None:
    calibrated(HERE, tmp_path)
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    file.write_bytes(content)
    another_process(monkeypatch)
    assert calibrated(HERE, tmp_path) == TWO_A_CYCLE
    assert len(measured) == 2
    assert file.read_bytes() == good


def test_without_a_folder_it_is_measured_once_in_a_process(
    tmp_path: Path, measured: list[str]
) -> None:
    (file := tmp_path / "file").touch()
    for folder in (file / "no folder", file, None):
        assert calibrated(HERE, folder) == TWO_A_CYCLE
    assert len(measured) == 1


def test_another_cpu_or_vector_is_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measured: list[str]
) -> None:
    calibrated(HERE, tmp_path)
    calibrated(resolve("avx2"), tmp_path)
    another_process(monkeypatch)
    monkeypatch.setattr(host_cpu, "identity", lambda: frozenset({"model : 1"}))
    calibrated(HERE, tmp_path)
    assert len(measured) == len([*tmp_path.iterdir()]) == 3
