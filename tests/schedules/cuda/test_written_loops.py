"""schedules.cuda.written_loops: GPU threads for loops; their numbers, one thread after the other."""

from __future__ import annotations

from typing import Any

import pytest
import tvm_ffi
from gpu_in_turn import CUDA, assert_numbers, kernels_of, model_of
from tvm import tirx
from tvm.ir import Var
from tvm.tirx import For, ForKind, PrimFunc

from tvmfuse.schedules.cuda.written_loops import WrittenLoops
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.protocol import Subject
from tvmfuse.schedules.schedule import schedule

SCANNED = "(float[7,41] x) => (float[7,41] y)"
WHOLE = "(float[7,41] x) => (int64[2,N] y)"
CELL = "(float[5,2,3] x, float[1,{n},3] w, float[1,{n},4] r) => (float[5,1,2,4] y)"

#: A model, and the schedule's name for the kernel that it is about.
MODELS = {
    "scan": f"{SCANNED} {{ axis = Constant<value_int=1>() y = CumSum(x, axis) }}",
    "scan of columns": f"{SCANNED} {{ axis = Constant<value_int=0>() y = CumSum(x, axis) }}",
    "parts between which one thread adds": f"{WHOLE} {{ y = NonZero(x) }}",
    "search": "(float[3,40] x) => (float[3,5] v, int64[3,5] i) "
    "{ k = Constant<value_ints=[5]>() v, i = TopK(x, k) }",
    "writes in order": "(float[9,4] x, int64[3,4] i, float[3,4] u) => (float[9,4] y) "
    "{ y = ScatterElements<reduction='add'>(x, i, u) }".replace("'", '"'),
    "determinants": "(float[5,4,4] x) => (float[5] y) { y = Det(x) }",
    "steps of a cell": CELL.format(n=4) + " { y, h = RNN<hidden_size=4>(x, w, r) }",
    "steps of a cell of gates": CELL.format(n=12) + " { y, h = GRU<hidden_size=4>(x, w, r) }",
}


@pytest.mark.parametrize("name", MODELS)
def test_numbers(name: str) -> None:
    scheduled = assert_numbers(MODELS[name])
    assert "written_loops" in {d.schedule for d in scheduled.report.decisions.values()}


@pytest.mark.parametrize("name", MODELS)
def test_every_loop_is_a_threads(name: str) -> None:
    scheduled = schedule(kernels_of(model_of(MODELS[name])), CUDA)
    for symbol, decision in scheduled.report.decisions.items():
        if decision.schedule == "written_loops":
            text = scheduled.module[symbol].script()
            assert "threadIdx.x" in text
            assert "T.parallel" not in text
            assert "T.vectorized" not in text


def threads(function: PrimFunc) -> list[int]:
    """Return how many blocks each launch has."""
    found = []

    def seen(loop: For) -> None:
        if loop.thread_binding is not None and loop.thread_binding.thread_tag == "blockIdx.x":
            found.append(loop.extent.value)

    tvm_ffi.structural_walk(function, (For, seen))
    return found


def kernel(body: Any, *buffers: Any) -> PrimFunc:
    return tirx.PrimFunc([*buffers], body)


def in_threads(function: PrimFunc) -> PrimFunc:
    subject = Subject(function, CUDA)
    plan = WrittenLoops().plan(subject)
    assert isinstance(plan, KernelPlan)
    return WrittenLoops().emit(subject, plan)


def test_parallel_loops_are_launches_and_what_is_between_is_one() -> None:
    x = tirx.decl_buffer((100,), "float32", "x")
    i, j = Var("i", "int64"), Var("j", "int64")
    one, zero = tirx.const(1.0, "float32"), tirx.const(0, "int64")

    def loop(var: Var) -> For:
        store = tirx.BufferStore(x, one, [var])
        return For(var, zero, tirx.const(100, "int64"), ForKind.PARALLEL, store)

    between = tirx.BufferStore(x, one, [zero])
    body = tirx.SeqStmt([loop(i), between, between, loop(j)])
    assert threads(in_threads(kernel(body, x))) == [4, 1, 4]  # of 32 threads


def test_memory_that_later_loops_read_makes_all_one_thread() -> None:
    x, kept = tirx.decl_buffer((100,), "float32", "x"), tirx.decl_buffer((1,), "float32", "kept")
    i, zero = Var("i", "int64"), tirx.const(0, "int64")
    store = tirx.BufferStore(x, tirx.BufferLoad(kept, [zero]), [i])
    loop = For(i, zero, tirx.const(100, "int64"), ForKind.PARALLEL, store)
    first = tirx.BufferStore(kept, tirx.const(1.0, "float32"), [zero])
    body = tirx.SeqStmt([tirx.AllocBuffer(kept), first, loop])
    assert threads(in_threads(kernel(body, x))) == [1]


def test_a_loop_that_an_array_counts_is_not_the_cpus() -> None:
    x, counts = tirx.decl_buffer((100,), "float32", "x"), tirx.decl_buffer((1,), "int64", "counts")
    i, t, zero = Var("i", "int64"), Var("t", "int64"), tirx.const(0, "int64")
    store = tirx.BufferStore(x, tirx.const(1.0, "float32"), [i])
    inner = For(i, zero, tirx.const(100, "int64"), ForKind.PARALLEL, store)
    loop = For(t, zero, tirx.BufferLoad(counts, [zero]), ForKind.SERIAL, inner)
    assert threads(in_threads(kernel(loop, x, counts))) == [1]
    known = For(t, zero, tirx.const(3, "int64"), ForKind.SERIAL, inner)
    assert threads(in_threads(kernel(known, x, counts))) == [4]
