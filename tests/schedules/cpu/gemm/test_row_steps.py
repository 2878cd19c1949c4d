"""schedules.cpu.gemm.row_steps: how rows whose number is known only later are cut."""

from typing import Any

import pytest
import tvm
import tvm_ffi
from tvm import te, tirx

from tvmfuse.schedules.cpu.gemm.row_steps import row_steps
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.loop_nests import LoopNestBuilder


def cut(lab: Any, rows: int, most: int) -> list[tuple[int, int]]:
    """Return where each step begins, and its height, in the order in which they are computed."""
    n, x = tirx.Var("n", "int64"), te.placeholder((4,))
    builder = LoopNestBuilder(read(lab.function_of(x, te.compute((4,), lambda i: x[i]))))
    values: dict[Any, int] = {n: rows}

    def value(expr: Any) -> int:
        known = {var: tirx.const(v, "int64") for var, v in values.items()}
        fixed = tvm_ffi.structural_map(expr, (tvm.ir.Var, lambda var: known.get(var, var)))
        return int(tvm.sym.Analyzer().simplify(fixed))

    segments, statements = row_steps(builder, n, most)
    stored = 0
    for statement in statements:
        if isinstance(statement, tirx.BufferStore):
            stored = value(statement.value)
        elif isinstance(statement, tirx.Bind):
            values[statement.var] = stored
    return [
        (value(s.begin) + step * s.width, s.width)
        for s in segments
        for step in range(value(s.count))
    ]


@pytest.mark.parametrize("most", [1, 2, 4, 6, 7, 9, 14, 32])
def test_each_row_is_in_one_step(lab: Any, most: int) -> None:
    for rows in (*range(3 * most + 2), 100 * most + 1):
        found = [begin + n for begin, height in cut(lab, rows, most) for n in range(height)]
        assert found == list(range(rows))


@pytest.mark.parametrize(
    ("rows", "most", "heights"),
    [
        (5, 4, [3, 2]),
        (9, 4, [3, 3, 3]),
        (12, 6, [6, 6]),
        (13, 6, [5, 4, 4]),
        (13, 9, [7, 6]),
        (29, 9, [8, 7, 7, 7]),
        (5, 14, [5]),
        (13, 14, [7, 6]),
        (14, 14, [14]),
        (15, 14, [5, 5, 5]),
        (21, 14, [14, 7]),
        (28, 14, [14, 14]),
        (29, 14, [14, 5, 5, 5]),
    ],
)
def test_steps_share_what_whole_ones_leave(
    lab: Any, rows: int, most: int, heights: list[int]
) -> None:
    assert [height for _, height in cut(lab, rows, most)] == heights


@pytest.mark.parametrize("most", [6, 9, 14])
def test_no_step_is_low_but_of_few_rows(lab: Any, most: int) -> None:
    for rows in range(most, 4 * most):
        assert min(height for _, height in cut(lab, rows, most)) >= most // 3
