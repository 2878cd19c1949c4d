"""schedules.cpu.stored_terms: exponentials are stored, and added up, in one loop."""

from typing import Any

import pytest
from tvm import te, tirx
from tvm.relax import op as R
from tvm.tirx import PrimFunc

from tvmfuse.schedules.cpu.stored_terms import stored_terms
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.plans import RowsPlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

M = tirx.Var("m", "int64")


def summed(
    *, given: str = "float32", begin: int = 0, rows: int = 0, stride: int = 1, length: Any = M
) -> PrimFunc:
    """Return the sum of the exponentials of a row, or of rows."""
    a = te.placeholder((length * stride,), given, name="a")
    e = te.compute((length,), lambda j: te.exp(a[j * stride].astype("float32")), name="e")
    k = te.reduce_axis((0, length - begin))
    if rows:
        s = te.compute((rows,), lambda i: te.sum(e[k + begin] * i, k), name="s")
    else:
        s = te.compute((1,), lambda i: te.sum(e[k + begin], k), name="s")
    return te.create_prim_func([a, e, s])


def found(function: PrimFunc, machine: Machine = AVX512) -> bool:
    before, group = groups(read(function))
    return stored_terms(before, group, machine) is not None


def test_a_softmax_has_three_loops_for_each_row(lab: Any) -> None:
    for length in (64, 1000, M):
        module = lab.lowered(lambda a: R.nn.softmax(a, -1), ((9, length), "float32"))
        (decision,) = schedule(module, AVX512.target).report.decisions.values()
        (plan,) = decision.plan.nests
        assert isinstance(plan, RowsPlan)
        assert [nest.kind for nest in plan.nests] == ["reduction", "reduction", "pointwise"]


@pytest.mark.parametrize("machine", [SSE2, AVX2, AVX512], ids=lambda machine: machine.name)
@pytest.mark.parametrize("length", [16, 17, 40, 100])
def test_computes_the_same_at_every_fixed_length(lab: Any, machine: Any, length: int) -> None:
    module = lab.lowered(lambda a: R.nn.softmax(a, -1), ((5, length), "float32"))
    lab.assert_same_numbers(module, machine)


def test_takes_what_is_joined_along_its_own_axis() -> None:
    assert found(summed())
    assert found(summed(length=64))
    assert not found(summed(), AVX2)  # few registers
    assert not found(summed(length=4))  # no vector of terms
    assert not found(summed(given="float64"))  # vectors of other lengths
    assert not found(summed(begin=1))  # not all of them
    assert not found(summed(rows=3))  # each would be computed for each row
    assert not found(summed(stride=2))  # gathered
