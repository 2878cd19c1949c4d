"""schedules.cpu.horizontal: sums along contiguous memory have a partial sum in each lane."""

from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.cpu.horizontal import horizontal_axes
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine


def head(lab: Any, operator: Any, *shape: Any) -> Any:
    (function,) = lab.kernels(lab.lowered(operator, (shape, "float32"))).values()
    return read(function).stages[0]


def test_finds_the_contiguous_axis(lab: Any) -> None:
    assert list(horizontal_axes(head(lab, lambda a: R.sum(a, -1), 3, 64), AVX2).values()) == [8]
    assert not horizontal_axes(head(lab, lambda a: R.sum(a, 0), 64, 3), AVX2)
    assert not horizontal_axes(head(lab, lambda a: R.sum(a, -1), 64, 3), AVX2)
    assert not horizontal_axes(head(lab, lambda a: R.argmax(a, -1), 3, 64), AVX2)


@pytest.mark.parametrize("length", [8, 9, 31, 64, 255, 256, 1000])
@pytest.mark.parametrize("reduce", [te.sum, te.max, te.min], ids=lambda f: f.__name__)
def test_computes_the_same_at_every_length(lab: Any, length: int, reduce: Any) -> None:
    a, k = te.placeholder((3, length)), te.reduce_axis((0, length))
    function = lab.function_of(a, te.compute((3,), lambda i: reduce(a[i, k], k)))
    lab.assert_same_numbers(IRModule({"main": function}))


def test_a_maximum_keeps_nan_in_every_lane_and_in_the_rest(lab: Any) -> None:
    def keeps_nan(a: Any, b: Any) -> Any:
        return tirx.Select(a < b, b, tirx.Select(a >= b, a, a + b))

    maximum = te.comm_reducer(keeps_nan, lambda t: tirx.const(-float("inf"), t))
    a, k = te.placeholder((41, 41)), te.reduce_axis((0, 41))
    function = lab.function_of(a, te.compute((41,), lambda i: maximum(a[i, k], k)))
    scheduled = schedule(IRModule({"main": function}), AVX2.target).module["main"]
    assert "T.vectorized(8)" in scheduled.script()
    x = np.random.default_rng(0).standard_normal((41, 41)).astype("float32")
    x[np.arange(40), np.arange(40)] = np.nan
    out = tvm.runtime.tensor(np.zeros(41, "float32"))
    lab.runnable(scheduled)(tvm.runtime.tensor(x), out)
    np.testing.assert_array_equal(out.numpy(), x.max(axis=1))


@pytest.mark.parametrize(
    ("machine", "register"), [(AVX2, "ymm"), (AVX512, "zmm")], ids=["avx2", "avx512"]
)
def test_adds_whole_vectors(lab: Any, machine: Machine, register: str) -> None:
    module = lab.lowered(lambda a: R.sum(a, -1), ((64, 4096), "float32"))
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    loop = lab.hottest_block(lab.assembly(function, machine), "vaddps")
    adds = [line for line in loop if "vaddps" in line and register in line]
    assert len(adds) >= 8
