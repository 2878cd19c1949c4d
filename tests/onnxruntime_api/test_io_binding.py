"""Inputs and outputs bound to memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch
from graphs import onnx_model
from onnx import TensorProto
from onnxruntime_api.drop_in import C, X, accepts, node, ort, product, scaled, session

from tvmfuse.errors import InputError

ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture(scope="module")
def pair() -> Any:
    model = product().SerializeToString()
    return ort.InferenceSession(model), onnxruntime.InferenceSession(model)


@accepts("bind_input_to_cpu_arr", "bind_input_and_non_preallocated_output")
def test_an_array_is_read_at_each_run() -> None:
    opened, x = session(scaled()), X.copy()
    binding = opened.io_binding()
    binding.bind_cpu_input("X", x)
    binding.bind_output("Y")
    opened.run_with_iobinding(binding)
    binding.synchronize_outputs()
    np.testing.assert_array_equal(binding.copy_outputs_to_cpu()[0], X * X)
    (kept,) = binding.get_outputs()
    x[:] = 1
    opened.run_with_iobinding(binding)
    np.testing.assert_array_equal(binding.copy_outputs_to_cpu()[0], X)
    np.testing.assert_array_equal(kept.numpy(), X * X)
    binding.clear_binding_outputs()
    assert binding.get_outputs() == []
    assert len(binding.get_outputs_as_ortvaluevector()) == 0


@accepts("bind_input_only", "bind_input_and_preallocated_output")
@pytest.mark.parametrize("element", [np.float32, TensorProto.FLOAT], ids=["numpy", "onnx"])
def test_memory_is_bound_by_its_address(pair: Any, element: Any) -> None:
    """As optimum binds torch's tensors."""
    x, y = torch.from_numpy(ROWS.copy()), torch.zeros(2, 4)
    found = []
    for opened in pair:
        y.zero_()
        binding = opened.io_binding()
        binding.bind_input("x", "cpu", 0, element, tuple(x.shape), x.data_ptr())
        binding.bind_output("y", "cpu", 0, element, tuple(y.shape), y.data_ptr())
        binding.synchronize_inputs()
        opened.run_with_iobinding(binding)
        assert binding.get_outputs()[0].data_ptr() == y.data_ptr()
        found.append(y.clone())
    torch.testing.assert_close(*found)


def test_no_memory_is_needed_for_no_elements() -> None:
    opened = session(product())
    binding = opened.io_binding()
    binding.bind_input("x", "cpu", 0, np.float32, (0, 3), 0)
    binding.bind_output("y", "cpu", 0, np.float32, (0, 4), 0)
    opened.run_with_iobinding(binding)
    assert binding.copy_outputs_to_cpu()[0].shape == (0, 4)


@accepts("bind_input_and_bind_output_with_ortvalues")
def test_values_are_bound_and_written() -> None:
    opened = session(scaled())
    binding, output = opened.io_binding(), np.zeros((3, 2), np.float32)
    binding.bind_ortvalue_output("Y", ort.OrtValue.ortvalue_from_numpy(output))
    for factor in (1, 2):
        value = ort.OrtValue.ortvalue_from_numpy(X * np.float32(factor))
        binding.bind_ortvalue_input("X", value)
        opened.run_with_iobinding(binding)
        np.testing.assert_array_equal(output, X * X * factor)


@accepts("bind_input_types")
@pytest.mark.parametrize(
    "dtype", ["float64", "int32", "int64", "uint16", "int8", "float16", "bool"]
)
def test_the_native_names_bind_every_type(dtype: str) -> None:
    model = onnx_model([node("Identity", ["X"], ["Y"])], {"X": (dtype, ["n", 2])}, {"Y": dtype})
    opened, x = session(model), np.arange(8).reshape(-1, 2).astype(dtype)
    device = C.OrtDevice(C.OrtDevice.cpu(), C.OrtDevice.default_memory(), 0)
    binding = C.SessionIOBinding(opened._sess)
    binding.bind_ortvalue_input("X", C.OrtValue.ortvalue_from_numpy(x, device))
    binding.bind_output("Y", device)
    opened._sess.run_with_iobinding(binding, None)
    np.testing.assert_array_equal(binding.get_outputs()[0].numpy(), x)


def unknown_input(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_cpu_input("q", ROWS)


def unknown_output(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_cpu_input("x", ROWS)
    binding.bind_output("q")
    run()


def no_output(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_cpu_input("x", ROWS)
    run()


def no_array(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_cpu_input("x", ROWS.tolist())


def another_dtype(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_cpu_input("x", ROWS.astype("float64"))
    binding.bind_output("y")
    run()


def another_shape(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_cpu_input("x", ROWS[:, :2])
    binding.bind_output("y")
    run()


def output_of_another_shape(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_cpu_input("x", ROWS)
    memory = (ctypes.c_float * 16)()
    binding.bind_output("y", "cpu", 0, np.float32, (4, 4), ctypes.addressof(memory))
    run()


def output_of_another_dtype(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_cpu_input("x", ROWS)
    memory = (ctypes.c_double * 8)()
    binding.bind_output("y", "cpu", 0, np.float64, (2, 4), ctypes.addressof(memory))
    run()


def another_device(binding: Any, run: Callable[[], None]) -> None:
    binding.bind_input("x", "cuda", 0, np.float32, (2, 3), ROWS.ctypes.data)


@pytest.mark.parametrize(
    "mistake",
    [
        unknown_input, unknown_output, no_output, no_array, another_dtype, another_shape,
        output_of_another_shape, output_of_another_dtype, another_device,
    ],
)  # fmt: skip
def test_a_mistake_is_a_runtime_error_there_and_here(pair: Any, mistake: Any) -> None:
    for opened in pair:
        binding = opened.io_binding()
        with pytest.raises(RuntimeError):
            mistake(binding, lambda o=opened, b=binding: o.run_with_iobinding(b))


def test_an_address_without_a_shape_and_another_session_are_value_errors() -> None:
    one, other = session(scaled()), session(scaled())
    binding = one.io_binding()
    with pytest.raises(ValueError, match="`element_type` and `shape`"):
        binding.bind_output("Y", "cpu", 0, None, None, 64)
    with pytest.raises(ValueError, match="session that created it"):
        other.run_with_iobinding(binding)
    binding.bind_output("Y")
    with pytest.raises(InputError, match="Required inputs"):
        one.run_with_iobinding(binding)
