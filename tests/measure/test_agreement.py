"""What counts as the same numbers, in words where it does not."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tvmfuse.errors import ConfigurationError, TvmfuseError, WrongNumbersError
from tvmfuse.measure.agreement import differences, require_agreement

F = np.float32


def problem(a: Any, b: Any, **options: Any) -> Any:
    (difference,) = differences({"y": np.asarray(a)}, {"y": np.asarray(b)}, **options)
    return difference.problem


def test_error_is_relative_to_the_largest_magnitude() -> None:
    a = np.array([1000.0, 0.001], F)
    (difference,) = differences({"y": a}, {"y": a + F(0.01)})
    assert difference.error == pytest.approx(1e-5, rel=0.01)
    assert difference.problem is None


def test_error_beyond_the_tolerance() -> None:
    words = "the largest error is 1.0e-03 (normalized by max abs of the reference), tolerance 1e-4"
    assert problem([1.0, 0.5], [1.0, 0.501]) == words
    assert problem([1.0, 0.5], [1.0, 0.501], tolerance=0.01) is None


def test_any_error_of_zeros_is_too_large() -> None:
    assert "inf (normalized by max abs of the reference)" in problem([0.0, 0.0], [0.0, 1e-30])
    assert problem([0.0], [-0.0]) is None


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ([np.nan, 1], [1, 1], "NaN is at different places (1 of 2 elements)"),
        ([np.inf, 1], [1, 1], "infinity is at different places (1 of 2 elements)"),
        ([np.inf, 1], [-np.inf, 1], "infinity is at different places (1 of 2 elements)"),
        ([1, 1], [1, -np.inf], "-infinity is at different places (1 of 2 elements)"),
    ],
)
def test_what_is_not_finite_has_to_be_at_the_same_places(a: Any, b: Any, words: str) -> None:
    assert problem(np.array(a, F), np.array(b, F)) == words


def test_what_is_not_finite_may_be_at_the_same_places() -> None:
    a = np.array([np.nan, np.inf, -np.inf, 2.0], F)
    assert problem(a, a.copy()) is None


def test_integers_and_booleans_are_equal_or_wrong() -> None:
    assert problem([1000, 2], [1000, 2]) is None
    assert problem([1000, 2], [1000, 3]) == "1 of 2 elements differ"
    assert problem([True, False], [False, True]) == "2 of 2 elements differ"


def test_shape_and_type() -> None:
    assert (
        problem(np.zeros((2, 3), F), np.zeros(6, F)) == "expected float32[2, 3], found float32[6]"
    )
    assert problem(np.zeros(2, F), np.zeros(2)) == "expected float32[2], found float64[2]"


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_short_floats_do_not_overflow(dtype: Any) -> None:
    a, b = np.array([60000.0], dtype), np.array([-60000.0], dtype)
    assert problem(a, b) == (
        "the largest error is 2.0e+00 (normalized by max abs of the reference), tolerance 1e-4"
    )


def test_empty_and_scalar_outputs() -> None:
    assert problem(np.zeros((0, 3), F), np.zeros((0, 3), F)) is None
    assert problem(np.float32(2), np.float32(2)) is None


def test_an_output_that_one_variant_lacks() -> None:
    a, b = differences({"y": np.zeros(1)}, {"z": np.zeros(1)})
    assert (a.output, a.problem) == ("y", "only the first variant has it")
    assert (b.output, b.problem) == ("z", "only the second variant has it")


def test_all_wrong_outputs_are_named() -> None:
    found = differences(
        {"x": np.ones(1), "y": np.ones(2), "z": np.ones(3)},
        {"x": np.ones(1), "y": np.zeros(2), "z": np.ones(4)},
    )
    with pytest.raises(WrongNumbersError) as caught:
        require_agreement("level none", "level all", found)
    assert isinstance(caught.value, TvmfuseError)
    assert str(caught.value) == (
        "level none and level all disagree, so neither is timed: "
        "output 'y': the largest error is 1.0e+00 (normalized by max abs of the reference), tolerance 1e-4; "
        "output 'z': expected float64[3], found float64[4]"
    )


@pytest.mark.parametrize("tolerance", [-1.0, float("nan"), float("inf")])
def test_a_tolerance_is_a_number_that_something_can_exceed(tolerance: Any) -> None:
    with pytest.raises(ConfigurationError, match="tolerance: expected 0 or more, and finite"):
        differences({}, {}, tolerance=tolerance)
