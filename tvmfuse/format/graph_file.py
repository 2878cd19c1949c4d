"""The file of offline mode: an optimized module with its weights.

It is a `record` that begins with its magic, too. The first payload is TVM's JSON of the kernels
with the weights taken out; the others are the weights, which are mapped into memory and not read.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, TypeGuard

import numpy as np

from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.atomic import atomic_write
from tvmfuse.format.checks import check_metadata, check_specs, check_weights
from tvmfuse.format.faults import AlteredError, MalformedError, NotWholeError, VersionError
from tvmfuse.format.file import open_artifact
from tvmfuse.format.record import (
    GRAPH_MAGIC,
    Record,
    RecordFormat,
    check_payloads,
    read_record,
    typed,
    write_record,
)
from tvmfuse.format.regular import open_regular
from tvmfuse.report import OptimizationReport
from tvmfuse.tensor_spec import TensorSpec

FORMAT: Final = RecordFormat(GRAPH_MAGIC, 4)


@dataclass(frozen=True, kw_only=True)
class GraphFacts:
    """What is known of an optimized graph beside its kernels.

    Attributes:
        inputs: What `main` takes first.
        overridable: What it takes then: inputs that have a default.
        outputs: What it returns.
        opset: Of the ONNX model.
        metadata: The ONNX model's own words: producer, graph name and so on.
        level: The level that it was optimized at.
        passes_ran: The passes that ran.
        passes_disabled: The passes that were switched off.
        report: What the passes did.
        target: What it was laid out for; None where it suits every target.
    """

    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    overridable: tuple[TensorSpec, ...]
    opset: int
    metadata: Mapping[str, Any]
    level: str
    passes_ran: tuple[str, ...]
    passes_disabled: tuple[str, ...]
    report: OptimizationReport
    target: str | None

    def facts(self) -> dict[str, Any]:
        """Return these, and nothing that a subclass adds."""
        return {field.name: getattr(self, field.name) for field in fields(GraphFacts)}


@dataclass(frozen=True, kw_only=True)
class GraphHeader(GraphFacts):
    """What the file says of the graph, and with which versions it was written."""

    versions: Mapping[str, str]


@dataclass(frozen=True)
class _Weight:
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True, kw_only=True)
class _Header(GraphHeader):
    weights: tuple[_Weight, ...]


@dataclass(frozen=True)
class GraphFile:
    """What the file holds.

    Attributes:
        header: Of the graph.
        module: TVM's JSON.
        weights: In order; private pages of the file, aligned to 64 bytes.
    """

    header: GraphHeader
    module: str
    weights: Sequence[np.ndarray]


def is_graph_file(model: object) -> TypeGuard[str | os.PathLike[str] | bytes]:
    """Whether a path or bytes hold such a file; its name does not matter."""
    if isinstance(model, bytes):
        return model.startswith(FORMAT.magic)
    if isinstance(model, (str, os.PathLike)):
        # What cannot be read here, a pipe's start, too, is for the importer to report.
        with suppress(OSError), open_regular(model) as file:
            return file.read(len(FORMAT.magic)) == FORMAT.magic
    return False


def write_graph_file(path: str | os.PathLike[str], content: GraphFile) -> None:
    """Write the file, atomically.

    Raises:
        ArtifactError: It cannot be written there.
    """
    weights = [np.ascontiguousarray(w).reshape(w.shape) for w in content.weights]
    header = {
        **asdict(content.header),
        "weights": [{"shape": list(w.shape), "dtype": str(w.dtype)} for w in weights],
    }
    data = [weight.reshape(-1).view(np.uint8).data for weight in weights]
    with atomic_write(path) as file:
        write_record(file, FORMAT, header, [content.module.encode(), *data])


def read_graph_file(model: str | os.PathLike[str] | bytes, name: str) -> GraphFile:
    """Read what `write_graph_file` wrote.

    Args:
        model: The path, or the bytes.
        name: How errors call it.

    Raises:
        ArtifactError: It cannot be read.
        DamagedArtifactError: It is truncated or altered, or says what cannot be.
        IncompatibleArtifactError: It is of another version.
    """
    try:
        pages = _copied(model) if isinstance(model, bytes) else _mapped(model)
        record = read_record(pages, FORMAT)
        check_payloads(pages, record)
        return _parsed(record, pages)
    except (NotWholeError, AlteredError):
        raise DamagedArtifactError(
            f"{name}: truncated or altered: its checksum does not fit; optimize the model again"
        ) from None
    except MalformedError as error:
        raise DamagedArtifactError(
            f"{name} says of itself what tvmfuse does not write: {error}; optimize the model again"
        ) from error
    except VersionError as error:
        raise IncompatibleArtifactError(
            f"{name}: format version {error.version}, expected {FORMAT.version}: optimize the "
            "model again"
        ) from None


def _parsed(record: Record, pages: mmap.mmap) -> GraphFile:
    header = typed(_Header, record.header)
    if len(record.payloads) != 1 + len(header.weights):
        raise MalformedError(f"{len(header.weights)} weights in {len(record.payloads)} parts")
    (start, size), *places = record.payloads
    check_specs(header.inputs, header.overridable, header.outputs)
    check_metadata(header.metadata)
    sized = zip(header.weights, places, strict=True)
    check_weights([(w.dtype, w.shape, n) for w, (_, n) in sized], header.overridable)
    data = np.frombuffer(pages, np.uint8)
    try:
        module = data[start : start + size].tobytes().decode()
    except UnicodeDecodeError as error:
        raise MalformedError(f"its module is no text: {error}") from error
    weights = [
        data[offset : offset + nbytes].view(numpy_dtype(w.dtype)).reshape(w.shape)
        for w, (offset, nbytes) in zip(header.weights, places, strict=True)
    ]
    return GraphFile(header, module, weights)


def _mapped(path: str | os.PathLike[str]) -> mmap.mmap:
    # Private pages: the tensors that are made of them count as writable, the file stays.
    with open_artifact(path) as file:
        if not os.fstat(file.fileno()).st_size:
            raise NotWholeError  # and nothing to map
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


def _copied(data: bytes) -> mmap.mmap:
    # Into pages: kernels read weights at aligned addresses.
    pages = mmap.mmap(-1, len(data))
    pages.write(data)
    return pages
