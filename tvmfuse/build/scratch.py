"""The folders that builds work in: gone when a build ends, and at the next one if it was killed.

A build holds a lock on its folder. A lock ends with its process, however that ends: so who builds
next can tell what a killed one left, and removes it.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from tvmfuse.format.regular import is_named
from tvmfuse.unfinished import undone

PREFIX: Final = "tvmfuse-build-"
NAME: Final = re.compile(rf"{PREFIX}[0-9a-f]{{16}}")
OPEN: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder that only this user can read, and remove it with all that is in it.

    What killed processes of this user left in the same place goes first.

    Raises:
        OSError: It cannot be made.
    """
    place = Path(tempfile.gettempdir())
    sweep(place)
    while True:
        folder = place / f"{PREFIX}{secrets.token_hex(8)}"
        with undone(partial(shutil.rmtree, folder, ignore_errors=True)):
            folder.mkdir(mode=0o700)
            if (lock := _locked(folder)) is not None:
                try:
                    yield folder
                finally:
                    os.close(lock)
                return


def sweep(place: Path) -> None:
    """Remove the folders of this user in which nobody works; what cannot be removed stays."""
    with suppress(OSError), os.scandir(place) as found:
        for folder in [entry.path for entry in found if NAME.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_if_left(folder)


def _locked(folder: Path) -> int | None:
    """Return the descriptor of a new folder, locked; None if it was swept before."""
    try:
        descriptor = os.open(folder, OPEN)
    except FileNotFoundError:
        return None
    with suppress(OSError):  # Not every network's file system has locks, and there nobody sweeps.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    if is_named(descriptor, folder):
        return descriptor
    os.close(descriptor)
    return None


def _remove_if_left(folder: str) -> None:
    descriptor = os.open(folder, OPEN)
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_named(descriptor, folder):
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)
