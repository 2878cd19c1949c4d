"""The list of what is in an output folder, by which the next run goes on: ``compile-many.json``."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Final

import msgspec

from tvmfuse.errors import ArtifactError
from tvmfuse.fleet.result import CompiledModel
from tvmfuse.format.atomic import atomic_write, check_place, write_text

NAME: Final = "compile-many.json"
FORMAT: Final = 1


class Output:
    """An output folder and its list, which is written anew with each file.

    Args:
        folder: It, which is there.

    Raises:
        ArtifactError: What has the list's name there is none.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = folder / NAME
        self._models = {model.file: model for model in _read(self.manifest)}

    def found(self, key: str) -> CompiledModel | None:
        """Return what an earlier run compiled, if its file is there as it was written."""
        return next((m for m in self._models.values() if m.key == key and self._is_whole(m)), None)

    def add(self, model: CompiledModel, content: bytes = b"") -> None:
        """Write a model's file, if it has one, and then the list.

        Raises:
            ArtifactError: It cannot be written.
        """
        if content:
            place = self.folder / model.file
            _make(place.parent)
            with atomic_write(place) as file:
                file.write(content)
        self._models[model.file] = model
        models = [asdict(self._models[file]) for file in sorted(self._models)]
        said = {"format": FORMAT, "tvmfuse": metadata.version("tvmfuse"), "models": models}
        write_text(self.manifest, json.dumps(said, indent=1))

    def content(self, model: CompiledModel) -> bytes:
        """Return the bytes of a model's file."""
        return (self.folder / model.file).read_bytes()

    def _is_whole(self, model: CompiledModel) -> bool:
        try:
            with (self.folder / model.file).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == model.sha256
        except OSError:
            return False


@contextmanager
def opened(folder: Path) -> Iterator[Output]:
    """Make an output folder, and keep others from writing there.

    Raises:
        ArtifactError: It cannot be written to, another run works there, or its list is none.
    """
    _make(folder)
    check_place(folder / NAME)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno == errno.EWOULDBLOCK:  # not every network's file system has locks
                raise ArtifactError(
                    f"another compile-many writes into {folder}: wait for it, or name another "
                    "folder"
                ) from None
        yield Output(folder)
    finally:
        os.close(descriptor)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ArtifactError(f"cannot make the folder {folder}: {why}") from error


def _read(manifest: Path) -> list[CompiledModel]:
    try:
        said = json.loads(manifest.read_bytes())
        if said["format"] != FORMAT:
            raise ArtifactError(
                f"{manifest} is in format {said['format']}, and this tvmfuse has {FORMAT}: name "
                "another folder"
            )
        return msgspec.convert(said["models"], list[CompiledModel])
    except FileNotFoundError:
        return []
    except (ValueError, LookupError, TypeError) as error:
        raise ArtifactError(
            f"{manifest} is no list of compiled models: remove it, or name another folder ({error})"
        ) from error
