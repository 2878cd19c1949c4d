"""schedules.cpu.padded_copy: lines of a padded copy, vector by vector."""

from typing import Any

import pytest
from tvm import te, tirx

from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.cpu.padded_copy import PaddedCopyNest
from tvmfuse.schedules.cpu.pointwise import pointwise_nests
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.plans import PointwisePlan
from tvmfuse.target.machine import AVX2, AVX512, Machine


def nests(
    lab: Any, before: int = 1, *, other: bool = False, dtype: str = "float32", size: Any = None,
    machine: Machine = AVX512, step: int = 1,
) -> Any:  # fmt: skip
    """Return the nests of a line of so many elements, `before` zeros before it and two behind."""
    w = te.var("w", "int64") if size is None else size
    x = te.placeholder((9, w * step), dtype, "x")
    zero = tirx.const(0, dtype)

    def element(y: Any, i: Any) -> Any:
        there = tirx.all(i >= before, i < w + before, y >= 1, y < 10)
        behind = tirx.const(1, dtype) if other else zero
        fill = tirx.if_then_else(i < before, behind, zero) if other else zero
        return tirx.if_then_else(there, x[y - 1, (i - before) * step], fill)

    padded = te.compute((11, w + before + 2), element, name="padded")
    (stage,) = inline(read(lab.function_of(x, padded))).stages
    return pointwise_nests(stage, Scope(machine))


@pytest.mark.parametrize("before", [0, 1, 20])
def test_one_loop_for_a_line(lab: Any, before: int) -> None:
    (nest,) = nests(lab, before)
    assert isinstance(nest, PaddedCopyNest)
    plan = nest.plan()
    assert plan.lanes == 16
    assert nest.misfit(plan) is None
    assert str(nest.misfit(PointwisePlan(lanes=32, order=plan.order))) == (
        "lanes: expected 2 to 16, found 32"
    )


@pytest.mark.parametrize("before", [0, 1, 20])
def test_lines_that_a_dimension_of_one_follows_begin_where_they_do(lab: Any, before: int) -> None:
    """Images of one column: their lines run along the last dimension but one."""
    w = te.var("w", "int64")
    x = te.placeholder((9, w, 1), "float32", "x")
    padded = te.compute(
        (9, w + before + 2, 1),
        lambda n, i, j: tirx.if_then_else(
            tirx.all(i >= before, i < w + before), x[n, i - before, j], tirx.const(0, "float32")
        ),
        name="padded",
    )
    (stage,) = inline(read(lab.function_of(x, padded))).stages
    (nest,) = pointwise_nests(stage, Scope(AVX512))
    assert isinstance(nest, PaddedCopyNest)
    assert static(nest.begin) == before


@pytest.mark.parametrize(
    "changed",
    [{"other": True}, {"dtype": "int8"}, {"size": 30}, {"machine": AVX2}, {"step": 2}],
    ids=["two fills", "bytes", "fixed size", "no masks", "elements apart"],
)
def test_others_are_cut_into_pieces(lab: Any, changed: Any) -> None:
    assert not any(isinstance(nest, PaddedCopyNest) for nest in nests(lab, **changed))
