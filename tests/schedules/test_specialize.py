"""schedules.specialize: one kernel for all sizes, with code of its own for some."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from tvm import IRModule, tirx
from tvm.ir import Var
from tvm.relax import op as R
from tvm.tirx import IfThenElse, PrimFunc
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import variables
from tvmfuse.schedules.plan_keys import plan_key
from tvmfuse.schedules.schedule import schedule_kernel
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.schedules.specialize import SIZES, at_sizes, joined, sizes_of
from tvmfuse.target.machine import AVX2, AVX512, Machine

pytestmark = pytest.mark.sampled(5)

N, H, W = (tirx.Var(name, "int64") for name in "nhw")

CASES: dict[str, tuple[Any, ...]] = {
    "elements": (R.nn.relu, (N, 3, H, W)),
    "matmul": (lambda a, b: R.nn.relu(R.matmul(a, b)), (N, H), (H, 40)),
    "softmax": (lambda x: R.nn.softmax(x, -1), (N, W)),
    "mean": (lambda x: R.mean(x, [2, 3]), (N, 3, H, W)),
    "conv": (lambda x, w: R.nn.conv2d(x, w, padding=1), (N, 4, H, W), (8, 4, 3, 3)),
    "pool": (lambda x: R.nn.max_pool2d(x, (3, 3), (2, 2), (1, 1)), (N, 4, H, W)),
    "as written": (
        lambda x, i, u: R.scatter_elements(x, i, u, 0),
        (N, W),
        ((3, W), "int64"),
        (3, W),
    ),
}
#: Sizes of their own, others, and those that have some of them.
NAMED: Sequence[Mapping[str, int]] = ({"n": 6, "h": 7, "w": 19}, {"h": 5})
RUN: Sequence[Mapping[str, int]] = (
    *({"n": n, "h": 7, "w": 19} for n in (6, 5)),
    *({"n": 8, "h": 5, "w": w} for w in (19, 33)),
)


def symbols(function: PrimFunc) -> set[Var]:
    """Return the variables among the sizes of a kernel's tensors."""
    return variables(*(size for param in function.params for size in param.shape))


def kernel_of(lab: Any, name: str, named: Sequence[Mapping[str, int]] = NAMED) -> PrimFunc:
    """Return a kernel that is to have code of its own for some sizes."""
    operator, *inputs = CASES[name]
    typed = [given if isinstance(given[-1], str) else (given, "float32") for given in inputs]
    (function,) = lab.kernels(lab.lowered(operator, *typed)).values()
    known = {size.name: size for size in symbols(function)}
    given = [{known[n]: s for n, s in sizes.items() if n in known} for sizes in named]
    return function.with_attr(SIZES, [sizes for sizes in given if sizes])


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=["avx2", "avx512"])
@pytest.mark.parametrize("name", CASES)
def test_numbers_are_the_same_at_all_sizes(lab: Any, name: str, machine: Machine) -> None:
    module = IRModule({"k": kernel_of(lab, name)})
    scheduled = lab.assert_same_numbers(module, machine, each=RUN)
    assert isinstance(scheduled.module["k"].body.block.body, IfThenElse)


@pytest.mark.parametrize("name", CASES)
def test_a_branch_is_the_code_of_fixed_sizes(lab: Any, name: str) -> None:
    function = kernel_of(lab, name, NAMED[:1])
    (sizes,) = sizes_of(function)
    code, decision = schedule_kernel("k", function, AVX2.target)
    general, alone = schedule_kernel("k", function.without_attr(SIZES), AVX2.target)
    fixed, _ = schedule_kernel("k", at_sizes(function, sizes), AVX2.target)
    assert structural_equal(code, joined(general, [(sizes, fixed)]))
    assert decision == alone


def test_without_sizes_a_kernel_stays_as_it_is(lab: Any) -> None:
    function = kernel_of(lab, "pool", [])
    code, _ = schedule_kernel("k", function, AVX2.target)
    general, _ = schedule_kernel("k", function.without_attr(SIZES), AVX2.target)
    assert structural_equal(code, general)


def test_sizes_that_are_numbers_are_put_in_everywhere(lab: Any) -> None:
    function = kernel_of(lab, "pool")
    (width,) = (size for size in symbols(function) if size.name == "w")
    fixed = at_sizes(function, {width: 19})
    assert {size.name for size in symbols(fixed)} == {"n", "h"}
    assert [int(param.shape[3]) for param in fixed.params] == [19, 10]
    assert SIZES not in fixed.attrs


def test_a_plan_is_for_the_code_for_all_sizes(lab: Any) -> None:
    function = kernel_of(lab, "matmul")
    plain = function.without_attr(SIZES)
    assert plan_key(function) == plan_key(plain)
    _, decision = schedule_kernel("k", plain, AVX2.target)
    given = ScheduleSettings.of((), {"k": decision.plan})
    _, followed = schedule_kernel("k", function, AVX2.target, given)
    assert followed.plan == decision.plan
