"""A store of compiled kernels that machines share: in Redis, on S3, in a folder of a network's.

Code from it is run. So each entry is signed (HMAC-SHA256, RFC 2104) with a key that its readers and
writers share; without one only a folder will do, in which nobody else can write. A store costs time
and never a compilation: one that fails, or does not answer in time, is left alone for a while.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from tvmfuse.errors import ConfigurationError, first_line
from tvmfuse.format.atomic import replacing
from tvmfuse.format.file_systems import file_system, is_url
from tvmfuse.format.kept_files import KeptFiles

T = TypeVar("T")

SUFFIX: Final = ".kernel"
PREFIX: Final = "tvmfuse:kernel:"
"""How the names of entries begin in Redis."""
SIZE: Final = 32
"""Bytes of a signature, and the fewest of a key."""
FIRST_S: Final = 2.0
"""Seconds in which a store has to answer the first time."""
LATER_S: Final = 20.0
"""Seconds in which it has to send or take what may be megabytes, once it has answered."""
PAUSE_S: Final = 60.0
"""Seconds for which one that failed is left alone."""


@dataclass(frozen=True)
class SharedCache:
    """A kernel cache that machines share, behind each one's own: `compile` takes it as ``cache``.

    Attributes:
        url: ``redis://host:6379/0`` (the extra `redis`), ``s3://bucket/kernels`` (the extra `s3`),
            another URL of fsspec's, or ``file:///mnt/kernels``.
        key: A file of 32 random bytes or more, the same on all machines; by default the one that
            ``TVMFUSE_CACHE_KEY`` names. Who has it can make others run code. Only a folder in which
            nobody else can write needs none.
    """

    url: str
    key: str | os.PathLike[str] | None = None


class Store(Protocol):
    """Bytes by their names; what goes wrong is any exception."""

    def get(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return those that are there."""

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Write them."""


class SignedStore:
    """A store whose entries are signed, and which costs little where it fails.

    Args:
        store: Where they are.
        name: For warnings.
        secret: What they are signed with; None where the store sees to it that they are ours.
    """

    def __init__(self, store: Store, name: str, secret: bytes | None) -> None:
        self._store = store
        self._name = name
        self._secret = secret
        self._patience = FIRST_S
        self._pause = 0.0
        self._warned = False

    def get(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return the entries that are there and signed."""
        found = self._ask(lambda: self._store.get(keys)) if keys else None
        return {k: data[SIZE:] for k, data in (found or {}).items() if self._is_signed(k, data)}

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Write entries."""
        signed = {key: self._signature(key, data) + data for key, data in contents.items()}
        if signed:
            self._ask(lambda: self._store.put(signed))

    def skipped(self, key: str, reason: str) -> None:
        """Say once that an entry is not used."""
        self._warn(f"an entry of {self._name} is not used, and compiled anew: {key}: {reason}")

    def _signature(self, key: str, data: bytes) -> bytes:
        if self._secret is None:
            return bytes(SIZE)
        return hmac.digest(self._secret, key.encode() + b"\0" + data, hashlib.sha256)

    def _is_signed(self, key: str, data: bytes) -> bool:
        if hmac.compare_digest(data[:SIZE], self._signature(key, data[SIZE:])):
            return True
        self.skipped(key, "it is damaged, or was not signed with this key")
        return False

    def _ask(self, work: Callable[[], T]) -> T | None:
        """Return what some work returns in time; None where it does not, or the store rests."""
        if time.monotonic() < self._pause:
            return None
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        # Left behind where it takes too long: not every library of a protocol can be told to stop.
        threading.Thread(target=run, name="tvmfuse-shared-cache", daemon=True).start()
        try:
            result = done.result(self._patience)
        except Exception as error:
            self._pause = time.monotonic() + PAUSE_S
            why = "no answer" if isinstance(error, TimeoutError) else first_line(error)
            self._warn(f"{self._name} is left alone for a while, and kernels compiled here: {why}")
            return None
        self._patience = LATER_S
        return result

    def _warn(self, words: str) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(words, stacklevel=4)


class RedisStore:
    """Strings in Redis."""

    def __init__(self, url: str) -> None:
        try:
            import redis
        except ImportError as error:
            raise ConfigurationError(
                f"{_shown(url)} takes redis-py: python -m pip install 'tvmfuse[redis]'"
            ) from error
        try:
            self._redis = redis.Redis.from_url(
                url, socket_connect_timeout=FIRST_S, socket_timeout=LATER_S
            )
        except ValueError as error:
            raise ConfigurationError(f"{_shown(url)} is no URL of Redis: {error}") from error

    def get(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return those that are there."""
        found: Any = self._redis.mget([f"{PREFIX}{key}" for key in keys])
        return {k: data for k, data in zip(keys, found, strict=True) if data is not None}

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Write them."""
        self._redis.mset({f"{PREFIX}{key}": data for key, data in contents.items()})


class ObjectStore:
    """Objects below a URL of fsspec's."""

    def __init__(self, url: str) -> None:
        self._system, self._root = file_system(url)

    def get(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return those that are there."""
        places = {self._place(key): key for key in keys}
        found = self._system.cat([*places], on_error="return")
        for error in found.values():
            if isinstance(error, Exception) and not isinstance(error, FileNotFoundError):
                raise error
        return {places[p]: data for p, data in found.items() if isinstance(data, bytes)}

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Write them."""
        self._system.pipe({self._place(key): data for key, data in contents.items()})

    def _place(self, key: str) -> str:
        return f"{self._root.rstrip('/')}/{key}{SUFFIX}"


class FolderStore:
    """Files of a folder that others may write to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return those that are there."""
        places = {key: self._folder / f"{key}{SUFFIX}" for key in keys}
        return {key: place.read_bytes() for key, place in places.items() if place.is_file()}

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Write them, each whole or not at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for key, data in contents.items():
            with replacing(self._folder / f"{key}{SUFFIX}", durable=False) as file:
                file.write(data)


class OwnFolderStore:
    """Files of a folder that only this user or root can write to; others' are none."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._files = KeptFiles(folder, SUFFIX, limit, "compiled kernels")

    def get(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return those that are there."""
        found = {key: self._files.read(key, lambda file: file.read()) for key in keys}
        return {key: data for key, data in found.items() if data is not None}

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Write them."""
        self._files.write({k: partial(_write, data=data) for k, data in contents.items()})


def _write(file: BinaryIO, data: bytes) -> None:
    file.write(data)


@cache
def store_of(shared: SharedCache, limit: int) -> SignedStore:
    """Return the store that a process has of a shared cache: all its compilations have one.

    Args:
        shared: Which.
        limit: Bytes that a folder without a key may hold.

    Raises:
        ConfigurationError: It is no URL, or needs a key or a package that is not there.
    """
    url = shared.url
    if not is_url(url):
        raise ConfigurationError(f"expected a URL of a shared cache, found {url!r:.80}")
    protocol, name = url.partition("://")[0], f"the shared kernel cache {_shown(url)}"
    key = shared.key or os.environ.get("TVMFUSE_CACHE_KEY")
    secret = None if key is None else _secret(key)
    if protocol == "file":
        folder = Path(unquote(urlsplit(url).path))
        own = OwnFolderStore(folder, limit) if secret is None else FolderStore(folder)
        return SignedStore(own, name, secret)
    if secret is None:
        raise ConfigurationError(
            f"others may write to {name}, and what they write is run: expected a key, a file "
            "that `openssl rand -out FILE 32` makes: cache=tvmfuse.SharedCache(url, key=FILE), "
            "--cache-key FILE, or the environment's TVMFUSE_CACHE_KEY"
        )
    redis = protocol in ("redis", "rediss", "unix")
    return SignedStore(RedisStore(url) if redis else ObjectStore(url), name, secret)


def _secret(key: str | os.PathLike[str]) -> bytes:
    try:
        secret = Path(key).read_bytes()
    except OSError as error:
        raise ConfigurationError(f"cannot read the key {key}: {error.strerror}") from error
    if len(secret) < SIZE:
        raise ConfigurationError(
            f"{key} has {len(secret)} bytes: expected a key of {SIZE} random bytes or more, as "
            f"`openssl rand -out FILE {SIZE}` makes it"
        )
    return secret


def _shown(url: str) -> str:
    """Return a URL without a password.

    >>> _shown("redis://me:secret@host/0")
    'redis://host/0'
    """
    return re.sub(r"//[^/@]*@", "//", url)
