"""The file of offline mode: an optimized module with its weights.

Layout, little-endian::

    magic        8 bytes   b"TVMFUSEG"
    version      u32
    header size  u32
    sha256      32 bytes   of all that follows
    header                 JSON: inputs, outputs, report, target, versions, sizes and weights
    module                 TVM's JSON of the kernels, weights taken out
    weights                raw, each aligned to 64 bytes: mapped into memory, not read
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import tvm
from tvm import IRModule
from tvm.target import Target

from tvmfuse.build.weights import attach, detach
from tvmfuse.errors import DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.atomic import atomic_write
from tvmfuse.format.file import GRAPH_MAGIC as MAGIC
from tvmfuse.manifest import TensorSpec
from tvmfuse.report import OptimizationReport

VERSION: Final = 3
PREFIX: Final = struct.Struct("<8sII32s")
ALIGNMENT: Final = 64


@dataclass(frozen=True)
class Graph:
    """An optimized module and what a caller needs to know of it.

    Attributes:
        kernels: `main` calls PrimFuncs, not yet scheduled for a target.
        inputs: What `main` takes first.
        overridable: What it takes then: inputs that have a default.
        defaults: Their values.
        outputs: What it returns.
        opset: Of the ONNX model.
        metadata: The ONNX model's own words: producer, graph name and so on.
        level: The level that it was optimized at.
        passes_ran: The passes that ran.
        passes_disabled: The passes that were switched off.
        report: What the passes did.
        target: What it was laid out for; None where it suits every target.
    """

    kernels: IRModule
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    overridable: tuple[TensorSpec, ...]
    defaults: Sequence[np.ndarray]
    opset: int
    metadata: Mapping[str, Any]
    level: str
    passes_ran: tuple[str, ...]
    passes_disabled: tuple[str, ...]
    report: OptimizationReport
    target: str | None = None


def is_container(model: object) -> bool:
    """Whether a path or bytes hold such a file; its name does not matter."""
    if isinstance(model, bytes):
        return model.startswith(MAGIC)
    if isinstance(model, (str, os.PathLike)):
        # What cannot be read here, the importer reports.
        with suppress(OSError, ValueError):
            if Path(model).is_file():  # and no pipe, of which the importer wants the start, too
                with Path(model).open("rb") as file:
                    return file.read(len(MAGIC)) == MAGIC
    return False


def write(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the file, atomically.

    Raises:
        ArtifactError: It cannot be written there.
    """
    module, weights = detach(graph.kernels)
    text = tvm.ir.save_json(module).encode()
    weights = [np.ascontiguousarray(w).reshape(w.shape) for w in (*weights, *graph.defaults)]
    header = {
        **asdict(replace(graph, kernels=None, defaults=())),
        "versions": {"tvmfuse": version("tvmfuse"), "apache-tvm": version("apache-tvm")},
        "module_size": len(text),
        "weights": [{"shape": list(w.shape), "dtype": str(w.dtype)} for w in weights],
    }
    head = json.dumps(header).encode()
    digest = hashlib.sha256()
    with atomic_write(path) as file:
        file.write(bytes(PREFIX.size))

        def put(data: bytes | memoryview) -> None:
            digest.update(data)
            file.write(data)

        put(head)
        put(text)
        for weight in weights:
            put(bytes(_padding(file.tell())))
            put(weight.reshape(-1).view(np.uint8).data)
        file.seek(0)
        file.write(PREFIX.pack(MAGIC, VERSION, len(head), digest.digest()))


def read(model: str | os.PathLike[str] | bytes, target: Target) -> Graph:
    """Read what `write` wrote.

    Args:
        model: The path, or the bytes.
        target: What it will be compiled for.

    Raises:
        DamagedArtifactError: It is truncated or altered.
        IncompatibleArtifactError: It is of another version, or laid out for another target.
    """
    data = _copied(model) if isinstance(model, bytes) else _mapped(Path(model))
    name = "these bytes" if isinstance(model, bytes) else str(model)
    if len(data) < PREFIX.size:
        raise DamagedArtifactError(f"{name}: truncated: {len(data)} bytes")
    _, number, head_size, digest = PREFIX.unpack(data[: PREFIX.size].tobytes())
    if number != VERSION:
        raise IncompatibleArtifactError(
            f"{name}: format version {number}, expected {VERSION}: optimize the model again"
        )
    if hashlib.sha256(data[PREFIX.size :].data).digest() != digest:
        raise DamagedArtifactError(
            f"{name}: truncated or altered: its checksum does not fit; optimize the model again"
        )
    start = PREFIX.size + head_size
    header = json.loads(data[PREFIX.size : start].tobytes())
    _check(header, name, target)
    end = start + header["module_size"]
    module = tvm.ir.load_json(data[start:end].tobytes().decode())
    arrays = _weights(data, end, header["weights"])
    bound = len(arrays) - len(header["overridable"])
    return _graph(header, attach(module, arrays[:bound]), arrays[bound:])


def _mapped(path: Path) -> np.ndarray:
    # Private pages: the tensors that are made of them count as writable, the file stays.
    with path.open("rb") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY), np.uint8)


def _copied(data: bytes) -> np.ndarray:
    # Into pages: kernels read weights at aligned addresses.
    pages = mmap.mmap(-1, len(data))
    pages.write(data)
    return np.frombuffer(pages, np.uint8)


def _weights(data: np.ndarray, start: int, table: list[dict[str, Any]]) -> list[np.ndarray]:
    weights = []
    for entry in table:
        start += _padding(start)
        dtype = np.dtype(entry["dtype"])
        stop = start + int(np.prod(entry["shape"], dtype=np.int64)) * dtype.itemsize
        weights.append(data[start:stop].view(dtype).reshape(entry["shape"]))
        start = stop
    return weights


def _check(header: Mapping[str, Any], name: str, target: Target) -> None:
    made, here = header["versions"]["apache-tvm"], version("apache-tvm")
    if made.split(".")[:2] != here.split(".")[:2]:
        raise IncompatibleArtifactError(
            f"{name}: written with apache-tvm {made}, here is {here}: optimize the model again"
        )
    if header["target"] not in (None, str(target)):
        raise IncompatibleArtifactError(
            f"{name}: its layouts suit the target {header['target']}, asked for is {target}: "
            "optimize the model for this target"
        )


def _graph(header: Mapping[str, Any], kernels: IRModule, defaults: list[np.ndarray]) -> Graph:
    def specs(key: str) -> tuple[TensorSpec, ...]:
        return tuple(map(TensorSpec.from_json, header[key]))

    return Graph(
        kernels,
        specs("inputs"),
        specs("outputs"),
        specs("overridable"),
        defaults,
        header["opset"],
        header["metadata"],
        header["level"],
        tuple(header["passes_ran"]),
        tuple(header["passes_disabled"]),
        OptimizationReport.from_json(header["report"]),
        header["target"],
    )


def _padding(position: int) -> int:
    return -position % ALIGNMENT
