"""Compiled kernels on the disk, for the next compilation of the same ones; whole artifacts, too.

An entry is one file, a `record` named by its key: its header holds the key once more, and what the
compiler wants to know again; its payload is a kernel's object file, or what `tvmfuse.build.kept`
makes of an artifact.

Code from here is linked and run. So an entry counts only if it and the folder are this user's or
root's, nobody else can write to them, and its digest fits; any other is no entry, and is written
anew. Nothing is unpickled.

A cache costs time and never a compilation: whatever is odd about it is skipped, with one warning.
"""

from __future__ import annotations

import errno
import os
import pwd
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from tvmfuse.format.atomic import replacing, sweep
from tvmfuse.format.record import (
    AlteredError,
    MalformedError,
    NotWholeError,
    RecordFormat,
    VersionError,
    check_payloads,
    read_record,
    typed,
    write_record,
)
from tvmfuse.format.regular import open_regular

FORMAT: Final = RecordFormat(b"TVMFUSEK", 2)
SUFFIX: Final = ".kernel"
LIMIT: Final = 1 << 30  # bytes: 40,000 kernels, some hundred models
#: What is left when entries have to go, so that not each new one sweeps the folder.
LEFT: Final = 0.8
#: How many processes may fill a folder at once before it holds more than its limit.
WRITERS: Final = 8
#: Permissions of others that make what is kept theirs.
WRITABLE: Final = 0o022


#: Device and number of a folder, and its limit -> bytes that this process writes before it looks
#: again at all that is there, which takes as long as a small compilation.
_room: Final[dict[tuple[int, int, int], int]] = {}


@dataclass(frozen=True)
class Entry:
    """One compiled kernel, or an artifact.

    Attributes:
        header: Anything that JSON can hold.
        code: The object file, or the library.
    """

    header: Mapping[str, Any]
    code: bytes


@dataclass(frozen=True)
class _Header:
    key: str
    entry: Mapping[str, Any]


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return where a user's compiled kernels are kept, as the XDG specification has it.

    None where the user has no home, as one that a container was given by its number alone.

    >>> str(cache_folder({"HOME": "/home/me"}))
    '/home/me/.cache/tvmfuse/kernels'
    """
    chosen = Path(environment.get("XDG_CACHE_HOME", ""))
    if not chosen.is_absolute():
        chosen = Path(environment.get("HOME") or _home(), ".cache")
    return chosen / "tvmfuse" / "kernels" if chosen.is_absolute() else None


def _home() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


class KernelCache:
    """A folder of what was compiled; several processes may use it at once.

    Args:
        folder: Made when the first entry is written.
        limit: How many bytes it may hold; beyond, entries that were not used for longest go.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self._folder = folder
        self._limit = limit
        self._warned = False

    def get(self, key: str) -> Entry | None:
        """Return an entry, or None where there is none that can be trusted."""
        try:
            with self._opened() as folder, self._file(key, folder) as file:
                with suppress(OSError):  # A folder that can only be read serves as well.
                    os.utime(file.fileno())
                return _entry(file, key)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self.skipped(key, str(error.strerror or error))
        except (NotWholeError, AlteredError, VersionError, MalformedError) as error:
            self.skipped(key, f"it is damaged: {str(error) or type(error).__name__}")
        return None

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Write entries; where that fails, say so and leave it."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._opened() as folder:
                sweep(self._folder)
                written = 0
                for key, entry in entries.items():
                    header = {"key": key, "entry": entry.header}
                    with replacing(self._path(key), mode=0o600, durable=False) as file:
                        write_record(file, FORMAT, header, [entry.code])
                        written += file.tell()
                self._make_room_for(written, os.fstat(folder))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self._warn(
                f"compiled kernels are not kept for the next time in {self._folder}: {reason}"
            )

    def skipped(self, key: str, reason: str) -> None:
        """Say once that something that was kept is not used."""
        self._warn(f"a kept entry is not used, and compiled anew: {self._path(key)}: {reason}")

    def _warn(self, words: str) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(words, stacklevel=4)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}{SUFFIX}"

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the folder, so that it is the same one for what was checked and for what is read."""
        try:
            descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except ValueError as error:  # a NUL
            raise OSError(errno.EINVAL, f"no folder has such a name: {error}") from error
        try:
            _check_own(os.fstat(descriptor), "the folder")
            yield descriptor
        finally:
            os.close(descriptor)

    def _file(self, key: str, folder: int) -> BinaryIO:
        file = open_regular(f"{key}{SUFFIX}", follow=False, folder=folder)
        try:
            status = os.fstat(file.fileno())
            _check_own(status, "it")
            _check_size(status, self._limit)
        except OSError:
            file.close()
            raise
        return file

    def _make_room_for(self, written: int, folder: os.stat_result) -> None:
        """Look at the folder's size where it may be beyond the limit by what was written."""
        key = folder.st_dev, folder.st_ino, self._limit
        left = _room.get(key, -1) - written
        _room[key] = left if left >= 0 else self._make_room() // WRITERS

    def _make_room(self) -> int:
        """Remove entries, those not used for longest first, until the folder is small enough.

        Returns:
            The bytes that are left below the limit.
        """
        found = []
        with os.scandir(self._folder) as there:
            for entry in there:
                if entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                    with suppress(FileNotFoundError):  # another process makes room, too
                        status = entry.stat(follow_symlinks=False)
                        found.append((status.st_mtime, status.st_size, entry.path))
        size = sum(s for _, s, _ in found)
        wanted = size if size <= self._limit else LEFT * self._limit
        for _, nbytes, path in sorted(found):
            if size <= wanted:
                break
            Path(path).unlink(missing_ok=True)
            size -= nbytes
        return self._limit - size


def kernel_cache(*, cache: bool | str | os.PathLike[str] | KernelCache) -> KernelCache | None:
    """Return the user's cache for True, none for False, the one in the folder named, or itself.

    Where the user has no home, there is none, and a warning says so.
    """
    if isinstance(cache, KernelCache):
        return cache
    if not isinstance(cache, bool):
        return KernelCache(Path(cache))
    folder = cache_folder(os.environ) if cache else None
    if cache and folder is None:
        warnings.warn(
            "compiled kernels are not kept for the next time: this user has no home; set "
            "XDG_CACHE_HOME, or compile with cache= and a folder's name, or with cache=False",
            stacklevel=2,
        )
    return None if folder is None else KernelCache(folder)


def _check_own(status: os.stat_result, what: str) -> None:
    if status.st_uid not in (os.geteuid(), 0):
        raise OSError(errno.EPERM, f"{what} is another user's, number {status.st_uid}")
    if status.st_mode & WRITABLE:
        raise OSError(errno.EPERM, f"others can write to {what}, and it is code: chmod go-w")


def _check_size(status: os.stat_result, limit: int) -> None:
    if status.st_size > limit:
        raise OSError(errno.EFBIG, f"it has {status.st_size} bytes")


def _entry(file: BinaryIO, key: str) -> Entry:
    record = read_record(file, FORMAT)
    check_payloads(file, record)
    said = typed(_Header, record.header)
    if said.key != key or len(record.payloads) != 1:
        raise MalformedError("it is another one's")
    ((offset, size),) = record.payloads
    file.seek(offset)
    return Entry(said.entry, file.read(size))
