"""What becomes of the intrinsics of integers that wrap around, on each kind of target."""

from __future__ import annotations

from typing import Any

import pytest
import tvm
from tvm import te, tirx
from tvm.target import Target

from tvmfuse.ir.wrapping import DTYPES, wrapping

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
