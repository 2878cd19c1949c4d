"""A part of a model that onnxruntime computes."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import InputError, OutOfMemoryError, first_line
from tvmfuse.out_of_memory import is_out_of_memory
from tvmfuse.real_onnxruntime import import_onnxruntime
from tvmfuse.runtime.threads import check_threads

FATAL: Final = 4
"""What onnxruntime logs: an error of its own becomes an exception, and is not printed too."""

ALLOWED: Final = "ALLOW_RELEASED_ONNX_OPSET_ONLY=0"
"""What has it take models of an opset that it does not know to be released."""

STOPS_SPINNING: Final = "session.force_spinning_stop"
"""So that its threads give up the cores that the next part computes on."""
SPINS: Final = "session.intra_op.allow_spinning"

NOT_NUMPYS: Final = {
    "tensor(bfloat16)": "bfloat16",
    "tensor(float8e4m3fn)": "float8_e4m3fn",
    "tensor(float8e4m3fnuz)": "float8_e4m3fnuz",
    "tensor(float8e5m2)": "float8_e5m2",
    "tensor(float8e5m2fnuz)": "float8_e5m2fnuz",
}
"""What it gives no array of, and ml_dtypes' name of it."""

#: numpy's name of what onnxruntime does not take as numpy's array -> ONNX's number of it.
ELEMENTS: Final = {
    "bfloat16": 16,
    "float8_e4m3fn": 17,
    "float8_e4m3fnuz": 18,
    "float8_e5m2": 19,
    "float8_e5m2fnuz": 20,
}


class RefusedError(Exception):
    """onnxruntime is not there, or does not take a model; the message says why."""


def package() -> Any:
    """Import onnxruntime.

    Raises:
        RefusedError: It is not installed.
    """
    try:
        return import_onnxruntime()
    except ImportError as error:
        raise RefusedError(
            "onnxruntime is not installed: python -m pip install 'tvmfuse[ort]'"
        ) from error


def reason_of(error: Exception) -> str:
    """Say why onnxruntime does not take a model.

    >>> reason_of(ValueError("Current official support for domain ai.onnx is till opset 26."))
    'it takes opset 26 and older; ALLOW_RELEASED_ONNX_OPSET_ONLY=0 in the environment has it try'
    """
    if newest := re.search(r"support for domain (\S+) is till opset (\d+)", str(error)):
        which = "" if newest[1] == "ai.onnx" else f" of {newest[1]}"
        return (
            f"it takes opset {newest[2]}{which} and older; {ALLOWED} in the environment has it try"
        )
    return first_line(error)


class ForeignPart:
    """A model in onnxruntime, which any number of threads may run at once.

    A child of `os.fork` has none of a session's threads, and so opens one of its own.

    Args:
        model: Serialized.
        weights: The tensors that are not in it, by name.
        said: What errors call it.
        num_threads: That compute one run; by default one for each physical core.
        spin: Whether they may wait actively.

    Raises:
        RefusedError: onnxruntime does not take the model.
        ConfigurationError: `num_threads` is no number of threads.
    """

    def __init__(
        self,
        model: bytes,
        weights: Mapping[str, np.ndarray],
        said: str,
        *,
        num_threads: int | None = None,
        spin: bool = True,
    ) -> None:
        check_threads(num_threads)
        self._model, self._weights, self._said = model, weights, said
        self._threads, self._spin = num_threads, spin
        self._sessions: dict[int, Any] = {}
        session = self._session()
        self.inputs = tuple(value.name for value in session.get_inputs())
        self.outputs = tuple(value.name for value in session.get_outputs())
        self._by_values = _by_values(session)

    @property
    def types(self) -> dict[str, tuple[str, Sequence[int | str | None]]]:
        """What it says of its outputs: their types and shapes, as onnxruntime writes them."""
        return {value.name: (value.type, value.shape) for value in self._session().get_outputs()}

    def run(self, feeds: Mapping[str, Any]) -> list[Any]:
        """Return the outputs in order: arrays, lists for sequences, None for absent optionals.

        Raises:
            InputError: It fails on these inputs.
            OutOfMemoryError: This machine's memory ran out.
        """
        session = self._session()
        try:
            if self._by_values:
                return self._run_on_values(session, feeds)
            results: list[Any] = session.run(self.outputs, dict(feeds))
        except Exception as error:  # its own classes share no base
            if is_out_of_memory(error):
                raise OutOfMemoryError(
                    f"{self._said} ran out of memory: {first_line(error)}"
                ) from error
            raise InputError(
                f"{self._said} fails on what it is fed: {first_line(error)}"
            ) from error
        return results

    def _run_on_values(self, session: Any, feeds: Mapping[str, Any]) -> list[Any]:
        values = package().OrtValue

        def value(array: np.ndarray) -> Any:
            element = ELEMENTS.get(array.dtype.name)
            if element is None:
                return values.ortvalue_from_numpy(array)
            return values.ortvalue_from_numpy_with_onnx_type(array, element)

        given = {name: value(np.asarray(array, order="C")) for name, array in feeds.items()}
        found = session.run_with_ort_values(self.outputs, given)
        return [_array(result) for result in found]

    def _session(self) -> Any:
        process = os.getpid()
        if process not in self._sessions:
            # The parent's stays: to end it here would wait for threads that are not here.
            self._sessions[process] = self._open()
        return self._sessions[process]

    def _open(self) -> Any:
        ort = package()
        options = ort.SessionOptions()
        options.intra_op_num_threads = int(self._threads or 0)
        options.log_severity_level = FATAL
        options.add_session_config_entry(STOPS_SPINNING, "1")
        if not self._spin:
            options.add_session_config_entry(SPINS, "0")
        if self._weights:
            # They are read where they are: these keep them.
            self._values = {
                n: ort.OrtValue.ortvalue_from_numpy(a) for n, a in self._weights.items()
            }
            options.add_external_initializers([*self._values], [*self._values.values()])
        try:
            return ort.InferenceSession(
                self._model, options, providers=["CPUExecutionProvider"], enable_fallback=0
            )
        except Exception as error:  # its own classes share no base
            raise RefusedError(f"onnxruntime does not take it: {reason_of(error)}") from error


def _by_values(session: Any) -> bool:
    """Whether a session takes or gives what is no numpy array for it, but a value of its own.

    Raises:
        RefusedError: It does, and takes or gives strings or sequences, too, of which its Python
            interface makes no values.
    """
    fed, given = (
        [value.type for value in vs] for vs in (session.get_inputs(), session.get_outputs())
    )
    narrow = NOT_NUMPYS.keys() & {*fed, *given}
    others = {t for t in (*fed, *given) if not t.startswith("tensor(")} | {*fed} & {
        "tensor(string)"
    }
    if narrow and others:
        raise RefusedError(
            f"onnxruntime's Python interface does not pass {min(narrow)} beside {min(others)}"
        )
    return bool(narrow)


def _array(value: Any) -> np.ndarray:
    """Return a tensor of onnxruntime as an array, which has a dtype of ml_dtypes' where need be."""
    array: np.ndarray
    if dtype := NOT_NUMPYS.get(value.data_type()):
        content = ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes())
        array = np.frombuffer(content, numpy_dtype(dtype)).reshape(value.shape()).copy()
    else:
        array = value.numpy()
    return array
