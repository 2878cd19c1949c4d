"""Weights that lie in files beside the model, and must not lie anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import onnx

from tvmfuse.errors import MalformedModelError, ModelError


def tensors_of(model: onnx.ModelProto) -> Iterator[onnx.TensorProto]:
    """Yield every tensor of a model: initializers and attributes, of functions and branches too."""
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


def refuse_external_data(model: onnx.ModelProto, where: str, remedy: str) -> None:
    """Raise a ModelError if a tensor lies in another file: without a folder nobody finds it."""
    for tensor in tensors_of(model):
        if is_external(tensor):
            raise ModelError(
                f"{where}: the numbers of {tensor.name!r} lie in another file, and the folder is "
                f"not known; {remedy}"
            )


def load_external_data(model: onnx.ModelProto, folder: Path) -> None:
    """Move all external data into the model.

    Args:
        model: Is changed in place.
        folder: The model's own; all files must lie below it.

    Raises:
        MalformedModelError: A file lies elsewhere, is missing, or is too short.
    """
    root = folder.resolve()
    for tensor in tensors_of(model):
        if is_external(tensor):
            tensor.raw_data = _read(tensor, root)
            tensor.ClearField("external_data")
            tensor.ClearField("data_location")


def _read(tensor: onnx.TensorProto, root: Path) -> bytes:
    entries = {e.key: e.value for e in tensor.external_data}
    path = _resolve(tensor.name, entries.get("location", ""), root)
    offset, length = (_number(tensor.name, key, entries.get(key)) for key in ("offset", "length"))
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            file.seek(offset or 0)
            wanted = size - (offset or 0) if length is None else length
            if wanted < 0 or (offset or 0) + wanted > size:
                raise MalformedModelError(
                    f"tensor {tensor.name!r}: bytes {offset or 0} to {(offset or 0) + wanted} of "
                    f"{path.name!r} are wanted, which has {size}"
                )
            return file.read(wanted)
    except OSError as error:
        raise MalformedModelError(
            f"tensor {tensor.name!r}: {path.name!r} cannot be read: {error.strerror or error}"
        ) from error


def _resolve(name: str, location: str, root: Path) -> Path:
    if not location:
        raise MalformedModelError(f"tensor {name!r} lies in another file, and none is named")
    if "\0" in location:
        raise MalformedModelError(f"tensor {name!r}: no file can be called {location!r}")
    try:
        path = (root / location).resolve()
        exists = path.is_file()
    except (OSError, RuntimeError) as error:  # a link to itself, a name that is too long
        raise MalformedModelError(f"tensor {name!r} lies in {location!r}: {error}") from error
    if Path(location).is_absolute() or not path.is_relative_to(root):
        raise MalformedModelError(
            f"tensor {name!r} lies in {location!r}, which leaves the model's folder; move the file "
            "next to the model"
        )
    if not exists:
        raise MalformedModelError(
            f"tensor {name!r} lies in {location!r}, and the model's folder has no such file"
        )
    return path


def _number(name: str, key: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit():
        raise MalformedModelError(f"tensor {name!r}: {key} {text!r} is no number of bytes")
    return int(text)
