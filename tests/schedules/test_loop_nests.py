"""schedules.nests: the loops that come out."""

import re
from typing import Any

import numpy as np
import tvm
from tvm import te, tirx

from tvmfuse.schedules.kernels import Axis, read
from tvmfuse.schedules.loop_nests import LoopNestBuilder, sequence


def copy(lab: Any, *shape: Any) -> Any:
    a = te.placeholder(shape, name="a")
    return read(lab.function_of(a, te.compute(shape, lambda *i: a(*i) * 2.0, name="b")))


def written(kernel: Any, *, parallel: Any, axes: Any = None) -> Any:
    builder, (stage,) = LoopNestBuilder(kernel), kernel.stages
    store = stage.store

    def element(at: Any) -> Any:
        return builder.store(store.buffer, store.indices, builder.value(store.value, at), at)

    return builder.function([builder.nest(axes or stage.axes, element, parallel=parallel)])


def test_fuses_outer_loops_until_there_are_enough_tasks(lab: Any) -> None:
    text = written(copy(lab, 40, 20, 30, 5), parallel=True).script()
    assert "T.parallel(800)" in text
    assert "range(30)" in text or "T.grid(30, 5)" in text


def test_few_tasks_come_in_as_many_pieces_as_all_loops_have(lab: Any) -> None:
    """80 tasks in 64 pieces: a thread's share is at the same place whatever a loop has."""
    text = written(copy(lab, 4, 20, 30, 5), parallel=True).script()
    assert "in T.parallel(T.int64(64))" in text
    assert "piece * T.int64(80) // T.int64(64)" in text
    assert "T.parallel(128)" in written(copy(lab, 128, 30), parallel=True).script()


def test_a_size_known_only_later_is_cut_into_parts(lab: Any) -> None:
    n, m = te.var("n"), te.var("m")
    function = written(copy(lab, n, 3, m), parallel=True)
    # What is divided by is never a size that could be zero.
    assert "// n" not in function.script()
    assert "// m" not in function.script()
    run = lab.runnable(function)
    for rows, size in ((0, 5), (1, 0), (1, 1), (1, 1000), (2, 7), (100, 3)):
        a = np.arange(3 * rows * size, dtype="float32").reshape(rows, 3, size)
        out = tvm.runtime.empty((rows, 3, size), "float32")
        run(tvm.runtime.tensor(a), out)
        np.testing.assert_array_equal(out.numpy(), a * 2)


def test_the_outer_loop_stays_outside_where_the_inner_size_is_known_later(lab: Any) -> None:
    n = te.var("n")
    function = written(copy(lab, 3, n), parallel=True)
    script = function.script()
    assert re.search(r"parts\[.*T.min\(.*22", script), "in parts, and no more than elements"
    assert "// n" not in script
    run = lab.runnable(function)
    for size in (0, 1, 7, 50):
        a = np.arange(3 * size, dtype="float32").reshape(3, size)
        out = tvm.runtime.empty((3, size), "float32")
        run(tvm.runtime.tensor(a), out)
        np.testing.assert_array_equal(out.numpy(), a * 2)


def test_loops_of_one_disappear_and_loops_of_none_take_the_nest_along(lab: Any) -> None:
    kernel = copy(lab, 4, 5)
    one, none = (Axis(kernel.stages[0].axes[0].var, tirx.const(n, "int32")) for n in (1, 0))
    inner = kernel.stages[0].axes[1]
    assert "for " in written(kernel, parallel=False, axes=[one, inner]).script()
    assert "for " not in written(kernel, parallel=False, axes=[none, inner]).script()


def test_addresses_are_flat_and_simplified(lab: Any) -> None:
    text = written(copy(lab, 4, 5), parallel=False).script()
    assert "b_flat[v_i0 * 5 + v_i1] = a_flat[v_i0 * 5 + v_i1] * T.float32(2.0)" in text


def test_the_function_computes(lab: Any) -> None:
    function = written(copy(lab, 4, 5), parallel=True)
    a, out = np.arange(20, dtype="float32").reshape(4, 5), tvm.runtime.empty((4, 5), "float32")
    lab.runnable(function)(tvm.runtime.tensor(a), out)
    np.testing.assert_array_equal(out.numpy(), a * 2)


def test_sequences_leave_out_nothing() -> None:
    statement = tirx.Evaluate(0)
    alone, both = sequence([None, statement, None]), sequence([statement, None, statement])
    assert alone is not None
    assert alone.same_as(statement)
    assert sequence([None]) is None
    assert both is not None
    assert len(both) == 2


def test_each_piece_of_a_parallel_loop_has_its_own_buffers(lab: Any) -> None:
    kernel = copy(lab, 100, te.var("n", "int64"))
    builder, (stage,) = LoopNestBuilder(kernel), kernel.stages
    buffer = tirx.decl_buffer((kernel.stages[0].axes[1].extent,), "float32", "row")
    builder.localize(buffer)

    def element(at: Any) -> Any:
        value, store = builder.value(stage.store.value, at), stage.store
        kept = builder.store(buffer, [at[stage.axes[1].var]], value, at)
        return sequence([kept, builder.store(store.buffer, store.indices, value, at)])

    nest = builder.nest(stage.axes, element, parallel=True, buffers=[buffer])
    text = builder.function([nest]).script()
    assert text.index("T.parallel(") < text.index("row = T.alloc_buffer")
    assert text.index("row = T.alloc_buffer") < text.index("in range(")
