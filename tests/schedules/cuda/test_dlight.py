"""schedules.cuda.dlight: TVM's GPU schedules, which can be built without a GPU."""

from typing import Any

import pytest
from onnx import parser
from tvm import IRModule
from tvm.relax import op as R
from tvm.s_tir.schedule import ScheduleError

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.schedules.cuda.dlight import LOWERED, Dlight
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.schedule import Decision, schedule
from tvmfuse.target.resolve import resolve

CUDA = resolve("cuda")
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
    def apply(self, *_: object) -> None:
        raise ScheduleError("a trace\nthe loops are odd")


def test_a_rule_that_fails_is_a_reason(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(lambda a: R.add(a, a), ((12, 128), F32))).values()
    declined = Dlight(Broken()).plan(Subject(function, CUDA))
    assert declined == Declined("TVM's rule failed: the loops are odd")


REASON = "TVM cannot lower what its rule made: "


def kernels(body: str) -> IRModule:
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 20]> g {body}')
    imported = import_model(model)
    return optimize(imported.module, Selection.of("all", (), ""), target=CUDA).kernels


def assert_lowered(module: IRModule) -> None:
    """Schedule a module, of which one rule's result cannot be lowered; another's can."""
    scheduled = schedule(module, CUDA)
    declined = [r for d in scheduled.report.decisions.values() for r in d.declined.values()]
    assert any(reason.startswith(REASON) for reason in declined)
    LOWERED(scheduled.module)


def test_a_reduction_of_two_values_takes_another_rule() -> None:
    assert_lowered(kernels("(float[12,128] x) => (int64[12,1] y) { y = ArgMax<axis=1>(x) }"))


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
    (decision,) = schedule(kernels(body), CUDA).report.decisions.values()
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


def test_a_sum_of_one_term_is_added_to_once(lab: Any) -> None:
    """TVM's rule adds `c` in every step, and to what the sum begins with."""
    with CUDA:
        module = lab.lowered(
            lambda a, b, c: R.add(c, R.matmul(a, b)),
            ((2, 4, 8, 1), F32),
            ((2, 4, 1, 8), F32),
            ((2, 4, 8, 8), F32),
        )
    (decision,) = schedule(module, CUDA).report.decisions.values()
    assert decision.schedule == "written_loops"
    reason = "TVM's rule adds what follows a sum to it in every step"
    assert decision.declined["dlight.Fallback"] == reason


def test_bools_are_read_one_by_one() -> None:
    """TVM would read two of them as four bytes."""
    body = """(float[1,1,8,64] q, float[1,1,64,8] k, bool[8,8] m) => (float[1,1,8,8] y) {
        s = MatMul(q, k) z = Constant<value_float=-1.0>() y = Where(m, s, z)
    }"""
    scheduled = schedule(kernels(body), CUDA)
    (name,) = scheduled.report.decisions
    assert scheduled.report.schedule_of(name) == "dlight.Matmul"
    assert "T.vectorized" not in scheduled.module[name].script()
