"""The digest of a model and of the files beside it, which is remembered for files as they are.

To read 100 MB takes 0.1 s, and 10 GB ten. So what a file's digest was is kept, with what the file
system says of the file; only for one that has rested for a while, since a file that is written
twice at one moment says the same of itself.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import time
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from tvmfuse.format.faults import MalformedError
from tvmfuse.format.kept_files import KeptFiles

#: Seconds for which a file has to be as it is; the coarsest clocks of file systems tick every two.
RESTS_S: Final = 2.5

#: Bytes that take so little time that nobody minds: 10 ms.
LITTLE: Final = 1 << 22

#: What a model says in which tensors lie in other files, and other ones hardly ever.
MARK: Final = b"location"


class ChangedError(Exception):
    """A file was written to while it was read."""


class ModelDigests:
    """Digests of models.

    Args:
        memory: Where they are kept.
    """

    def __init__(self, memory: KeptFiles) -> None:
        self._memory = memory

    def of(self, model: str | bytes, *, quick: bool = False) -> str | None:
        """Return a model's digest, None where a file of it cannot be read.

        Args:
            model: A path, or its bytes.
            quick: Whether to return None, too, where that would take a while.
        """
        if isinstance(model, bytes):
            return None if quick and len(model) > 16 * LITTLE else hashlib.sha256(model).hexdigest()
        try:
            digest, others = self._of_file(model, quick=quick, is_model=True)
            said = [digest]
            for place in others:
                found = file_beside(model, place)
                said += [place, self._of_file(found, quick=quick, is_model=False)[0]]
        except (OSError, ValueError, ChangedError):
            return None
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    def _of_file(self, path: str, *, quick: bool, is_model: bool) -> tuple[str, list[str]]:
        real = os.path.realpath(path)
        before = _state(os.stat(real))
        name = hashlib.sha256(os.fsencode(real)).hexdigest()
        noted = self._memory.read(name, _note)
        if noted is not None and noted["state"] == before:
            return noted["digest"], noted["others"]
        if quick and before[2] > LITTLE:
            raise ValueError("this takes a while")
        with open(real, "rb") as file:
            digest, others = read_model(file, is_model=is_model)
            if _state(os.fstat(file.fileno())) != before:
                raise ChangedError
        if time.time() - max(before[3:]) / 1e9 > RESTS_S:
            note = json.dumps({"state": before, "digest": digest, "others": others}).encode()
            self._memory.write({name: lambda f: f.write(_signed(note))})
        return digest, others


def changed_since(model: str, moment: float) -> bool:
    """Whether a model's file, or one beside it, was written to after a moment, or is gone.

    Args:
        model: The file's path.
        moment: As `time.time` gives it.
    """
    try:
        with open(model, "rb") as file:
            _, others = read_model(file, is_model=True)
        files = [model, *(file_beside(model, place) for place in others)]
        return any(os.stat(name).st_mtime > moment for name in files)
    except OSError:
        return True


def read_model(file: BinaryIO, *, is_model: bool) -> tuple[str, list[str]]:
    """Return a file's digest, and the names of the files that its tensors lie in."""
    if not os.fstat(file.fileno()).st_size:
        return hashlib.sha256().hexdigest(), []
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        digest = hashlib.sha256(content).hexdigest()
        marked = is_model and content.find(MARK) >= 0
    return digest, _locations(file) if marked else []


def _locations(file: BinaryIO) -> list[str]:
    import onnx
    from google.protobuf.message import DecodeError

    model = onnx.ModelProto()
    file.seek(0)
    try:
        model.ParseFromString(file.read())
    except DecodeError:
        return []  # it may be an optimized graph; what is no model, the compiler says
    found = {
        entry.value
        for tensor in _tensors(model)
        for entry in tensor.external_data
        if entry.key == "location"
    }
    return sorted(found)


def _tensors(model: Any) -> Iterator[Any]:
    from tvmfuse.frontend.onnx.external_data import tensors_of

    yield from tensors_of(model)


def file_beside(model: str, place: str) -> str:
    """Return where a file beside a model is: by its name, or by that of what a link leads to."""
    beside = os.path.join(os.path.dirname(os.path.abspath(model)), place)
    if os.path.lexists(beside):
        return beside
    return os.path.join(os.path.dirname(os.path.realpath(model)), place)


def _state(status: os.stat_result) -> list[int]:
    return [
        status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns,
    ]  # fmt: skip


def _signed(note: bytes) -> bytes:
    return hashlib.sha256(note).hexdigest().encode() + b"\n" + note


def _note(file: BinaryIO) -> dict[str, Any]:
    digest, _, note = file.read().partition(b"\n")
    if hashlib.sha256(note).hexdigest().encode() != digest:
        raise MalformedError("its digest does not fit")
    said: dict[str, Any] = json.loads(note)
    return said
