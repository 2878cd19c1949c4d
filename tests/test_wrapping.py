"""What becomes of the intrinsics of integers that wrap around, on each kind of target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm
from tvm import te, tirx
from tvm.target import Target

from tvmfuse.build.kernels.machine_code import llvm_module
from tvmfuse.ir.wrapping import DTYPES, wrapping
from tvmfuse.schedules.schedule import schedule_kernel
from tvmfuse.target.resolve import resolve

TARGETS = {"llvm": {"kind": "llvm", "mcpu": "haswell"}, "cuda": {"kind": "cuda", "arch": "sm_80"}}


def lowered(kind: str, name: str, dtype: str) -> Any:
    a, b = (te.placeholder((8,), dtype, which) for which in "ab")
    function = te.create_prim_func([a, b, te.compute((8,), lambda i: wrapping(name, a(i), b(i)))])
    module = tvm.IRModule({"f": function.with_attr("target", Target(TARGETS[kind]))})
    return tirx.transform.LowerIntrin()(module)["f"].script()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
def test_nothing_is_left_of_them(name: str, dtype: str) -> None:
    assert not any("wrapping" in lowered(kind, name, dtype) for kind in TARGETS)


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_computes_with_unsigned_integers_of_the_same_width(dtype: str) -> None:
    code = lowered("cuda", "multiply", dtype)
    assert "128" not in code
    assert code.count("reinterpret") == (0 if dtype.startswith("uint") else 3)


def test_what_follows_of_indices_may_be_negative() -> None:
    """TVM refuses a constant below zero where it is cast to an unsigned integer."""

    def band(i: Any, j: Any) -> Any:
        after = tirx.Select(i < j, tirx.const(0.0, "float32"), tirx.const(1.0, "float32"))
        return after + tirx.Select(
            wrapping("subtract", i, j) <= 2, after, tirx.const(2.0, "float32")
        )

    kernel = te.create_prim_func([te.compute((4, 6), band)])
    code, _ = schedule_kernel("k", kernel, resolve("llvm"))
    result = tvm.runtime.empty((4, 6))
    llvm_module({"k": code}, resolve("llvm"))["k"](result)
    i, j = np.mgrid[:4, :6]
    after = (i >= j).astype("float32")
    np.testing.assert_array_equal(result.numpy(), after + np.where(i - j <= 2, after, 2))
