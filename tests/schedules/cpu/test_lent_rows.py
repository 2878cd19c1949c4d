"""schedules.cpu.lent_rows: a row that is kept lies in the output's row that it turns into."""

from typing import Any

import pytest
from tvm import IRModule, te, tirx
from tvm.relax import op as R
from tvm.tirx import PrimFunc

from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512

N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")
LENGTHS = [{"n": 5, "m": m} for m in (1, 3, 4, 7, 15, 16, 17, 31, 33, 100, 129, 1001)]


def rows_of(function: PrimFunc) -> bool:
    """Return whether a kernel has a buffer for a row of length `m`."""
    return has_rows(schedule(IRModule({"main": function}), AVX2.target).module["main"])


def has_rows(function: PrimFunc) -> bool:
    return "alloc_buffer((m" in function.script()


def softmax(lab: Any, *shape: Any, dtype: str = "float32") -> Any:
    return lab.lowered(lambda a: R.nn.softmax(a, -1), (shape, dtype))


def quotients(
    *, length: Any = M, result: str = "float32", backward: bool = False, squares: bool = False
) -> PrimFunc:
    """Return the exponentials of rows by their sums; and maybe their squares, as another output."""
    a, k = te.placeholder((N, length), name="a"), te.reduce_axis((0, length))
    e = te.compute((N, length), lambda i, j: te.exp(te.sqrt(a[i, j] * a[i, j])), name="e")
    s = te.compute((N,), lambda i: te.sum(e[i, k], k), name="s")
    last, sign = (length - 1, -1) if backward else (0, 1)
    y = te.compute(
        (N, length), lambda i, j: (e[i, last + sign * j] / s[i]).astype(result), name="y"
    )
    z = te.compute((N, length), lambda i, j: e[i, j] * s[i], name="z")
    return te.create_prim_func([a, y, *([z] if squares else [])])


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_a_softmax_takes_no_row_from_the_pool(lab: Any, machine: Any) -> None:
    for operator in (R.nn.softmax, R.nn.log_softmax):
        module = lab.lowered(operator, ((N, M), "float32"))
        scheduled = lab.assert_same_numbers(module, machine, each=LENGTHS)
        (function,) = lab.kernels(scheduled.module).values()
        assert not has_rows(function)


def test_a_long_row_of_fixed_length_is_lent_and_a_short_one_stays_on_the_stack(lab: Any) -> None:
    for length, kept in ((255, True), (256, False)):
        scheduled = lab.assert_same_numbers(softmax(lab, 9, length))
        (function,) = lab.kernels(scheduled.module).values()
        assert (f"alloc_buffer((T.int64({length}),))" in function.script()) == kept


def test_the_last_one_that_reads_it_overwrites_it(lab: Any) -> None:
    for squares in (False, True):
        function = quotients(squares=squares)
        assert not rows_of(function)
        lab.assert_same_numbers(IRModule({"main": function}), each=LENGTHS)


def test_a_row_is_not_lent_where_it_does_not_fit(lab: Any) -> None:
    """A result of another dtype, and one that reads what it would have overwritten."""
    for function in (quotients(result="float64"), quotients(backward=True)):
        assert rows_of(function)
        lab.assert_same_numbers(IRModule({"main": function}), each=LENGTHS)
