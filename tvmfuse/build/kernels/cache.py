"""Compiled kernels on the disk, for the next compilation of the same ones.

An entry is one file, a `record` named by the kernel's key: its header holds the key once more, and
what the compiler wants to know again; its payload is an object file.

Code from here is linked and run. So an entry counts only if this user or root owns it and its
digest fits; any other is no entry, and is written anew. Nothing is unpickled.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from tvmfuse.errors import ArtifactError
from tvmfuse.format.record import (
    AlteredError,
    NotWholeError,
    RecordFormat,
    VersionError,
    check_payloads,
    read_record,
    write_record,
)

FORMAT: Final = RecordFormat(b"TVMFUSEK", 2)
SUFFIX: Final = ".kernel"
LIMIT: Final = 1 << 30  # bytes: 40,000 kernels, some hundred models
#: What is left when entries have to go, so that not each new one sweeps the folder.
LEFT: Final = 0.8
#: Seconds after which a file that is still being written has no writer any more.
ABANDONED: Final = 3600


@dataclass(frozen=True)
class Entry:
    """One compiled kernel.

    Attributes:
        header: Anything that JSON can hold.
        code: The object file.
    """

    header: Mapping[str, Any]
    code: bytes


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Return where a user's compiled kernels are kept, as the XDG specification has it.

    >>> str(cache_folder({"HOME": "/home/me"}))
    '/home/me/.cache/tvmfuse/kernels'
    """
    chosen = Path(environment.get("XDG_CACHE_HOME", ""))
    folder = chosen if chosen.is_absolute() else Path(environment.get("HOME", "~"), ".cache")
    return folder.expanduser() / "tvmfuse" / "kernels"


class KernelCache:
    """A folder of compiled kernels; several processes may use it at once.

    What goes wrong with it costs time and never a compilation.

    Args:
        folder: Made when the first entry is written.
        limit: How many bytes it may hold; beyond, entries that were not used for longest go.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self._folder = folder
        self._limit = limit

    def get(self, key: str) -> Entry | None:
        """Return an entry, or None where there is none that can be trusted."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_uid not in (os.geteuid(), 0):
                    return None
                entry = _entry(file, key)
        except OSError:
            return None
        with suppress(OSError):  # A folder that can only be read serves as well.
            os.utime(path)
        return entry

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Write entries; where that fails, say so once and leave it."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for key, entry in entries.items():
                header = {"key": key, "entry": entry.header}
                write_record(self._path(key), FORMAT, header, [entry.code], durable=False)
            self._sweep()
        except (ArtifactError, OSError) as error:
            warnings.warn(f"compiled kernels are not kept for the next time: {error}", stacklevel=2)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}{SUFFIX}"

    def _sweep(self) -> None:
        """Remove entries, those not used for longest first, until the folder is small enough."""
        found = []
        for file in self._folder.glob(f"*{SUFFIX}*"):
            try:
                status = file.stat()
            except FileNotFoundError:  # another process sweeps, too
                continue
            found.append((status.st_mtime, status.st_size, file))
        size = sum(s for _, s, _ in found)
        wanted = size if size <= self._limit else LEFT * self._limit
        for used, bytes_, file in sorted(found):
            whole = file.suffix == SUFFIX
            if size > wanted if whole else time.time() - used > ABANDONED:
                file.unlink(missing_ok=True)
                size -= bytes_


def _entry(file: BinaryIO, key: str) -> Entry | None:
    try:
        record = read_record(file, FORMAT)
        check_payloads(file, record)
    except (NotWholeError, AlteredError, VersionError):
        return None
    if record.header["key"] != key:
        return None
    ((offset, size),) = record.payloads
    file.seek(offset)
    return Entry(record.header["entry"], file.read(size))
