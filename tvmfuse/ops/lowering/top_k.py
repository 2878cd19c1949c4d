"""The largest or smallest elements along an axis, in order; of equal ones the first come first.

A NaN is larger than any number, as in numpy's and torch's orders.

A heap holds the best ones so far, the worst of them on top. Most elements are no better than that
one, which a vector of comparisons shows for several at once. The heap is sorted in the end. Source:
Williams, "Algorithm 232: Heapsort", 1964.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any, Final

from tvm import te, tirx, topi
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

INT64: Final = "int64"
FLOAT: Final = "float32"

LANES: Final = 16

BLOCK: Final = 4 * LANES
"""Elements after which is asked whether one of them is better."""

HALF: Final = 2**32
"""A key's high bits are an element, its low bits its place, so that larger keys are better."""


def top_k(bb: BlockBuilder, call: Call) -> Expr:
    """Lower `relax.topk`: elements of float32 as this file says, any others as TVM does."""
    attrs, x = call.attrs, call.args[0]
    k, axis = int(attrs.k), int(attrs.axis) % len(x.ty.shape.values)
    if k <= 0 or str(x.ty.dtype) != FLOAT or str(attrs.ret_type) != "both":
        return bb.call_te(
            topi.topk, x, k=k, axis=axis, ret_type=str(attrs.ret_type),
            is_ascend=not attrs.largest, dtype=str(attrs.dtype),
        )  # fmt: skip
    shape = [*x.ty.shape.values]
    before, after = (prod(part, start=_int(1)) for part in (shape[:axis], shape[axis + 1 :]))
    sizes = (before, shape[axis], after, k)
    made = [*shape[:axis], k, *shape[axis + 1 :]]

    def compute(x: te.Tensor) -> list[te.Tensor]:
        results = te.extern(
            [made, made, (before * after, k)],
            [x],
            lambda ins, outs: _kernel([*ins, *outs], sizes, largest=bool(attrs.largest)),
            dtype=[FLOAT, str(attrs.dtype), INT64],
            name="topk",
        )
        return [*results]

    return bb.call_te(compute, x, primfunc_name_hint="topk")


def _kernel(buffers: list[Buffer], sizes: tuple[Any, Any, Any, int], *, largest: bool) -> Stmt:
    with IRBuilder() as builder:
        with write.parallel(0, sizes[0] * sizes[2]) as row:
            parts: list[Any] = [*map(write.buffer_proxy, buffers), sizes, row, largest]
            _Row(*parts).write()
        return builder.get()


