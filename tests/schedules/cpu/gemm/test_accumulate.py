"""schedules.cpu.accumulate: tiles of results that are stored once."""

import re
from typing import Any

import pytest
from tvm import IRModule, te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.cpu.gemm.accumulate import accumulate
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.gemm.tile_loops import TileLoops
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512


def written(lab: Any, m: Any, n: Any, k: Any, rows: Any, vectors: Any) -> Any:
    a, b = te.placeholder((m, k)), te.placeholder((k, n))
    r = te.reduce_axis((0, k))
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], r))
    function = lab.function_of(a, b, te.compute((m, n), lambda i, j: tirx.max(c[i, j], 0.0)))
    kernel = read(function)
    (group,) = groups(kernel)
    i, j = group.head.spatial
    builder = LoopNestBuilder(kernel)
    loops = TileLoops(group, Tile(rows, vectors, 8, i, j), (j, i), lambda _: 2, parallel=False)
    nest = accumulate(builder, loops)
    return function, builder.function([nest])


def test_ragged_tiles_compute_the_same(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in [(13, 37, 5), (4, 24, 2), (3, 7, 2), (2, 2, 2)]:
        function, scheduled = written(lab, *shape, rows=4, vectors=3)
        monkeypatch.setattr("tvmfuse.schedules.schedule.CATALOGUE", {"llvm": (Fixed(scheduled),)})
        lab.assert_same_numbers(IRModule({"main": function}))


class Fixed:
    name = "fixed"

    def __init__(self, function: Any) -> None:
        self.function = function

    def plan(self, subject: Any) -> Any:
        return KernelPlan(self.name)

    def emit(self, subject: Any, plan: Any) -> Any:
        return self.function


def test_cuts_both_axes_without_guards(lab: Any) -> None:
    _, scheduled = written(lab, 13, 37, 5, rows=4, vectors=3)
    found = scheduled.script()
    assert "if " not in found
    assert found.count("alloc_buffer") == 4  # whole tiles, a right edge, a lower edge, a corner


def test_stores_each_result_once(lab: Any) -> None:
    _, scheduled = written(lab, 8, 24, 5, rows=4, vectors=3)
    stores = re.findall(r"_flat\[.*\] = ", scheduled.script())
    assert len(stores) == 1


def test_accumulators_stay_below_what_goes_to_the_heap(lab: Any) -> None:
    module = lab.lowered(R.matmul, ((112, 64), "float32"), ((64, 96), "float32"))
    (function,) = lab.kernels(schedule(module, AVX512.target).module).values()
    assert "TVMBackendAllocWorkspace" not in lab.assembly(function, AVX512)


def test_a_tuple_is_computed_before_it_is_stored(lab: Any) -> None:
    module = lab.lowered(lambda a: R.argmax(a, -1), ((5, 32), "float32"))
    scheduled = lab.assert_same_numbers(module, AVX2)
    (function,) = lab.kernels(scheduled.module).values()
    assert function.script().count("T.let") == 2
