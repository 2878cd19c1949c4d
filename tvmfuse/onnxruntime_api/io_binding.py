"""Inputs and outputs that are bound to memory once, and then run on: by address, array or value."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tvmfuse.errors import InputError, TvmfuseError, closest
from tvmfuse.onnxruntime_api.compiled_session import CompiledSession
from tvmfuse.onnxruntime_api.devices import OrtDevice, require_cpu
from tvmfuse.onnxruntime_api.element_types import numpy_type, words_of_array
from tvmfuse.onnxruntime_api.exceptions import raise_as
from tvmfuse.onnxruntime_api.ort_value import OrtValue, OrtValueVector
from tvmfuse.onnxruntime_api.run_options import RunOptions


class IOBinding:
    """What a session reads and writes when it is run with this.

    Memory that is bound by its address has to stay until it is bound no longer.

    Args:
        session: The session.
    """

    def __init__(self, session: Any) -> None:
        self._session: CompiledSession = getattr(session, "_sess", session)
        self._inputs: dict[str, OrtValue] = {}
        self._outputs: dict[str, OrtValue | None] = {}
        self._results = OrtValueVector()

    def bind_cpu_input(self, name: str, arr_on_cpu: np.ndarray) -> None:
        """Bind an input to an array: each run reads what it holds then.

        Raises:
            InputError: There is no such input, or it is no array.
        """
        if not isinstance(arr_on_cpu, np.ndarray):
            words = f"Unable to create OrtValue from the given python object: {arr_on_cpu!r:.60}"
            raise_as(InputError(words), RuntimeError)
        self._bind_input(name, OrtValue.holding(arr_on_cpu))

    def bind_input(
        self,
        name: str,
        device_type: str,
        device_id: int,
        element_type: Any,
        shape: Sequence[int],
        buffer_ptr: int,
    ) -> None:
        """Bind an input to memory.

        Args:
            name: The input's.
            device_type: ``cpu``.
            device_id: Which one.
            element_type: numpy's type, or the number in ``onnx.TensorProto``.
            shape: Of what lies there, contiguous.
            buffer_ptr: Its address.

        Raises:
            InputError: There is no such input or type.
            RefusedOptionError: The memory is not the CPU's.
        """
        require_cpu(device_type, device_id)
        self._bind_input(name, _at(element_type, shape, buffer_ptr))

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """Bind an input to a value.

        Raises:
            InputError: There is no such input.
        """
        self._bind_input(name, OrtValue(ortvalue))

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Sequence[int] | None = None,
        buffer_ptr: int | None = None,
    ) -> None:
        """Have runs give an output, in memory of the caller's if its address is given.

        Args:
            name: The output's.
            device_type: ``cpu``.
            device_id: Which one.
            element_type: numpy's type, or the number in ``onnx.TensorProto``.
            shape: Which the output will have.
            buffer_ptr: Where to write it, contiguous; None for new memory in each run.

        Raises:
            ValueError: An address is given without type and shape.
            RefusedOptionError: The memory is not the CPU's.
        """
        require_cpu(device_type, device_id)
        if buffer_ptr is None:
            self._outputs[name] = None
            return
        if element_type is None or shape is None:
            raise ValueError(
                "`element_type` and `shape` are to be provided if pre-allocated memory is provided"
            )
        self._outputs[name] = _at(element_type, shape, buffer_ptr)

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """Have runs write an output into a value's memory."""
        self._outputs[name] = OrtValue(ortvalue)

    def synchronize_inputs(self) -> None:
        """Do nothing: what is bound lies on the CPU."""

    def synchronize_outputs(self) -> None:
        """Do nothing: a run ends when its outputs are there."""

    def get_outputs(self) -> list[OrtValue]:
        """Return the outputs of the last run, in the order in which they were bound."""
        return list(self._results)

    def get_outputs_as_ortvaluevector(self) -> OrtValueVector:
        """Return the same as a vector."""
        return self._results

    def copy_outputs_to_cpu(self) -> list[Any]:
        """Return copies of the outputs of the last run: arrays, or lists of them."""
        held = [result.value() for result in self._results]
        return [value.copy() if isinstance(value, np.ndarray) else value for value in held]

    def clear_binding_inputs(self) -> None:
        """Bind no inputs any longer."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Bind no outputs any longer, and let go of those of the last run."""
        self._outputs.clear()
        self._results = OrtValueVector()

    @property
    def _iobinding(self) -> IOBinding:
        return self

    def _bind_input(self, name: str, value: OrtValue) -> None:
        if self._session.spec_of_input(name) is None:
            known = [arg.name for arg in self._session.inputs_meta]
            raise_as(
                InputError(
                    f"Failed to find NodeArg with name: {name} in the def list; "
                    f"{closest(name, known)}"
                ),
                RuntimeError,
            )
        self._inputs[name] = value

    @property
    def bound_session(self) -> CompiledSession:
        """The session whose inputs and outputs these are."""
        return self._session

    def run_bound(self, run_options: RunOptions | None) -> None:
        """Run the session on what is bound.

        Raises:
            InputError: It does not fit the model.
        """
        try:
            if not self._outputs:
                raise InputError("At least one output should be requested.")
            found = self._session.run_with_ort_values(self._inputs, [*self._outputs], run_options)
            self._results = OrtValueVector(
                value if bound is None else _written(name, bound, value)
                for (name, bound), value in zip(self._outputs.items(), found, strict=True)
            )
        except TvmfuseError as error:
            raise_as(error, RuntimeError, "Error in execution: ")


