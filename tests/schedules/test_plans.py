"""schedules.plans: plain data, there and back; and whatever plan fits a kernel, its numbers are right."""

import json
import random
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from typing import Any, cast

import pytest
from planned_kernels import CASES, module, only
from tvm_ffi import structural_equal

from tvmfuse.errors import ConfigurationError, LeftOutWarning
from tvmfuse.schedules.cpu.work import NestSchedule
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plan_json import NESTS, from_json, to_json
from tvmfuse.schedules.plan_keys import plan_key
from tvmfuse.schedules.plans import ContractionPlan, NestPlan, PointwisePlan
from tvmfuse.schedules.schedule import plan_kernel, schedule, schedule_kernel
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import AVX2

TILE = ContractionPlan(mr=4, nr=16, lanes=8, row="i0", column="i1", order=("i1", "i0"))


@pytest.mark.parametrize("case", CASES)
def test_a_kernel_s_plan_is_json_and_makes_the_same_code_again(lab: Any, case: Any) -> None:
    name, function = only(lab, case)
    code, decision = schedule_kernel(name, function, AVX2.target)
    written = json.loads(json.dumps(to_json(decision.plan)))
    assert from_json(written) == decision.plan
    assert decision.plan.words
    given = ScheduleSettings.of(plans={name: written})
    again, followed = schedule_kernel(name, function, AVX2.target, given)
    assert structural_equal(again, code, map_free_vars=True)
    assert followed.plan == decision.plan


def test_a_plan_is_for_a_name_or_a_key(lab: Any) -> None:
    name, function = only(lab, "matmul")
    plan: Any = plan_kernel(name, function, AVX2.target).plan
    other = replace(plan, nests=(replace(plan.nests[-1], mr=2),))
    for key in (name, plan_key(function)):
        settings = ScheduleSettings.of(plans={key: to_json(other)})
        report: Any = schedule(module(lab, "matmul"), AVX2.target, settings).report
        assert report.plan_of(name).nests[-1].mr == 2
        assert report.keys[name] == plan_key(function)


def drawn(plan: NestPlan, rng: random.Random) -> NestPlan:
    """Change some of a plan's numbers, which may fit or not."""
    changed: dict[str, Any] = {}
    for field in fields(plan):
        value = getattr(plan, field.name)
        if isinstance(value, bool):
            changed[field.name] = rng.choice([value, not value])
        elif isinstance(value, int):
            changed[field.name] = rng.choice([value, 1, 2, 3, 4, 5, 7, 8, 16, 24, 2 * value])
        elif isinstance(value, NestPlan):
            changed[field.name] = drawn(value, rng)
        elif isinstance(value, tuple) and value and isinstance(value[0], NestPlan):
            changed[field.name] = tuple(drawn(nest, rng) for nest in value)
        elif field.name == "order":
            changed[field.name] = tuple(rng.sample(value, len(value)))
        elif field.name == "row":
            changed[field.name] = rng.choice([value, None, *getattr(plan, "order", ())])
        elif field.name == "key_block":
            changed[field.name] = rng.choice([None, 16, 48, 100])
    return replace(plan, **changed)


