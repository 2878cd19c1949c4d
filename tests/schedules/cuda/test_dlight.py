"""schedules.cuda.dlight: TVM's GPU schedules, which can be built without a GPU."""

from typing import Any

import pytest
import tvm
from tvm.relax import op as R
from tvm.s_tir.schedule import ScheduleError

from tvmfuse.schedules.cuda.dlight import Dlight
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.schedule import schedule

CUDA = tvm.target.Target({"kind": "cuda", "arch": "sm_80"}, host={"kind": "llvm"})
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
