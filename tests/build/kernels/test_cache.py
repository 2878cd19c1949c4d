"""cache: what was put in comes out; whatever else lies there is no entry, and costs no compilation."""

import errno
import os
import threading
import time
from pathlib import Path
from typing import Any, Never

import pytest

from tvmfuse.build.kernels.cache import Entry, KernelCache, cache_folder
from tvmfuse.format import record

KEY, OTHER = "ab" * 32, "cd" * 32
ENTRY = Entry({"schedule": "matmul", "declined": {"conv": "no window"}}, b"\x7fELF code")


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    return tmp_path / "kernels"


@pytest.fixture
def cache(folder: Any) -> Any:
    return KernelCache(folder)


def test_what_was_put_in_comes_out(cache: Any, folder: Any) -> None:
    assert cache.get(KEY) is None
    cache.put({KEY: ENTRY, OTHER: Entry({}, b"")})
    assert KernelCache(folder).get(KEY) == ENTRY
    assert cache.get(OTHER) == Entry({}, b"")
    assert sorted(f.name for f in folder.iterdir()) == [f"{KEY}.kernel", f"{OTHER}.kernel"]


def test_only_the_user_may_enter_the_folder(cache: Any, folder: Any) -> None:
    cache.put({KEY: ENTRY})
    assert folder.stat().st_mode & 0o777 == 0o700


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda c: b"", lambda c: c[:10], lambda c: c[:-1], lambda c: c + b"\0", lambda c: b"\0" * len(c),
        lambda c: flipped(c, 0), lambda c: flipped(c, 20), lambda c: flipped(c, 55), lambda c: flipped(c, -2),
    ],
    ids=["empty", "start", "end", "longer", "zeros", "magic", "digest", "header", "code"],
)  # fmt: skip
def test_a_damaged_entry_is_none_and_is_written_anew(cache: Any, folder: Any, damage: Any) -> None:
    cache.put({KEY: ENTRY})
    file = folder / f"{KEY}.kernel"
    file.write_bytes(damage(file.read_bytes()))
    assert cache.get(KEY) is None
    cache.put({KEY: ENTRY})
    assert cache.get(KEY) == ENTRY


def test_an_entry_under_another_ones_name_is_none(cache: Any, folder: Any) -> None:
    cache.put({KEY: ENTRY})
    (folder / f"{KEY}.kernel").rename(folder / f"{OTHER}.kernel")
    assert cache.get(OTHER) is None


def test_what_another_user_wrote_is_none(
    cache: Any, folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put({KEY: ENTRY})
    os.chown(folder / f"{KEY}.kernel", 4711, -1) if os.geteuid() == 0 else monkeypatch.setattr(
        os, "geteuid", lambda: 1
    )
    assert cache.get(KEY) is None


def test_a_folder_that_can_only_be_read_serves(cache: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put({KEY: ENTRY})

    def refuse(*_: Any) -> Never:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "utime", refuse)
    assert cache.get(KEY) == ENTRY


def test_a_folder_that_cannot_be_made_costs_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = KernelCache(tmp_path / "file" / "kernels")
    assert cache.get(KEY) is None
    with pytest.warns(UserWarning, match=r"compiled kernels are not kept.*Not a directory") as said:
        cache.put({KEY: ENTRY, OTHER: ENTRY})
    assert len(said) == 1


def test_a_full_disk_costs_a_warning_and_leaves_nothing_half_written(
    cache: Any, folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> Never:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(f"{record.__name__}.json.dumps", full)
    with pytest.warns(UserWarning, match="No space left on device"):
        cache.put({KEY: ENTRY})
    assert list(folder.iterdir()) == []


def put(cache: KernelCache, folder: Any, key: str, used: float, size: int = 1000) -> None:
    cache.put({key: Entry({}, bytes(size))})
    os.utime(folder / f"{key}.kernel", (used, used))


def test_beyond_the_limit_those_not_used_for_longest_go(folder: Any) -> None:
    large, small = KernelCache(folder), KernelCache(folder, limit=5000)
    for age, key in enumerate("abcd"):
        put(large, folder, key, time.time() - 100 + age)
    assert large.get("a") is not None  # which uses it
    small.put({"e": Entry({}, bytes(1000))})
    assert {f.stem for f in folder.iterdir()} == {"a", "d", "e"}


def test_what_is_not_an_entry_stays_and_what_nobody_finishes_goes(cache: Any, folder: Any) -> None:
    cache.put({KEY: ENTRY})
    others = [folder / "notes.txt", folder / ".x.kernel.new.tmp", folder / ".x.kernel.old.tmp"]
    for file in others:
        file.write_bytes(b"?")
    os.utime(others[2], (0, 0))
    cache.put({KEY: ENTRY})
    assert {f.name for f in folder.iterdir()} == {f"{KEY}.kernel", "notes.txt", ".x.kernel.new.tmp"}


def test_writers_and_readers_at_once(folder: Any) -> None:
    entries = {f"{n:064x}": Entry({"n": n}, bytes([n]) * 5000) for n in range(8)}
    found: list[Any] = []

    def work() -> None:
        cache = KernelCache(folder, limit=20_000)
        for _ in range(20):
            cache.put(entries)
            found.extend((key, entry) for key in entries if (entry := cache.get(key)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found
    assert all(entries[key] == entry for key, entry in found)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"XDG_CACHE_HOME": "/fast", "HOME": "/home/me"}, "/fast/tvmfuse/kernels"),
        ({"XDG_CACHE_HOME": "not/absolute", "HOME": "/home/me"}, "/home/me/.cache/tvmfuse/kernels"),
        ({"XDG_CACHE_HOME": "", "HOME": "/home/me"}, "/home/me/.cache/tvmfuse/kernels"),
    ],
)  # fmt: skip
def test_where_it_is(environment: Any, expected: str) -> None:
    assert str(cache_folder(environment)) == expected
