"""Which files a model may make us read: those of its own folder, and no other.

A model may be a stranger's, and so may all that came with it: its folder, the links in it, the
names that its tensors give. None of that may make a file of the user's into weights, which whoever
gets the compiled model could read. So a location is a relative path that does not climb out, and
what it names, with all links followed, is a regular file

- below the folder of the path that was given;
- or, if that path is itself a link, below the folder of the file that it leads to, which is where a
  user who gave that file would have them;
- or, in a cache of Hugging Face's, below the model's own ``models--*`` folder, in which
  ``snapshots`` are links into ``blobs``.

A file with a further name in another folder (a hard link) is refused: it may be anybody's. Each
folder on the way is opened from the one above it, without following links, so that what is
exchanged after the check leads nowhere else. Who can write into the folder while it is read can
change the weights, but not reach another file. All files below the folder are the model's: that of
a stranger stands in a folder of its own, and not among downloads.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from tvmfuse.errors import MalformedModelError

SEARCHED: Final = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
SYSTEM: Final = ("/dev", "/proc")
"""Where a path is a link to what a process has open, and its folder is nobody's."""

READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True)
class _Place:
    """Where locations are looked up, and the folder, without links, that none may leave."""

    folder: Path
    root: Path


@dataclass(frozen=True)
class ModelFolder:
    """The files that belong to one model."""

    places: tuple[_Place, ...]

    @classmethod
    def of(cls, model: Path) -> Self:
        """Return what belongs to the model of this path, which exists."""
        folder, places = model.absolute().parent, []
        if not any(folder.is_relative_to(system) for system in SYSTEM):
            places.append(_Place(folder, _hub_folder(folder) or folder.resolve()))
        if model.is_symlink():
            real = model.resolve().parent
            places.append(_Place(real, real))
        return cls(tuple(places))

    @contextmanager
    def opened(self, location: str, said: str) -> Iterator[int]:
        """Open a file for reading, as a descriptor.

        Args:
            location: As the model names it.
            said: What lies there, the first words of a refusal.

        Raises:
            MalformedModelError: It may not be read, or cannot be.
        """
        _check_location(location, said)
        try:
            place = next((p for p in self.places if os.path.lexists(p.folder / location)), None)
            if place is None:
                raise MalformedModelError(f"{said}, and the model's folder has no such file")
            path = (place.folder / location).resolve()
            if not path.is_relative_to(place.root):
                raise MalformedModelError(_outside(said))
            descriptor = _opened_below(place.root, path.relative_to(place.root).parts, said)
        except (OSError, RuntimeError) as error:  # RuntimeError: a link to itself
            reason = getattr(error, "strerror", None) or error
            raise MalformedModelError(f"{said}, which cannot be read: {reason}") from error
        try:
            yield descriptor
        finally:
            os.close(descriptor)


def _hub_folder(folder: Path) -> Path | None:
    """Return the ``models--*`` folder of a snapshot in a cache of Hugging Face's."""
    for parent in folder.parents:
        if parent.name == "snapshots" and parent.parent.name.startswith("models--"):
            root = parent.parent.resolve()
            return root if folder.resolve().is_relative_to(root) else None
    return None


def _check_location(location: str, said: str) -> None:
    if not location:
        raise MalformedModelError(f"{said}, and none is named")
    if "\0" in location:
        raise MalformedModelError(f"{said}: no file can be called that")
    if "\\" in location:
        raise MalformedModelError(f"{said}: a location is a relative path with '/', without '\\'")
    normal = os.path.normpath(location)
    if os.path.isabs(location) or normal == ".." or normal.startswith("../"):
        raise MalformedModelError(_outside(said))


def _outside(said: str) -> str:
    return f"{said}, which leaves the model's folder; move the file next to the model"


def _opened_below(root: Path, parts: Sequence[str], said: str) -> int:
    """Open a regular file by way of its folders, none of which is a link."""
    folder = os.open(root, SEARCHED)
    try:
        for part in parts[:-1]:
            above, folder = folder, os.open(part, SEARCHED, dir_fd=folder)
            os.close(above)
        name = parts[-1] if parts else "."
        _check_regular(os.stat(name, dir_fd=folder, follow_symlinks=False), said)
        file = os.open(name, READ, dir_fd=folder)
        try:
            _check_regular(os.fstat(file), said)
            _check_names(file, folder, said)
        except BaseException:
            os.close(file)
            raise
        return file
    finally:
        os.close(folder)


def _check_regular(found: os.stat_result, said: str) -> None:
    # Before it is opened, too: a device may do something then.
    if not stat.S_ISREG(found.st_mode):
        raise MalformedModelError(f"{said}, which is no regular file")


def _check_names(file: int, folder: int, said: str) -> None:
    """Check that a file has no name outside of its folder."""
    found = os.fstat(file)
    if found.st_nlink == 1:
        return
    listed = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        with os.scandir(listed) as entries:
            here = sum(os.path.samestat(e.stat(follow_symlinks=False), found) for e in entries)
    finally:
        os.close(listed)
    if here < found.st_nlink:
        raise MalformedModelError(
            f"{said}, which has {found.st_nlink - here} further names in other folders (hard "
            "links), and may be somebody else's; copy the file"
        )
