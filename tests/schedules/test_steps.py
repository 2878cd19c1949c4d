"""schedules.steps: each step can be left out, and a kernel that does not take it stays as it is."""

from typing import Any, cast

import pytest
from planned_kernels import CASES, module, only
from tvm_ffi import structural_equal

from tvmfuse.errors import ConfigurationError
from tvmfuse.schedules.schedule import plan_kernel, schedule_kernel
from tvmfuse.schedules.settings import ScheduleSettings, passes_of
from tvmfuse.schedules.steps import NAMES, STEPS, in_order, resolve, steps_of
from tvmfuse.target.machine import AVX2

OF_SCHEDULES = [step.name for step in STEPS if not step.by_pass]

TAKEN = {
    "matmul": {"RegisterTiling", "KUnrolling", "Threads"},
    "strided": {"PackOperand", "RegisterTiling"},
    "strided pixels": {"PackStrided", "RegisterTiling", "KUnrolling", "Prefetch", "Threads"},
    "panels": {"VectorMath", "RegisterTiling", "KUnrolling", "Prefetch", "Threads"},
    "long sum": {"RegisterTiling", "KBlocking", "KUnrolling", "Prefetch", "Threads"},
    "many rows": {"RegisterTiling", "KUnrolling", "RowStrips", "Prefetch", "Threads"},
    "copied": {"RegisterTiling", "KUnrolling", "PanelCopy", "Threads"},
    "depthwise": {"FusedPadding", "RegisterTiling", "Threads"},
    "strips": {"FusedPadding", "RegisterTiling", "KUnrolling", "Prefetch", "Threads"},
    "softmax": {"VectorMath"},
    "row sums": set(),
    "column sums": {"KUnrolling"},
    "elements": {"VectorMath"},
    "transposition": set(),
    "attention": {"VectorMath", "RegisterTiling", "KUnrolling", "Prefetch"},
    "many keys": {
        *("VectorMath", "RegisterTiling", "KUnrolling", "Prefetch"),
        *("KeyBlocking", "Threads"),
    },
}


@pytest.mark.parametrize("case", TAKEN)
def test_a_plan_names_the_steps_that_take_part(lab: Any, case: str) -> None:
    name, function = only(lab, case)
    assert set(plan_kernel(name, function, AVX2.target).plan.steps) == TAKEN[case]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.sampled(3)
def test_a_kernel_changes_only_without_a_step_that_it_takes(lab: Any, case: Any) -> None:
    name, function = only(lab, case)
    whole, decision = schedule_kernel(name, function, AVX2.target)
    for step in OF_SCHEDULES:
        settings = ScheduleSettings.of(step)
        without, other = schedule_kernel(name, function, AVX2.target, settings)
        assert step not in other.plan.steps
        same = structural_equal(whole, without, map_free_vars=True)
        assert same == (step not in decision.plan.steps), step


@pytest.mark.parametrize(
    "case", ["strided", "long sum", "copied", "strips", "elements", "many keys"]
)
def test_without_any_step_the_numbers_are_right(lab: Any, case: str) -> None:
    settings = ScheduleSettings.of(OF_SCHEDULES)
    scheduled = lab.assert_same_numbers(module(lab, case), settings=settings)
    (decision,) = scheduled.report.decisions.values()
    assert decision.plan.steps == ()


def test_names_and_aliases_are_unique() -> None:
    words = [word.casefold() for step in STEPS for word in (step.name, *step.aliases)]
    assert len(set(words)) == len(words)
    assert all(step.summary.endswith(".") and step.without.endswith(".") for step in STEPS)


def test_case_space_underscore_and_hyphen_do_not_count() -> None:
    assert [step.name for step in steps_of("k blocking; PANEL-COPY,register_tile")] == [
        "KBlocking",
        "PanelCopy",
        "RegisterTiling",
    ]
    assert in_order(["Threads", "VectorMath"]) == ("VectorMath", "Threads")
    assert in_order(NAMES) == NAMES


def test_an_unknown_name_is_an_error_with_close_ones() -> None:
    with pytest.raises(ConfigurationError, match="no step is called 'KBlokking'.*KBlocking"):
        resolve("KBlokking")
    with pytest.raises(ConfigurationError, match="expected names of steps, found 3"):
        steps_of(cast("Any", [3]))
    with pytest.raises(ConfigurationError, match="expected names of steps, found 3"):
        steps_of(cast("Any", 3))


def test_a_step_that_a_pass_does_means_that_pass() -> None:
    assert passes_of("Winograd, KBlocking; constant panels") == ("WinogradConv", "PrepackWeights")
    assert ScheduleSettings.of("Winograd").disabled_steps == frozenset()
