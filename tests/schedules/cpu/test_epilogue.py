"""schedules.cpu.epilogue: what is stored, and where it is kept until then."""

from typing import Any

from tvm import IRModule, te, tirx

from tvmfuse.schedules.cpu.epilogue import local_buffers
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import read

A, B = te.placeholder((9, 5), name="a"), te.placeholder((5, 16), name="b")
K = te.reduce_axis((0, 5))
C = te.compute((9, 16), lambda i, j: te.sum(A[i, K] * B[K, j], K), name="c")
D = te.compute((9, 16), lambda i, j: tirx.exp(C[i, j]), name="d")
E = te.compute((9, 16), lambda i, j: D[i, j] * D[i, j] + C[i, j], name="e")


def test_holds_the_head_and_what_stages_pass_on(lab: Any) -> None:
    (group,) = groups(read(lab.function_of(A, B, E)))
    assert [b.name for b in local_buffers(group)] == ["c", "d"]


def test_stores_intermediate_results_that_are_outputs(lab: Any) -> None:
    lab.assert_same_numbers(IRModule({"main": lab.function_of(A, B, C, E)}))
    lab.assert_same_numbers(IRModule({"main": lab.function_of(A, B, D, E)}))
