"""target.caches: what Linux and glibc tell of the caches, on machines made of files."""

from pathlib import Path
from typing import Any

import pytest

from tvmfuse.target.caches import FOLDER, SYSCONF, Caches, find

ZEN4 = [
    ("1", "Data", "32K", "64", "0,8"),
    ("1", "Instruction", "64K", "64", "0,8"),
    ("2", "Unified", "1024K", "64", "0,8"),
    ("3", "Unified", "32768K", "64", "0-15"),
]
NAMES = ("level", "type", "size", "coherency_line_size", "shared_cpu_list")


def machine(folder: Any, caches: Any) -> Any:
    for number, cache in enumerate(caches):
        index = folder / f"index{number}"
        index.mkdir()
        for name, text in zip(NAMES, cache, strict=True):
            if text is not None:
                (index / name).write_text(text + "\n")
    return folder


def test_reads_each_level_and_shares_the_last_among_cores(tmp_path: Path) -> None:
    """Sixteen hardware threads are eight cores, of which each has an eighth."""
    found = find(machine(tmp_path, ZEN4))
    assert found == Caches(64, 32 << 10, 1 << 20, 4 << 20)


def test_megabytes(tmp_path: Path) -> None:
    assert find(machine(tmp_path, [("2", "Unified", "2M", "64", "0")])).l2_bytes == 2 << 20


@pytest.mark.parametrize(
    ("cache", "found"),
    [
        (("2", "Unified", "0K", "64", "0"), Caches(line_bytes=64)),
        (("2", "Unified", "", "0", "0"), Caches()),
        (("2", "Unified", None, None, None), Caches()),
        (("2", "Unified", "1024K", "4096", ""), Caches(l2_bytes=1 << 20)),
        (("2", "Instruction", "1024K", "64", "0"), Caches()),
        (("x", "Unified", "1024K", "64", "0"), Caches()),
        (("2", "Unified", "lots", "64", "0"), Caches(line_bytes=64)),
        (("2", "Unified", "999999M", "64", "0"), Caches(line_bytes=64)),
        (("3", "Unified", "8192K", "64", "-"), Caches(64, None, None, 8 << 20)),
    ],
    ids=str,
)
def test_what_a_hypervisor_leaves_out_or_invents_is_not_known(
    tmp_path: Path, cache: Any, found: Any
) -> None:
    assert find(machine(tmp_path, [cache])) == found


def test_without_the_folder_glibc_is_asked(tmp_path: Path) -> None:
    said = {SYSCONF["l1_bytes"]: 49152, SYSCONF["line_bytes"]: 64, SYSCONF["l2_bytes"]: 2 << 20}
    assert find(tmp_path / "none", said.__getitem__) == Caches(64, 48 << 10, 2 << 20)


def test_the_folder_counts_before_glibc(tmp_path: Path) -> None:
    found = find(machine(tmp_path, ZEN4[:1]), lambda _: 1 << 20)
    assert (found.l1_bytes, found.l2_bytes) == (32 << 10, 1 << 20)


@pytest.mark.parametrize("error", [OSError, ValueError])
def test_a_c_library_that_does_not_know_says_nothing(tmp_path: Path, error: Any) -> None:
    def refuse(number: int) -> int:
        raise error(number)

    assert find(tmp_path, refuse) == find(tmp_path, lambda _: 0) == find(tmp_path) == Caches()


def test_a_target_states_what_was_found(tmp_path: Path) -> None:
    found = find(machine(tmp_path, ZEN4))
    assert found.model == "line=64,l1d=32768,l2=1048576"
    assert Caches.stated(found.model) == Caches(64, 32 << 10, 1 << 20)
    assert Caches.stated("l2=0") == Caches.stated("EPYC") == Caches()


def test_this_machine_can_be_asked() -> None:
    """Whatever it says: the one test that asks it."""
    assert isinstance(find(FOLDER), Caches)
