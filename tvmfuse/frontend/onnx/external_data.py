"""Numbers that lie in files beside the model: how many, where, and into which memory they go.

They are read into the memory that constants then share, and so are there once. Where the caller
asks for it they are mapped, which spares that memory: who then exports the model anew, over the old
file, changes the weights of what was compiled from it, or ends the process.
"""

from __future__ import annotations

import math
import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
import onnx
from onnx import helper

from tvmfuse.arrays import aligned_bytes
from tvmfuse.errors import MalformedModelError, ModelError
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.onnx.model_folder import ModelFolder
from tvmfuse.frontend.onnx.without_weights import SMALL

LAST: Final = 2**63 - 1
"""The last byte that a file can have."""

SHARED: Final = 8
"""How many times a file's bytes its tensors may take: each is read into memory of its own."""

BITS: Final = {"int4": 4, "uint4": 4, "float4_e2m1fn": 4, "int2": 2, "uint2": 2}
"""Of elements that share bytes."""


def tensors_of(model: onnx.ModelProto) -> Iterator[onnx.TensorProto]:
    """Yield every tensor of a model: initializers and attributes, of functions and branches too.

    The graph's own initializers come first, in order.
    """
    yield from _graph_tensors(model.graph)
    for function in model.functions:
        yield from _node_tensors(function.node)


def _graph_tensors(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield sparse.values
        yield sparse.indices
    yield from _node_tensors(graph.node)


def _node_tensors(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.TensorProto]:
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            if attribute.HasField("g"):
                yield from _graph_tensors(attribute.g)
            for graph in attribute.graphs:
                yield from _graph_tensors(graph)


def is_external(tensor: onnx.TensorProto) -> bool:
    """Whether a tensor's numbers lie in another file."""
    return bool(tensor.data_location == onnx.TensorProto.EXTERNAL)


def locations_of(model: onnx.ModelProto) -> set[str]:
    """Return the names of the other files that have numbers of a model, below its folder."""
    entries = (
        e for tensor in tensors_of(model) if is_external(tensor) for e in tensor.external_data
    )
    return {entry.value for entry in entries if entry.key == "location"}


def refuse_external_data(model: onnx.ModelProto, where: str, remedy: str) -> None:
    """Raise a ModelError if a tensor lies in another file: without a folder nobody finds it."""
    for tensor in tensors_of(model):
        if is_external(tensor):
            raise ModelError(
                f"{where}: the numbers of {tensor.name!r} lie in another file, and the folder is "
                f"not known; {remedy}"
            )


def load_external_data(model: onnx.ModelProto, folder: ModelFolder) -> None:
    """Move all external data into the model.

    Args:
        model: Is changed in place.
        folder: The model's own.

    Raises:
        MalformedModelError: A file lies elsewhere, is missing, or is too short.
    """
    for extent, numbers in _read_all(_extents(model), folder, _reading):
        _embed(extent.tensor, numbers)


def take_weights(
    model: onnx.ModelProto, folder: ModelFolder, gate: Gate, *, mapped: bool = False
) -> dict[str, np.ndarray]:
    """Read large external initializers of the graph, and move all other external data into it.

    Args:
        model: Is changed in place: the initializers that are returned have no numbers in it.
        folder: The model's own.
        gate: Is asked for each tensor before any is read.
        mapped: Whether the numbers stay in their files, of which the system reads what is touched.

    Returns:
        Name -> the numbers, in memory that a constant can share: those that are mapped, where they
        begin at a multiple of 64 bytes.

    Raises:
        MalformedModelError: A file lies elsewhere, is missing, or is too short.
        LimitExceededError: A tensor is larger than the limits admit, or all are together.
    """
    weights, extents = {}, _extents(model)
    for extent in extents:
        gate.external(f"tensor {extent.tensor.name!r}", extent.tensor.dims, extent.bits)
    for extent, numbers in _read_all(extents, folder, _mapping if mapped else _reading):
        tensor = extent.tensor
        if extent.is_weight:
            weights[tensor.name] = numbers.view(_dtype(tensor)).reshape(tuple(tensor.dims))
            _forget_place(tensor)
        else:
            _embed(tensor, numbers)
    return weights


@dataclass(frozen=True)
class _Extent:
    """Where the numbers of a tensor lie in a file.

    Attributes:
        length: In bytes, as stated; None for all that follow.
        bits: Of an element.
        is_weight: Whether it is a large initializer of the graph, of whole bytes.
    """

    tensor: onnx.TensorProto
    location: str
    offset: int
    length: int | None
    bits: int
    is_weight: bool

    @property
    def nbytes(self) -> int:
        """What the tensor's shape takes."""
        return (math.prod(map(int, self.tensor.dims)) * self.bits + 7) // 8

    @property
    def said(self) -> str:
        """The first words of a refusal."""
        return f"tensor {self.tensor.name!r} lies in {self.location!r}"

    def check_within(self, size: int) -> None:
        """Check against the size of the file, before anything is read."""
        length = size - self.offset if self.length is None else self.length
        end = self.offset + (self.nbytes if self.length is None else self.length)
        if length < 0 or self.offset + length > size:
            raise MalformedModelError(
                f"{self.said}: bytes {self.offset} to {end} are wanted of a file which has {size}"
            )
        if length != self.nbytes:
            raise MalformedModelError(
                f"{self.said}: its shape {list(self.tensor.dims)} takes {self.nbytes} bytes, and "
                f"{length} are there"
            )


def _extents(model: onnx.ModelProto) -> list[_Extent]:
    own = len(model.graph.initializer)
    return [
        _extent(tensor, of_graph=place < own)
        for place, tensor in enumerate(tensors_of(model))
        if is_external(tensor)
    ]


def _extent(tensor: onnx.TensorProto, *, of_graph: bool) -> _Extent:
    entries: dict[str, str] = {}
    for entry in tensor.external_data:
        if not isinstance(entry.key, str) or not isinstance(entry.value, str):
            raise MalformedModelError(f"tensor {tensor.name!r}: {entry.value!r} is no text")
        if entry.key in entries:
            raise MalformedModelError(f"tensor {tensor.name!r} states its {entry.key!r} twice")
        entries[entry.key] = entry.value
    offset, length = (_number(tensor.name, k, entries.get(k)) for k in ("offset", "length"))
    dtype = _dtype(tensor)
    if any(d < 0 for d in tensor.dims):
        raise MalformedModelError(f"tensor {tensor.name!r}: {list(tensor.dims)} is no shape")
    return _Extent(
        tensor,
        location=entries.get("location", ""),
        offset=offset or 0,
        length=length,
        bits=BITS.get(dtype.name, 8 * dtype.itemsize),
        is_weight=of_graph and math.prod(tensor.dims) > SMALL and dtype.name not in BITS,
    )


def _dtype(tensor: onnx.TensorProto) -> np.dtype:
    try:
        dtype = helper.tensor_dtype_to_np_dtype(tensor.data_type)
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedModelError(
            f"tensor {tensor.name!r}: {tensor.data_type} is no element type"
        ) from error
    if dtype.kind == "O":
        raise MalformedModelError(f"tensor {tensor.name!r}: strings cannot lie in another file")
    return dtype


def _number(name: str, key: str, text: str | None) -> int | None:
    if text is None:
        return None
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(LAST))
    if not digits or int(text) > LAST:
        raise MalformedModelError(f"tensor {name!r}: {key} {text!r:.40} is no number of bytes")
    return int(text)


