"""schedules.cpu.window_columns: what a step reads of a line, and which columns each tap has."""

from typing import Any

import pytest
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.schedules.cpu.window import Window, window
from tvmfuse.schedules.cpu.window_columns import Columns
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read

W = tirx.Var("w", "int64")


def of(lab: Any, taps: int, stride: int, dilation: int = 1) -> Window:
    operator = lambda a: R.nn.max_pool2d(a, (1, taps), (1, stride), 0, (1, dilation))
    (function,) = lab.kernels(lab.lowered(operator, ((1, 2, 3, W), "float32"))).values()
    found = window(groups(inline(read(function))))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("taps", "stride", "dilation", "vectors"),
    [(2, 2, 1, 2), (3, 2, 1, 3), (3, 1, 1, 2), (13, 1, 1, 3), (3, 1, 4, 2), (5, 4, 2, 5)],
)
def test_all_results_of_a_vector(
    lab: Any, taps: int, stride: int, dilation: int, vectors: int
) -> None:
    columns = Columns.of_results(of(lab, taps, stride, dilation), 8, 8)
    assert (columns.results, columns.vectors) == (8, vectors)
    assert columns.picks[0] == tuple(range(0, 8 * stride, stride))
    last = 7 * stride + (taps - 1) * dilation
    assert max(map(max, columns.picks)) == last
    assert last < columns.all < last + 1 + 8, "no vector more than it takes"


def test_half_a_vector_of_results_needs_no_half_vectors(lab: Any) -> None:
    columns = Columns.of_results(of(lab, 3, 2), 4, 8)
    assert (columns.lanes, columns.vector, columns.vectors, columns.all) == (4, 8, 2, 16)


def test_results_that_vectors_are_enough_for(lab: Any) -> None:
    """Lanes without a result have the columns of the last one."""
    columns = Columns.of_vectors(of(lab, 3, 2), 8, 2)
    assert (columns.results, columns.vectors) == (7, 2)
    assert columns.picks[2] == (2, 4, 6, 8, 10, 12, 14, 14)
