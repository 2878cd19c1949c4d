"""cache: what was put in comes out; whatever else lies there is no entry, and costs no compilation."""

import errno
import os
import socket
import stat
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Never

import pytest

from tvmfuse.build.kernels import cache as kernels
from tvmfuse.build.kernels.cache import LIMIT, Entry, KernelCache, cache_folder
from tvmfuse.format import atomic, record
from tvmfuse.format.atomic import replacing

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
    with pytest.warns(UserWarning, match="a kept entry is not used.*: it is damaged: "):
        assert cache.get(KEY) is None
    cache.put({KEY: ENTRY})
    assert cache.get(KEY) == ENTRY


def test_an_entry_of_another_format_is_none_without_a_word(
    cache: Any, folder: Any, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    older = record.RecordFormat(kernels.FORMAT.magic, kernels.FORMAT.version - 1)
    with monkeypatch.context() as before:
        before.setattr(kernels, "FORMAT", older)
        cache.put({KEY: ENTRY})
    assert cache.get(KEY) is None
    cache.put({KEY: ENTRY})
    assert cache.get(KEY) == ENTRY
    assert not recwarn.list


def test_an_entry_under_another_ones_name_is_none(cache: Any, folder: Any) -> None:
    cache.put({KEY: ENTRY})
    (folder / f"{KEY}.kernel").rename(folder / f"{OTHER}.kernel")
    with pytest.warns(UserWarning, match="it is damaged: it is another one's"):
        assert cache.get(OTHER) is None


def test_what_another_user_wrote_is_none(
    cache: Any, folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put({KEY: ENTRY})
    os.chown(folder / f"{KEY}.kernel", 4711, -1) if os.geteuid() == 0 else monkeypatch.setattr(
        os, "geteuid", lambda: 1
    )
    with pytest.warns(UserWarning, match="another user's, number"):
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


def test_the_folder_is_looked_at_again_when_an_eighth_of_what_is_left_is_written(
    folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    count, make_room = 0, KernelCache._make_room

    def look(self: KernelCache) -> int:
        looked.append(count)
        return make_room(self)

    monkeypatch.setattr(KernelCache, "_make_room", look)
    for count in range(40):
        KernelCache(folder, limit=100_000).put({f"{count:064x}": Entry({}, bytes(4000))})
        assert sum(file.stat().st_size for file in folder.iterdir()) <= 100_000
    # An eighth of 95 kB is less than three entries, of 37 kB one; at the limit each is looked at.
    assert looked[:3] == [0, 3, 6]


def test_what_is_not_an_entry_stays_and_what_nobody_finishes_goes(
    cache: Any, folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As where a file has to have a name while it is written.
    monkeypatch.setattr(atomic, "_nameless", lambda *_: None)
    cache.put({KEY: ENTRY})
    (folder / "notes.txt").touch()
    (folder / ".tvmfuse-0123.tmp").touch()
    with replacing(folder / "another", durable=False):
        cache.put({KEY: ENTRY})
        found = {f.name for f in folder.iterdir()}
    assert found > {f"{KEY}.kernel", "notes.txt"}
    (unfinished,) = found - {f"{KEY}.kernel", "notes.txt"}
    assert unfinished != ".tvmfuse-0123.tmp"


# What is odd costs a warning and never an error, nor a wait.


def warned_once(cache: KernelCache, words: str) -> None:
    """Ask a cache twice for what it does not give, and put something: that is one warning."""

    def use() -> None:
        assert cache.get(KEY) is None
        assert cache.get(KEY) is None
        cache.put({KEY: ENTRY})

    with pytest.warns(UserWarning, match=words) as said:
        use()
    assert len(said) == 1


def writable_by_all(path: Path) -> None:
    path.chmod(0o666)


def a_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_socket(path: Path) -> None:
    path.unlink()
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


def a_device(path: Path) -> None:
    path.unlink()
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))  # /dev/zero has no end
    except PermissionError:
        pytest.skip("only root makes devices")


def a_hole(path: Path) -> None:
    os.truncate(path, LIMIT + 1)


ODD = {
    writable_by_all: "others can write to it",
    a_link: "it is a link",
    a_pipe: "it is a pipe, and no file",
    a_folder: "it is a folder, and no file",
    a_socket: "it is a socket",
    a_device: "it is a device, and no file",
    a_hole: "it has 1073741825 bytes",
}


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.__name__)
def test_an_odd_entry_is_skipped_with_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: Any
) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path is short
    cache = KernelCache(Path("k"))
    cache.put({KEY: ENTRY})
    odd(Path("k") / f"{KEY}.kernel")
    warned_once(cache, f"kept entry is not used.*: {ODD[odd]}")
    if odd is not a_folder:
        assert KernelCache(Path("k")).get(KEY) == ENTRY


@pytest.mark.parametrize("name", ["a\0b", "m" * 300, "\udcff\ud800"], ids=["nul", "long", "text"])
def test_a_folder_that_no_name_fits_costs_one_warning(tmp_path: Path, name: str) -> None:
    cache = KernelCache(tmp_path / name)
    warned_once(cache, "kept")


def test_a_folder_that_others_can_write_to_is_not_used(cache: Any, folder: Any) -> None:
    """What lies there may be theirs, and would be linked and run."""
    cache.put({KEY: ENTRY})
    folder.chmod(0o777)
    before = (folder / f"{KEY}.kernel").stat()
    warned_once(cache, "others can write to the folder, and it is code")
    assert (folder / f"{KEY}.kernel").stat() == before


def test_entries_are_the_users_alone_whatever_the_mask(cache: Any, folder: Any) -> None:
    before = os.umask(0)
    try:
        cache.put({KEY: ENTRY})
    finally:
        os.umask(before)
    assert (folder / f"{KEY}.kernel").stat().st_mode & 0o777 == 0o600


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
        ({"HOME": ""}, "/home/listed/.cache/tvmfuse/kernels"),
        ({}, "/home/listed/.cache/tvmfuse/kernels"),
        ({"HOME": "not/absolute"}, "None"),
    ],
)  # fmt: skip
def test_where_it_is(environment: Any, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = SimpleNamespace(pw_dir="/home/listed")
    monkeypatch.setattr("pwd.getpwuid", lambda _: listed)
    assert str(cache_folder(environment)) == expected


def test_a_user_whom_the_system_does_not_know_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(number: int) -> Never:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert cache_folder({}) is None
