"""How far one array is from another: absolute, by the largest magnitude, and in ulp.

An ulp is a step from one floating-point number to the next of its type; two numbers are as many
ulp apart as there are steps between them (Goldberg, "What Every Computer Scientist Should Know
About Floating-Point Arithmetic", 1991, section 1.2). IEEE 754's encodings are in order, so that
steps are differences of integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmfuse.measure.agreement import Array

CHUNK: Final = 1 << 14
"""Elements compared at once: their doubles are no memory to speak of."""


@dataclass(frozen=True)
class Distance:
    """The errors of one array, over the elements that are finite in both.

    An error is None where it means nothing: ulp of integers, shares of a magnitude of zero,
    anything of arrays of different shapes.
    """

    max_abs: float | None = None
    mean_abs: float | None = None
    max_rel: float | None = None
    """By the largest finite magnitude of the expected array, as is `mean_rel`."""
    mean_rel: float | None = None
    max_ulp: float | None = None
    mean_ulp: float | None = None
    magnitude: float = 0.0
    """The largest finite magnitude of the expected array."""
    problem: str | None = None
    """What no tolerance excuses: other shapes, other integers, NaN or infinities elsewhere."""
    in_kind: bool = False
    """Whether it is one of these, and not just a number where zeros only were expected."""

    def within(self, tolerance: float) -> bool:
        """Whether nothing is wrong, and the error is within this share of the magnitude."""
        return self.problem is None and self.max_rel is not None and self.max_rel <= tolerance


def distance(expected: Array, found: Array) -> Distance:
    """Compare two arrays.

    >>> one = np.ones(2, np.float32)
    >>> distance(one, np.nextafter(one, 2)).max_ulp
    1.0
    >>> distance(one, one * np.nan).problem
    'NaN is at different places (2 of 2 elements)'
    """
    sums = Sums()
    sums.take(expected, found)
    return sums.distance()


@dataclass
class Sums:
    """What has been seen of arrays so far: of several, one distance is made."""

    floating: bool = True
    mismatch: str = ""
    elements: int = 0
    finite: int = 0
    differ: int = 0
    nan: int = 0
    infinity: int = 0
    magnitude: float = 0.0
    max_abs: float = 0.0
    sum_abs: float = 0.0
    max_ulp: float = 0.0
    sum_ulp: float = 0.0

    def take(self, expected: Array, found: Array) -> None:
        """Take one more array; all that are expected have one dtype."""
        if (expected.dtype, expected.shape) != (found.dtype, found.shape):
            a, b = (f"{x.dtype}[{', '.join(map(str, x.shape))}]" for x in (expected, found))
            self.mismatch = f"expected {a}, found {b}"
            return
        self.floating = not (
            np.issubdtype(expected.dtype, np.integer) or expected.dtype == np.bool_
        )
        for left, right in zip(chunks(expected), chunks(found), strict=True):
            self._add(left, right)

    def _add(self, expected: Array, found: Array) -> None:
        a, b = expected.astype(np.float64), found.astype(np.float64)
        self.elements += a.size
        self.differ += int(np.count_nonzero(expected != found))
        self.nan += int(np.count_nonzero(np.isnan(a) != np.isnan(b)))
        infinite = np.isinf(a) | np.isinf(b)
        self.infinity += int(np.count_nonzero(infinite & (a != b) & ~(np.isnan(a) | np.isnan(b))))
        self.magnitude = max(self.magnitude, float(np.abs(a[np.isfinite(a)]).max(initial=0.0)))
        both = np.isfinite(a) & np.isfinite(b)
        errors = np.abs(a[both] - b[both])
        self.finite += errors.size
        self.max_abs = max(self.max_abs, float(errors.max(initial=0.0)))
        self.sum_abs += float(errors.sum())
        if self.floating:
            steps = ulp_between(expected[both], found[both])
            self.max_ulp = max(self.max_ulp, float(steps.max(initial=0.0)))
            self.sum_ulp += float(steps.sum())

    def distance(self) -> Distance:
        """Return how far they are apart altogether."""
        if self.mismatch:
            return Distance(problem=self.mismatch, in_kind=True)
        count, scale = max(1, self.finite), self.magnitude or (0.0 if self.max_abs else 1.0)
        mean = self.sum_abs / count
        return Distance(
            max_abs=self.max_abs,
            mean_abs=mean,
            max_rel=self.max_abs / scale if scale else None,
            mean_rel=mean / scale if scale else None,
            max_ulp=self.max_ulp if self.floating else None,
            mean_ulp=self.sum_ulp / count if self.floating else None,
            magnitude=self.magnitude,
            problem=self._problem(scale),
            in_kind=bool(self.nan or self.infinity if self.floating else self.differ),
        )

    def _problem(self, scale: float) -> str | None:
        if not self.floating:
            return f"{self.differ} of {self.elements} elements differ" if self.differ else None
        for kind, count in (("NaN", self.nan), ("infinity", self.infinity)):
            if count:
                return f"{kind} is at different places ({count} of {self.elements} elements)"
        return None if scale else f"expected zeros only, found up to {self.max_abs:.2g}"


def ulp_between(a: Array, b: Array) -> npt.NDArray[np.float64]:
    """Count the floating-point numbers from each of a to the same of b; both are finite.

    Zeros are one number, whatever their signs.

    >>> ulp_between(np.float16([-0.0, 1]), np.float16([2**-24, 1 - 2**-11])).tolist()
    [1.0, 1.0]
    """
    left, right = _ranks(a), _ranks(b)
    steps: npt.NDArray[np.float64] = (np.maximum(left, right) - np.minimum(left, right)).astype(
        np.float64
    )
    return steps


def _ranks(array: Array) -> npt.NDArray[np.uint64]:
    """Return each number's place among all of its type, from the most negative one on."""
    width = 8 * array.dtype.itemsize
    bits = np.ascontiguousarray(array).view(f"uint{width}").astype(np.uint64)
    half = np.uint64(1 << (width - 1))
    size = bits & np.uint64((1 << (width - 1)) - 1)
    ranks: npt.NDArray[np.uint64] = np.where(bits & half, half - size, half + size)
    return ranks


def chunks(array: Array) -> Iterator[Array]:
    """Yield a tensor's elements, at most `CHUNK` at once; views, where it is contiguous."""
    flat = array.reshape(-1)
    for start in range(0, flat.size, CHUNK):
        yield flat[start : start + CHUNK]