def fitting(name: Any, function: Any, plan: Any, rng: Any) -> Any:
    """Draw a plan that fits a kernel: nest by nest, what does not fit stays as it was."""
    found = plan
    for _ in range(60):
        place = rng.randrange(len(plan.nests))
        nests = list(found.nests)
        nests[place] = drawn(nests[place], rng)
        tried = replace(found, nests=tuple(nests))
        with suppress(ConfigurationError):
            settings = ScheduleSettings.of(plans={name: tried})
            schedule_kernel(name, function, AVX2.target, settings)
            found = tried
        if found != plan and rng.random() < 0.3:
            break
    return found


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("case", CASES)
@pytest.mark.sampled(4)
def test_whatever_plan_fits_the_numbers_are_right(lab: Any, case: Any, seed: int) -> None:
    name, function = only(lab, case)
    rng = random.Random(f"{case} {seed}")
    plan = plan_kernel(name, function, AVX2.target).plan
    found = fitting(name, function, plan, rng)
    settings = ScheduleSettings.of(plans={name: found})
    lab.assert_same_numbers(module(lab, case), settings=settings, tolerance=3e-5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mr": 0}, r"nests\[0\].mr: expected 1 to 32, found 0"),
        ({"nr": 20}, r"nr: expected 1 to 16 times the 8 lanes, found 20"),
        ({"lanes": 3}, "lanes: expected a divisor of 8, found 3"),
        ({"k_blocks": 7}, "k_blocks: expected one of 1, 3, 5, 9, 15, 45, found 7"),
        (
            {"by_panel": True},
            "by_panel: expected false, as no blocks of a panel follow each other, found true",
        ),
        ({"order": ("i0",)}, "order: expected all of i0, i1, found i0"),
        ({"column": "i0"}, "column: expected i1, along which results are contiguous, found i0"),
        ({"row": "x"}, "row: expected one of i0, or none, found x"),
        ({"prefetch": ("panels",)}, "prefetch: expected nothing, found panels"),
        (
            {"row_strip": 5},
            "row_strip: expected 0, or a multiple of the 6 rows where no .*, found 5",
        ),
        ({"block_sum_rows": 1}, "block_sum_rows: expected 0 to 0, found 1"),
        ({"k_unroll": 100}, "k_unroll: expected 1 to 64, found 100"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_plan_that_does_not_fit_is_an_error(lab: Any, change: Any, words: str) -> None:
    name, function = only(lab, "matmul")
    plan = plan_kernel(name, function, AVX2.target).plan
    given = replace(plan, nests=(replace(plan.nests[0], **change),))
    with pytest.raises(ConfigurationError, match=f"the plan for the kernel {name} .*{words}"):
        schedule_kernel(name, function, AVX2.target, ScheduleSettings.of(plans={name: given}))


def test_other_plans_are_refused_in_words(lab: Any) -> None:
    name, function = only(lab, "matmul")

    def refused(plan: KernelPlan, words: str) -> None:
        settings = ScheduleSettings.of(plans={name: plan})
        with pytest.raises(ConfigurationError, match=words):
            schedule_kernel(name, function, AVX2.target, settings)

    refused(KernelPlan("matmull", (), (TILE,)), "no schedule is called 'matmull'; .*matmul")
    refused(KernelPlan("conv", (), (TILE,)), "the schedule conv does not take it: no operand is")
    refused(KernelPlan("matmul"), "nests: expected 1 plans, found 0")
    refused(
        KernelPlan("matmul", (), (PointwisePlan(),)), "kind: expected contraction, found pointwise"
    )
    refused(
        KernelPlan("matmul", ("PackStrided",), (TILE,)),
        "expected none of PackStrided, which do not",
    )
    settings = ScheduleSettings.of(plans={"matmu1": KernelPlan("matmul", (), (TILE,))})
    kernels = module(lab, "matmul")
    with pytest.raises(ConfigurationError, match=f"no kernel is called 'matmu1'; .*{name}"):
        schedule(kernels, AVX2.target, settings)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "expected an object with schedule, steps and nests, found 3"),
        (
            {"schedule": "matmul", "nests": [], "x": 1},
            "expected schedule, steps and nests, found x",
        ),
        ({"schedule": "matmul", "nests": [{"kind": "tile"}]}, "of the kind contraction or .*found"),
        ({"schedule": "matmul", "nests": 3}, "nests: expected a list, found 3"),
        ({"schedule": 3, "nests": []}, "schedule: expected a text, found 3"),
        ({"schedule": "matmul", "steps": ["no"], "nests": []}, "no step is called 'no'"),
        (
            {"schedule": "matmul", "nests": [{"kind": "contraction", "mr": 1}]},
            "a contraction plan needs column, lanes, nr, order, row",
        ),
        (
            {"schedule": "matmul", "nests": [{"kind": "pointwise", "lanes": True}]},
            "lanes: expected an integer, found True",
        ),
        (
            {"schedule": "matmul", "nests": [{"kind": "pointwise", "lane": 8}]},
            "a pointwise plan has parallel, lanes, order; found lane",
        ),
        (
            {"schedule": "x", "nests": [{"kind": "reduction", "vectorize": "all"}]},
            "vectorize: expected outputs or terms or nothing, found 'all'",
        ),
    ],
)
def test_what_is_no_plan_is_refused_in_words(value: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        ScheduleSettings.of(plans={"matmul": value})


def test_plans_are_by_kernel() -> None:
    with pytest.raises(ConfigurationError, match="expected plans by kernel, found"):
        ScheduleSettings.of(plans=cast("Any", [TILE]))


@pytest.mark.parametrize("kind", NESTS)
def test_every_field_is_plain_and_described(kind: Any) -> None:
    plan = NESTS[kind]
    lines = "\n".join(base.__doc__ or "" for base in plan.__mro__)
    for field in fields(plan):
        assert f"{field.name}: " in lines, field.name
        assert field.default is not MISSING or field.name in repr(field)


def test_a_plan_of_a_database_that_fails_is_left_out(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the code of a plan cannot be made, the kernel runs as it is planned."""
    name, function = only(lab, "matmul")
    planned = plan_kernel(name, function, AVX2.target).plan
    nest: Any = planned.nests[-1]
    other = replace(planned, nests=(*planned.nests[:-1], replace(nest, k_unroll=2)))
    emit = NestSchedule.emit

    def failing(self: Any, subject: Any, plan: Any) -> Any:
        if plan.nests[-1].k_unroll == 2:
            raise ValueError("planted")
        return emit(self, subject, plan)

    monkeypatch.setattr(NestSchedule, "emit", failing)
    settings = ScheduleSettings(tuned={plan_key(function): other})
    with pytest.warns(LeftOutWarning, match="planted.* of the database"):
        _, decision = schedule_kernel(name, function, AVX2.target, settings)
    assert decision.plan == planned
    assert "planted" in decision.failed["tuned plan"]
