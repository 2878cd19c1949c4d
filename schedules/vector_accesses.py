"""What one vector reads and writes: every n-th element, or only the elements that are there.

TVM reads a vector whose elements lie apart element by element. Here the vectors that they lie in
are loaded whole, and shuffled. Of the last vector of an axis, where there are masks, the elements
behind the axis's end are neither read nor written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import AllocBuffer, Bind, Buffer, BufferLoad, BufferStore, Evaluate, Stmt
from tvm.tirx.op import masked_load, masked_store
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import coefficient, number, static, substitute
from tvmfuse.schedules.mask_words import load_by_words

#: Elements apart for which shuffled vectors take less time than single elements.
MAX_STEP: Final = 4

#: Lanes of the shortest vector that is shuffled: the loads of few single elements take less time
#: where what they read was stored right before, and a vector waits for all stores that it spans.
MIN_LANES: Final = 8

#: What has masks on every CPU that has any.
MASKED_BITS: Final = (32, 64)


@dataclass(frozen=True, eq=False)
class Mask:
    """Some lanes of a vector: those of the first one or more elements.

    Attributes:
        count: How many, an int32.
    """

    count: Expr

    @classmethod
    def of(cls, left: Expr, lanes: int) -> tuple[Mask, Bind]:
        """Return the mask of as many elements as are left, and the statement that counts them."""
        count = Var("elements", "int32")
        fewer = tirx.Cast("int32", tirx.min(left, number(lanes)))
        return cls(count), Bind(count, fewer)


def below(end: Expr, lanes: int) -> Expr:
    """Return a bool for each lane: whether its number is less than an int32."""
    zero, one = tirx.const(0, "int32"), tirx.const(1, "int32")
    return tirx.LT(tirx.Ramp(zero, one, lanes), tirx.Broadcast(end, lanes))


def filled_load(buffer: Buffer, place: tirx.Ramp, mask: Expr, fill: Expr) -> Expr:
    """Return a vector of what a mask has of a buffer, and of a number in all other lanes.

    The number is part of the load. Of a choice by the mask between a load under that mask and a
    number, the mask is taken to be true in what is loaded, and all of it is read.

    Args:
        buffer: A flat one.
        place: Of the vector.
        mask: A bool for each lane, or its `mask_words`.
        fill: The number.
    """
    if "int" in str(mask.ty.dtype):
        return load_by_words(buffer, place, mask, fill)
    lanes, address = place.ty.dtype.lanes, tirx.address_of(BufferLoad(buffer, [place.base]))
    other = tirx.Broadcast(fill, lanes)
    return tirx.call_llvm_intrin(
        f"{buffer.dtype}x{lanes}", "llvm.masked.load", address, mask, other
    )


@dataclass(frozen=True, eq=False)
class VectorAccesses:
    """The accesses of one vectorized loop.

    Attributes:
        lane: The loop's variable.
        lanes: Its extent.
        simplify: Simplifies an address.
        mask: The lanes that there are; None for all.
    """

    lane: Var
    lanes: int
    simplify: Callable[[Expr], Expr]
    mask: Mask | None = None
    _before: list[Stmt] = field(default_factory=list, init=False)
    _after: list[Stmt] = field(default_factory=list, init=False)
    _read: list[tuple[BufferLoad, Expr]] = field(default_factory=list, init=False)

    def load(self, element: BufferLoad, *, whole: bool) -> Expr:
        """Return what one lane reads.

        Args:
            element: Of a flat buffer.
            whole: Whether there is memory for the lanes that the mask leaves out.
        """
        (offset,) = element.indices
        factor = coefficient(offset, self.lane)
        step, masked = static(factor) if factor is not None else None, self.mask and not whole
        if step is None or not (1 if masked else 2) <= step <= MAX_STEP or not _fits(element):
            return element
        if self.mask is None and self.lanes < MIN_LANES:
            return element
        for known, kept in self._read:
            if structural_equal(known, element):
                return kept
        first = substitute(offset, {self.lane: number(0)})
        vector = self._strided(element.source, first, step, masked=bool(masked))
        buffer = self._kept(element.source)
        self._before.append(BufferStore(buffer, vector, [self._all(number(0))]))
        kept = BufferLoad(buffer, [self.lane])
        self._read.append((element, kept))
        return kept

    def store(self, view: Buffer, value: Expr, offset: Expr) -> BufferStore:
        """Return the statement of one lane that leaves a value at an offset of a flat buffer."""
        if self.mask is None:
            return BufferStore(view, value, [offset])
        buffer, first = self._kept(view), substitute(offset, {self.lane: number(0)})
        vector = BufferLoad(buffer, [self._all(number(0))])
        there = below(self.mask.count, self.lanes)
        self._after.append(Evaluate(masked_store(view, vector, self._all(first), there)))
        return BufferStore(buffer, value, [self.lane])

    def around(self, loop: Stmt) -> list[Stmt]:
        """Return the loop with what comes before and after it."""
        return [*self._before, loop, *self._after]

    def _kept(self, like: Buffer) -> Buffer:
        buffer = tirx.decl_buffer((number(self.lanes),), like.dtype, f"{like.name}_vector")
        self._before.append(AllocBuffer(buffer))
        return buffer

    def _all(self, first: Expr) -> Expr:
        return tirx.Ramp(self.simplify(first), number(1), self.lanes)

    def _strided(self, view: Buffer, first: Expr, step: int, *, masked: bool) -> Expr:
        """Return every n-th element from one on; nothing behind the last one is read."""
        lanes = self.lanes
        span = (lanes - 1) * step + 1
        begins = [min(begin, span - lanes) for begin in range(0, span, lanes)]
        vectors = [self._whole(view, first, begin, step, masked=masked) for begin in begins]
        if step == 1:
            return vectors[0]
        places = [
            (lane * step, min(lane * step // lanes, len(begins) - 1)) for lane in range(lanes)
        ]
        indices = [nth * lanes + place - begins[nth] for place, nth in places]
        return tirx.Shuffle(vectors, [tirx.const(i, "int32") for i in indices])

    def _whole(self, view: Buffer, first: Expr, begin: int, step: int, *, masked: bool) -> Expr:
        place = self._all(first + begin)
        if not masked:
            return BufferLoad(view, [place])
        assert self.mask is not None
        end = (self.mask.count - 1) * step + (1 - begin)
        return masked_load(f"{view.dtype}x{self.lanes}", view, place, below(end, self.lanes))


def _fits(element: BufferLoad) -> bool:
    return int(element.ty.dtype.bits) in MASKED_BITS
