"""Errors between arrays, against numbers worked out by hand and numpy's own spacing."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tvmfuse.measure.distance import CHUNK, distance, ulp_between

FLOATS = [np.float16, np.float32, np.float64, ml_dtypes.bfloat16]


def test_errors_by_hand() -> None:
    found = distance(np.array([4, -2, 0, 1], "float32"), np.array([4, -2.5, 0.25, 1], "float32"))
    assert (found.max_abs, found.mean_abs) == (0.5, 0.1875)
    assert (found.max_rel, found.mean_rel) == (0.125, 0.046875)
    assert found.problem is None
    assert found.within(0.125)
    assert not found.within(0.124)


@pytest.mark.parametrize("dtype", FLOATS)
def test_ulp_are_steps_to_the_next_number(dtype: Any) -> None:
    start = np.asarray([1, -1, 0, -0.0, 2**-14, 96], dtype)
    there = start
    for steps in range(1, 5):
        there = np.nextafter(there, np.asarray(np.inf, dtype))
        assert ulp_between(start, there).tolist() == [steps] * start.size
        assert ulp_between(there, start).tolist() == [steps] * start.size


def test_ulp_across_zero_and_over_everything() -> None:
    smallest = np.nextafter(np.float64(0), 1)
    assert ulp_between(
        np.array([-smallest], "float64"), np.array([smallest], "float64")
    ).tolist() == [2]
    largest = np.finfo(np.float64).max
    assert ulp_between(np.array([-largest], "float64"), np.array([largest], "float64")) == 2 * (
        2047 * 2.0**52 - 1
    )


@pytest.mark.parametrize(
    ("value", "word"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")]
)
def test_what_is_not_finite_has_to_stand_at_the_same_places(value: Any, word: str) -> None:
    with_one, moved = (np.ones(5, np.float32) for _ in range(2))
    with_one[2] = moved[3] = value
    assert distance(with_one, with_one).within(0)
    assert distance(with_one, moved).problem == f"{word} is at different places (2 of 5 elements)"
    assert not distance(with_one, np.ones(5, np.float32)).within(1e9)


def test_infinities_of_other_signs_differ() -> None:
    found = distance(np.array([np.inf], "float32"), np.array([-np.inf], "float32"))
    assert "infinity" in str(found.problem)


def test_integers_are_equal_or_not() -> None:
    assert distance(np.array([2**60], "int64"), np.array([2**60], "int64")).within(0)
    far = distance(
        np.array([2**60, 1], "int64"), np.array([2**60 + 1, 1], "int64")
    )  # a double rounds it away
    assert far.problem == "1 of 2 elements differ"
    assert far.max_ulp is None
    assert distance(np.array([True]), np.array([False])).problem == "1 of 1 elements differ"


def test_zeros_have_no_relative_error() -> None:
    assert distance(np.zeros(3, np.float32), np.zeros(3, np.float32)).within(0)
    found = distance(np.zeros(3, np.float32), np.array([0, 1e-3, 0], "float32"))
    assert found.max_rel is None
    assert found.problem == "expected zeros only, found up to 0.001"


def test_shapes_and_dtypes_are_said() -> None:
    found = distance(np.zeros((2, 3), np.float32), np.zeros(6, np.float16))
    assert found.problem == "expected float32[2, 3], found float16[6]"
    assert not found.within(1)


def test_an_empty_array_agrees() -> None:
    assert distance(np.zeros((0, 4), np.float32), np.zeros((0, 4), np.float32)).within(0)


def test_parts_make_a_whole() -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal(2 * CHUNK + 7).astype(np.float32)
    b = a + rng.standard_normal(a.size).astype(np.float32) * 1e-3
    error = np.abs(a.astype(np.float64) - b)
    found = distance(a, b)
    assert found.max_abs == error.max()
    assert found.mean_abs == pytest.approx(error.mean(), rel=1e-12)
    assert found.max_rel == error.max() / np.abs(a.astype(np.float64)).max()
