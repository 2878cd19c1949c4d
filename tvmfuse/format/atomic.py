"""Writing a file so that a reader sees the old one or the new one, never half of it.

What is written takes its name when it is whole. Until then it has none, so that nothing is left of
it however its process ends. Not every file system has such files: elsewhere it has a name of its
own in the same folder, and its writer holds a lock on it. A lock ends with its process: so who
writes next can tell what a killed one left, and removes it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from tvmfuse.errors import ArtifactError
from tvmfuse.format.regular import is_named, open_regular
from tvmfuse.unfinished import undone

#: How the names of files begin and end that are not whole.
PREFIX: Final = ".tvmfuse-"
SUFFIX: Final = ".tmp"
#: Where Linux shows the open files of processes.
OPEN_FILES: Final = re.compile(r"/proc/\d+(/task/\d+)?/fd")


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, durable: bool = True) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its name only when it is whole and on the disk.

    What is there and is no file, ``/dev/null`` or a pipe, is written to as it is. A link to a file
    is refused: whether it or what it names is meant, nobody can tell.

    Args:
        path: Its name.
        durable: Whether it has to be on the disk even if the machine fails then.

    Raises:
        ArtifactError: It cannot be written; what stood there stays.
    """
    with _in_words(path):
        if _is_stream(path):
            with open(path, "wb") as stream:
                yield stream
            return
        sweep(Path(path).parent)
        with replacing(path, durable=durable) as file:
            yield file


@contextmanager
def replacing(
    path: str | os.PathLike[str], *, mode: int = 0o666, durable: bool = True
) -> Iterator[BinaryIO]:
    """Open a file for writing that takes the place of what has its name, when it is whole.

    Args:
        path: Its name.
        mode: Its permissions, less what the process's mask takes away.
        durable: See `atomic_write`.

    Raises:
        OSError: It cannot be written; what stood there stays.
    """
    place = Path(path)
    if place.is_dir() and not place.is_symlink():
        raise IsADirectoryError(errno.EISDIR, "it is a folder; name a file in it")
    with _unfinished(place.parent, mode) as (file, name):
        yield file
        file.flush()
        if durable:
            os.fsync(file.fileno())
        if not name.exists():
            _link(file, name)  # what is there cannot be replaced by what has no name
        name.replace(place)


def sweep(folder: Path) -> None:
    """Remove the files of a folder that nobody will finish; what cannot be removed stays."""
    with suppress(OSError):
        found = [n for n in os.listdir(folder) if n.startswith(PREFIX) and n.endswith(SUFFIX)]
        for name in (str(folder / n) for n in found):
            with suppress(OSError), open_regular(name, follow=False) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if is_named(file.fileno(), name):
                    os.unlink(name)


def check_place(path: str | os.PathLike[str]) -> None:
    """Say before long work whether a file can be written here, as far as that can be told.

    Raises:
        ArtifactError: It cannot, and why.
    """
    with _in_words(path):
        if not _is_stream(path):
            with _unfinished(Path(path).parent, 0o600):
                pass


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file, in UTF-8, that is there as a whole or not at all.

    Raises:
        ArtifactError: It cannot be written; what stood there stays.
    """
    with atomic_write(path, durable=False) as file:
        file.write(text.encode())


@contextmanager
def _in_words(path: str | os.PathLike[str]) -> Iterator[None]:
    """Make what the system says of a place an error of ours."""
    if not isinstance(path, str | os.PathLike):
        raise ArtifactError(f"cannot write {short(path)}: expected a path")
    try:
        yield
    except ArtifactError:
        raise
    except OSError as error:
        raise ArtifactError(f"cannot write {path}: {error.strerror or error}") from error


def short(value: object) -> str:
    """Return what a message calls a value: at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether something is there that is no file, and is written to as it is.

    Raises:
        OSError: It is a folder, a link to a file, or no name that a file can have.
    """
    try:
        there = os.lstat(path)
        if stat.S_ISLNK(there.st_mode):
            there = os.stat(path)
            if stat.S_ISREG(there.st_mode) and not _is_descriptor(path):
                raise OSError(errno.ELOOP, f"it is a link to {os.readlink(path)}; name that file")
    except FileNotFoundError:
        if os.path.islink(path):
            raise OSError(
                errno.ELOOP, f"it is a link to {os.readlink(path)}, which is not there"
            ) from None
        return False
    except ValueError as error:
        raise OSError(errno.EINVAL, f"no file has such a name: {error}") from error
    if stat.S_ISDIR(there.st_mode):
        raise OSError(errno.EISDIR, "it is a folder; name a file in it")
    return not stat.S_ISREG(there.st_mode) or os.path.islink(path)


def _is_descriptor(path: str | os.PathLike[str]) -> bool:
    """Whether a link ends at one of a process's open files, as ``/dev/stdout`` does."""
    place = Path(path)
    while place.is_symlink():
        folder = place.parent.resolve()
        if OPEN_FILES.fullmatch(str(folder)):
            return True
        place = folder / place.readlink()
    return False


@contextmanager
def _unfinished(folder: Path, mode: int) -> Iterator[tuple[BinaryIO, Path]]:
    """Make a locked file, which is gone at the end unless it got another name than its own.

    Yields:
        The file, and the name that it has, or may take.
    """
    file, name = _nameless(folder, mode) or _locked(folder, mode)
    with undone(partial(name.unlink, missing_ok=True)), file:
        yield file, name


def _own_name(folder: Path) -> Path:
    return folder / f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}"


def _nameless(folder: Path, mode: int) -> tuple[BinaryIO, Path] | None:
    """Make a file without a name; None where the file system or the kernel has no such."""
    try:
        descriptor = os.open(folder, os.O_RDWR | os.O_TMPFILE | os.O_CLOEXEC, mode)
    except OSError:  # Why nothing can be written here, a file with a name will tell.
        return None
    file = os.fdopen(descriptor, "wb")
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX)
    return file, _own_name(folder)


def _link(file: BinaryIO, name: Path) -> None:
    """Give a file that has no name a name."""
    folder = os.open(name.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:  # The folder's descriptor makes Python follow the link, and is not used otherwise.
        os.link(f"/proc/self/fd/{file.fileno()}", name.absolute(), src_dir_fd=folder)
    finally:
        os.close(folder)


def _locked(folder: Path, mode: int) -> tuple[BinaryIO, Path]:
    while True:
        name = _own_name(folder)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name, flags, mode)
        try:
            file = os.fdopen(descriptor, "wb")
            with suppress(OSError):  # Not every network's file system has locks.
                fcntl.flock(file, fcntl.LOCK_EX)
            if is_named(file.fileno(), name):
                return file, name
        except BaseException:
            name.unlink(missing_ok=True)
            raise
        file.close()  # Swept before it was locked.
