"""The compiled file: a shared library that carries its weights and says what it is.

Layout, integers little-endian::

    library    a whole ELF shared library: loaders ignore what follows it
    weights    raw, each at a multiple of 64 bytes: mapped into memory, not read
    device     machine code for a GPU, if any
    index      JSON: the manifest, and where weights and device code lie
    footer     sizes, SHA-256 of the index, magic

Weights in the library's own sections, TVM's way, take the linker 29 ms for each MB, four copies in
memory, and end at 2 GB. The index holds the SHA-256 of all before it and the footer that of the
index, so that one altered byte shows; reading the manifest takes the last few KB alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from tvmfuse.errors import ArtifactError, DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.atomic import atomic_write
from tvmfuse.manifest import Manifest

FORMAT: Final = 3
MAGIC: Final = b"tvmfuse\n"
ELF: Final = b"\x7fELF"
#: How a file of `artifact.container` begins.
GRAPH_MAGIC: Final = b"TVMFUSEG"
#: Format, size of the library, size of the index, SHA-256 of the index and of these sizes, magic.
FOOTER: Final = struct.Struct("<IQQ32s8s")
SIZES: Final = struct.Struct("<IQQ")
ALIGNMENT: Final = 64  # what TVM's kernels expect of a tensor
CHUNK: Final = 1 << 18


@dataclass(frozen=True)
class Weight:
    """Where a weight lies in the file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    size: int


@dataclass(frozen=True)
class Index:
    """What the file says of itself and of its parts.

    Attributes:
        manifest: For the user.
        library_size: The library's bytes, from the file's first.
        weights: In the order that `main` takes them; then the defaults of the manifest's
            overridable inputs.
        device_code: Offset and size, or None.
        aliased_outputs: See `virtual_machine.Program`.
    """

    manifest: Manifest
    library_size: int
    weights: tuple[Weight, ...]
    device_code: tuple[int, int] | None
    aliased_outputs: tuple[int, ...]


def is_library(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a compiled one, by its first bytes or its name, and no ONNX model.

    Raises:
        OSError: It cannot be read.
    """
    with open(path, "rb") as file:
        return file.read(len(ELF)) == ELF or str(path).endswith(".so")


def inspect(path: str | os.PathLike[str]) -> Manifest:
    """Read a compiled file's manifest: neither loads the file nor needs TVM.

    Raises:
        ArtifactError: The file cannot be read.
        DamagedArtifactError: It is truncated, altered or no tvmfuse file.
        IncompatibleArtifactError: A tvmfuse of another format wrote it.
    """
    with open_artifact(path) as file:
        return read_index(file, str(path)).manifest


def open_artifact(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading.

    Raises:
        ArtifactError: It cannot be opened, and why.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ArtifactError(f"cannot read {_short(path)}: expected a path")
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise ArtifactError(f"cannot read {path}: {error.strerror}") from error


def write(
    path: str | os.PathLike[str],
    library: bytes,
    weights: Sequence[tuple[str, tuple[int, ...], memoryview]],
    device_code: bytes | None,
    aliased_outputs: Sequence[int],
    manifest: Manifest,
) -> Manifest:
    """Write a compiled file atomically, and return its manifest, the hash included.

    Args:
        path: Where to.
        library: The linked library.
        weights: Each one's dtype, shape and bytes.
        device_code: For the GPU.
        aliased_outputs: See `virtual_machine.Program`.
        manifest: Without the hash.

    Raises:
        ArtifactError: It cannot be written there; what stood there stays.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ArtifactError(f"cannot write {_short(path)}: expected a path")
    if Path(path).is_dir():
        raise ArtifactError(f"cannot write {path}: it is a folder; name a file in it")
    with atomic_write(path) as file:
        out = _HashingWriter(file)
        library_size = out.write(memoryview(library))[1]
        places = [Weight(d, s, *out.write(data)) for d, s, data in weights]
        code = out.write(memoryview(device_code)) if device_code is not None else None
        manifest = replace(manifest, sha256=out.digest())
        index = json.dumps(
            {
                "manifest": manifest.to_json(),
                "weights": [[w.dtype, w.shape, w.offset, w.size] for w in places],
                "device_code": code,
                "aliased_outputs": list(aliased_outputs),
            }
        ).encode()
        sizes = SIZES.pack(FORMAT, library_size, len(index))
        file.write(index)
        file.write(sizes + hashlib.sha256(index + sizes).digest() + MAGIC)
    return manifest


def read_index(file: BinaryIO, name: str) -> Index:
    """Read and check the index, from the file's end.

    Raises:
        DamagedArtifactError: The file is truncated, altered there or no tvmfuse file.
        IncompatibleArtifactError: A tvmfuse of another format wrote it.
    """
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - FOOTER.size))
    footer = file.read()
    if len(footer) < FOOTER.size or not footer.endswith(MAGIC):
        raise _not_whole(file, name, end)
    number, library_size, index_size, digest, _ = FOOTER.unpack(footer)
    start = end - FOOTER.size - index_size
    if number > FORMAT:
        raise _foreign(name, number)
    if start < library_size:
        raise _altered(name)
    file.seek(start)
    index = file.read(index_size)
    if hashlib.sha256(index + footer[: SIZES.size]).digest() != digest:
        raise _altered(name)
    if number != FORMAT:  # looked at last: in what is no file of ours anything may stand here
        raise _foreign(name, number)
    return _parse(json.loads(index), library_size)


