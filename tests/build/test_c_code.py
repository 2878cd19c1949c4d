"""c_code: names and numbers that TVM's writer of C would write as something else."""

from __future__ import annotations

import math
import re
import struct

import pytest
import tvm_ffi
from tvm import IRModule, tirx
from tvm.ir import Call, GlobalVar, Var
from tvm.tirx import FloatImm, For, ForKind, PrimFunc

from tvmfuse.build.c_code import for_c

KERNEL = GlobalVar("kernel")


def fill(tensor: str, size: str, dtype: str = "float32", value: float = 1.0) -> IRModule:
    """Return a kernel that fills a tensor."""
    n, i = Var(size, "int64"), Var("i", "int64")
    x = tirx.decl_buffer((n,), dtype, tensor)
    store = tirx.BufferStore(x, FloatImm(dtype, value), [i])
    body = For(i, tirx.const(0, "int64"), n, ForKind.SERIAL, store)
    return IRModule({KERNEL: PrimFunc([x, n], body)})


@pytest.mark.parametrize("tensor", ["0", "1x", "a.b", "a/b", "a b", "a-b", "größe"])
@pytest.mark.parametrize("size", ["batch", "Slice_12/sizes_0", "2n"])
def test_names_are_those_of_c(tensor: str, size: str) -> None:
    kernel = for_c(fill(tensor, size))[KERNEL]
    x, n = kernel.params
    assert all(re.fullmatch(r"[A-Za-z_]\w*", var.name, re.ASCII) for var in (x, n))
    assert kernel.body.extent.same_as(n)
    assert x.shape[0].same_as(n)
    assert kernel.body.body.buffer.same_as(x)


def test_names_of_c_stay() -> None:
    module = fill("x", "batch_1")
    assert for_c(module)[KERNEL].same_as(module[KERNEL])


def test_variables_whose_names_become_the_same_stay_two() -> None:
    x, n = for_c(fill("a/b", "a.b"))[KERNEL].params
    assert x.name == n.name
    assert not x.same_as(n)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_bfloat16_that_is_not_finite_is_a_call(value: float) -> None:
    found: list[FloatImm] = []
    kernel = for_c(fill("x", "n", "bfloat16", value))[KERNEL]
    tvm_ffi.structural_walk(kernel, (FloatImm, found.append))
    assert not found
    assert "__int_as_float" in kernel.script()


@pytest.mark.parametrize("value", [2.0**-53, 1e-16, -1e-300, math.pi * 1e-3, 5e-324])
def test_float64_of_more_digits_is_its_bits(value: float) -> None:
    calls: list[Call] = []
    tvm_ffi.structural_walk(for_c(fill("x", "n", "float64", value))[KERNEL], (Call, calls.append))
    (call,) = [c for c in calls if len(c.args) == 2]
    assert call.args[0].value == "__longlong_as_double"
    assert struct.pack("<q", call.args[1].value) == struct.pack("<d", value)


def test_other_numbers_stay() -> None:
    for dtype, value in (
        ("bfloat16", 1.5),
        ("float32", math.inf),
        ("float64", 0.1),
        ("float64", 1e23),
        ("float64", -0.0),
        ("float64", math.inf),
    ):
        module = fill("x", "n", dtype, value)
        assert for_c(module)[KERNEL].same_as(module[KERNEL])
