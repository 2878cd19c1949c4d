"""schedules.cpu.window_nest: pools join the lines of a window, then its columns."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from guarded import guarded
from tvm import IRModule, relax, tirx
from tvm.relax import op as R

from tvmfuse.ops.lowering.extrema import EXTREMA
from tvmfuse.schedules.plans import WindowPlan
from tvmfuse.schedules.schedule import Scheduled, schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

N, H, W = (tirx.Var(name, "int64") for name in "nhw")

#: Of lines: shorter than a vector of results, as long, longer; of images: one, several.
SIZES = [
    {"n": 2, "h": h, "w": w}
    for h, w in ((1, 1), (2, 3), (7, 7), (3, 14), (4, 16), (5, 17), (6, 31), (3, 33), (2, 70))
]

POOLS: dict[str, Any] = {
    "3x3 / 2": lambda a: R.nn.max_pool2d(a, (3, 3), (2, 2), (1, 1)),
    "3x3": lambda a: R.nn.max_pool2d(a, (3, 3), (1, 1), (1, 1)),
    "average": lambda a: R.nn.avg_pool2d(a, (3, 3), (2, 2), (1, 1), count_include_pad=False),
    "columns apart": lambda a: R.nn.max_pool2d(a, (1, 3), (1, 3), (0, 2, 0, 2), (1, 2)),
    "uneven": lambda a: R.nn.avg_pool2d(a, (2, 5), (1, 4), (0, 1, 1, 3)),
    "padded lines": lambda a: R.nn.max_pool2d(a, (3, 2), (2, 1), (1, 0)),
    "one column": lambda a: R.nn.max_pool2d(a, (3, 1), (2, 3), (1, 0)),
    "unpadded": lambda a: R.nn.max_pool2d(a, (2, 2), (2, 2)),
    "columns of nine vectors": lambda a: R.nn.max_pool2d(a, (1, 63), (1, 1), (0, 31)),
    "many columns": lambda a: R.nn.max_pool2d(a, (1, 31), (1, 1), (0, 15)),
}


@pytest.fixture(
    params=[(False, 32), (True, 32), (True, 0)], ids=["masked loads", "masks", "large images"]
)
def machine(request: Any, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return AVX2 as it is, and as if it stored quickly under masks, as AVX-512 does.

    At last as if it had no cache, so that each image is too large for it.
    """
    of: Callable[..., Machine] = Machine.of
    masks, kib = request.param

    def changed(target: Any) -> Machine:
        machine = of(target)
        core = replace(machine.core, l1_bytes=kib << 10)
        return replace(machine, isa=replace(machine.isa, masks=masks), core=core)

    monkeypatch.setattr(Machine, "of", changed)
    return AVX2


def plan_of(scheduled: Scheduled) -> Any:
    """Return the plan of the nest that comes first in a module's one kernel."""
    (name,) = scheduled.report.decisions
    return scheduled.report.plan_of(name).nests[0]


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.sampled(6)
def test_numbers_of_any_size(lab: Any, machine: Machine, name: str) -> None:
    module = lab.lowered(POOLS[name], ((N, 3, H, W), "float32"))
    scheduled = lab.assert_same_numbers(module, machine, each=SIZES)
    (function,) = lab.kernels(scheduled.module).values()
    assert ("pad_temp" in function.script()) == (name == "columns of nine vectors")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "shape", [(2, 3, 7, 7), (1, 5, 9, 70), (2, 3, 11, 2), (2, 3, H, 2), (2, 3, H, 1)], ids=str
)
@pytest.mark.parametrize("name", ["3x3 / 2", "average", "one column"])
def test_numbers_of_fixed_width(
    lab: Any, machine: Machine, name: str, shape: tuple[Any, ...]
) -> None:
    """Of two columns there is one result of each line, and results side by side are of lines."""
    lab.assert_same_numbers(lab.lowered(POOLS[name], (shape, "float32")), machine, h=11)


@pytest.mark.parametrize("size", [(N, 3, H, W), (2, 3, 9, 40)], ids=["symbolic", "fixed"])
def test_nothing_is_padded_and_epilogues_join(lab: Any, machine: Machine, size: Any) -> None:
    module = lab.lowered(lambda a: R.nn.relu(R.nn.max_pool2d(a, (2, 2), (2, 2))), (size, "float32"))
    lab.assert_same_numbers(module, machine, n=2, h=9, w=40)


