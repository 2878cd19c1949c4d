"""Plans that are one decision away: all are plans, and some of them fit the kernel.

That no plan which fits changes what is computed, `test_plans` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import planned_kernels
import pytest

from tvmfuse.errors import ConfigurationError
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plan_json import NESTS, from_json, to_json
from tvmfuse.schedules.plans import ContractionPlan, NestPlan, WinogradPlan
from tvmfuse.schedules.protocol import Subject
from tvmfuse.schedules.schedule import check_fits, plan_kernel
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import AVX2
from tvmfuse.tuning.neighbours import MOVES, neighbours

CASES = sorted(planned_kernels.CASES)


def planned(lab: Any, name: str) -> tuple[str, KernelPlan, Subject]:
    symbol, function = planned_kernels.only(lab, name)
    plan = plan_kernel(symbol, function, AVX2.target).plan
    return symbol, plan, Subject(function, AVX2.target, ScheduleSettings().following(plan))


def fitting(symbol: str, plan: KernelPlan, subject: Subject) -> Iterator[KernelPlan]:
    for other in neighbours(plan):
        try:
            check_fits(symbol, subject, other)
        except ConfigurationError:
            continue
        yield other


def test_each_kind_of_nest_can_be_changed() -> None:
    assert set(MOVES) == set(NESTS.values())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_neighbours_are_other_plans_and_some_of_them_fit(lab: Any, name: str) -> None:
    symbol, plan, subject = planned(lab, name)
    found = [*neighbours(plan)]
    assert plan not in found
    assert all(from_json(to_json(other)) == other for other in found)
    assert all(other.schedule == plan.schedule for other in found)
    assert next(fitting(symbol, plan, subject), None) is not None


TILE = ContractionPlan(
    mr=6, nr=16, lanes=8, row="i", column="j", order=("i", "j"), k_unroll=4, max_fmas=48
)


def nests(plan: NestPlan) -> list[Any]:
    return [other.nests[0] for other in neighbours(KernelPlan.of("conv", frozenset(), (plan,)))]


def test_the_first_of_each_kind_of_decision_comes_before_the_second_of_any() -> None:
    first = nests(TILE)[:6]
    changed = [
        {n for n, value in vars(TILE).items() if getattr(other, n) != value} for other in first
    ]
    assert changed == [
        {"mr"} | ({"nr"} if first[0].nr != TILE.nr else set()),
        {"k_blocks"},
        {"order"},
        {"k_unroll"},
        {"prefetch"},
        {"panel_copy"},
    ]


def test_tiles_have_about_as_many_accumulators() -> None:
    tiles = {(other.mr, other.vectors) for other in nests(TILE)}
    assert (4, 3) in tiles
    assert all(6 <= rows * vectors <= 18 for rows, vectors in tiles)


def test_a_body_of_more_steps_may_have_as_many_multiply_adds() -> None:
    unrolled = {other.unrolled(12) for other in nests(TILE)}
    assert {1, 2, 8, 16} <= unrolled


def test_rows_that_are_multiplied_by_twos_may_be_so_one_by_one() -> None:
    assert {other.row_pairs for other in nests(replace(TILE, row_pairs=True))} == {True, False}
    assert not any(other.row_pairs for other in nests(TILE))


def test_strips_of_winograd_may_end_in_a_shorter_one() -> None:
    plan = WinogradPlan(m=4, strip_tiles=48, product=TILE)
    lasts = {other.last_product for other in nests(plan) if other.strip_tiles == 24}
    assert lasts == {None, TILE}