def check_contents(file: BinaryIO, index: Index, name: str) -> None:
    """Check all that stands before the index against the manifest's hash.

    Raises:
        DamagedArtifactError: A byte of it was altered.
    """
    end = file.seek(0, os.SEEK_END) - FOOTER.size
    file.seek(end)
    left = end - SIZES.unpack(file.read(SIZES.size))[2]
    file.seek(0)
    digest = hashlib.sha256()
    while left and (chunk := file.read(min(CHUNK, left))):
        digest.update(chunk)
        left -= len(chunk)
    if digest.hexdigest() != index.manifest.sha256:
        raise _altered(name)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _parse(fields: dict[str, Any], library_size: int) -> Index:
    code = fields["device_code"]
    return Index(
        Manifest.from_json(fields["manifest"]),
        library_size,
        tuple(Weight(d, tuple(s), offset, size) for d, s, offset, size in fields["weights"]),
        tuple(code) if code else None,
        tuple(fields["aliased_outputs"]),
    )


def _not_whole(file: BinaryIO, name: str, size: int) -> DamagedArtifactError:
    file.seek(0)
    start = file.read(len(GRAPH_MAGIC))
    if start == GRAPH_MAGIC:
        return DamagedArtifactError(
            f"{name} is an optimized graph, which --save-optimized writes, and no compiled model: "
            "compile it"
        )
    if start.startswith(ELF):
        what = "it is truncated, something was appended to it, or tvmfuse did not write it"
        todo = "save it again"
    else:
        what = "tvmfuse did not write it"
        todo = "`tvmfuse compile` makes a compiled model of an ONNX file"
    return DamagedArtifactError(
        f"{name} ({size} bytes) does not end as a compiled model does: {what}; {todo}"
    )


def _foreign(name: str, number: int) -> IncompatibleArtifactError:
    return IncompatibleArtifactError(
        f"{name} is in format {number}, and this tvmfuse reads format {FORMAT}: compile the model "
        "again, or take the tvmfuse that wrote it"
    )


def _altered(name: str) -> DamagedArtifactError:
    return DamagedArtifactError(
        f"{name} was altered after it was written: its SHA-256 does not fit; save or copy it again"
    )


class _HashingWriter:
    """Writes aligned pieces, and hashes all that it writes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._position = 0
        self._hash = hashlib.sha256()

    def write(self, data: memoryview) -> tuple[int, int]:
        """Write the next piece; return its offset and its size."""
        self._put(memoryview(bytes(-self._position % ALIGNMENT)))
        offset = self._position
        self._put(data)
        return offset, len(data)

    def digest(self) -> str:
        return self._hash.hexdigest()

    def _put(self, data: memoryview) -> None:
        self._file.write(data)
        self._hash.update(data)
        self._position += len(data)
