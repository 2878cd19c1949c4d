"""Values: over whose memory they are, and what they say of it."""

from __future__ import annotations

import gc
from typing import Any

import ml_dtypes
import numpy as np
import onnxruntime
import pytest
import torch
from onnx import TensorProto
from onnxruntime_api.drop_in import C, X, accepts, ort, scaled, session

from tvmfuse.errors import InputError


@accepts("ort_value")
def test_it_shares_an_array_s_memory_and_describes_it() -> None:
    array = X.copy()
    value, theirs = (kind.OrtValue.ortvalue_from_numpy(array) for kind in (ort, onnxruntime))
    for name in ("device_name", "shape", "data_type", "element_type", "is_tensor", "has_value",
                 "is_sparse_tensor", "is_tensor_sequence", "tensor_size_in_bytes", "data_ptr"):  # fmt: skip
        assert getattr(value, name)() == getattr(theirs, name)()
    np.testing.assert_array_equal(value.numpy(), array)
    opened = session(scaled())
    np.testing.assert_array_equal(opened.run(["Y"], {"X": value})[0], X * X)
    (given,) = opened.run_with_ort_values(["Y"], {"X": value})
    np.testing.assert_array_equal(given.numpy(), X * X)
    native = opened._sess.run_with_ort_values({"X": value._get_c_value()}, ["Y"], C.RunOptions())
    assert isinstance(native, C.OrtValueVector)
    fetched = C.OrtValueVector()
    opened.run_with_ortvaluevector(None, ["X"], [value], ["Y"], fetched, [])
    np.testing.assert_array_equal(fetched[0].numpy(), X * X)


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (np.float32, "tensor(float)"),
        (np.dtype("int64"), "tensor(int64)"),
        ("bool", "tensor(bool)"),
        (TensorProto.BFLOAT16, "tensor(bfloat16)"),
        (TensorProto.FLOAT8E4M3FN, "tensor(float8e4m3fn)"),
    ],
    ids=str,
)
def test_it_is_made_of_a_shape_and_a_type(element: Any, words: str) -> None:
    for kind in (ort, onnxruntime):
        made = kind.OrtValue.ortvalue_from_shape_and_type([2, 3], element)
        assert (made.shape(), made.data_type()) == ([2, 3], words)


def test_bytes_are_read_as_another_type() -> None:
    halves = np.array([1, -2.5], ml_dtypes.bfloat16)
    make = ort.OrtValue.ortvalue_from_numpy_with_onnx_type
    value = make(halves.view("uint16"), TensorProto.BFLOAT16)
    assert (value.data_type(), value.element_type()) == ("tensor(bfloat16)", TensorProto.BFLOAT16)
    np.testing.assert_array_equal(value.numpy(), halves)
    from_dlpack: Any = torch.utils.dlpack.from_dlpack
    assert from_dlpack(value).tolist() == [1, -2.5]
    with pytest.raises(RuntimeError, match="Items size in the incoming array: 4"):
        make(X, TensorProto.BFLOAT16)


@pytest.mark.parametrize(
    "make",
    [
        lambda values: values.ortvalue_from_numpy([1, 2]),
        lambda values: values.ortvalue_from_numpy(np.array(["text"])),
        lambda values: values.ortvalue_from_numpy(np.float32(2)),
        lambda values: values.ortvalue_from_shape_and_type([2], 99),
        lambda values: values.ortvalue_from_shape_and_type([-2], 1),
        lambda values: values.ortvalue_from_numpy(X, "cuda", 0),
        lambda values: values.from_dlpack(torch.ones(3, 2).T),
    ],
    ids=["list", "texts", "number", "no type", "negative size", "no GPU", "strides"],
)
def test_what_is_no_value_is_refused_there_and_here(make: Any) -> None:
    for kind in (onnxruntime, ort):
        with pytest.raises(RuntimeError):
            make(kind.OrtValue)


@accepts("ort_value_array_protocol")
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_numpy_takes_it_as_an_array(dtype: str) -> None:
    array = np.array([[1, 0], [3, 4]], dtype)
    value = ort.OrtValue.ortvalue_from_numpy(array)
    for found in (np.asarray(value), np.asarray(value, dtype=dtype)):
        assert found.ctypes.data == value.data_ptr()
    assert np.array(value, copy=True).ctypes.data != value.data_ptr()
    assert np.asarray(value, dtype="float64").tolist() == array.astype("float64").tolist()


