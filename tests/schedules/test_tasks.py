"""schedules.tasks: which loops the threads share."""

from typing import Any

import pytest
from tvm import tirx
from tvm.ir import Var
from tvm.sym import Analyzer
from tvm.tirx import For, ForKind

from tvmfuse.schedules.expressions import number, substitute
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.tasks import enough, is_one, part_of, unfused


def axis(extent: Any) -> Axis:
    size = tirx.const(extent, "int64") if isinstance(extent, int) else extent
    return Axis(Var("i", "int64"), size)


N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")


def at(expr: Any, n: int, m: int) -> int:
    return int(Analyzer().simplify(substitute(expr, {N: number(n), M: number(m)})))


@pytest.mark.parametrize(
    ("extents", "count"),
    [((4, 20, 30), 2), ((64, 2), 1), ((2, 3), 2), ((), 0), ((N,), 1), ((N, 3), 2), ((N, 64, M), 2)],
)
def test_as_many_loops_as_make_enough_tasks(extents: tuple[Any, ...], count: int) -> None:
    axes, parts = enough([axis(n) for n in extents])
    assert len(axes) == count
    assert parts is None


def test_an_axis_of_a_size_known_only_later_is_cut_into_parts() -> None:
    axes, parts = enough([axis(3), axis(M), axis(5)])
    assert len(axes) == 1
    assert at(parts, 0, 1000) == 22  # 3 times as many are 64 at least
    assert [at(parts, 0, m) for m in (7, 0)] == [7, 0], "a part that is empty is a task, too"
    axes, parts = enough([axis(N), axis(3), axis(M)])
    assert len(axes) == 2
    assert [at(parts, n, 1000) for n in (1, 7, 99)] == [21, 3, 1]


@pytest.mark.parametrize(("extent", "parts"), [(10, 4), (3, 8), (0, 5)])
def test_the_parts_of_a_loop_are_all_of_it(extent: int, parts: int) -> None:
    var, part = Var("i", "int64"), Var("part", "int64")
    loop = For(var, number(0), number(extent), ForKind.SERIAL, tirx.Evaluate(var))
    *bounds, inside = part_of(loop, part, number(parts)).seq
    known = Analyzer()

    def value(expr: Any, nth: int) -> int:
        values = {part: number(nth)}
        for bound in bounds:
            values[bound.var] = substitute(bound.value, values)
        return int(known.simplify(substitute(expr, values)))

    begins = [(value(inside.min, nth), value(inside.extent, nth)) for nth in range(parts)]
    places = [begin + i for begin, steps in begins for i in range(steps)]
    assert places == [*range(extent)]
    assert max(steps for _, steps in begins) - min(steps for _, steps in begins) <= 1


def test_a_task_is_the_last_axis_running_fastest() -> None:
    axes = [axis(3), axis(5)]
    task = Var("task", "int64")
    at = unfused(task, axes, Analyzer().simplify)
    simplify = Analyzer().simplify
    places = [{task: tirx.const(n, "int64")} for n in range(15)]
    values = [[int(simplify(substitute(at[a.var], place))) for a in axes] for place in places]
    assert values == [[n // 5, n % 5] for n in range(15)]


def test_an_axis_of_one() -> None:
    assert is_one(axis(1))
    assert not is_one(axis(tirx.Var("n", "int64")))
