"""schedules.combiners: how partial results are joined, where that is certain."""

from typing import Any

import pytest
from tvm import te, tirx

from tvmfuse.schedules.combiners import combiner, sum_term
from tvmfuse.schedules.kernels import read

A = te.placeholder((4, 9), name="a")
K = te.reduce_axis((0, 9), "k")


def keeps_nan(a: Any, b: Any) -> Any:
    return tirx.Select(a < b, b, tirx.Select(a >= b, a, a + b))


def joined(lab: Any, reduce: Any) -> Any:
    (stage,) = read(lab.function_of(A, te.compute((4,), lambda i: reduce(A[i, K], K)))).stages
    found = combiner(stage)
    x, y = tirx.Var("x", "float32"), tirx.Var("y", "float32")
    return found and str(found.join(x, y))


@pytest.mark.parametrize(
    ("reduce", "join"),
    [
        (te.sum, "x + y"),
        (te.max, "T.max(x, y)"),
        (te.min, "T.min(x, y)"),
        (te.comm_reducer(lambda a, b: a * b, lambda t: tirx.const(1, t)), "x * y"),
        (
            te.comm_reducer(keeps_nan, lambda t: tirx.min_value(t)),
            "T.Select(x < y, y, T.Select(y <= x, x, x + y))",
        ),
    ],
    ids=["sum", "max", "min", "product", "max that keeps NaN"],
)
def test_joins(lab: Any, reduce: Any, join: str) -> None:
    assert joined(lab, reduce).replace("x >= y", "y <= x") == join


def test_a_reduction_of_tuples_is_left_alone(lab: Any) -> None:
    def latest(a: Any, b: Any) -> Any:
        return tirx.Select(a[1] >= b[1], a[0], b[0]), tirx.Select(a[1] >= b[1], a[1], b[1])

    pair = te.comm_reducer(latest, lambda t0, t1: (tirx.const(-1, t0), tirx.min_value(t1)))
    index = te.placeholder((4, 9), dtype="int32")
    outputs = te.compute((4,), lambda i: pair((index[i, K], A[i, K]), K))
    (stage,) = read(lab.function_of(index, A, *outputs)).stages
    assert combiner(stage) is None


def test_an_unknown_way_to_join_is_left_alone(lab: Any) -> None:
    norm = te.comm_reducer(lambda a, b: tirx.sqrt(a * a + b * b), lambda t: tirx.const(0, t))
    assert joined(lab, norm) is None


def test_a_sum_that_does_not_start_at_zero_is_no_plain_sum(lab: Any) -> None:
    product = te.comm_reducer(lambda a, b: a + b, lambda t: tirx.const(1, t))
    (stage,) = read(lab.function_of(A, te.compute((4,), lambda i: product(A[i, K], K)))).stages
    assert sum_term(stage) is None
