"""build.native: sizes that a run finds out, checks of them, and shapes of them."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from tvmfuse.arrays import ALIGNMENT
from tvmfuse.build.native import FITS, HEAP, SHAPE, native_module
from tvmfuse.target.resolve import resolve
from tvmfuse.tensors import as_tensor


@pytest.fixture(scope="module")
def native() -> Any:
    """Return the code, which what it made needs as long as that is there."""
    return native_module(resolve("llvm"))


@pytest.fixture(scope="module")
def heap_of(native: Any) -> Callable[..., Any]:
    make = native.get_function(HEAP)
    match = tvm_ffi.get_global_func("vm.builtin.match_shape")

    def holding(*sizes: int) -> Any:
        heap = make(len(sizes), match, None)
        np.from_dlpack(heap)[:] = sizes
        return heap

    return holding


@pytest.fixture(scope="module")
def shape_of(native: Any) -> Any:
    return native.get_function(SHAPE)


def test_a_heap_is_a_tensor(heap_of: Any) -> None:
    heap = heap_of(3, -1, 2**40)
    assert (heap.shape, str(heap.dtype), str(heap.device)) == ((3,), "int64", "cpu:0")
    assert np.from_dlpack(heap).tolist() == [3, -1, 2**40]
    assert all(heap_of(*range(n)).data_ptr() % ALIGNMENT == 0 for n in range(9))


@pytest.mark.parametrize(
    ("rules", "shape"),
    [((), ()), ((0, 7), (7,)), ((1, 1), (2**40,)), ((1, 1, 0, 1, 1, 0, 1, 0), (2**40, 1, 5, 5))],
)
def test_a_shape_holds_numbers_and_what_was_found_out(
    heap_of: Any, shape_of: Any, rules: tuple[int, ...], shape: tuple[int, ...]
) -> None:
    made = shape_of(heap_of(5, 2**40), tvm_ffi.Shape(rules))  # the heap is gone afterwards
    assert isinstance(made, tvm_ffi.Shape)
    assert made == shape


#: What a size has to be: this number, kept in this place, anything, what stands in this place.
NUMBER, KEPT, ANY, SAME = range(4)

OUTCOMES = pytest.mark.parametrize(
    ("shape", "rules"),
    [
        ((), ()),
        ((2, 3), (NUMBER, 2, NUMBER, 3)),
        ((4, 4, 9), (KEPT, 1, SAME, 1, ANY, 0)),
        ((4, 5), (KEPT, 1, SAME, 1)),
        ((2, 3), (NUMBER, 2, NUMBER, 4)),
        ((2, 3), (NUMBER, 2)),
    ],
)
KINDS = pytest.mark.parametrize("kind", [as_tensor, lambda array: tvm_ffi.Shape(array.shape)])


def found(find: Callable[[], Any]) -> object:
    """Return the sizes that are found out, or what is said instead."""
    try:
        return np.from_dlpack(find()).tolist()
    except (RuntimeError, ValueError, TypeError) as error:
        return type(error), str(error)


@OUTCOMES
@KINDS
def test_sizes_fit_where_they_do_for_tvm(
    native: Any, heap_of: Any, kind: Any, shape: tuple[int, ...], rules: tuple[int, ...]
) -> None:
    """And if they do not, it says what TVM says."""
    fits, make = native.get_function(FITS), native.get_function(HEAP)
    match = tvm_ffi.get_global_func("vm.builtin.match_shape")
    given, rank = kind(np.zeros(shape, "float32")), len(rules) // 2

    def checked(check: Any, *args: Any) -> Callable[[], Any]:
        heap = heap_of(7, 8)

        def find() -> Any:
            assert check(*(heap if arg is ... else arg for arg in args)) is None
            return heap

        return find

    by_tvm = found(checked(match, given, ..., rank, *rules, "words"))
    assert found(checked(fits, match, ..., given, "words", tvm_ffi.Shape(rules))) == by_tvm
    # A new heap holds nothing yet, so that what is not kept is not compared.
    kept = sorted(
        {place for rule, place in zip(rules[::2], rules[1::2], strict=True) if rule == KEPT}
    )
    made = found(lambda: make(2, match, None, given, "words", tvm_ffi.Shape(rules)))
    if isinstance(by_tvm, list):
        assert isinstance(made, list)
        assert [made[place] for place in kept] == [by_tvm[place] for place in kept]
    else:
        assert made == by_tvm


def test_what_follows_from_sizes_is_found_out_with_them(native: Any) -> None:
    made = native.get_function(HEAP)
    match, addresses = tvm_ffi.get_global_func("vm.builtin.match_shape"), list[int]()

    def computed(memory: Any) -> None:
        addresses.append(memory.value)
        sizes = (ctypes.c_int64 * 2).from_address(memory.value)
        sizes[1] = 3 * sizes[0]

    x, rules = as_tensor(np.zeros((5, 2), "float32")), tvm_ffi.Shape((KEPT, 0, NUMBER, 2))
    heap = made(2, match, tvm_ffi.convert(computed), x, "words", rules)
    assert np.from_dlpack(heap).tolist() == [5, 15]
    assert addresses == [heap.data_ptr()]
