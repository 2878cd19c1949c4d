"""schedules.cpu.nest: names of axes, and what of a plan does not fit."""

from typing import Any

from tvm import tirx

from tvmfuse.schedules.cpu.nest import (
    Misfit,
    Scope,
    axis_names,
    in_order_of,
    misfits_of,
    order_misfit,
)
from tvmfuse.schedules.cpu.pointwise import pointwise_nests
from tvmfuse.schedules.kernels import Axis, Stage, Store
from tvmfuse.schedules.plans import PointwisePlan, ReductionPlan
from tvmfuse.target.machine import AVX2


def axes(*names: Any) -> Any:
    return [Axis(tirx.Var(name, "int64"), tirx.const(24, "int64")) for name in names]


def stage() -> Any:
    """Transpose a matrix of 24 x 24: two axes that do not collapse."""
    i, j = axes("v_i", "v_j")
    a, b = (tirx.decl_buffer((24, 24), "float32", name) for name in "ab")
    return Stage("t", (i, j), (Store(b, (i.var, j.var), tirx.BufferLoad(a, [j.var, i.var])),))


def test_names_are_short_and_unique() -> None:
    found = axes("v_i0", "v_i0_v_i1", "k", "k", "k")
    assert list(axis_names(found).values()) == ["i0", "i0*i1", "k", "k.2", "k.3"]
    assert in_order_of(["k.2", "i0"], found) == (found[3], found[0])


def test_an_order_names_each_axis_once() -> None:
    found = axes("i", "j")
    assert not list(order_misfit(("j", "i"), found))
    assert list(order_misfit(("j", "j"), found)) == [Misfit("order", "all of i, j", "j, j")]


def test_says_which_field_of_which_nest_does_not_fit() -> None:
    (nest,) = pointwise_nests(stage(), Scope(AVX2))
    good = nest.plan()
    assert nest.misfit(good) is None
    nests, plans = (nest, nest), (good, PointwisePlan(lanes=16, order=good.order))
    (found,) = misfits_of(nests, plans)
    assert str(found) == "nests[1].lanes: expected 1 to 8, found 16"
    assert str(nest.misfit(ReductionPlan())) == "kind: expected pointwise, found reduction"
    (found,) = misfits_of(nests, plans[:1])
    assert str(found) == "nests: expected 2 plans, found 1"


def test_nothing_is_parallel_inside_what_may_be() -> None:
    (nest,) = pointwise_nests(stage(), Scope(AVX2))
    plan = PointwisePlan(lanes=8, order=nest.plan().order, parallel=True)
    assert nest.misfit(plan) is None
    misfit = nest.misfit(plan, parallel=False)
    assert misfit is not None
    assert misfit.field == "parallel"
