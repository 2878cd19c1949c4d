"""schedules.fence: sums of dot products stay in registers, and are exact whatever their bits."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule
from tvm.target import Target

from tvmfuse import ops
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, SSE2, Machine

ROWS, COLUMNS = 24, 32


def product(lab: Any, dtypes: tuple[str, str], k: int, *, bounded: bool = False) -> IRModule:
    """Return a product of integers, whose panels have neighbours side by side."""
    group = 4 if dtypes[1] == "int8" else 2
    module: IRModule = lab.lowered(
        lambda x, w: ops.gemm(x, w, columns=COLUMNS, bounded=bounded),
        ((ROWS, k), dtypes[0]),
        ((COLUMNS // 16, k // group, 16, group), dtypes[1]),
    )
    return module


@pytest.mark.parametrize("mcpu", ["haswell", "znver3", "skylake-avx512"])
@pytest.mark.parametrize("bounded", [False, True], ids=["pairs", "bytes"])
def test_sums_stay_in_registers(lab: Any, mcpu: str, bounded: bool) -> None:
    """No sum goes to the stack between the steps of a body."""
    dtypes = ("uint8", "int8") if bounded else ("int16", "int16")
    machine = replace(Machine.of(Target({"kind": "llvm", "mcpu": mcpu})), mcpu=mcpu)
    module = schedule(product(lab, dtypes, 160, bounded=bounded), machine.target).module
    (function,) = lab.kernels(module).values()
    code = lab.hottest_block(lab.assembly(function, machine), "pmaddwd")
    sums = sum("paddd" in line for line in code)
    assert sums > 8
    assert sums == sum("pmaddwd" in line for line in code)
    assert not any("rsp" in line for line in code)


@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=lambda machine: machine.name)
def test_sums_that_are_no_numbers_as_floats(lab: Any, machine: Machine) -> None:
    """A fence is one of floats, whose NaN that signal would be quieted and denormals be zero."""
    k = 8
    module = schedule(product(lab, ("int16", "int16"), k), machine.target).module
    (function,) = lab.kernels(module).values()
    a = np.zeros((ROWS, k), "int16")
    b = np.zeros((k, COLUMNS), "int16")
    b[0:2], b[2:4], b[4:6] = 32700, 1, -1
    a[:, 0:2], a[:, 2], a[:, 4] = 32767, np.arange(ROWS), np.arange(ROWS)[::-1]
    a[::3, :2] = 0  # denormals, and what is negative
    expected = a.astype("int64") @ b.astype("int64")
    signals = (expected & 0x7FC00000 == 0x7F800000) & (expected & 0x3FFFFF != 0)
    assert signals.any()
    assert (np.abs(expected) < 1 << 23).any()
    panels = b.reshape(k // 2, 2, COLUMNS // 16, 16).transpose(2, 0, 3, 1).copy()
    found = tvm.runtime.tensor(np.empty((ROWS, COLUMNS), "int32"))
    lab.runnable(function, machine)(tvm.runtime.tensor(a), tvm.runtime.tensor(panels), found)
    assert (found.numpy() == expected).all()
