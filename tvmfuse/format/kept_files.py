"""A folder of files that were made before, for the next time that they are wanted.

Code from here is run. So a file counts only if it and the folder are this user's or root's, and
nobody else can write to them; any other is none, and is written anew.

A cache costs time and never a compilation: whatever is odd about it is skipped, with one warning.
"""

from __future__ import annotations

import errno
import os
import pwd
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from tvmfuse.errors import ArtifactError, DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.atomic import replacing, sweep
from tvmfuse.format.faults import AlteredError, MalformedError, NotWholeError, VersionError
from tvmfuse.format.regular import open_regular

T = TypeVar("T")

#: What is left when files have to go, so that not each new one sweeps the folder.
LEFT: Final = 0.8
#: How many processes may fill a folder at once before it holds more than its limit.
WRITERS: Final = 8
#: Permissions of others that make what is kept theirs.
WRITABLE: Final = 0o022
#: Of a file that is kept.
MODE: Final = 0o600

#: Device and number of a folder, and its limit -> bytes that this process writes before it looks
#: again at all that is there, which takes as long as a small compilation.
_room: Final[dict[tuple[int, int, int], int]] = {}


def user_folder(environment: Mapping[str, str], name: str) -> Path | None:
    """Return where a user's files of one kind are kept, as the XDG specification has it.

    None where the user has no home, as one that a container was given by its number alone.

    >>> str(user_folder({"HOME": "/home/me"}, "kernels"))
    '/home/me/.cache/tvmfuse/kernels'
    """
    chosen = Path(environment.get("XDG_CACHE_HOME", ""))
    if not chosen.is_absolute():
        chosen = Path(environment.get("HOME") or _home(), ".cache")
    return chosen / "tvmfuse" / name if chosen.is_absolute() else None


def _home() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


class KeptFiles:
    """The files of one kind in a folder; several processes may use it at once.

    Args:
        folder: Made when the first file is written.
        suffix: With which their names end.
        limit: How many bytes they may have; beyond, those that were not used for longest go.
        kind: What they are, as a warning says it; empty for what nobody misses, which says none.
    """

    def __init__(self, folder: Path, suffix: str, limit: int, kind: str) -> None:
        self.folder = folder
        self._suffix = suffix
        self._limit = limit
        self._kind = kind
        self._warned = False

    def read(self, key: str, reader: Callable[[BinaryIO], T]) -> T | None:
        """Return what a file says, or None where there is none that can be trusted."""
        try:
            with self._opened() as folder, self._file(key, folder) as file:
                with suppress(OSError):  # A folder that can only be read serves as well.
                    os.utime(file.fileno())
                return reader(file)
        except (FileNotFoundError, NotADirectoryError, VersionError):
            return None  # Another tvmfuse's is none, and is written anew.
        except OSError as error:
            self.skipped(key, str(error.strerror or error))
        except (NotWholeError, AlteredError, MalformedError) as error:
            self.skipped(key, f"it is damaged: {str(error) or type(error).__name__}")
        except (DamagedArtifactError, IncompatibleArtifactError) as error:
            self.skipped(key, str(error))
        return None

    def write(self, writers: Mapping[str, Callable[[BinaryIO], object]]) -> None:
        """Write files, by their keys; where that fails, say so and leave it."""

        def write_all() -> int:
            written = 0
            for key, writer in writers.items():
                with replacing(self.path(key), mode=MODE, durable=False) as file:
                    writer(file)
                    written += file.tell()
            return written

        self._make(write_all)

    def save(self, key: str, save: Callable[[Path], object]) -> bool:
        """Have a file written by what takes its name; where that fails, say so and leave it.

        Returns:
            Whether it is there now.
        """

        def write_one() -> int:
            path = self.path(key)
            save(path)
            path.chmod(MODE)
            return path.stat().st_size

        return self._make(write_one)

    def _make(self, write: Callable[[], int]) -> bool:
        """Make files, which takes as many bytes as is returned; say so where that fails."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._opened() as folder:
                sweep(self.folder)
                self._make_room_for(write(), os.fstat(folder))
        except (OSError, ValueError, ArtifactError) as error:
            reason = getattr(error, "strerror", None) or error
            self._warn(f"{self._kind} are not kept for the next time in {self.folder}: {reason}")
            return False
        return True

    def skipped(self, key: str, reason: str) -> None:
        """Say once that something that was kept is not used."""
        self._warn(f"a kept entry is not used, and compiled anew: {self.path(key)}: {reason}")

    def path(self, key: str) -> Path:
        """Return the name of a file."""
        return self.folder / f"{key}{self._suffix}"

    def _warn(self, words: str) -> None:
        if self._kind and not self._warned:
            self._warned = True
            warnings.warn(words, stacklevel=4)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the folder, so that it is the same one for what was checked and for what is read."""
        try:
            descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except ValueError as error:  # a NUL
            raise OSError(errno.EINVAL, f"no folder has such a name: {error}") from error
        try:
            _check_own(os.fstat(descriptor), "the folder")
            yield descriptor
        finally:
            os.close(descriptor)

    def _file(self, key: str, folder: int) -> BinaryIO:
        file = open_regular(f"{key}{self._suffix}", follow=False, folder=folder)
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
        """Remove files, those not used for longest first, until the folder is small enough.

        Returns:
            The bytes that are left below the limit.
        """
        found = []
        with os.scandir(self.folder) as there:
            for entry in there:
                if entry.name.endswith(self._suffix) and entry.is_file(follow_symlinks=False):
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


def _check_own(status: os.stat_result, what: str) -> None:
    if status.st_uid not in (os.geteuid(), 0):
        raise OSError(errno.EPERM, f"{what} is another user's, number {status.st_uid}")
    if status.st_mode & WRITABLE:
        raise OSError(errno.EPERM, f"others can write to {what}, and it is code: chmod go-w")


def _check_size(status: os.stat_result, limit: int) -> None:
    if status.st_size > limit:
        raise OSError(errno.EFBIG, f"it has {status.st_size} bytes")
