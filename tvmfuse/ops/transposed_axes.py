"""Which pixels and taps of a transposed convolution meet in which results, along one axis.

Pixel `j` and tap `k` meet in the result at ``stride * j + dilation * k - begin``. TVM puts zeros
between the pixels and convolves, and so multiplies `stride` times as often along each axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import IntImm


class Axis(Protocol):
    """How results along one axis are summed up: some phases, each of some places."""

    @property
    def phases(self) -> int:
        """How many sets of results there are, one after the other."""

    @property
    def places(self) -> Expr:
        """Results of each phase."""

    @property
    def terms(self) -> int:
        """Products in each sum."""

    @property
    def pixel_padding(self) -> tuple[int, Expr | int]:
        """Zeros before and behind the image that are read."""

    @property
    def interleaves(self) -> bool:
        """Whether a result's place in its phase is not its place among all."""

    def reads(self, phase: Expr, place: Expr, term: Expr) -> tuple[Expr, Expr]:
        """Return the pixel and the tap of a term, padding included."""

    def place_of(self, result: Expr) -> tuple[Expr, Expr]:
        """Return the phase and the place of a result."""

    def is_reached(self, result: Expr) -> Expr | None:
        """Whether any tap reaches a result; None where all are reached."""


@dataclass(frozen=True)
class Phases:
    """Results by their place modulo the stride: each phase reads every so manyth tap.

    Attributes:
        pixels: Of the image.
        kernel: Taps.
        stride: Results from a pixel to the next one.
        dilation: Results from a tap to the next one.
        begin: Results cut off at the beginning.
        behind: Results behind the last pixel's first tap.
    """

    pixels: Expr
    kernel: int
    stride: int
    dilation: int
    begin: int
    behind: int

    @property
    def between(self) -> int:
        """The distance of phases that taps reach; results between them are zero."""
        return math.gcd(self.stride, self.dilation)

    @property
    def phases(self) -> int:
        """How many phases taps reach: as far apart are the taps that reach the same one."""
        return self.stride // self.between

    @property
    def places(self) -> Expr:
        """Results of each phase."""
        return self.pixels + (self.behind // self.stride - self.begin // self.stride)

    @property
    def terms(self) -> int:
        """Products in each sum."""
        return -(-self.kernel // self.phases)

    @property
    def step(self) -> int:
        """Pixels from a term to the next one."""
        return self.dilation // self.between

    @property
    def pixel_padding(self) -> tuple[int, Expr | int]:
        """Zeros before and behind the image that are read.

        Where phases have different numbers of taps, the terms that some lack read zeros, a result's
        number of them side by side: a tap of zero would make NaN of infinite pixels.
        """
        before, behind = self._reach
        return before, behind + (self.places if self._ragged else 0)

    @property
    def interleaves(self) -> bool:
        """Whether there are phases, or zeros between results."""
        return self.stride > 1

    def reads(self, phase: Expr, place: Expr, term: Expr) -> tuple[Expr, Expr]:
        """Return the pixel and the tap of a term, padding included."""
        before, behind = self._reach
        tap = self._first_tap(phase) + term * self.phases
        offset = self.begin // self.stride + before + self._shift(phase) - term * self.step
        if not self._ragged:
            return place + offset, tap
        is_there, zeros = tap < self.kernel, before + self.pixels + behind
        any_tap = IntImm("int64", 0)
        return place + tirx.Select(is_there, offset, zeros), tirx.Select(is_there, tap, any_tap)

    def place_of(self, result: Expr) -> tuple[Expr, Expr]:
        """Return the phase and the place of a result."""
        at = result + self.begin
        return at % self.stride // self.between, at // self.stride - self.begin // self.stride

    def is_reached(self, result: Expr) -> Expr | None:
        """Whether any tap reaches a result; None where all are reached."""
        return (result + self.begin) % self.between == 0 if self.between > 1 else None

    @property
    def _ragged(self) -> bool:
        return self.kernel % self.phases != 0

    @property
    def _reach(self) -> tuple[int, int]:
        """Pixels before and behind the image that taps reach."""
        firsts = range(min(self.kernel, self.phases))  # of a phase that no tap reaches, none
        shifts = [int(self._shift(tap * self.step % self.phases)) for tap in firsts] or [0]
        before = (self.terms - 1) * self.step - self.begin // self.stride - min(shifts)
        return max(before, 0), max(self.behind // self.stride + max(shifts), 0)

    def _first_tap(self, phase: Expr | int) -> Expr | int:
        if self.phases == 1:
            return 0
        return phase * pow(self.step, -1, self.phases) % self.phases

    def _shift(self, phase: Expr | int) -> Expr | int:
        """Return how many pixels the first tap of a phase is ahead of its place."""
        if self.dilation == 1:
            return 0
        return (self.between * phase - self.dilation * self._first_tap(phase)) // self.stride


@dataclass(frozen=True)
class OnePixel:
    """Results of an image of one pixel: each is that pixel times a tap of its own.

    Attributes:
        begin: Results cut off at the beginning.
        behind: Results behind the first tap.
    """

    begin: int
    behind: int

    phases = 1
    terms = 1
    pixel_padding = 0, 0
    interleaves = False

    @property
    def places(self) -> int:
        """All results."""
        return self.behind - self.begin + 1

    def reads(self, phase: Expr, place: Expr, term: Expr) -> tuple[Expr, Expr]:
        """Return the pixel and the tap of a term."""
        del phase
        return term, place + self.begin

    def place_of(self, result: Expr) -> tuple[Expr, Expr]:
        """Return the phase and the place of a result."""
        return IntImm("int64", 0), result

    def is_reached(self, result: Expr) -> Expr | None:
        """Whether any tap reaches a result; None where all are reached."""
        del result
        return None


def axis_of(pixels: Expr, kernel: int, stride: int, dilation: int, begin: int, behind: int) -> Axis:
    """Return how the results along an axis are summed up with the fewest products."""
    single = isinstance(pixels, IntImm) and int(pixels) == 1
    if single and dilation == 1 and behind < kernel:
        return OnePixel(begin, behind)
    return Phases(pixels, kernel, stride, dilation, begin, behind)
