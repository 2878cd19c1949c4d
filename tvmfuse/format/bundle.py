"""The bundle: a model in parts, in one file.

It is a `record` that begins with its magic. Its payloads are the parts in the order of a run, each
a compiled file as `file` writes it, or an ONNX model for another engine; then the weights that
these models share and do not hold.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from tvmfuse.errors import DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.atomic import atomic_write
from tvmfuse.format.checks import check_manifest, check_weights
from tvmfuse.format.faults import AlteredError, MalformedError, NotWholeError, VersionError
from tvmfuse.format.kinds import BUNDLE
from tvmfuse.format.record import (
    Record,
    RecordFormat,
    check_payloads,
    read_record,
    typed,
    write_record,
)
from tvmfuse.manifest import OTHERS, OURS, TEXT, Manifest, Part
from tvmfuse.tensor_spec import TensorSpec

FORMAT: Final = RecordFormat(BUNDLE, 2)

#: What an input or output may be that no kernel reads, in ONNX's words.
OTHER_TYPES: Final = re.compile(
    r"string|(tensor|seq|optional|map|sparse_tensor)(\([a-z0-9_(),]{0,99}\))?"
)


@dataclass(frozen=True)
class PooledWeight:
    """A weight of the other engine's parts.

    Attributes:
        name: In the ONNX graph.
        dtype: numpy's.
        shape: Its shape.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class _Header:
    manifest: Manifest
    weights: tuple[PooledWeight, ...]
    reads: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class BundleIndex:
    """What the file says of itself and of its parts.

    Attributes:
        manifest: For the user.
        parts: Offset and size of each part.
        reads: For each part, the names of the weights that it reads.
        weights: Each weight, its offset and its size.
        record: Where all this lies.
    """

    manifest: Manifest
    parts: Sequence[tuple[int, int]]
    reads: Sequence[Sequence[str]]
    weights: Sequence[tuple[PooledWeight, int, int]]
    record: Record


def begins_as_bundle(file: BinaryIO) -> bool:
    """Whether an open file begins as a bundle does; the place in it stays at the start."""
    file.seek(0)
    start = file.read(len(FORMAT.magic))
    file.seek(0)
    return start == FORMAT.magic


def write_bundle(
    path: str | os.PathLike[str],
    manifest: Manifest,
    parts: Sequence[bytes | memoryview],
    weights: Sequence[tuple[PooledWeight, memoryview]],
    reads: Sequence[Sequence[str]],
) -> Manifest:
    """Write a bundle atomically, and return its manifest, the hash included.

    Args:
        path: Where to.
        manifest: Without the hash.
        parts: In the manifest's order.
        weights: Each one's bytes.
        reads: For each part, the names of the weights that it reads.

    Raises:
        ArtifactError: It cannot be written there; what stood there stays.
    """
    header: Mapping[str, object] = {
        "manifest": manifest.to_json(),
        "weights": [
            {"name": said.name, "dtype": said.dtype, "shape": list(said.shape)}
            for said, _ in weights
        ],
        "reads": [list(names) for names in reads],
    }
    with atomic_write(path) as file:
        payloads = [*parts, *(data for _, data in weights)]
        return replace(manifest, sha256=write_record(file, FORMAT, header, payloads).sha256)


def read_bundle(file: BinaryIO, name: str) -> BundleIndex:
    """Read and check the index, from the file's end.

    Raises:
        DamagedArtifactError: The file is truncated or altered, or says what cannot be.
        IncompatibleArtifactError: A tvmfuse of another format wrote it.
    """
    try:
        return _parsed(file)
    except NotWholeError:
        raise DamagedArtifactError(
            f"{name} does not end as a bundle of parts does: it is truncated, or something was "
            "appended to it; save or copy it again"
        ) from None
    except AlteredError:
        raise _altered(name) from None
    except MalformedError as error:
        raise DamagedArtifactError(
            f"{name} says of itself what tvmfuse does not write: {error}; compile the model again"
        ) from error
    except VersionError as error:
        raise IncompatibleArtifactError(
            f"{name} is a bundle in format {error.version}, and this tvmfuse reads format "
            f"{FORMAT.version}: compile the model again, or take the tvmfuse that wrote it"
        ) from None


def check_bundle(file: BinaryIO, index: BundleIndex, name: str) -> None:
    """Check all that stands before the index against its checksum.

    Raises:
        DamagedArtifactError: A byte of it was altered.
    """
    try:
        check_payloads(file, index.record)
    except AlteredError:
        raise _altered(name) from None


def _altered(name: str) -> DamagedArtifactError:
    return DamagedArtifactError(
        f"{name} was altered after it was written: its checksum does not fit; save or copy it again"
    )


def _parsed(file: BinaryIO) -> BundleIndex:
    record = read_record(file, FORMAT)
    header, places = typed(_Header, record.header), record.payloads
    manifest, count = header.manifest, len(header.manifest.parts)
    if not count or len(header.reads) != count or len(places) != count + len(header.weights):
        raise MalformedError(
            f"{count} parts and {len(header.weights)} weights in {len(places)} payloads"
        )
    _check_flow(manifest)
    check_manifest(_of_numbers(manifest))
    weights = [(w, *place) for w, place in zip(header.weights, places[count:], strict=True)]
    check_weights(((w.dtype, w.shape, size) for w, _, size in weights), ())
    _check_reads(header)
    return BundleIndex(
        replace(manifest, sha256=record.sha256), places[:count], header.reads, weights, record
    )


def _check_flow(manifest: Manifest) -> None:
    """Check that each part reads what is there by then, and that all outputs are.

    Raises:
        MalformedError: It is not so.
    """
    if manifest.overridable or manifest.shared:
        raise MalformedError("parts have no inputs that may be left out or written to")
    there = {spec.name for spec in manifest.inputs}
    for number, part in enumerate(manifest.parts):
        if part.engine not in (OURS, TEXT, *OTHERS):
            raise MalformedError(f"part {number} is for the engine {part.engine!r:.60}")
        _check_part(number, part, there)
        there.update(part.outputs)
    for spec in manifest.outputs:
        if spec.name not in there:
            raise MalformedError(f"no part makes the output {spec.name!r:.60}")


def _check_part(number: int, part: Part, there: set[str]) -> None:
    for name in part.inputs:
        if name not in there:
            raise MalformedError(
                f"part {number} reads {name!r:.60}, which nothing has made by then"
            )
    if not part.outputs or len({*part.outputs}) < len(part.outputs) or there & {*part.outputs}:
        raise MalformedError(f"part {number} makes {list(part.outputs)!r:.60}")


def _check_reads(header: _Header) -> None:
    names = [weight.name for weight in header.weights]
    if len({*names}) < len(names):
        raise MalformedError("two weights have one name")
    for part, reads in zip(header.manifest.parts, header.reads, strict=True):
        if not {*names}.issuperset(reads) or len({*reads}) < len(reads):
            raise MalformedError(f"a part reads the weights {list(reads)!r:.60}")
        if reads and part.engine == OURS:
            raise MalformedError("a part of tvmfuse reads weights that are not its own")


def _of_numbers(manifest: Manifest) -> Manifest:
    """Return the manifest with tensors of bytes for inputs and outputs of other types."""

    def plain(spec: TensorSpec) -> TensorSpec:
        return replace(spec, dtype="uint8") if OTHER_TYPES.fullmatch(spec.dtype) else spec

    inputs, outputs = (tuple(map(plain, s)) for s in (manifest.inputs, manifest.outputs))
    return replace(manifest, inputs=inputs, outputs=outputs)