class SessionIOBinding(IOBinding):
    """The same, as onnxruntime's native code takes it: with devices, and arrays as inputs."""

    def bind_input(self, name: str, *what: Any) -> None:
        """Bind an input: an array, or a device, a type, a shape and an address."""
        if len(what) == 1:
            self.bind_cpu_input(name, *what)
        else:
            device, element_type, shape, buffer_ptr = what
            super().bind_input(name, *_named(device), element_type, shape, buffer_ptr)

    def bind_output(  # type: ignore[override]
        self, name: str, device: OrtDevice, *where: Any
    ) -> None:
        """Bind an output to a device, or to a device, a type, a shape and an address."""
        super().bind_output(name, *_named(device), *where)

    def get_outputs(self) -> OrtValueVector:
        """Return the outputs of the last run, in the order in which they were bound."""
        return self._results


def _named(device: OrtDevice) -> tuple[str, int]:
    require_cpu(device)
    return "cpu", device.device_id()


def _at(element_type: Any, shape: Sequence[int], address: int) -> OrtValue:
    """Return a value over memory."""
    try:
        dtype = numpy_type(element_type)
    except (KeyError, TypeError):
        raise_as(InputError(f"Not a valid ONNX Tensor data type: {element_type!r}"), RuntimeError)
    sizes = tuple(int(size) for size in shape)
    count = math.prod(sizes) * dtype.itemsize
    if not count:
        return OrtValue.holding(np.empty(sizes, dtype))
    if not address or any(size < 0 for size in sizes):
        words = f"expected memory of shape {[*sizes]}, found the address {address}"
        raise_as(InputError(words), RuntimeError)
    memory = np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(address))
    return OrtValue.holding(memory.view(dtype).reshape(sizes))


def _written(name: str, bound: OrtValue, found: OrtValue) -> OrtValue:
    """Write an output into the memory that it is bound to."""
    there, value = bound.value(), found.value()
    if not isinstance(there, np.ndarray) or not isinstance(value, np.ndarray):
        raise InputError(f"output {name!r}: only tensors are written into bound memory")
    if there.dtype != value.dtype:
        raise InputError(
            f"Unexpected output data type. Actual: ({words_of_array(there)}) , expected: "
            f"({words_of_array(value)}): output {name!r} is of dtype {value.dtype.name}"
        )
    if there.shape != value.shape:
        raise InputError(
            f"Got invalid dimensions for output: {name}: bound is memory of shape "
            f"{[*there.shape]}, and the run gives {[*value.shape]}"
        )
    np.copyto(there, value)
    return bound
