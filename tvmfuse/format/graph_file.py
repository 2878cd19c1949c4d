"""The file of offline mode: an optimized module with its weights.

It is a `record` that begins with its magic, too. The first payload is TVM's JSON of the kernels
with the weights taken out; the others are the weights, which are mapped into memory and not read.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from tvmfuse.errors import DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.record import (
    GRAPH_MAGIC,
    AlteredError,
    NotWholeError,
    RecordFormat,
    VersionError,
    check_payloads,
    read_record,
    write_record,
)

FORMAT: Final = RecordFormat(GRAPH_MAGIC, 3)


@dataclass(frozen=True)
class GraphFile:
    """What the file holds.

    Attributes:
        header: Of JSON's types.
        module: TVM's JSON.
        weights: In order; private pages of the file, aligned to 64 bytes.
    """

    header: Mapping[str, Any]
    module: str
    weights: Sequence[np.ndarray]


def is_graph_file(model: object) -> bool:
    """Whether a path or bytes hold such a file; its name does not matter."""
    if isinstance(model, bytes):
        return model.startswith(FORMAT.magic)
    if isinstance(model, (str, os.PathLike)):
        # What cannot be read here, the importer reports.
        with suppress(OSError, ValueError):
            if Path(model).is_file():  # and no pipe, of which the importer wants the start, too
                with Path(model).open("rb") as file:
                    return file.read(len(FORMAT.magic)) == FORMAT.magic
    return False


def write_graph_file(path: str | os.PathLike[str], content: GraphFile) -> None:
    """Write the file, atomically.

    Raises:
        ArtifactError: It cannot be written there.
    """
    weights = [np.ascontiguousarray(w).reshape(w.shape) for w in content.weights]
    header = {
        **content.header,
        "weights": [{"shape": list(w.shape), "dtype": str(w.dtype)} for w in weights],
    }
    data = [weight.reshape(-1).view(np.uint8).data for weight in weights]
    write_record(path, FORMAT, header, [content.module.encode(), *data])


def read_graph_file(model: str | os.PathLike[str] | bytes, name: str) -> GraphFile:
    """Read what `write_graph_file` wrote.

    Args:
        model: The path, or the bytes.
        name: How errors call it.

    Raises:
        DamagedArtifactError: It is truncated or altered.
        IncompatibleArtifactError: It is of another version.
    """
    pages = _copied(model) if isinstance(model, bytes) else _mapped(Path(model))
    try:
        record = read_record(pages, FORMAT)
        check_payloads(pages, record)
    except (NotWholeError, AlteredError):
        raise DamagedArtifactError(
            f"{name}: truncated or altered: its checksum does not fit; optimize the model again"
        ) from None
    except VersionError as error:
        raise IncompatibleArtifactError(
            f"{name}: format version {error.version}, expected {FORMAT.version}: optimize the "
            "model again"
        ) from None
    (start, size), *places = record.payloads
    data = np.frombuffer(pages, np.uint8)
    listed = zip(record.header["weights"], places, strict=True)
    return GraphFile(
        record.header,
        data[start : start + size].tobytes().decode(),
        [
            data[offset : offset + nbytes].view(np.dtype(entry["dtype"])).reshape(entry["shape"])
            for entry, (offset, nbytes) in listed
        ],
    )


def _mapped(path: Path) -> mmap.mmap:
    # Private pages: the tensors that are made of them count as writable, the file stays.
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


def _copied(data: bytes) -> mmap.mmap:
    # Into pages: kernels read weights at aligned addresses.
    pages = mmap.mmap(-1, len(data))
    pages.write(data)
    return pages
