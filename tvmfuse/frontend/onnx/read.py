"""From what the user hands over to a whole `ModelProto`: nothing is missing, nothing is newer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import onnx
from google.protobuf.message import DecodeError

from tvmfuse.errors import (
    ConfigurationError,
    MalformedModelError,
    ModelError,
    TooNewModelError,
)
from tvmfuse.format.kinds import ELF
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.onnx.external_data import (
    load_external_data,
    refuse_external_data,
    take_weights,
)
from tvmfuse.frontend.onnx.graph import STANDARD, canonical
from tvmfuse.frontend.onnx.model_folder import ModelFolder
from tvmfuse.frontend.onnx.negative_sizes import forget_negative_sizes, has_negative_sizes

Source = str | os.PathLike[str] | bytes | onnx.ModelProto


def read_model(source: Source) -> onnx.ModelProto:
    """Read a model, weights in other files included.

    Args:
        source: A path, a serialized model, or a model; the last is never changed.

    Raises:
        ConfigurationError: `source` is something else.
        ModelError: There is no such file, or it cannot be read.
        MalformedModelError: It holds no ONNX model.
        TooNewModelError: It is newer than the installed onnx package.
    """
    model, folder = _model_and_folder(source)
    if folder is not None:
        load_external_data(model, folder)
    return model


def read_without_weights(source: Source) -> onnx.ModelProto:
    """Read a model, and leave weights in other files where they are.

    The argument and errors are those of `read_model`.
    """
    return _model_and_folder(source)[0]


def read_with_weights(
    source: Source, gate: Gate, *, mapped: bool = False
) -> tuple[onnx.ModelProto, Mapping[str, np.ndarray]]:
    """Read a model; of large initializers in other files, hold the numbers only once.

    Args:
        source: See `read_model`.
        gate: Is asked for each tensor in another file before any is read.
        mapped: See `external_data.take_weights`.

    Returns:
        The model, and by name the numbers of those initializers, which are not in the model.

    Raises:
        TvmfuseError: What `read_model` raises.
        LimitExceededError: A tensor is larger than the limits admit.
    """
    model, folder = _model_and_folder(source)
    return model, {} if folder is None else take_weights(model, folder, gate, mapped=mapped)


def _model_and_folder(source: Source) -> tuple[onnx.ModelProto, ModelFolder | None]:
    """Return a model, and where its other files lie; None if it has none."""
    if isinstance(source, onnx.ModelProto):
        refuse_external_data(source, "this ModelProto", "pass the path, or load it with onnx.load")
        return _with_unknown_sizes(_checked(source, "this ModelProto")), None
    if isinstance(source, bytes | bytearray | memoryview):
        model = _parse(bytes(source), "these bytes")
        refuse_external_data(model, "these bytes", "pass the path of the model's file")
        return _checked(model, "these bytes"), None
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        where = f"{str(path)!r}"
        model = _checked(_parse(_read_file(path), where), where)
        if path.is_file():
            return model, ModelFolder.of(path)
        refuse_external_data(model, where, "pass the path of a file, and not of a pipe")
        return model, None
    raise ConfigurationError(
        f"a model is a path, bytes or an onnx.ModelProto; found {type(source).__name__}"
    )


def _read_file(path: Path) -> bytes:
    try:
        if path.is_char_device() or path.is_block_device():
            raise ModelError(f"{str(path)!r} is a device, which may have no end; expected a file")
        return path.read_bytes()
    except FileNotFoundError:
        raise ModelError(f"there is no file {str(path)!r}") from None
    except IsADirectoryError:
        raise ModelError(f"{str(path)!r} is a folder; expected an ONNX file") from None
    except OSError as error:
        raise ModelError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # it holds a NUL, or what the file system cannot encode
        raise ModelError(f"no file can be called {str(path)!r}: {error}") from error


def _parse(data: bytes, where: str) -> onnx.ModelProto:
    if not data:
        raise MalformedModelError(f"{where}: expected an ONNX model, found nothing: it is empty")
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except (DecodeError, ValueError) as error:
        if data.startswith(ELF):
            raise MalformedModelError(
                f"{where}: this is compiled already: give the ONNX model that it was compiled from"
            ) from None
        raise MalformedModelError(
            f"{where}: not a valid ONNX file (or truncated): protobuf cannot parse it"
        ) from error
    forget_negative_sizes(model)
    return model


def _with_unknown_sizes(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a caller's model, or a copy of it, that states no dimension below 0."""
    if not has_negative_sizes(model):
        return model
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    forget_negative_sizes(copy)
    return copy


def _checked(model: onnx.ModelProto, where: str) -> onnx.ModelProto:
    if not model.HasField("graph"):
        raise MalformedModelError(f"{where}: not a valid ONNX file: it holds no graph")
    if model.ir_version < 1:
        raise MalformedModelError(f"{where}: not a valid ONNX file: it gives no IR version")
    if model.ir_version > onnx.IR_VERSION:
        raise TooNewModelError(
            f"{where}: IR version {model.ir_version} is newer than {onnx.IR_VERSION}, the last "
            f"that the installed onnx {onnx.__version__} knows; upgrade onnx or export again"
        )
    if not model.opset_import:
        raise MalformedModelError(f"{where}: it imports no operator set; is it truncated?")
    for opsets in (model.opset_import, *(f.opset_import for f in model.functions)):
        _check_stated_once(opsets, where)
    newest = onnx.defs.onnx_opset_version()
    for opset in (*model.opset_import, *(o for f in model.functions for o in f.opset_import)):
        if opset.domain in STANDARD and opset.version > newest:
            raise TooNewModelError(
                f"{where}: opset {opset.version} is newer than {newest}, the last that the "
                f"installed onnx {onnx.__version__} knows; upgrade onnx or export again"
            )
        if not 0 < opset.version < 2**31:
            raise MalformedModelError(f"{where}: {opset.version} is no version of an operator set")
    return model


def _check_stated_once(opsets: Iterable[onnx.OperatorSetIdProto], where: str) -> None:
    versions: dict[str, int] = {}
    for opset in opsets:
        if versions.setdefault(canonical(opset.domain), opset.version) != opset.version:
            raise MalformedModelError(
                f"{where}: it imports two versions of the domain {opset.domain!r}: "
                f"{versions[canonical(opset.domain)]} and {opset.version}"
            )
