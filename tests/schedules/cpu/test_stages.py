"""schedules.cpu.stages: what is not a list of stages is declined in words."""

import pytest
from tvm.relax import op as R

from tvmfuse.schedules.cpu.stages import StageSchedule
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.target.machine import AVX512


def test_passes_on_the_stages_and_the_instruction_set(lab) -> None:
    seen = []
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    entry = StageSchedule(
        "any", lambda kernel, machine: seen.append((kernel, machine)) or Declined("no")
    )
    assert entry(Subject(function, AVX512.target)) == Declined("no")
    ((kernel, machine),) = seen
    assert machine == AVX512
    assert "exp(" not in str(kernel.stages[0].store.value), "exp is arithmetic here"


def test_says_what_cannot_be_read(lab) -> None:
    module = lab.lowered(
        lambda a, i, u: R.scatter_elements(a, i, u, 0),
        ((9, 4), "float32"),
        ((3, 4), "int64"),
        ((3, 4), "float32"),
    )
    (function,) = lab.kernels(module).values()
    entry = StageSchedule("any", lambda *_: pytest.fail("it was read"))
    answer = entry(Subject(function, AVX512.target))
    assert isinstance(answer, Declined)
    assert "strided or starts at an offset" in answer.reason
