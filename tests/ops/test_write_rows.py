"""write_rows: whole rows at places of their own, the others as they are, in every dtype."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import graph, run, tensor
from tvm import tirx

from tvmfuse.ops import write_rows

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "bool"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_rows_are_written_along_any_axis(axis: int, dtype: str) -> None:
    x = (9 * RNG.standard_normal((2, 5, 3))).astype(dtype)
    places = np.array([1, 0])
    shape = [2 if a == axis else size for a, size in enumerate(x.shape)]
    rows = (9 * RNG.standard_normal(shape)).astype(dtype)
    module = graph(
        lambda x, at, rows, emit: write_rows(x, at, rows, axis),
        tensor(*x.shape, dtype=dtype), tensor(2, dtype="int64"), tensor(*shape, dtype=dtype),
    )  # fmt: skip
    (found,) = run(module, x, places, rows)
    expected = x.copy()
    np.moveaxis(expected, axis, 0)[places] = np.moveaxis(rows, axis, 0)
    np.testing.assert_array_equal(found, expected)


def test_sizes_may_be_symbolic_and_empty_and_the_last_of_two_rows_stays() -> None:
    n, m = tirx.Var("n", "int64"), tirx.Var("m", "int64")
    module = graph(
        lambda x, at, rows, emit: write_rows(x, at, rows, 1),
        tensor(2, n, 3), tensor(m, dtype="int32"), tensor(2, m, 3),
    )  # fmt: skip
    for places in ([], [3], [4, 1, 4]):
        x = RNG.standard_normal((2, 5, 3)).astype("float32")
        rows = RNG.standard_normal((2, len(places), 3)).astype("float32")
        (found,) = run(module, x, np.array(places, "int32"), rows)
        expected = x.copy()
        for place, row in zip(places, range(len(places)), strict=True):
            expected[:, place] = rows[:, row]
        np.testing.assert_array_equal(found, expected)
