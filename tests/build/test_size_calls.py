"""build.native: sizes that a run finds out, checks of them, and shapes of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from tvmfuse.arrays import ALIGNMENT, as_tensor
from tvmfuse.build.native import FITS, HEAP, SHAPE, native_module
from tvmfuse.target.resolve import resolve


@pytest.fixture(scope="module")
def heap_of() -> Callable[..., Any]:
    make = native_module(resolve("llvm")).get_function(HEAP)

    def holding(*sizes: int) -> Any:
        heap = make(len(sizes))
        np.from_dlpack(heap)[:] = sizes
        return heap

    return holding


@pytest.fixture(scope="module")
def shape_of() -> Any:
    return native_module(resolve("llvm")).get_function(SHAPE)


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
    made = shape_of(heap_of(5, 2**40), len(shape), *rules)  # the heap is gone afterwards
    assert isinstance(made, tvm_ffi.Shape)
    assert made == shape


#: What a size has to be: this number, kept in this place, anything, what stands in this place.
NUMBER, KEPT, ANY, SAME = range(4)


@pytest.mark.parametrize(
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
@pytest.mark.parametrize("kind", [as_tensor, lambda array: tvm_ffi.Shape(array.shape)])
def test_sizes_fit_where_they_do_for_tvm(
    heap_of: Any, kind: Any, shape: tuple[int, ...], rules: tuple[int, ...]
) -> None:
    """And if they do not, it says what TVM says."""
    fits = native_module(resolve("llvm")).get_function(FITS)
    match = tvm_ffi.get_global_func("vm.builtin.match_shape")
    given, rank = kind(np.zeros(shape, "float32")), len(rules) // 2

    def found(check: Any, *before: Any) -> object:
        heap = heap_of(7, 8)
        try:
            assert check(*before, given, heap, rank, *rules, "words") is None
        except (RuntimeError, ValueError, TypeError) as error:
            return type(error), str(error)
        return np.from_dlpack(heap).tolist()

    assert found(fits, match) == found(match)
