"""The files of a model: their digest, and their way to a worker that does not see them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Self

from tvmfuse.errors import ConfigurationError, first_line
from tvmfuse.format.file_systems import file_system, is_url
from tvmfuse.format.regular import open_regular
from tvmfuse.starting.model_digest import file_beside, read_model


@dataclass(frozen=True)
class Model:
    """A model that is to be compiled.

    Attributes:
        place: Its path, or its URL.
        digest: Of its contents and of the files beside it; of a URL, of what its server says of it.
        nbytes: Of all of them.
        beside: The files that its weights lie in, below its folder.
        state: What the file system said of all these files before they were read.
    """

    place: str
    digest: str
    nbytes: int
    beside: tuple[str, ...]
    state: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, place: str) -> Self:
        """Read what tells a model from another.

        Raises:
            ConfigurationError: There is no such file, or no such URL.
        """
        if is_url(place):
            system, path = file_system(place)
            try:
                return cls(place, system.ukey(path), int(system.size(path) or 0), ())
            except Exception as error:  # whatever the library of the protocol raises
                raise _unreadable(place, error) from error
        try:
            with open_regular(place) as file:
                state = [_state(file)]
                digest, beside = read_model(file, is_model=True)
        except OSError as error:
            raise ConfigurationError(f"cannot read {place}: {error.strerror}") from error
        said = [digest]
        for name in beside:
            try:
                with open_regular(file_beside(place, name)) as file:
                    state.append(_state(file))
                    said += [name, read_model(file, is_model=False)[0]]
            except OSError:
                said += [name, ""]  # the compiler says what is wrong with it
        digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        return cls(place, digest, sum(n for n, _ in state), tuple(beside), tuple(state))

    def is_as_it_was(self) -> bool:
        """Whether nobody wrote to its files meanwhile; of a URL its server is not asked again."""
        found = []
        for name in (self.place, *(file_beside(self.place, name) for name in self.beside)):
            with suppress(OSError), open_regular(name) as file:
                found.append(_state(file))
        return is_url(self.place) or tuple(found) == self.state

    def content(self) -> Mapping[str, bytes] | None:
        """Return the bytes of its files by their names, its own first; None of a URL."""
        if is_url(self.place):
            return None
        files = {Path(self.place).name: Path(self.place).read_bytes()}
        for name in filter(_is_below, self.beside):
            if (place := Path(file_beside(self.place, name))).is_file():
                files[name] = place.read_bytes()
        return files


def _state(file: BinaryIO) -> tuple[int, int]:
    """Return what changes with a file: its size, and when it was written."""
    status = os.fstat(file.fileno())
    return status.st_size, status.st_mtime_ns


def unpack(files: Mapping[str, bytes], folder: Path) -> Path:
    """Write a model's files into a folder; return the path of its own, the first."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder / next(iter(files))


def fetch(url: str, folder: Path) -> Path:
    """Copy a model and the files beside it into a folder; return its path.

    Raises:
        ConfigurationError: It cannot be read.
    """
    system, path = file_system(url)
    place = folder / PurePosixPath(path).name
    try:
        system.get_file(path, str(place))
        with place.open("rb") as file:
            beside = read_model(file, is_model=True)[1]
        for name in filter(_is_below, beside):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            system.get_file(str(PurePosixPath(path).parent / name), str(folder / name))
    except Exception as error:  # whatever the library of the protocol raises
        raise _unreadable(url, error) from error
    return place


def _unreadable(url: str, error: Exception) -> ConfigurationError:
    return ConfigurationError(f"cannot read {url}: {type(error).__name__}: {first_line(error)}")


def _is_below(name: str) -> bool:
    """Whether a file that a model names lies below its folder; the compiler refuses others."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts
