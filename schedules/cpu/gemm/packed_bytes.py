"""Bytes that are rounded at the end of a sum: those of several vectors are stored together.

A vector of int32 has a quarter of a vector of bytes. Four that lie beside each other are narrowed
by three instructions, put in order by one, and stored by one; the bounds of a byte are where the
instructions saturate::

    a, b, c, d                                      int32, the nearest to the real numbers
    e, f = packs(a, b) + zero, packs(c, d) + zero   int16, saturating, 128 bits at a time
    bytes = in_order(packs(e, f))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, ForKind, Stmt, Var

from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.vector_math.rounding import BYTES, Rounded
from tvmfuse.schedules.expressions import coefficient, flat, number, static, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Store, analyzer
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values
from tvmfuse.target.isa import Packs
from tvmfuse.target.machine import Machine

#: How many vectors of int32 are narrowed at once, the most first.
TOGETHER: Final = (4, 2)

#: Numbers of 128 bits, which the instructions take as a vector of its own.
WORDS: Final = 4

Place = tuple[int, int]
"""A row of a tile, and the column that a vector begins at."""


@dataclass(frozen=True, eq=False)
class PackedBytes:
    """The end of a group whose one result is rounded to bytes.

    Attributes:
        group: The group, that leaves whole numbers, less their zero point, in `whole`.
        whole: Of int32, in place of the bytes.
        store: Of the bytes.
        rounded: What they are.
        packs: The instructions.
        row: By how much the next row lies behind; None where there is one row, or nobody knows.
        block: Columns that lie beside each other; None for all, however many there are.
    """

    group: Group
    whole: Buffer
    store: Store
    rounded: Rounded
    packs: Packs
    row: int | None
    block: int | None

    def runs(self, rows: int, columns: int) -> Iterator[tuple[Place, ...]]:
        """Yield the vectors of a tile, as many at a time as are stored together.

        Args:
            rows: Of the tile.
            columns: Likewise; whole vectors.
        """
        lanes, width = self.packs.lanes, min(self.block or columns, columns)
        for begin in range(0, columns, width):
            beside = range(begin, begin + width, lanes)
            lines = [[(r, c) for c in beside] for r in range(rows)]
            if self.row == width:
                lines = [[place for line in lines for place in line]]
            for line in lines:
                while line:
                    count = next((n for n in TOGETHER if n <= len(line)), 1)
                    yield tuple(line[:count])
                    line = line[count:]

    def written(
        self,
        builder: LoopNestBuilder,
        column: Axis,
        first: Values,
        count: int,
        finished: Callable[[int, Expr, LocalElement | None], Stmt | None],
    ) -> Stmt | None:
        """Return what computes and stores the bytes of some vectors.

        Args:
            builder: Of the function.
            column: The axis that vectors lie along.
            first: The first element of the first vector.
            count: How many vectors there are.
            finished: Returns the end of a vector's element: of this group, where there is a place
                for what is `whole`, or else of the group that this was.
        """
        lanes = self.packs.lanes
        size = count * lanes
        kept = builder.local_buffer("whole", "int32", [number(size)])

        def vector(nth: int) -> Stmt | None:
            def element(lane: Expr) -> Stmt | None:
                place = LocalElement(kept, lane + nth * lanes) if count > 1 else None
                return finished(nth, lane, place)

            return builder.inner(column.var, lanes, ForKind.VECTORIZED, element)

        vectors = [vector(nth) for nth in range(count)]
        if count == 1:
            return vectors[0]
        places = [BufferLoad(kept, [number(nth * lanes)]) for nth in range(count)]
        packed = self._packed([builder.vector(place, lanes) for place in places])
        stored = builder.store_vector(self.store.buffer, self.store.indices, packed, size, first)
        return builder.allocate([kept], [*vectors, stored])

    def _packed(self, whole: Sequence[Expr]) -> Expr:
        """Return the bytes of two or four vectors."""
        lanes, dtype = self.packs.lanes, str(self.store.buffer.dtype)
        halves = [self._half(a, b) for a, b in zip(whole[::2], whole[1::2], strict=True)]
        name = dict(self.packs.bytes)[dtype]
        packed = tirx.call_llvm_pure_intrin(f"{dtype}x{4 * lanes}", name, halves[0], halves[-1])
        words = tirx.reinterpret(f"int32x{lanes}", packed)
        # Each 128 bits have four bytes of each vector.
        order = [i + WORDS * n for i in range(len(whole)) for n in range(lanes // WORDS)]
        ordered = tirx.Shuffle([words], [tirx.const(i, "int32") for i in order])
        return self._bound(tirx.reinterpret(f"{dtype}x{len(whole) * lanes}", ordered))

    def _half(self, a: Expr, b: Expr) -> Expr:
        size = 2 * self.packs.lanes
        narrow = tirx.call_llvm_pure_intrin(f"int16x{size}", self.packs.int16, a, b)
        if not self.rounded.zero:
            return narrow
        zero = tirx.Broadcast(tirx.const(self.rounded.zero, "int16"), size)
        return tirx.call_llvm_pure_intrin(f"int16x{size}", "llvm.sadd.sat", narrow, zero)

    def _bound(self, stored: Expr) -> Expr:
        """Return bytes within the bounds, where these are not the type's."""
        dtype, rounded = str(self.store.buffer.dtype), self.rounded

        def in_all(value: int) -> Expr:
            return tirx.Broadcast(tirx.const(value, dtype), stored.ty.dtype.lanes)

        if rounded.high != int(tirx.max_value(dtype).value):
            stored = tirx.min(stored, in_all(rounded.high))
        if rounded.low != int(tirx.min_value(dtype).value):
            stored = tirx.max(stored, in_all(rounded.low))
        return stored


def packed_bytes(group: Group, tile: Tile, machine: Machine) -> PackedBytes | None:
    """Read a group; None where it ends otherwise, or the machine has no such instructions."""
    packs, column = machine.isa.packs, tile.column_axis
    if not group.epilogue or packs is None or packs.lanes != tile.lanes or column is None:
        return None
    *before, last = group.epilogue
    store, value = last.store, last.store.value
    if group.stored != {store.buffer} or str(store.buffer.dtype) not in BYTES:
        return None
    rounded = Rounded.read(value.value) if isinstance(value, tirx.Cast) else None
    if rounded is None or not rounded.fits(str(store.buffer.dtype)):
        return None
    # Of several blocks of channels the columns of each lie beside each other.
    block = Axis(Var("inside", column.var.ty.dtype), tirx.floordiv(column.extent, tile.blocks))
    offset = substitute(flat(store.buffer.shape, store.indices), {column.var: block.var})
    offset = analyzer([*last.axes, block]).simplify(offset)
    steps = [coefficient(offset, axis.var) if axis else None for axis in (tile.row_axis, block)]
    down, along = (None if step is None else static(step) for step in steps)
    if along != 1:
        return None
    whole = tirx.decl_buffer(store.buffer.shape, "int32", "whole")
    kept = replace(last, stores=(Store(whole, store.indices, rounded.saturated()),))
    changed = replace(group, epilogue=(*before, kept), stored=frozenset[Buffer]())
    return PackedBytes(changed, whole, store, rounded, packs, down, static(block.extent))
