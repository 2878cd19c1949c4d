"""schedules.cpu.reduction_nest: what is vectorized, and which plans fit."""

from typing import Any

import pytest
from tvm.relax import op as R

from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.cpu.reduction_nest import ReductionNest
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.plans import ReductionPlan
from tvmfuse.target.machine import AVX2


def nest(lab: Any, operator: Any, *shape: Any) -> Any:
    (function,) = lab.kernels(lab.lowered(operator, (shape, "float32"))).values()
    (group,) = groups(inline(read(function)))
    return ReductionNest.of(group, Scope(AVX2))


@pytest.mark.parametrize(
    ("operator", "shape", "expected"),
    [
        (lambda a: R.sum(a, 0), (64, 40), ("outputs", 8, 4)),
        (lambda a: R.sum(a, -1), (5, 640), ("terms", 8, 8)),
        (lambda a: R.sum(a, -1), (640, 3), ("outputs", 8, 4)),
        (lambda a: R.argmax(a, -1), (5, 64), ("nothing", 1, 1)),
    ],
    ids=["columns", "row", "short rows", "tuples"],
)
def test_plans_vectors(lab: Any, operator: Any, shape: tuple[int, ...], expected: Any) -> None:
    found = nest(lab, operator, *shape)
    plan = found.plan()
    assert (plan.vectorize, plan.lanes, plan.vectors) == expected
    assert found.misfit(plan) is None


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (ReductionPlan(vectorize="outputs"), "vectorize: expected nothing or terms, found outputs"),
        (ReductionPlan(vectorize="terms", axis="i"), "axis: expected k0, found i"),
        (
            ReductionPlan(vectorize="terms", axis="k0", lanes=16),
            "lanes: expected 2 or 4 or 8, found 16",
        ),
        (
            ReductionPlan(vectorize="terms", axis="k0", lanes=8, vectors=99),
            "vectors: expected 1 to 32, found 99",
        ),
        (ReductionPlan(k_unroll=0), "k_unroll: expected 1 to 64, found 0"),
    ],
)
def test_says_what_does_not_fit(lab: Any, plan: Any, words: str) -> None:
    """The sum of everything: there is no result beside another."""
    found = nest(lab, lambda a: R.sum(a), 640)
    assert str(found.misfit(plan)) == words
