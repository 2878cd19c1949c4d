"""Keys of 64 bits in order: few by counting, many digit by digit.

A key's high 32 bits are a number's order, the better the smaller, its low ones the number's place,
so that no two are equal. Sources: rank sort, and LSD radix sort, which is stable (Knuth, "The Art
of Computer Programming", volume 3, 5.2 and 5.2.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tvm import tirx
from tvm.ir import Expr
from tvm.script.ir_builder import tirx as write

from tvmfuse.ops.lowering.written import INT64, folded, int32, int64, local, variable

LANES: Final = 8

RANKED: Final = 128
"""Up to so many keys each is compared with every other one."""

DIGIT: Final = 8
"""Bits by which one pass of the radix sort orders."""

HALF: Final = 32
"""Bits of an order, and of a place."""

PASSES: Final = HALF // DIGIT

BINS: Final = 2**DIGIT

LAST: Final = 2**31 - 1
"""Behind the order of any number."""

INFINITY: Final = 0x7F800000
"""Its bits in float32, above those of any number."""

SPARE: Final = LANES
"""Keys for which there has to be room behind the last one."""


def key(order: Expr, place: Expr) -> Expr:
    """Return a key of an order, int32, and a place, int64 and not negative."""
    return tirx.Cast(INT64, order) * int64(2**HALF) + place


def place_of(key: Expr) -> Expr:
    """Return a key's place, int64."""
    return tirx.bitwise_and(key, int64(2**HALF - 1))


def order_of(key: Expr) -> Expr:
    """Return a key's order, int32."""
    return tirx.Cast("int32", tirx.shift_right(key, int64(HALF)))


def order(x: Expr, *, largest: bool) -> Expr:
    """Return the order of a float32, an int32 between the least and the greatest one.

    Zeros are equal, whatever their signs. A NaN is larger than any number.
    """
    bits = tirx.reinterpret("int32", x)
    size = tirx.bitwise_and(bits, int32(2**31 - 1))
    sign = tirx.shift_right(bits, int32(31))
    sign = tirx.bitwise_not(sign) if largest else sign
    beyond = int32(-(INFINITY + 1) if largest else INFINITY + 1)
    return tirx.Select(size <= int32(INFINITY), tirx.bitwise_xor(size, sign) - sign, beyond)


@dataclass(frozen=True, eq=False)
class Keys:
    """Keys in order of their places, and what sorts them.

    Attributes:
        buffer: Their array. Its last two axes are 2 and what they may be and `SPARE` more.
        row: Which of the arrays of that shape, the indices before.
        starts: Of each pass and digit, int32 (..., PASSES * BINS).
        task: The indices before.
    """

    buffer: Any
    row: tuple[Expr, ...]
    starts: Any
    task: tuple[Expr, ...]

    def __getitem__(self, place: Expr) -> Expr:
        return self.buffer[(*self.row, int64(0), place)]

    def __setitem__(self, place: Expr, key: Expr) -> None:
        self.buffer[(*self.row, int64(0), place)] = key

    def sort(self, count: Expr, wanted: Expr, *, most: int | None) -> Expr:
        """Write statements that sort, of so many keys, the first ones, as many as are wanted.

        Args:
            count: How many keys there are.
            wanted: No more than there are.
            most: How many there may be, None where that is not known.

        Returns:
            In which half of the array they are then.
        """
        if isinstance(wanted, tirx.IntImm) and wanted.value == 1:
            return self._least(count)
        if most is not None and most <= RANKED:
            return self._rank(count)
        half = local(1, INT64)
        with write.If(count <= int64(RANKED)):
            with write.Then():
                half[0] = self._rank(count)
            with write.Else():
                half[0] = self._radix(count)
        return half[0]

    def sort_here(self, count: Expr, wanted: Expr, *, most: int | None) -> None:
        """Do so, and move them to the first half."""
        half = variable(self.sort(count, wanted, most=most))
        with write.If(half[0] != int64(0)), write.Then(), write.serial(0, wanted) as place:
            self[place] = self.at(half[0], place)

    def at(self, half: Expr, place: Expr) -> Expr:
        """Return a key of one half."""
        return self.buffer[(*self.row, half, place)]

    def _end(self, count: Expr) -> None:
        with write.vectorized(0, LANES) as lane:
            self[count + lane] = int64(2**63 - 1)

    def _least(self, count: Expr) -> Expr:
        self._end(count)
        least = local(LANES, INT64)
        with write.vectorized(0, LANES) as lane:
            least[lane] = self[lane]
        vectors = tirx.floordiv(count + (LANES - 1), int64(LANES))
        with write.serial(1, vectors) as vector, write.vectorized(0, LANES) as lane:
            least[lane] = tirx.min(least[lane], self[vector * LANES + lane])
        self[int64(0)] = folded(least, LANES, tirx.min)
        return int64(0)

    def _rank(self, count: Expr) -> Expr:
        """Count for each key those before it, a vector of keys at a time."""
        self._end(count)
        vectors = tirx.floordiv(count + (LANES - 1), int64(LANES))
        with write.serial(0, vectors) as vector:
            ranks = local(LANES, INT64)
            with write.vectorized(0, LANES) as lane:
                ranks[lane] = int64(0)
            with write.serial(0, count) as other, write.vectorized(0, LANES) as lane:
                before = self[other] < self[vector * LANES + lane]
                ranks[lane] = ranks[lane] + tirx.Select(before, int64(1), int64(0))
            for lane in range(LANES):
                self.buffer[(*self.row, int64(1), ranks[lane])] = self[vector * LANES + lane]
        return int64(1)

    def _radix(self, count: Expr) -> Expr:
        with write.serial(0, PASSES * BINS // LANES) as vector, write.vectorized(0, LANES) as lane:
            self.starts[(*self.task, vector * LANES + lane)] = int32(0)
        with write.serial(0, count) as place:
            for number in range(PASSES):
                self._count(self._bin(self[place], number), int32(1))
        come = variable(int64(0))
        for number in range(PASSES):
            first = self.starts[(*self.task, self._bin(self[int64(0)], number))]
            # A digit that is the same everywhere orders nothing.
            with write.If(tirx.Cast(INT64, first) < count), write.Then():
                self._pass(number, count, come)
        return come[0]

    def _pass(self, number: int, count: Expr, come: Any) -> None:
        before = local(2, "int32")
        before[0] = int32(0)
        with write.serial(number * BINS, (number + 1) * BINS) as bin_:
            at = (*self.task, bin_)
            before[1] = self.starts[at]
            self.starts[at] = before[0]
            before[0] = before[0] + before[1]
        with write.serial(0, count) as place:
            moved = variable(self.at(come[0], place))
            bin_ = variable(self._bin(moved[0], number))
            start = tirx.Cast(INT64, self.starts[(*self.task, bin_[0])])
            self.buffer[(*self.row, int64(1) - come[0], start)] = moved[0]
            self._count(bin_[0], int32(1))
        come[0] = int64(1) - come[0]

    def _count(self, bin_: Expr, number: Expr) -> None:
        at = (*self.task, bin_)
        self.starts[at] = self.starts[at] + number

    def _bin(self, key: Expr, number: int) -> Expr:
        shifted = tirx.shift_right(key, int64(HALF + number * DIGIT))
        # The last digit has the sign.
        flipped = shifted ^ int64(BINS // 2) if number == PASSES - 1 else shifted
        return tirx.bitwise_and(flipped, int64(BINS - 1)) + int64(number * BINS)