@accepts("ort_value_dlpack", "ort_value_dlpack_protocol", "ort_value_from_dlpack_protocol_object")
def test_tensors_pass_by_dlpack_without_a_copy() -> None:
    value = ort.OrtValue.ortvalue_from_numpy(X.copy())
    assert value.__dlpack_device__() == (1, 0)
    capsule = value._ortvalue.to_dlpack()
    assert not C.is_dlpack_uint8_tensor(capsule)
    for found in (
        C.OrtValue.from_dlpack(capsule, False),
        ort.OrtValue.from_dlpack(value),
        ort.OrtValue.from_dlpack(value.__dlpack__()),
    ):
        assert found.data_ptr() == value.data_ptr()
        np.testing.assert_array_equal(found.numpy(), X)
    tensor = torch.arange(6.0).reshape(2, 3)
    taken = ort.OrtValue.from_dlpack(tensor)
    tensor[0, 0] = 9
    assert taken.numpy()[0, 0] == 9
    taken.update_inplace(np.ones((2, 3), "float32"))
    assert tensor.eq(1).all()
    with pytest.raises(TypeError, match="valid DLPack capsule"):
        ort.OrtValue.from_dlpack(3)


@accepts("ort_value_dlpack_zero_size")
@pytest.mark.parametrize("shape", [(1, 8, 0, 128), (0,), (0, 4), (4, 0)])
def test_tensors_without_elements_pass_by_dlpack(shape: tuple[int, ...]) -> None:
    array = np.zeros(shape, "float32")
    assert C.OrtValue.from_dlpack(array.__dlpack__(), False).shape() == [*shape]
    again = ort.OrtValue.from_dlpack(ort.OrtValue.ortvalue_from_numpy(array).to_dlpack())
    assert again.shape() == [*shape]


@accepts("ort_value_from_dlpack_bool")
def test_booleans_stay_booleans_and_bytes_bytes() -> None:
    for array in (np.array([True, False]), np.array([1, 2, 255], "uint8")):
        value = ort.OrtValue.from_dlpack(ort.OrtValue.ortvalue_from_numpy(array))
        np.testing.assert_array_equal(value.numpy(), array)
        assert value.numpy().dtype == array.dtype
    capsule = np.array([1, 0], "uint8").__dlpack__()
    assert C.is_dlpack_uint8_tensor(capsule)
    assert C.OrtValue.from_dlpack(capsule, True).numpy().tolist() == [True, False]


def test_it_is_updated_in_place_by_numbers_that_fit() -> None:
    array = np.zeros((3, 2), "float32")
    value = ort.OrtValue.ortvalue_from_numpy(array)
    value.update_inplace(ort.OrtValue.ortvalue_from_numpy(X.reshape(2, 3)))
    np.testing.assert_array_equal(array, X)
    ort.copy_tensors([ort.OrtValue.ortvalue_from_numpy(X * 2)], [value])
    np.testing.assert_array_equal(array, X * 2)
    for wrong in (X[:2], X.astype("float64")):
        with pytest.raises(InputError, match="expected 6 elements of float32"):
            value.update_inplace(wrong)
    with pytest.raises(TypeError):
        value.update_inplace([1])


@accepts("sparse_tensor_coo_format", "sparse_tensor_csr_format", but="on the CPU alone")
@pytest.mark.parametrize(
    "values", [np.array([1, 2, 3], np.float32), np.array(["x", "y", "z"])], ids=["numbers", "texts"]
)
def test_sparse_tensors_hold_their_values(values: Any) -> None:
    device, words = ort.OrtDevice.make("cpu", 0), "float" if values.dtype == "f4" else "string"
    places = np.array([3, 5, 15])
    coo = ort.SparseTensor.sparse_coo_from_numpy([9, 9], values, places, device)
    inner, outer = np.array([1, 1, 1]), np.array([0, 1, 2, 3, 3, 3, 3, 3, 3, 3])
    csr = ort.SparseTensor.sparse_csr_from_numpy([9, 9], values, inner, outer, device)
    assert (coo.format(), csr.format()) == (
        ort.OrtSparseFormat.ORT_SPARSE_COO,
        ort.OrtSparseFormat.ORT_SPARSE_CSRC,
    )
    held = ort.OrtValue.ort_value_from_sparse_tensor(coo)
    assert held.is_sparse_tensor()
    for tensor in (held.as_sparse_tensor(), csr):
        assert (tensor.dense_shape(), tensor.device_name()) == ([9, 9], "cpu")
        assert tensor.data_type() == f"sparse_tensor({words})"
    views = {
        "places": (coo.as_coo_view().indices(), places),
        "inner": (csr.as_csrc_view().inner(), inner),
        "outer": (csr.as_csrc_view().outer(), outer),
        "values": (coo.values(), values),
    }
    gc.collect()
    for view, expected in views.values():
        assert not view.flags.writeable
        np.testing.assert_array_equal(view, expected)
    with pytest.raises(RuntimeError):
        coo.to_cuda(ort.OrtDevice.make("cuda", 0))
    with pytest.raises(RuntimeError):
        coo.as_csrc_view()
    with pytest.raises(InputError):
        session(scaled()).run(None, {"X": held})