Reader = Callable[[_Extent], np.ndarray]
"""Gives a tensor's bytes, of a file that is open."""


def _read_all(
    extents: Sequence[_Extent], folder: ModelFolder, reading: Callable[[int, int], Reader]
) -> Iterator[tuple[_Extent, np.ndarray]]:
    """Yield each tensor's bytes; of each file, which is opened once, in the order they lie in."""
    order = sorted(extents, key=lambda e: (e.location, e.offset))
    for location, group in groupby(order, key=lambda e: e.location):
        parts = list(group)
        with folder.opened(location, parts[0].said) as file:
            size = os.fstat(file).st_size
            for part in parts:
                part.check_within(size)
            wanted = sum(part.nbytes for part in parts)
            if wanted > SHARED * size:
                raise MalformedModelError(
                    f"{parts[0].said}: {len(parts)} tensors take {wanted} bytes of a file which "
                    f"has {size}: more of them lie on the same bytes than shared weights do"
                )
            read = reading(file, size)
            for part in parts:
                yield part, read(part)


def _reading(file: int, _size: int) -> Reader:
    return lambda extent: _read(file, extent)


def _mapping(file: int, size: int) -> Reader:
    """Return what gives parts of a file as memory, of which writes stay in this process."""
    if not size:
        return _reading(file, size)
    try:
        # A file as such cannot be writable memory, which DLPack asks for.
        whole = np.frombuffer(mmap.mmap(file, size, access=mmap.ACCESS_COPY), np.uint8)
    except OSError as error:
        reason = error.strerror or error
        raise ModelError(f"a file of {size} bytes cannot be mapped: {reason}") from error
    return lambda extent: whole[extent.offset : extent.offset + extent.nbytes]


def _read(file: int, extent: _Extent) -> np.ndarray:
    """Read bytes into aligned memory."""
    try:
        numbers, done = aligned_bytes(extent.nbytes), 0
        while done < extent.nbytes:
            got = os.preadv(file, [numbers.data[done:]], extent.offset + done)
            if not got:
                raise MalformedModelError(f"{extent.said}, which became shorter as it was read")
            done += got
    except MemoryError as error:
        raise ModelError(f"{extent.said}: no memory for its {extent.nbytes} bytes") from error
    except OSError as error:
        raise MalformedModelError(
            f"{extent.said}, which cannot be read: {error.strerror or error}"
        ) from error
    return numbers


def _embed(tensor: onnx.TensorProto, numbers: np.ndarray) -> None:
    tensor.raw_data = numbers.tobytes()
    _forget_place(tensor)


def _forget_place(tensor: onnx.TensorProto) -> None:
    tensor.ClearField("external_data")
    tensor.ClearField("data_location")