@dataclass(frozen=True, eq=False)
class _Row:
    """Writes what is done for the elements that differ only by their place on the axis.

    Attributes:
        x: The tensor.
        values: Its best elements.
        places: Where they stand on the axis.
        keys: The heap of each row, (rows, K).
        sizes: The product of the sizes before the axis, its size, that of those behind, and K.
        row: Which one.
        largest: Whether large elements are good.
    """

    x: Any
    values: Any
    places: Any
    keys: Any
    sizes: tuple[Any, Any, Any, int]
    row: Expr
    largest: bool

    def write(self) -> None:
        """Write its statements."""
        _, size, after, k = self.sizes
        worst, hits = _local(1, FLOAT), _local(LANES, "int32")
        with write.serial(0, k) as place:
            self.keys[self.row, place] = self._key(place)
        with write.serial(0, k // 2) as done:
            at = k // 2 - 1 - done
            self._sift(at, k, self.keys[self.row, at])
        worst[0] = self._worst()
        side_by_side = isinstance(after, tirx.IntImm) and after.value == 1
        blocks = tirx.floordiv(size - k, BLOCK) if side_by_side else _int(0)
        with write.serial(0, blocks) as block:
            begin = k + block * BLOCK
            with (
                self._if_some(begin, BLOCK, worst, hits),
                write.serial(0, BLOCK // LANES) as vector,
            ):
                first = begin + vector * LANES
                with self._if_some(first, LANES, worst, hits), write.serial(0, LANES) as place:
                    self._offer(first + place, worst)
        seen = k + blocks * BLOCK
        with write.serial(0, size - seen) as place:
            self._offer(seen + place, worst)
        self._sort()

    @contextmanager
    def _if_some(self, begin: Expr, count: int, worst: Any, hits: Any) -> Iterator[None]:
        """Do what is written inside if one of some elements is better than the worst one."""
        for vector in range(count // LANES):
            with write.vectorized(0, LANES) as lane:
                hit = self._may_be_better(self._good(begin + vector * LANES + lane), worst[0])
                hits[lane] = hit if vector == 0 else tirx.bitwise_or(hits[lane], hit)
        some = hits[0]
        for other in range(1, LANES):
            some = tirx.bitwise_or(some, hits[other])
        with write.If(some != 0), write.Then():
            yield

    def _at(self, place: Expr, size: Any) -> Expr:
        """Return where an element of this row stands in a tensor of `size` on the axis."""
        after = self.sizes[2]
        batch, column = tirx.floordiv(self.row, after), tirx.floormod(self.row, after)
        return (batch * size + place) * after + column

    def _good(self, place: Expr) -> Expr:
        element = self.x[self._at(place, self.sizes[1])]
        return element if self.largest else -element

    def _key(self, place: Expr) -> Expr:
        good, zero = self._good(place), tirx.const(0, FLOAT)
        # Zeros are equal, whatever their signs.
        bits = tirx.reinterpret("int32", tirx.Select(good == zero, zero, good))
        ordered = tirx.Select(
            bits < 0, tirx.bitwise_xor(bits, tirx.const(2**31 - 1, "int32")), bits
        )
        nan = tirx.const(2**31 - 1 if self.largest else -(2**31), "int32")
        ordered = tirx.Select(_is_number(good), ordered, nan)
        return tirx.Cast(INT64, ordered) * _int(HALF) + (_int(HALF - 1) - place)

    def _may_be_better(self, good: Expr, worst: Expr) -> Expr:
        """Return 1 where an element is, and where a NaN has to be looked at, otherwise 0."""
        one, none = tirx.const(1, "int32"), tirx.const(0, "int32")
        compared = tirx.Select(good > worst, one, none)
        return tirx.Select(_is_number(good if self.largest else worst), compared, one)

    def _place(self, key: Expr) -> Expr:
        return _int(HALF - 1) - tirx.bitwise_and(key, _int(HALF - 1))

    def _worst(self) -> Expr:
        return self._good(self._place(self.keys[self.row, 0]))

    def _offer(self, place: Expr, worst: Any) -> None:
        """Take an element if it is better than the worst one, whose place is before it."""
        with write.If(self._may_be_better(self._good(place), worst[0]) != 0), write.Then():
            key = _local(1, INT64)
            key[0] = self._key(place)
            with write.If(key[0] > self.keys[self.row, 0]), write.Then():
                self._sift(_int(0), self.sizes[3], key[0])
                worst[0] = self._worst()

    def _sift(self, begin: Expr, size: Any, key: Expr) -> None:
        """Put a key into a heap, of which the keys below `begin` are one."""
        at, own, goes_on = _local(1, INT64), _local(1, INT64), _local(1, "int32")
        at[0], own[0], goes_on[0] = begin, key, tirx.const(1, "int32")
        with write.While(tirx.And(goes_on[0] != 0, at[0] * 2 + 1 < size)):
            child = _local(1, INT64)
            child[0] = at[0] * 2 + 1
            right = tirx.min(child[0] + 1, size - 1)
            child[0] = tirx.Select(
                self.keys[self.row, right] < self.keys[self.row, child[0]], right, child[0]
            )
            with write.If(self.keys[self.row, child[0]] < own[0]):
                with write.Then():
                    self.keys[self.row, at[0]] = self.keys[self.row, child[0]]
                    at[0] = child[0]
                with write.Else():
                    goes_on[0] = tirx.const(0, "int32")
        self.keys[self.row, at[0]] = own[0]

    def _sort(self) -> None:
        """Take the worst key from the heap again and again, and write it behind the others."""
        k = self.sizes[3]
        last = _local(1, INT64)
        with write.serial(0, k) as done:
            left = _int(k - 1) - done
            place = self._place(self.keys[self.row, 0])
            self.values[self._at(left, k)] = self.x[self._at(place, self.sizes[1])]
            self.places[self._at(left, k)] = place
            last[0] = self.keys[self.row, left]
            self._sift(_int(0), left, last[0])


def _is_number(x: Expr) -> Expr:
    """Whether a float is none of the NaN. Not `x == x`: TVM takes that for true."""
    return tirx.abs(x) <= tirx.const(float("inf"), FLOAT)


def _int(number: int) -> Expr:
    return tirx.const(number, INT64)


def _local(size: int, dtype: str) -> Any:
    return write.buffer_proxy(write.alloc_buffer((size,), dtype, scope="local"))
