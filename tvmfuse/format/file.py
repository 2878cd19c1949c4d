"""The compiled file: a shared library that carries its weights and says what it is.

It is a `record` of one or more builds of a model, each for a target of its own. A build is a whole
ELF library, its weights, and machine code for a GPU if there is any: these are payloads, and
weights of the same bytes are one. The first library stands at the file's start, where loaders look
for one, and they ignore what follows it.

Weights in the library's own sections, TVM's way, take the linker 29 ms for each MB, four copies in
memory, and end at 2 GB.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from tvmfuse.errors import ArtifactError, DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.atomic import atomic_write, short
from tvmfuse.format.bundle import FORMAT as BUNDLE, BundleIndex, begins_as_bundle, read_bundle
from tvmfuse.format.checks import check_manifest, check_weights
from tvmfuse.format.faults import AlteredError, MalformedError, NotWholeError, VersionError
from tvmfuse.format.kinds import ELF
from tvmfuse.format.record import (
    GRAPH_MAGIC,
    Readable,
    Record,
    RecordFormat,
    check_identity,
    check_payloads,
    read_record,
    typed,
    write_record,
)
from tvmfuse.format.regular import open_regular
from tvmfuse.manifest import Manifest

FORMAT: Final = RecordFormat(b"tvmfuse\n", 7, begins_with_magic=False)


@dataclass(frozen=True)
class Weight:
    """Where a weight lies in the file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    size: int


@dataclass(frozen=True)
class Content:
    """What is written of one build.

    Attributes:
        manifest: Without the hash.
        library: The linked library.
        weights: Each one's dtype, shape and bytes.
        device_code: For the GPU.
        aliased_outputs: See `on_gpu.Program`.
    """

    manifest: Manifest
    library: bytes
    weights: Sequence[tuple[str, tuple[int, ...], memoryview]]
    device_code: bytes | None
    aliased_outputs: Sequence[int]


@dataclass(frozen=True)
class _Build:
    """What the header says of a build; `payloads` are its library, weights and device code."""

    manifest: Manifest
    weights: tuple[tuple[str, tuple[int, ...]], ...]
    device_code: bool
    aliased_outputs: tuple[int, ...]
    payloads: tuple[int, ...]


@dataclass(frozen=True)
class _Header:
    builds: tuple[_Build, ...]


@dataclass(frozen=True)
class Build:
    """What the file says of one build, and where its parts lie.

    Attributes:
        manifest: For the user.
        library: Offset and size.
        weights: In the order that `main` takes them; then the defaults of the manifest's
            overridable inputs.
        device_code: Offset and size, or None.
        aliased_outputs: See `on_gpu.Program`.
        record: Where all this lies.
    """

    manifest: Manifest
    library: tuple[int, int]
    weights: tuple[Weight, ...]
    device_code: tuple[int, int] | None
    aliased_outputs: tuple[int, ...]
    record: Record


def inspect(path: str | os.PathLike[str], *, check: bool = False) -> Manifest:
    """Read a compiled file's manifest, or a bundle's: neither loads the file nor needs TVM.

    Of a file for several targets, it is that of the one that comes first: `Manifest.targets` has
    all of them.

    Args:
        path: The file.
        check: Whether all of it is compared with the SHA-256 that the manifest states, too.

    Raises:
        ArtifactError: The file cannot be read.
        DamagedArtifactError: It is truncated, altered or no tvmfuse file.
        IncompatibleArtifactError: A tvmfuse of another format wrote it.
    """
    name = str(path)
    with open_artifact(path) as file:
        said: BundleIndex | Build
        said = read_bundle(file, name) if begins_as_bundle(file) else read_builds(file, name)[0]
        if check:
            _check_all(file, said.record, name)
        return said.manifest


