"""Inputs as onnxruntime takes them, made into what an executable takes.

Lists become arrays of the input's dtype, as numpy converts them; arrays have to have just that
dtype. Beyond onnxruntime, tensors with ``__dlpack__``, tuples and numbers are taken, as everywhere
in tvmfuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tvmfuse.errors import InputError, closest, first_line
from tvmfuse.onnxruntime_api.element_types import numpy_type, words_of, words_of_array
from tvmfuse.onnxruntime_api.exceptions import raise_as
from tvmfuse.onnxruntime_api.ort_value import OrtValue
from tvmfuse.tensor_spec import TensorSpec

TEXTS = ("string", "tensor(string)")
"""What a manifest calls a tensor of texts."""


class Feeds:
    """What a model takes, and how it is made of what is given.

    Args:
        inputs: Those that have to be given, unless they are optional.
        overridable: Those that may be.

    Attributes:
        specs: All of them, by name.
    """

    def __init__(self, inputs: Sequence[TensorSpec], overridable: Sequence[TensorSpec]) -> None:
        self.specs = {spec.name: spec for spec in (*inputs, *overridable)}
        self._required = [s.name for s in inputs if not s.dtype.startswith("optional")]
        self._optional = [s.name for s in inputs if s.dtype.startswith("optional")]
        self._dtypes = {s.name: numpy_type(s.dtype) for s in self.specs.values() if is_numbers(s)}

    def taken(self, feeds: Mapping[str, Any]) -> dict[str, Any]:
        """Return the inputs as an executable takes them.

        Raises:
            InputError: One is missing, unknown, or of another type.
        """
        missing = [name for name in self._required if name not in feeds]
        if missing:
            raise InputError(
                f"Required inputs ({missing}) are missing from input feed ({[*feeds]})."
            )
        found: dict[str, Any] = dict.fromkeys(self._optional)
        for name, value in feeds.items():
            if type(value) is np.ndarray and value.dtype is self._dtypes.get(name):
                found[name] = value
                continue
            spec = self.specs.get(name)
            if spec is None:
                raise_as(
                    InputError(f"Invalid input name: {name}; {closest(str(name), self.specs)}")
                )
            found[name] = _taken(spec, value)
        return found

    def raise_refused(self, error: InputError, feeds: Mapping[str, Any]) -> None:
        """Raise what an executable said of some inputs, in onnxruntime's words, too.

        Raises:
            InputError: Always.
        """
        words = (_shape_words(spec, feeds.get(name)) for name, spec in self.specs.items())
        raise_as(error, words=next(filter(None, words), ""))


def is_numbers(spec: TensorSpec) -> bool:
    """Whether an input is a tensor of numbers."""
    return "(" not in spec.dtype and spec.dtype not in TEXTS


def _taken(spec: TensorSpec, value: Any) -> Any:
    if isinstance(value, OrtValue):
        value = value.value()
    elif type(value).__name__ == "OrtValue" and hasattr(value, "numpy"):
        value = value.numpy()  # onnxruntime's own
    if "(" in spec.dtype and spec.dtype not in TEXTS:
        return value
    if isinstance(value, list):
        value = _listed(spec, value)
    if not isinstance(value, np.ndarray):
        return value
    if spec.dtype in TEXTS:
        is_texts = words_of_array(value) == "tensor(string)"
        return _texts(spec, value) if is_texts else _refused(spec, value)
    wanted = numpy_type(spec.dtype)
    if value.dtype == wanted:
        return value
    if value.dtype.newbyteorder("=") == wanted:
        return value.astype(wanted)
    return _refused(spec, value)


def _refused(spec: TensorSpec, value: np.ndarray) -> Any:
    raise_as(
        InputError(
            f"Unexpected input data type. Actual: ({words_of_array(value)}) , expected: "
            f"({words_of(spec.dtype)}): input {spec.name!r} is of dtype {value.dtype}; "
            f"convert it with .astype({'str' if spec.dtype in TEXTS else repr(spec.dtype)})"
        )
    )


def _listed(spec: TensorSpec, value: list[Any]) -> np.ndarray:
    dtype = np.dtype(object) if spec.dtype in TEXTS else numpy_type(spec.dtype)
    try:
        with np.errstate(over="ignore"):
            return np.array(value, dtype)
    except (ValueError, TypeError, OverflowError) as error:
        raise_as(
            InputError(
                f"Could not create tensor from given input list: input {spec.name!r} takes "
                f"{spec.type_words}; {first_line(error)}"
            ),
            RuntimeError,
        )


def _texts(spec: TensorSpec, value: np.ndarray) -> np.ndarray:
    """Return texts as an array of `str`: bytes are UTF-8, and of an object it is ``str`` of it."""
    texts = value.astype(object)
    if value.dtype.kind == "V":
        texts = np.array([item.tobytes() for item in value.ravel()], object).reshape(value.shape)
    to_text: Callable[[Any], str] = str if value.dtype == object else _decoded
    try:
        decoded = [*map(to_text, texts.ravel())]
    except UnicodeDecodeError as error:
        raise_as(InputError(f"input {spec.name!r}: expected UTF-8, found {error.object!r:.60}"))
    found = np.empty(len(decoded), object)
    found[:] = decoded
    return found.reshape(value.shape)


def _decoded(item: str | bytes) -> str:
    return item.decode() if isinstance(item, bytes) else item


def _shape_words(spec: TensorSpec, value: Any) -> str:
    """Say what onnxruntime says of an array whose shape does not fit; or nothing."""
    if not isinstance(value, np.ndarray) or "(" in spec.dtype:
        return ""
    if value.ndim != len(spec.shape):
        return (
            f"Invalid rank for input: {spec.name} Got: {value.ndim} Expected: {len(spec.shape)} "
            "Please fix either the inputs/outputs or the model. "
        )
    wrong = [
        f"index: {axis} Got: {found} Expected: {wanted}"
        for axis, (wanted, found) in enumerate(zip(spec.shape, value.shape, strict=True))
        if isinstance(wanted, int) and wanted != found
    ]
    if not wrong:
        return ""
    return (
        f"Got invalid dimensions for input: {spec.name} for the following indices\n "
        + "\n ".join(wrong)
        + "\n Please fix either the inputs/outputs or the model. "
    )
