"""Writing a file so that a reader sees the old one or the new one, never half of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tvmfuse.errors import ArtifactError


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, durable: bool = True) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its name only when it is whole and on the disk.

    What is there and is no file, ``/dev/null`` or a pipe, is written to as it is.

    Args:
        path: Its name.
        durable: Whether it has to be on the disk even if the machine fails then.

    Raises:
        ArtifactError: It cannot be written; what stood there stays.
    """
    place = Path(path)
    try:
        if place.exists() and not place.is_file():
            with place.open("wb") as device:
                yield device
            return
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".tmp", dir=place.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            Path(name).chmod(0o666 & ~_umask())
            Path(name).replace(place)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise ArtifactError(f"cannot write {place}: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file, in UTF-8, that is there as a whole or not at all.

    Raises:
        ArtifactError: It cannot be written; what stood there stays.
    """
    with atomic_write(path, durable=False) as file:
        file.write(text.encode())
