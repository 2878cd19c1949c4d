"""Compiled kernels on the disk, for the next compilation of the same ones; whole artifacts, too.

An entry is one file, a `record` named by its key: its header holds the key once more, and what the
compiler wants to know again; its payload is a kernel's object file, or what `tvmfuse.build.kept`
makes of an artifact. Its checksums have to fit, and nothing is unpickled.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

from tvmfuse.build.kernels.shared import SUFFIX, SharedCache, SignedStore, store_of
from tvmfuse.errors import ConfigurationError
from tvmfuse.format.faults import AlteredError, MalformedError, NotWholeError, VersionError
from tvmfuse.format.file_systems import is_url
from tvmfuse.format.kept_files import KeptFiles, user_folder
from tvmfuse.format.record import RecordFormat, check_payloads, read_record, typed, write_record

FORMAT: Final = RecordFormat(b"TVMFUSEK", 3)
LIMIT: Final = 1 << 30  # bytes: 40,000 kernels, some hundred models


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
    """Return where a user's compiled kernels are kept; see `kept_files.user_folder`."""
    return user_folder(environment, "kernels")


class KernelCache(KeptFiles):
    """A folder of what was compiled; several processes may use it at once.

    Args:
        folder: Made when the first entry is written.
        limit: How many bytes it may hold; beyond, entries that were not used for longest go.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        super().__init__(folder, SUFFIX, limit, "compiled kernels")

    def get(self, key: str) -> Entry | None:
        """Return an entry, or None where there is none that can be trusted."""
        return self.read(key, partial(_entry, key=key))

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Write entries; where that fails, say so and leave it."""
        self.write({key: partial(_write, key=key, entry=entry) for key, entry in entries.items()})

    def fetch(self, keys: Collection[str]) -> None:
        """Bring entries that are elsewhere here, all at once: `get` finds them then."""


class SharedKernelCache(KernelCache):
    """A folder of this machine, and behind it what machines share: what it has not, comes here.

    Args:
        folder: See `KernelCache`.
        store: What they share.
    """

    def __init__(self, folder: Path, store: SignedStore) -> None:
        super().__init__(folder)
        self._store = store
        self._asked: set[str] = set()

    def get(self, key: str) -> Entry | None:
        """Return an entry from here or there, or None where there is none that can be trusted."""
        self.fetch([key])
        return super().get(key)

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Write entries here and there."""
        super().put(entries)
        self._store.put({key: _content(key, entry) for key, entry in entries.items()})

    def fetch(self, keys: Collection[str]) -> None:
        """Bring entries here that are not, and that were not asked for before."""
        missing = [k for k in keys if k not in self._asked and not self.path(k).exists()]
        self._asked.update(missing)
        entries = {}
        for key, data in self._store.get(missing).items():
            try:
                entries[key] = _entry(io.BytesIO(data), key)
            except (NotWholeError, AlteredError, MalformedError, VersionError) as error:
                self._store.skipped(key, f"it is damaged: {error or type(error).__name__}")
        if entries:
            super().put(entries)


Cache: TypeAlias = bool | str | os.PathLike[str] | SharedCache
"""Where a caller wants kernels kept: see `kernel_cache`."""


def check_cache(cache: object) -> None:
    """Refuse what says of no cache where it is, before any work.

    Raises:
        ConfigurationError: It does not; or a shared one needs a key or a package.
    """
    if not isinstance(cache, bool | str | os.PathLike | SharedCache):
        raise ConfigurationError(
            f"cache: expected True, False, a folder, a URL or a SharedCache, found {cache!r}"
        )
    if (shared := _shared(cache)) is not None:
        store_of(shared, LIMIT)


def _shared(cache: object) -> SharedCache | None:
    if isinstance(cache, SharedCache):
        return cache
    return SharedCache(cache) if isinstance(cache, str) and is_url(cache) else None


def kernel_cache(*, cache: Cache | KernelCache) -> KernelCache | None:
    """Return the user's cache for True, none for False, the one in the folder named, or itself.

    For a URL it is the user's, with the shared one behind it. Where the user has no home, there is
    none, and a warning says so.
    """
    if isinstance(cache, KernelCache):
        return cache
    if (shared := _shared(cache)) is not None:
        own = kernel_cache(cache=True)
        return None if own is None else SharedKernelCache(own.folder, store_of(shared, LIMIT))
    if isinstance(cache, str | os.PathLike):
        return KernelCache(Path(cache))
    folder = cache_folder(os.environ) if cache else None
    if cache and folder is None:
        warnings.warn(
            "compiled kernels are not kept for the next time: this user has no home; set "
            "XDG_CACHE_HOME, or compile with cache= and a folder's name, or with cache=False",
            stacklevel=2,
        )
    return None if folder is None else KernelCache(folder)


def _write(file: BinaryIO, key: str, entry: Entry) -> None:
    write_record(file, FORMAT, {"key": key, "entry": entry.header}, [entry.code])


def _content(key: str, entry: Entry) -> bytes:
    _write(file := io.BytesIO(), key, entry)
    return file.getvalue()


def _entry(file: BinaryIO, key: str) -> Entry:
    record = read_record(file, FORMAT)
    check_payloads(file, record)
    said = typed(_Header, record.header)
    if said.key != key or len(record.payloads) != 1:
        raise MalformedError("it is another one's")
    ((offset, size),) = record.payloads
    file.seek(offset)
    return Entry(said.entry, file.read(size))
