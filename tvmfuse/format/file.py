"""The compiled file: a shared library that carries its weights and says what it is.

It is a `record` whose payloads are a whole ELF library, which loaders read from the file's start
and ignore what follows it, the weights, and machine code for a GPU if there is any.

Weights in the library's own sections, TVM's way, take the linker 29 ms for each MB, four copies in
memory, and end at 2 GB.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from tvmfuse.errors import ArtifactError, DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.atomic import atomic_write, short
from tvmfuse.format.bundle import FORMAT as BUNDLE, begins_as_bundle, read_bundle
from tvmfuse.format.checks import check_manifest, check_weights
from tvmfuse.format.faults import AlteredError, MalformedError, NotWholeError, VersionError
from tvmfuse.format.kinds import ELF
from tvmfuse.format.record import (
    GRAPH_MAGIC,
    Readable,
    Record,
    RecordFormat,
    check_payloads,
    read_record,
    typed,
    write_record,
)
from tvmfuse.format.regular import open_regular
from tvmfuse.manifest import Manifest

FORMAT: Final = RecordFormat(b"tvmfuse\n", 5, begins_with_magic=False)


@dataclass(frozen=True)
class Weight:
    """Where a weight lies in the file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    size: int


@dataclass(frozen=True)
class _Header:
    manifest: Manifest
    weights: tuple[tuple[str, tuple[int, ...]], ...]
    device_code: bool
    aliased_outputs: tuple[int, ...]


@dataclass(frozen=True)
class Index:
    """What the file says of itself and of its parts.

    Attributes:
        manifest: For the user.
        weights: In the order that `main` takes them; then the defaults of the manifest's
            overridable inputs.
        device_code: Offset and size, or None.
        aliased_outputs: See `virtual_machine.Program`.
        record: Where all this lies.
    """

    manifest: Manifest
    weights: tuple[Weight, ...]
    device_code: tuple[int, int] | None
    aliased_outputs: tuple[int, ...]
    record: Record


def inspect(path: str | os.PathLike[str]) -> Manifest:
    """Read a compiled file's manifest, or a bundle's: neither loads the file nor needs TVM.

    Raises:
        ArtifactError: The file cannot be read.
        DamagedArtifactError: It is truncated, altered or no tvmfuse file.
        IncompatibleArtifactError: A tvmfuse of another format wrote it.
    """
    with open_artifact(path) as file:
        if begins_as_bundle(file):
            return read_bundle(file, str(path)).manifest
        return read_index(file, str(path)).manifest


def open_artifact(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading; links are followed.

    Raises:
        ArtifactError: It cannot be opened, or is no file, and why.
    """
    if not isinstance(path, str | os.PathLike):
        raise ArtifactError(f"cannot read {short(path)}: expected a path")
    try:
        return open_regular(path)
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
    code = [] if device_code is None else [device_code]
    header = {
        "manifest": manifest.to_json(),
        "weights": [[dtype, shape] for dtype, shape, _ in weights],
        "device_code": bool(code),
        "aliased_outputs": list(aliased_outputs),
    }
    payloads: list[bytes | memoryview] = [library, *(data for *_, data in weights), *code]
    with atomic_write(path) as file:
        return replace(manifest, sha256=write_record(file, FORMAT, header, payloads).sha256)


def read_index(file: Readable, name: str) -> Index:
    """Read and check the index, from the file's end.

    Raises:
        DamagedArtifactError: The file is truncated, altered there or no tvmfuse file.
        IncompatibleArtifactError: A tvmfuse of another format wrote it.
    """
    try:
        return _parsed(file)
    except NotWholeError:
        raise _not_whole(file, name) from None
    except AlteredError:
        raise _altered(name) from None
    except MalformedError as error:
        raise _malformed(name, str(error)) from error
    except VersionError as error:
        raise IncompatibleArtifactError(
            f"{name} is in format {error.version}, and this tvmfuse reads format "
            f"{FORMAT.version}: compile the model again, or take the tvmfuse that wrote it"
        ) from None


def check_contents(file: Readable, index: Index, name: str) -> None:
    """Check all that stands before the index against its hash, and that it begins as a library.

    Raises:
        DamagedArtifactError: A byte of it was altered, or there is no library.
    """
    try:
        check_payloads(file, index.record)
    except AlteredError:
        raise _altered(name) from None
    file.seek(0)
    (_, size), *_ = index.record.payloads
    if file.read(min(size, len(ELF))) != ELF:
        raise _malformed(name, "its first part is no library")


def _parsed(file: Readable) -> Index:
    record = read_record(file, FORMAT)
    header, places = typed(_Header, record.header), record.payloads
    if len(places) != 1 + len(header.weights) + header.device_code:
        raise MalformedError(f"{len(header.weights)} weights in {len(places)} parts")
    check_manifest(header.manifest)
    if header.manifest.parts:
        raise MalformedError("a library has parts, as bundles have")
    listed = [(*said, *place) for said, place in zip(header.weights, places[1:], strict=False)]
    weights = tuple(Weight(*fields) for fields in listed)
    check_weights(((w.dtype, w.shape, w.size) for w in weights), header.manifest.overridable)
    if not set(header.aliased_outputs) <= set(range(len(header.manifest.outputs))):
        raise MalformedError(f"the outputs {list(header.aliased_outputs)!r:.60} share memory")
    return Index(
        replace(header.manifest, sha256=record.sha256),
        weights,
        places[-1] if header.device_code else None,
        header.aliased_outputs,
        record,
    )


def _not_whole(file: Readable, name: str) -> DamagedArtifactError:
    file.seek(0, 2)  # to the end
    size = file.tell()
    file.seek(0)
    start = file.read(len(GRAPH_MAGIC))
    if start == GRAPH_MAGIC:
        return DamagedArtifactError(
            f"{name} is an optimized graph, which --save-optimized writes, and no compiled model: "
            "compile it"
        )
    if start == BUNDLE.magic:
        return DamagedArtifactError(f"{name} is a bundle of parts: tvmfuse.load takes it")
    if start.startswith(ELF):
        what = "it is truncated, something was appended to it, or tvmfuse did not write it"
        todo = "save it again"
    else:
        what = "tvmfuse did not write it"
        todo = "`tvmfuse compile` makes a compiled model of an ONNX file"
    return DamagedArtifactError(
        f"{name} ({size} bytes) does not end as a compiled model does: {what}; {todo}"
    )


def _altered(name: str) -> DamagedArtifactError:
    return DamagedArtifactError(
        f"{name} was altered after it was written: its SHA-256 does not fit; save or copy it again"
    )


def _malformed(name: str, why: str) -> DamagedArtifactError:
    return DamagedArtifactError(
        f"{name} says of itself what tvmfuse does not write: {why}; compile the model again"
    )
