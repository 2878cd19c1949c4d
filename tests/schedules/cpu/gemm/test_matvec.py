"""schedules.cpu.matvec: a matrix of which each number is used once."""

from typing import Any

import pytest
from tvm.relax import op as R

from tvmfuse.ops import gemm

F32 = "float32"


@pytest.mark.parametrize(("k", "n"), [(64, 100), (7, 3), (1, 9), (129, 1), (1280, 1000)])
@pytest.mark.parametrize("transposed", [False, True])
def test_one_row(lab: Any, k: int, n: int, transposed: bool) -> None:
    def product(x: Any, w: Any, b: Any) -> Any:
        return R.nn.relu(gemm(x, w, b, trans_b=transposed))

    w = (n, k) if transposed else (k, n)
    scheduled = lab.assert_same_numbers(lab.lowered(product, ((1, k), F32), (w, F32), ((n,), F32)))
    if transposed and k > 1 and n > 1:
        assert [d.schedule for d in scheduled.report.decisions.values()] == ["matvec"]


@pytest.mark.parametrize("vector", [(33,), (33, 1)])
def test_a_matrix_by_a_column(lab: Any, vector: tuple[int, ...]) -> None:
    scheduled = lab.assert_same_numbers(lab.lowered(R.matmul, ((100, 33), F32), (vector, F32)))
    assert scheduled.report.schedule_of("matmul") == "matvec"
    assert "_lanes" in scheduled.module["matmul"].script()  # a vector of partial sums


def test_a_sum_of_squares_is_none(lab: Any) -> None:
    def squares(x: Any) -> Any:
        return R.sum(R.multiply(x, x), -1)

    scheduled = lab.assert_same_numbers(lab.lowered(squares, ((20, 33), F32)))
    (decision,) = scheduled.report.decisions.values()
    assert decision.declined["matvec"] == "it is no matrix by a vector"
