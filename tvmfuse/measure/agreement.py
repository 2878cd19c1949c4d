"""Whether two variants compute the same, asked before either is timed: a wrong one gets no time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmfuse.errors import ConfigurationError, WrongNumbersError
from tvmfuse.measure.words import largest_error

Array = npt.NDArray[np.generic]

TOLERANCE: Final = 1e-4
"""Of the reference's largest magnitude: some hundred float32 roundings, as in the tests."""

TOLERANCES: Final[Mapping[str, float]] = {"f32": TOLERANCE, "f16": 1e-2, "bf16": 5e-2}
"""By precision; of bfloat16 a dozen roundings, as of a network with a dozen products in a row."""


@dataclass(frozen=True)
class Difference:
    """How far one output of the second variant is from the first one's, the reference.

    Attributes:
        output: Its name.
        error: The largest absolute error, normalized by the largest finite magnitude of the
            reference.
        problem: Why they do not agree, in words; None where they do.
    """

    output: str
    error: float
    problem: str | None


def differences(
    expected: Mapping[str, Array], found: Mapping[str, Array], *, tolerance: float = TOLERANCE
) -> tuple[Difference, ...]:
    """Compare two variants' outputs, one by one.

    Floating-point outputs agree when NaN, infinity and minus infinity stand at the same places
    and the largest absolute error is within `tolerance` of the largest magnitude; integers and
    booleans when they are equal.

    Raises:
        ConfigurationError: The tolerance is negative, infinite or NaN.
    """
    if not 0 <= tolerance < math.inf:
        raise ConfigurationError(f"tolerance: expected 0 or more, and finite, found {tolerance}")
    names = [*expected, *(name for name in found if name not in expected)]
    return tuple(
        _difference(name, expected.get(name), found.get(name), tolerance) for name in names
    )


def tolerance_for(given: float | None, *precisions: str) -> float:
    """Return the tolerance that is given; None: that of the narrowest of some precisions.

    >>> tolerance_for(None, "f32", "bf16"), tolerance_for(0.0, "bf16")
    (0.05, 0.0)
    """
    return max(TOLERANCES[precision] for precision in precisions) if given is None else given


def require_agreement(a: str, b: str, outputs: Sequence[Difference]) -> None:
    """Raise unless all outputs of the variants named a and b agree.

    Raises:
        WrongNumbersError: It lists every output that differs.
    """
    if problems := _problems(outputs):
        raise WrongNumbersError(a, b, problems)


def problem_of(outputs: Sequence[Difference]) -> str | None:
    """Say which outputs differ, and how; None where all agree."""
    return "; ".join(_problems(outputs)) or None


def _problems(outputs: Sequence[Difference]) -> list[str]:
    return [f"output {d.output!r}: {d.problem}" for d in outputs if d.problem]


def _difference(name: str, a: Array | None, b: Array | None, tolerance: float) -> Difference:
    def wrong(problem: str, error: float = float("inf")) -> Difference:
        return Difference(name, error, problem)

    if a is None or b is None:
        return wrong(f"only the {'second' if a is None else 'first'} variant has it")
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return wrong(f"expected {a.dtype}{[*a.shape]}, found {b.dtype}{[*b.shape]}")
    if np.issubdtype(a.dtype, np.integer) or a.dtype == np.bool_:
        differ = int(np.count_nonzero(a != b))
        if differ:
            return wrong(f"{differ} of {a.size} elements differ")
        return Difference(name, 0.0, None)

    left, right = a.astype(np.float64), b.astype(np.float64)  # also float16's and bfloat16's
    for kind, where in (("NaN", np.isnan), ("infinity", np.isposinf), ("-infinity", np.isneginf)):
        differ = int(np.count_nonzero(where(left) != where(right)))
        if differ:
            return wrong(f"{kind} is at different places ({differ} of {a.size} elements)")
    error = _relative_error(left, right)
    if error > tolerance:
        return wrong(largest_error(error, tolerance), error)
    return Difference(name, error, None)


def _relative_error(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> float:
    finite = np.isfinite(a)
    largest = float(np.abs(a[finite]).max(initial=0.0))
    error = float(np.abs(a[finite] - b[finite]).max(initial=0.0))
    if error == 0:
        return 0.0
    return error / largest if largest else float("inf")
