"""schedules.tasks: which loops the threads share."""

from typing import Any

import pytest
from tvm import tirx
from tvm.ir import Var
from tvm.sym import Analyzer

from tvmfuse.schedules.expressions import substitute
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.tasks import enough, is_one, unfused


def axis(extent: Any) -> Axis:
    size = tirx.const(extent, "int64") if isinstance(extent, int) else extent
    return Axis(Var("i", "int64"), size)


@pytest.mark.parametrize(
    ("extents", "count"), [((4, 20, 30), 2), ((64, 2), 1), ((2, 3), 2), ((), 0)]
)
def test_as_many_loops_as_make_enough_tasks(extents: tuple[int, ...], count: int) -> None:
    assert len(enough([axis(n) for n in extents])) == count


def test_one_size_known_only_later_at_most() -> None:
    n, m = tirx.Var("n", "int64"), tirx.Var("m", "int64")
    assert len(enough([axis(n), axis(3), axis(m)])) == 2


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
