"""The model that a session is made of, with what its options change in it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from tvmfuse.errors import ConfigurationError, MalformedModelError, TvmfuseError
from tvmfuse.onnxruntime_api.enums import ExecutionMode
from tvmfuse.onnxruntime_api.exceptions import (
    Fail,
    InvalidArgument,
    InvalidProtobuf,
    NoSuchFile,
    RefusedOptionError,
    raise_as,
)
from tvmfuse.onnxruntime_api.node_arg import OrtEpAssignedNode
from tvmfuse.onnxruntime_api.session_options import SessionOptions

if TYPE_CHECKING:
    import onnx

FOLDER: Final = "session.model_external_initializers_file_folder_path"

Source: TypeAlias = "str | bytes | onnx.ModelProto"
"""A path, a file's bytes, or a model."""

CONFIGURED: Final = {
    "intra_op_num_threads": int,
    "inter_op_num_threads": int,
    "enable_profiling": bool,
    "graph_optimization_level": int,
    "execution_mode": ExecutionMode,
}
"""What a model may say under ``ort_config`` of how sessions run it."""


def check_source(source: str | bytes) -> None:
    """Refuse what cannot be read as onnxruntime refuses it.

    Raises:
        TvmfuseError: There is no such file, or it is empty or ONNX Runtime's own format.
    """
    if isinstance(source, str):
        if not os.path.exists(source):
            words = f"Load model from {source} failed:Load model {source} failed. "
            raise_as(TvmfuseError(f"{words}File doesn't exist"), NoSuchFile)
        if source.endswith(".ort"):
            raise RefusedOptionError(f"{source}: ORT format is not read: take the ONNX model")
        if os.path.isdir(source):
            raise_as(TvmfuseError(f"{source} is a folder"), InvalidProtobuf)
    elif not source:
        error = MalformedModelError("No graph was found in the protobuf: it is empty")
        raise_as(error, InvalidArgument)


def changed(source: str | bytes, options: SessionOptions) -> Source:
    """Return the model with what the options change: itself, where they change nothing.

    Raises:
        TvmfuseError: A change does not fit the model.
    """
    folder = options.entry(FOLDER) if isinstance(source, bytes) else ""
    given = options.given
    values = given.initializers | given.external
    if not (values or given.files or given.denotations or folder):
        return source
    model = _parsed(source)
    for tensor in _initializers(model.graph):
        _change(tensor, values, given.files)
    for value in model.graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.denotation in given.denotations:
                dim.dim_value = given.denotations[dim.denotation]
    folder = folder or (os.path.dirname(os.path.abspath(source)) if isinstance(source, str) else "")
    if folder:
        from onnx import external_data_helper

        external_data_helper.load_external_data_for_model(model, folder)
    return model


def configure(source: str | bytes, options: SessionOptions) -> None:
    """Take the options that the model states under ``ort_config``.

    Raises:
        ConfigurationError: What it states is no JSON, or no such options.
    """
    for prop in _parsed(source).metadata_props:
        if prop.key != "ort_config":
            continue
        try:
            stated = json.loads(prop.value).get("session_options", {})
            for name, kind in CONFIGURED.items():
                if name in stated:
                    setattr(options, name, kind(stated[name]))
        except (AttributeError, TypeError, ValueError) as error:
            raise_as(ConfigurationError(f"ort_config of the model: {error}"), Fail)


def nodes_of(source: str | bytes) -> list[OrtEpAssignedNode]:
    """Return a model's nodes, in order."""
    return [OrtEpAssignedNode(n.name, n.domain, n.op_type) for n in _parsed(source).graph.node]


def _parsed(source: str | bytes) -> onnx.ModelProto:
    import onnx

    content = Path(source).read_bytes() if isinstance(source, str) else source
    try:
        model: onnx.ModelProto = onnx.ModelProto.FromString(content)
    except Exception as error:  # protobuf's, of a class that depends on how it was built
        raise_as(MalformedModelError(f"protobuf parsing failed: {error}"), InvalidProtobuf)
    return model


def _initializers(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from _initializers(inner)


def _change(tensor: onnx.TensorProto, values: dict[str, np.ndarray], files: dict[str, Any]) -> None:
    said = {entry.key: entry.value for entry in tensor.external_data}
    if tensor.name in values:
        array = values[tensor.name]
        if list(array.shape) != list(tensor.dims):
            raise RefusedOptionError(
                f"initializer {tensor.name!r}: expected shape {[*tensor.dims]}, found "
                f"{[*array.shape]}"
            )
        from onnx import numpy_helper

        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    elif said.get("location") in files:
        memory, start = files[said["location"]], int(said.get("offset", 0))
        size = int(said.get("length", len(memory) - start))
        tensor.raw_data = bytes(memory[start : start + size])
        del tensor.external_data[:]
        tensor.ClearField("data_location")
