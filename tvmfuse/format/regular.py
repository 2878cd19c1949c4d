"""Opening a file that is one, and still has its name: no pipe is waited for, no device is read."""

from __future__ import annotations

import errno
import os
import stat
from types import MappingProxyType
from typing import BinaryIO, Final

KINDS: Final = MappingProxyType(
    {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFLNK: "a link",
    }
)


def open_regular(
    path: str | os.PathLike[str], *, follow: bool = True, folder: int | None = None
) -> BinaryIO:
    """Open a regular file for reading.

    Args:
        path: Its name.
        follow: Whether the name may be a link's.
        folder: The descriptor of the folder that a relative path begins at.

    Raises:
        OSError: It cannot be opened, or is something else; `strerror` says what.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags, dir_fd=folder)
    except ValueError as error:  # a NUL, or what is no text of the system's
        raise OSError(errno.EINVAL, f"no file has such a name: {error}") from error
    except OSError as error:
        if error.errno == errno.ELOOP and not follow:
            raise OSError(errno.ELOOP, "it is a link") from error
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "it is a socket or a device, and no file") from error
        raise
    try:
        check_regular(os.fstat(descriptor))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def check_regular(status: os.stat_result) -> None:
    """Refuse what is no regular file.

    Raises:
        OSError: It is not, and what it is.
    """
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise OSError(errno.EINVAL, f"it is {KINDS.get(kind, 'something else')}, and no file")


def is_named(descriptor: int, name: str | os.PathLike[str]) -> bool:
    """Whether an open file or folder still has the name that it was opened by."""
    try:
        there = os.stat(name, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(there, os.fstat(descriptor))