def _check_all(file: BinaryIO, record: Record, name: str) -> None:
    try:
        check_payloads(file, record)
    except AlteredError:
        raise _altered(name) from None
    try:
        check_identity(file, record)
    except AlteredError:
        raise DamagedArtifactError(
            f"{name} does not have the SHA-256 that it states of its contents, though its checksum "
            "fits: that is no accident; get it anew"
        ) from None


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


def write(path: str | os.PathLike[str], contents: Sequence[Content]) -> Manifest:
    """Write a compiled file atomically, and return its first manifest, the hash included.

    Args:
        path: Where to.
        contents: Of each build, in the order in which a machine looks for one that it runs.

    Raises:
        ArtifactError: It cannot be written there; what stood there stays.
    """
    pieces: list[bytes | memoryview] = []
    places: dict[bytes | int, int] = {}

    def placed(piece: bytes | memoryview) -> int:
        # A build that is alone shares nothing: it is not read for that.
        key = hashlib.sha256(piece).digest() if len(contents) > 1 else len(pieces)
        if key not in places:
            places[key] = len(pieces)
            pieces.append(piece)
        return places[key]

    builds = []
    for content in contents:
        code = [] if content.device_code is None else [content.device_code]
        weights = (data for *_, data in content.weights)
        parts: list[bytes | memoryview] = [content.library, *weights, *code]
        builds.append(
            {
                "manifest": content.manifest.to_json(),
                "weights": [[dtype, shape] for dtype, shape, _ in content.weights],
                "device_code": bool(code),
                "aliased_outputs": list(content.aliased_outputs),
                "payloads": [placed(part) for part in parts],
            }
        )
    with atomic_write(path) as file:
        record = write_record(file, FORMAT, {"builds": builds}, pieces)
    return replace(contents[0].manifest, sha256=record.sha256)


def read_builds(file: Readable, name: str) -> tuple[Build, ...]:
    """Read and check the index, from the file's end; return what it says of each build.

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


def check_contents(file: Readable, build: Build, name: str) -> None:
    """Check all that stands before the index against its checksum, and that a build has a library.

    Raises:
        DamagedArtifactError: A byte of it was altered, or there is no library.
    """
    try:
        check_payloads(file, build.record)
    except AlteredError:
        raise _altered(name) from None
    offset, size = build.library
    file.seek(offset)
    if file.read(min(size, len(ELF))) != ELF:
        raise _malformed(name, "its first part is no library")


def _parsed(file: Readable) -> tuple[Build, ...]:
    record = read_record(file, FORMAT)
    header = typed(_Header, record.header)
    if not header.builds:
        raise MalformedError("it holds no build of a model")
    return tuple(_build(said, record) for said in header.builds)


def _build(said: _Build, record: Record) -> Build:
    if not set(said.payloads) <= set(range(len(record.payloads))):
        raise MalformedError(f"a build has the parts {list(said.payloads)!r:.60}")
    places = [record.payloads[number] for number in said.payloads]
    if len(places) != 1 + len(said.weights) + said.device_code:
        raise MalformedError(f"{len(said.weights)} weights in {len(places)} parts")
    check_manifest(said.manifest)
    if said.manifest.parts:
        raise MalformedError("a library has parts, as bundles have")
    listed = [(*types, *place) for types, place in zip(said.weights, places[1:], strict=False)]
    weights = tuple(Weight(*fields) for fields in listed)
    check_weights(((w.dtype, w.shape, w.size) for w in weights), said.manifest.overridable)
    if not set(said.aliased_outputs) <= set(range(len(said.manifest.outputs))):
        raise MalformedError(f"the outputs {list(said.aliased_outputs)!r:.60} share memory")
    return Build(
        replace(said.manifest, sha256=record.sha256),
        places[0],
        weights,
        places[-1] if said.device_code else None,
        said.aliased_outputs,
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
        f"{name} was altered after it was written: its checksum does not fit; save or copy it again"
    )


def _malformed(name: str, why: str) -> DamagedArtifactError:
    return DamagedArtifactError(
        f"{name} says of itself what tvmfuse does not write: {why}; compile the model again"
    )
