"""schedules.cuda.dlight: TVM's GPU schedules, which can be built without a GPU."""

from typing import Any

import pytest
from gpu_in_turn import CUDA, assert_numbers, kernels_of, model_of
from tvm import IRModule
from tvm.relax import op as R
from tvm.s_tir.schedule import ScheduleError

from tvmfuse.schedules.cuda.dlight import LOWERED, Dlight
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.schedule import Decision, schedule

F32 = "float32"

CASES = {
    "dlight.Matmul": (lambda a, b: R.nn.relu(R.matmul(a, b)), ((128, 64), F32), ((64, 96), F32)),
    "dlight.GeneralReduction": (lambda a: R.nn.softmax(a), ((12, 128), F32)),
    "dlight.Fallback": (lambda a: R.add(a, a), ((12, 128), F32)),
}


@pytest.mark.parametrize("rule", CASES)
def test_each_kernel_takes_a_rule(lab: Any, rule: str) -> None:
    operator, *inputs = CASES[rule]
    with CUDA:
        module = lab.lowered(operator, *inputs)
    scheduled = schedule(module, CUDA)
    (name,) = scheduled.report.decisions
    assert scheduled.report.schedule_of(name) == rule
    assert scheduled.module[name].attrs["tirx.is_scheduled"] == 1
    assert "threadIdx.x" in scheduled.module[name].script()


def test_says_which_rules_did_not_match(lab: Any) -> None:
    module = lab.lowered(lambda a: R.add(a, a), ((12, 128), F32))
    (decision,) = schedule(module, CUDA).report.decisions.values()
    assert decision.declined["dlight.Matmul"] == "TVM's rule does not match it"


class Broken:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def apply(self, *_: object) -> None:
        raise self._error


def test_a_rule_that_fails_is_a_reason(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(lambda a: R.add(a, a), ((12, 128), F32))).values()
    for error, said in (
        (ScheduleError("a trace\nthe loops are odd"), "the loops are odd"),
        (AssertionError(), "AssertionError"),
    ):
        declined = Dlight(Broken(error)).plan(Subject(function, CUDA))
        assert declined == Declined(f"TVM's rule failed: {said}")


REASON = "TVM cannot lower what its rule made: "


def assert_lowered(module: IRModule) -> None:
    """Schedule a module, of which one rule's result cannot be lowered; another's can."""
    scheduled = schedule(module, CUDA)
    declined = [r for d in scheduled.report.decisions.values() for r in d.declined.values()]
    assert any(reason.startswith(REASON) for reason in declined)
    LOWERED(scheduled.module)


def test_a_reduction_of_two_values_takes_another_rule() -> None:
    body = "(float[12,128] x) => (int64[12,1] y) { y = ArgMax<axis=1>(x) }"
    assert_lowered(kernels_of(model_of(body)))


def test_a_convolution_in_groups_takes_another_rule(lab: Any) -> None:
    with CUDA:
        module = lab.lowered(
            lambda x, w: R.nn.conv1d(x, w, groups=2), ((2, 4, 20), F32), ((6, 2, 3), F32)
        )
    assert_lowered(module)


def test_a_kernel_of_no_elements_has_a_schedule(lab: Any) -> None:
    with CUDA:
        module = lab.lowered(lambda: R.zeros((2, 4, 3, 0), F32))
    (decision,) = schedule(module, CUDA).report.decisions.values()
    assert decision.schedule == "written_loops"


def grouped(length: str) -> Decision:
    """Return how a convolution in groups is scheduled whose last column is cut off."""
    body = f"""(float[1,32,{length}] x, float[32,8,16] w) => (float[1,32,{length}] y) {{
        c = Conv<group=4, pads=[8, 8]>(x, w)
        from = Constant<value_ints=[0]>() to = Constant<value_ints=[-1]>()
        axis = Constant<value_ints=[2]>() s = Slice(c, from, to, axis) y = Gelu(s)
    }}"""
    (decision,) = schedule(kernels_of(model_of(body)), CUDA).report.decisions.values()
    return decision


def test_an_array_of_any_size_is_not_kept_in_shared_memory() -> None:
    decision = grouped("N")
    reason = "TVM's rule keeps an array of any size in shared memory"
    assert decision.declined["dlight.GeneralReduction"] == reason
    assert decision.schedule == "dlight.Fallback"


def test_what_is_larger_than_shared_memory_is_not_kept_there() -> None:
    assert grouped("100").schedule == "dlight.GeneralReduction"  # 13 kB
    decision = grouped("1000")
    reason = "TVM's rule takes 128128 bytes of shared memory"
    assert decision.declined["dlight.GeneralReduction"] == reason


#: What gives a sum of K terms, and what follows it. Of one term TVM's rules take it for a step.
SUMS = {
    "product": ("(float[2,8,K] a, float[2,K,8] b, float[2,8,8] c)", "2,8,8", "s = MatMul(a, b)"),
    "sum": (
        "(float[8,K,8] a, float[8,8] c)",
        "8,8",
        "i = Constant<value_ints=[1]>() s = ReduceSum<keepdims=0>(a, i)",
    ),
    "convolution": (
        "(float[1,K,8,8] a, float[8,K,1,1] b, float[1,8,8,8] c)",
        "1,8,8,8",
        "s = Conv(a, b)",
    ),
    "depthwise": (
        "(float[1,8,8,8] a, float[8,1,1,1] b, float[1,8,8,8] c)",
        "1,8,8,8",
        "s = Conv<group=8>(a, b)",
    ),
}
EPILOGUES = {
    "exp": "y = Exp(s)",
    "a constant": "k = Constant<value_float=3.0>() y = Add(s, k)",
    "an array": "y = Add(c, s)",
    "a factor": "y = Mul(s, c)",
    "sigmoid": "y = Sigmoid(s)",
    "relu": "y = Relu(s)",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("terms", [1, 5])
@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("name", SUMS)
def test_what_follows_a_sum_is_computed_once(name: str, epilogue: str, terms: int) -> None:
    inputs, shape, head = SUMS[name]
    graph = f"{inputs} => (float[{shape}] y) {{ {head} {EPILOGUES[epilogue]} }}"
    assert_numbers(graph.replace("K", str(terms)))


def test_bools_are_read_one_by_one() -> None:
    """TVM would read two of them as four bytes."""
    body = """(float[1,1,8,64] q, float[1,1,64,8] k, bool[8,8] m) => (float[1,1,8,8] y) {
        s = MatMul(q, k) z = Constant<value_float=-1.0>() y = Where(m, s, z)
    }"""
    scheduled = schedule(kernels_of(model_of(body)), CUDA)
    (name,) = scheduled.report.decisions
    assert scheduled.report.schedule_of(name) == "dlight.Matmul"
    assert "T.vectorized" not in scheduled.module[name].script()
