"""build.sized_tensors: a tensor in one call, where a run needs sizes for nothing but that tensor."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import onnx
import pytest
import tvm_ffi
from bytecode_calls import calls
from onnx import parser
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.build.native import HEAP, SHAPE, SIZED_TENSOR, native_module
from tvmfuse.target.resolve import resolve
from tvmfuse.tensors import as_tensor


def model(text: str) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 8, opset_import: ["": 20]> g {text}')


ONE = {
    "as the input": "(float[n,m] x) => (float[] y) { y = Softmax(x) }",
    "another order": "(float[n,m,3] x) => (float[] y) { y = Transpose<perm=[2,1,0]>(x) }",
    "what follows": """(float[n,2,h,w] x) => (float[] y) {
        y = MaxPool<kernel_shape=[3,2],strides=[2,3]>(x)
    }""",
    "of two inputs": "(float[n] x, float[m,1] z) => (float[] y) { y = Add(x, z) }",
    "equal sizes": "(float[n,n] x, float[n] z) => (float[] y) { y = Mul(x, z) }",
}


@pytest.mark.parametrize("text", ONE.values(), ids=ONE.keys())
@pytest.mark.parametrize("sizes", [(7, 8, 11), (9, 9, 9), (64, 5, 300)])
def test_one_kernel_is_one_call_beside_it(text: str, sizes: Sequence[int]) -> None:
    built = tvmfuse.compile(model(text), target="llvm")
    found = calls(built)
    assert found[SIZED_TENSOR] == 1
    assert found.keys().isdisjoint({HEAP, SHAPE, "alloc_storage", "alloc_tensor", "shape_func"})
    named = dict(zip(("n", "h", "w"), sizes, strict=True)) | {"m": sizes[1]}
    rng = np.random.default_rng(0)
    feeds = {
        v.name: rng.standard_normal(
            [d.dim_value or named[d.dim_param] for d in v.type.tensor_type.shape.dim], "float32"
        )
        for v in model(text).graph.input
    }
    assert_agrees(built.load()(feeds), reference(model(text), feeds))


SEVERAL = {
    "two kernels": "(float[n,m] x) => (float[] y) { a = Softmax(x) y = Transpose(a) }",
    "two outputs": "(float[n,m] x) => (float[] y, float[] z) { y = Softmax(x) z = Transpose(x) }",
}


@pytest.mark.parametrize("text", SEVERAL.values(), ids=SEVERAL.keys())
def test_sizes_that_others_need_are_kept(text: str) -> None:
    built = tvmfuse.compile(model(text), target="llvm")
    found = calls(built)
    assert (found[HEAP], found[SIZED_TENSOR]) == (1, 0)
    x = np.random.default_rng(0).standard_normal((3, 5), "float32")
    assert_agrees(built.load()({"x": x}), reference(model(text), {"x": x}))


#: A size of a tensor that is read is kept, or has to be the same; one that is made is a number, or
#: what was kept.
KEEP, SAME = 1, 3
NUMBER, KEPT = 0, 1


@pytest.fixture(scope="module")
def native() -> Any:
    return native_module(resolve("llvm"))


def references(given: Any) -> int:
    """Return how many hold one of TVM's objects."""
    return ctypes.c_uint32.from_address(given.__chandle__()).value


@pytest.mark.parametrize("fails", [False, True])
def test_what_it_asks_for(native: Any, fails: bool) -> None:
    storage, tensor = as_tensor(np.zeros(9, "uint8")), as_tensor(np.zeros((5, 2), "float32"))
    asked: list[object] = []

    def alloc_storage(vm: str, shape: Any, device: int, dtype: Any, scope: str) -> Any:
        asked.append((vm, tuple(shape), device, str(dtype), scope))
        return storage

    def alloc_tensor(given: Any, begin: int, shape: Any, dtype: Any) -> Any:
        asked.append((given.data_ptr(), begin, tuple(shape), str(dtype)))
        if fails:
            raise MemoryError("no more")
        return tensor

    builtins = map(tvm_ffi.convert, (alloc_storage, alloc_tensor))
    match = tvm_ffi.get_global_func("vm.builtin.match_shape")
    dtype, axes = tvm_ffi.dtype("float32"), tvm_ffi.Shape((KEPT, 0, NUMBER, 2))
    x, rules = as_tensor(np.zeros((5, 5), "float32")), tvm_ffi.Shape((KEEP, 0, SAME, 0))
    call = partial(native.get_function(SIZED_TENSOR), "vm", *builtins, 0, dtype, "global", axes, 1)
    before = references(storage)
    if fails:
        with pytest.raises(MemoryError, match="no more"):
            call(match, None, x, "words", rules)
    else:
        assert call(match, None, x, "words", rules).data_ptr() == tensor.data_ptr()
    assert references(storage) == before
    kept = ("vm", (5, 2), 0, "float32", "global"), (storage.data_ptr(), 0, (5, 2), "float32")
    assert tuple(asked) == kept


def test_tensors_that_do_not_agree_are_told_and_nothing_is_asked_for(native: Any) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    builtins = map(tvm_ffi.convert, (never, never))
    match = tvm_ffi.get_global_func("vm.builtin.match_shape")
    dtype, axes = tvm_ffi.dtype("float32"), tvm_ffi.Shape((KEPT, 0))
    x, rules = as_tensor(np.zeros((5, 4), "float32")), tvm_ffi.Shape((KEEP, 0, SAME, 0))
    call = native.get_function(SIZED_TENSOR)
    with pytest.raises(RuntimeError, match="the words"):
        call("vm", *builtins, 0, dtype, "global", axes, 1, match, None, x, "the words", rules)