@pytest.mark.sampled(4)
def test_nan_and_infinity_stay(lab: Any, machine: Machine) -> None:
    maximum = EXTREMA["relax.nn.max_pool2d"]
    builder, shape = relax.BlockBuilder(), relax.TensorType((1, 1, H, W), "float32")
    with builder.function("main", [x := relax.Var("x", shape)]):
        pool = builder.normalize(POOLS["3x3 / 2"](x))
        builder.emit_func_output(builder.emit(maximum(builder, pool)))
    (name,) = kernels = lab.kernels(builder.get())
    code = schedule(IRModule({name: kernels[name]}), machine.target).module[name]
    x = np.full((5, 40), -np.inf, "float32")
    x[2, 0], x[4, 20] = np.nan, np.inf
    expected = np.full((3, 20), -np.inf, "float32")
    expected[1:2, :1] = np.nan
    expected[2, 10] = np.inf
    found = tvm.runtime.tensor(np.zeros((1, 1, 3, 20), "float32"))
    lab.runnable(code, machine)(tvm.runtime.tensor(x[None, None]), found)
    np.testing.assert_array_equal(found.numpy()[0, 0], expected)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("at_end", [False, True], ids=["at the begin", "at the end"])
@pytest.mark.parametrize("name", ["3x3 / 2", "average"])
def test_nothing_beside_the_image_is_read(
    lab: Any, machine: Machine, name: str, *, at_end: bool
) -> None:
    """Of a choice by the mask LLVM reads all."""
    (function,) = lab.kernels(lab.lowered(POOLS[name], ((N, 1, H, W), "float32"))).values()
    code = schedule(IRModule({"main": function}), machine.target).module["main"]
    x = np.random.default_rng(0).standard_normal((1, 1, 16, 16), "float32")
    found = [tvm.runtime.tensor(np.zeros((1, 1, 8, 8), "float32")) for _ in range(2)]
    lab.runnable(code, machine)(tvm.runtime.from_dlpack(guarded(x, at_end=at_end)), found[0])
    lab.runnable(code, machine)(tvm.runtime.tensor(x), found[1])
    np.testing.assert_array_equal(*(y.numpy() for y in found))


def test_the_plan(lab: Any) -> None:
    module = lab.lowered(POOLS["3x3 / 2"], ((N, 3, H, W), "float32"))
    plan = plan_of(schedule(module, AVX512.target))
    assert plan == WindowPlan(lanes=16, vectors=2, padded=True, parallel=True)
    assert plan.steps == ("Threads", "FusedPadding")
    (name,) = lab.kernels(module)
    for changed, words in (
        (replace(plan, vectors=9), "vectors: expected 1 to 8, found 9"),
        (replace(plan, lanes=8), "lanes: expected 16, found 8"),
        (replace(plan, padded=False), "padded: expected True, found False"),
    ):
        assert words in str(misfit(module, name, changed))


def misfit(module: IRModule, name: str, plan: WindowPlan) -> str:
    whole = schedule(module, AVX512.target).report.plan_of(name)
    with pytest.raises(Exception, match="expected") as raised:
        schedule(
            module, AVX512.target, ScheduleSettings(plans={name: replace(whole, nests=(plan,))})
        )
    return str(raised.value)


@pytest.mark.sampled(4)
def test_other_plans_have_the_same_numbers(lab: Any, machine: Machine) -> None:
    module = lab.lowered(POOLS["3x3 / 2"], ((N, 3, H, W), "float32"))
    (name,) = lab.kernels(module)
    whole: Any = schedule(module, machine.target).report.plan_of(name)
    own = whole.nests[0].vectors
    for vectors in (1, 3) if Machine.of(machine.target).isa.masks else (own,):
        plan = replace(whole, nests=(replace(whole.nests[0], vectors=vectors),))
        settings = ScheduleSettings(plans={name: plan})
        lab.assert_same_numbers(module, machine, settings=settings, each=SIZES)


def test_it_takes_masks_and_the_step(lab: Any) -> None:
    def planned(name: str, machine: Machine, *shape: Any, **settings: Any) -> bool:
        module = lab.lowered(POOLS[name], (shape, "float32"))
        plan = plan_of(schedule(module, machine.target, ScheduleSettings(**settings)))
        return isinstance(plan, WindowPlan)

    sizes = (N, 3, H, W)
    assert planned("3x3", AVX512, 2, 3, 9, 9)
    assert not planned("3x3", AVX512, *sizes, disabled_steps=frozenset({"FusedPadding"}))
    for shape in (sizes, (2, 3, 9, 9)):
        assert planned("3x3", AVX2, *shape)
        assert planned("unpadded", AVX2, *shape)
        assert not planned("3x3", SSE2, *shape)
    assert planned("many columns", AVX2, *sizes)
    assert not planned("columns of nine vectors", AVX2, *sizes), "there are not so many registers"


def test_a_plan_of_overlapping_steps_has_the_vectors_that_it_needs(lab: Any) -> None:
    module = lab.lowered(POOLS["3x3 / 2"], ((N, 3, H, W), "float32"))
    (name,) = lab.kernels(module)
    whole: Any = schedule(module, AVX2.target).report.plan_of(name)
    assert whole.nests[0].vectors == 3
    changed = replace(whole, nests=(replace(whole.nests[0], vectors=2),))
    with pytest.raises(Exception, match="vectors: expected 3, found 2"):
        schedule(module, AVX2.target, ScheduleSettings(plans={name: changed}))
