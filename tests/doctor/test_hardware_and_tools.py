"""Hardware, linker and kernel cache: what keeps a model from being compiled is found."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest

from tvmfuse.doctor.diagnosis import Check
from tvmfuse.doctor.hardware import Hardware, check_hardware
from tvmfuse.doctor.tools import check_cache, check_linker, check_tools
from tvmfuse.target.caches import Caches

GOOD = Hardware(
    processor="x86_64",
    cpu="AMD EPYC",
    features=frozenset({"avx2", "fma"}),
    caches=Caches(l1_bytes=32768, l2_bytes=524288),
    cpus=4,
    quota=None,
    cores=2,
    variables={"TVM_NUM_THREADS": "2"},
)


def findings(machine: Hardware) -> Sequence[Check]:
    return [check for check in check_hardware(machine) if check.problem]


def test_a_good_machine_has_no_finding() -> None:
    assert not findings(GOOD)
    assert not findings(dataclasses.replace(GOOD, caches=Caches(), quota=1))
    arm = dataclasses.replace(GOOD, processor="aarch64", features=frozenset({"neon"}))
    assert not findings(arm)


def test_what_a_machine_has_is_told() -> None:
    found = {check.name: check.found for check in check_hardware(GOOD)}
    assert found["caches"] == "l1 32 KiB, l2 512 KiB"
    assert found["CPUs"] == "4 may be used; cgroup quota: none"
    assert found["threads"] == "2 compute by default"


@pytest.mark.parametrize(
    ("changed", "name", "words"),
    [
        ({"features": frozenset({"fma"})}, "features", "lacks avx2"),
        ({"processor": "riscv64"}, "CPU", "found riscv64"),
        ({"variables": {"TVM_NUM_THREADS": "two"}}, "TVM_NUM_THREADS", "whole number"),
    ],
)
def test_what_kernels_lack_is_found(changed: dict[str, object], name: str, words: str) -> None:
    (found,) = findings(dataclasses.replace(GOOD, **changed))  # type: ignore[arg-type]
    assert found.name == name
    assert words in found.problem


def tool(folder: Path, code: str) -> None:
    file = folder / "cc"
    file.write_text(f"#!/bin/sh\n{code}\n")
    file.chmod(0o755)


def test_a_linker_says_its_version(tmp_path: Path) -> None:
    tool(tmp_path, "echo cc 1.2; echo more")
    assert check_linker(str(tmp_path)) == Check("tools", "linker", f"{tmp_path}/cc, cc 1.2")


def test_no_linker_and_a_broken_one_are_found(tmp_path: Path) -> None:
    assert "none is in the PATH" in check_linker(str(tmp_path)).problem
    tool(tmp_path, "exit 3")
    assert "exit status 3" in check_linker(str(tmp_path)).problem


def test_a_cache_that_can_be_used_has_no_finding(tmp_path: Path) -> None:
    (tmp_path / "one.kernel").write_bytes(bytes(3 << 20))
    tmp_path.chmod(0o700)
    found = check_cache(tmp_path)
    assert not found.problem
    assert found.found == f"{tmp_path}, kernels: 1, 3 of 1024 MiB, mode 0700"
    assert not check_cache(tmp_path / "not" / "yet").problem


def test_a_cache_that_others_can_write_is_found(tmp_path: Path) -> None:
    tmp_path.chmod(0o770)
    assert "chmod 700" in check_cache(tmp_path).problem


def test_a_file_in_the_place_of_the_cache_is_found(tmp_path: Path) -> None:
    (file := tmp_path / "kernels").touch()
    assert "is no folder" in check_cache(file).problem
    assert "cannot be written" in check_cache(file / "kernels").problem


def test_a_cache_that_cannot_be_written_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr("os.access", lambda _path, _mode: False)  # root may write anything
    assert "cannot be written" in check_cache(tmp_path).problem
    assert "cannot be written" in check_cache(tmp_path / "kernels").problem


def test_a_cache_of_somebody_else_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    uid = tmp_path.stat().st_uid
    monkeypatch.setattr("os.geteuid", lambda: uid + 1)
    expected = f"belongs to user {uid}" if uid else ""  # root's can be trusted
    assert check_cache(tmp_path).problem.startswith(expected)


def test_tools_look_where_the_environment_says(tmp_path: Path) -> None:
    environment = {"PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    linker, cache = check_tools(environment)
    assert linker.problem
    assert cache.found.startswith(f"{tmp_path}/tvmfuse/kernels")
