"""The tiles of a Winograd convolution: into the points where it multiplies, and back.

A tile that lies inside the image is read and written there as it is; one at an end of the image
goes through a small buffer, with a branch for each of its pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tvm import DataType, tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, ForKind, IfThenElse, Stmt, Var

from tvmfuse.ir.bfloat16 import BFLOAT16, cast_to_bfloat16
from tvmfuse.ops.cook_toom import Filtering, minimal_filtering
from tvmfuse.ops.winograd import TAPS, combination, transformed_in
from tvmfuse.schedules.cpu.narrow import rounded
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.cpu.winograd.grid import Place, TileGrid, either, indices_at
from tvmfuse.schedules.expressions import flat, map_loads, number, static
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.local_buffers import STACK
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence

Element = Callable[[Expr], Stmt]
"""Returns a statement for one lane."""


@dataclass(frozen=True, eq=False)
class Tiles:
    """Tiles of m x m outputs, into the points where they are multiplied, and back.

    Attributes:
        builder: Of the function.
        scope: The vectors.
        grid: Where the tiles are.
        outputs: The buffer of the transformed products, which `end` reads.
        end: The stage that puts tiles into the image, and finishes them.
    """

    builder: LoopNestBuilder
    scope: Scope
    grid: TileGrid
    outputs: Buffer
    end: Stage

    @cached_property
    def _filtering(self) -> Filtering:
        return minimal_filtering(self.grid.size, TAPS)

    def located(self, begin: Expr, count: Expr, places: Buffer) -> Stmt | None:
        """Write down the places of a strip's tiles.

        Args:
            begin: The strip's first tile.
            count: Its tiles.
            places: Shape (tiles, 3): the image, the first line and column.
        """
        axis = Axis(Var("tile", "int64"), count)

        def one(at: Values) -> Stmt | None:
            found = self.grid.places(self.builder, begin + at[axis.var])
            return sequence(
                [
                    self.builder.store(places, [at[axis.var], number(d)], value, {})
                    for d, value in enumerate(found)
                ]
            )

        return self.builder.nest([axis], one)

    def transformed(self, chunk: Expr, p: Expr, places: Buffer, inputs: Buffer) -> Stmt | None:
        """Transform one tile of one block of channels.

        Args:
            chunk: The block.
            p: The tile in the strip.
            places: Shape (tiles of the strip, 3).
            inputs: Shape (I / a, t, t, tiles of the strip, a).
        """
        place, named = self._place(places, p)
        corner = self.grid.corner(self.builder, place, chunk)
        dtype = transformed_in(str(inputs.dtype))
        first, found = self._first(inputs, chunk, p)

        def part(start: Expr, wide: int) -> Stmt | None:
            def direct(y: int, x: Expr, k: Expr) -> Expr:
                return corner.value(y, x, k + start).astype(dtype)

            def guarded(y: int, x: Expr, k: Expr) -> Expr:
                value = self.grid.padded_value(place, chunk, number(y), x, k + start)
                return value.astype(dtype)

            columns = self._lines("columns", self.grid.points, wide, dtype)
            shape = [number(self.grid.points), number(wide)]
            pixels = self.builder.local_buffer("pixels", dtype, shape)
            inside = self._columns(columns, wide, direct)
            ending = self._columns(columns, wide, guarded, pixels)
            read = either(self.grid.inside(place), inside, ending)
            points = self._points(columns, wide, start, first, inputs)
            return self.builder.allocate([*columns.buffers, pixels], [read, points])

        return sequence([*named, *corner.named, *found, self._parts(self.grid.block, part)])

    def _first(
        self, inputs: Buffer, chunk: Expr, p: Expr
    ) -> tuple[tuple[Expr, Expr, Expr], list[Stmt]]:
        """Return where a tile's first point is: block of channels, tile and channel; what sets it.

        Of points that lie apart by a number known only later, it is so many channels from the
        buffer's first: LLVM would multiply the block's number for each point anew.
        """
        zero, none = number(0), list[Stmt]()
        if static(inputs.shape[3]) is not None:
            return (chunk, p, zero), none
        first = flat(inputs.shape, [chunk, zero, zero, p, zero])
        channel, found = self.builder.sealed("first", first)
        return (zero, zero, channel), found

    def _columns(
        self,
        columns: _Lines,
        wide: int,
        value: Callable[[int, Expr, Expr], Expr],
        pixels: Buffer | None = None,
    ) -> Stmt | None:
        """Transform a tile along its columns.

        Args:
            columns: For each point of a column, one of each column.
            wide: Lanes.
            value: Returns an input by line, column and lane.
            pixels: Shape (t, lanes): for the values of a column, where one takes more than a load.
        """
        matrix, t = self._filtering.inputs.tolist(), self.grid.points

        def one(x: Expr) -> Stmt | None:
            def read(j: int, k: Expr) -> Expr:
                return value(j, x, k) if pixels is None else BufferLoad(pixels, [number(j), k])

            def column(a: int) -> Element:
                buffer, line = columns.line(a)
                return lambda k: self._set(
                    buffer, [line, x, k], combination(matrix[a], lambda j: read(j, k))
                )

            copied = [] if pixels is None else [self._copied(pixels, j, x, value) for j in range(t)]
            return sequence([self._vector(wide, e) for e in (*copied, *map(column, range(t)))])

        return _each(self.builder, "x", t, one)

    def _copied(
        self, pixels: Buffer, j: int, x: Expr, value: Callable[[int, Expr, Expr], Expr]
    ) -> Element:
        return lambda k: self._set(pixels, [number(j), k], value(j, x, k))

    def _points(
        self,
        columns: _Lines,
        wide: int,
        start: Expr,
        first: tuple[Expr, Expr, Expr],
        inputs: Buffer,
    ) -> Stmt | None:
        """Transform a tile's columns along its lines."""
        chunk, p, channel = first
        matrix, t = self._filtering.inputs.tolist(), self.grid.points
        halves = str(inputs.dtype) == BFLOAT16

        def line(buffer: Buffer, nth: Expr, a: Expr) -> Stmt | None:
            def point(b: int) -> Element:
                def value(k: Expr) -> Expr:
                    found = combination(
                        matrix[b], lambda j: BufferLoad(buffer, [nth, number(j), k])
                    )
                    return cast_to_bfloat16(found) if halves else found

                return lambda k: self._set(
                    inputs, [chunk, a, number(b), p, channel + k + start], value(k)
                )

            return sequence([self._vector(wide, point(b)) for b in range(t)])

        return columns.each(self.builder, line)

    def finished(
        self, first: Expr, nth: Expr, p: Expr, places: Buffer, products: Buffer
    ) -> Stmt | None:
        """Transform one tile back, finish it, and put it into the image.

        Args:
            first: The first block of channels of the products.
            nth: The block among these.
            p: The tile in the strip.
            places: Shape (tiles of the strip, 3).
            products: Shape (t, t, blocks, tiles of the strip, b).
        """
        place, named = self._place(places, p)

        def part(start: Expr, wide: int) -> Stmt | None:
            lines = self._lines("lines", self.grid.size, wide, str(products.dtype))
            gathered = self._gathered(nth, p, products, lines, start, wide)
            finished = self._finished(place, first + nth, lines, start, wide)
            return self.builder.allocate(lines.buffers, [gathered, finished])

        return sequence([*named, self._parts(int(products.shape[4]), part)])

    def _gathered(
        self, nth: Expr, p: Expr, products: Buffer, lines: _Lines, start: Expr, wide: int
    ) -> Stmt | None:
        """Transform the products of a tile's points back along its columns."""
        matrix, m, t = self._filtering.outputs.tolist(), self.grid.size, self.grid.points

        def column(b: Expr) -> Stmt | None:
            def one(r: int) -> Element:
                def value(k: Expr) -> Expr:
                    return combination(
                        matrix[r], lambda a: BufferLoad(products, [number(a), b, nth, p, k + start])
                    )

                buffer, line = lines.line(r)
                return lambda k: self._set(buffer, [line, b, k], value(k))

            return sequence([self._vector(wide, one(r)) for r in range(m)])

        return _each(self.builder, "b", t, column)

    def _finished(
        self, place: Place, block: Expr, lines: _Lines, start: Expr, wide: int
    ) -> Stmt | None:
        """Transform a tile's lines back, and finish what of them lies inside the image."""
        matrix, m = self._filtering.outputs.tolist(), self.grid.size
        height, width = self.grid.image.shape[2:4]
        beside = Axis(Var("x", "int64"), tirx.min(width - place.left, m))

        def end(r: Expr, s: Expr, k: Expr, value: Expr) -> Stmt:
            y, x = place.top + r, place.left + s
            return self._end((place.image, block, y, x, k + start), value)

        def whole(buffer: Buffer, line: Expr, r: Expr) -> Stmt | None:
            def one(s: int) -> Element:
                return lambda k: end(r, number(s), k, result(buffer, line, s, k))

            return sequence([self._vector(wide, one(s)) for s in range(m)])

        def result(buffer: Buffer, line: Expr, s: int, k: Expr) -> Expr:
            return combination(matrix[s], lambda b: BufferLoad(buffer, [line, number(b), k]))

        def ragged(buffer: Buffer, line: Expr, r: Expr) -> Stmt | None:
            """Finish what of a line lies inside the image."""
            kept = self.builder.local_buffer("line", lines.dtype, [number(m), number(wide)])

            def keep(s: int) -> Element:
                return lambda k: self._set(kept, [number(s), k], result(buffer, line, s, k))

            def put(s: Expr) -> Element:
                return lambda k: end(r, s, k, BufferLoad(kept, [s, k]))

            stored = self.builder.nest([beside], lambda at: self._vector(wide, put(at[beside.var])))
            found = self.builder.allocate(
                [kept], [*(self._vector(wide, keep(s)) for s in range(m)), stored]
            )
            return found and IfThenElse(place.top + r < height, found, None)

        each = lines.each(self.builder, whole)
        ends = lines.each(self.builder, ragged) if self.grid.ragged else None
        return either(self.grid.whole(place), each, ends)

    def _end(self, place: tuple[Expr, ...], tile: Expr) -> Stmt:
        """Return the store of one element of the image, from its value in a tile."""
        store = self.end.store
        at = indices_at(store.indices, place)

        def load(node: TensorLoad) -> Expr:
            return tile if node.source.same_as(self.outputs) else node

        value = rounded(self.builder, self.builder.value(map_loads(store.value, load), at))
        return self.builder.store(store.buffer, store.indices, value, at)

    def _place(self, places: Buffer, p: Expr) -> tuple[Place, list[Stmt]]:
        """Return the place of a tile of the strip, and what reads it."""
        found = [
            self.builder.named(name, self.builder.value(BufferLoad(places, [p, number(d)]), {}))
            for d, name in enumerate(("image", "top", "left"))
        ]
        image, top, left = (var for var, _ in found)
        return Place(image, top, left), [named for _, named in found]

    def _lines(self, name: str, count: int, wide: int, dtype: str) -> _Lines:
        """Return some lines of as many vectors as a tile has points in each direction."""
        return _Lines.of(self.builder, name, dtype, count, (self.grid.points, wide))

    def _set(self, buffer: Buffer, indices: Sequence[Expr], value: Expr) -> Stmt:
        value = rounded(self.builder, self.builder.value(value, {}))
        return self.builder.store(buffer, indices, value, {})

    def _vector(self, wide: int, element: Element) -> Stmt | None:
        return self.builder.inner(Var("k", "int64"), wide, ForKind.VECTORIZED, element)

    def _parts(self, block: int, body: Callable[[Expr, int], Stmt | None]) -> Stmt | None:
        """Do something for each vector of a block: told where it begins, and its lanes."""

        def vectors(part: Segment) -> Stmt | None:
            axis = Axis(Var("part", "int64"), part.count)
            return self.builder.nest([axis], lambda at: body(part.start(at[axis.var]), part.width))

        lanes = self.scope.machine.isa.float_lanes
        return sequence([vectors(part) for part in segments(number(block), lanes)])


@dataclass(frozen=True, eq=False)
class _Lines:
    """Lines of vectors, in buffers each of which is small enough for the stack.

    Attributes:
        dtype: Of the numbers.
        together: How many lines share a buffer.
        buffers: Shape (lines, vectors of a line, lanes).
    """

    dtype: str
    together: int
    buffers: tuple[Buffer, ...]

    @classmethod
    def of(
        cls, builder: LoopNestBuilder, name: str, dtype: str, count: int, shape: tuple[int, int]
    ) -> _Lines:
        """Return so many lines of vectors, as evenly shared by buffers as can be."""
        size = math.prod(shape) * DataType(dtype).itemsize
        together = -(-count // -(-count // max((STACK - 1) // size, 1)))
        buffers = [
            builder.local_buffer(name, dtype, [number(part.width), *map(number, shape)])
            for part in segments(number(count), together)
            for _ in range(int(part.count))
        ]
        return cls(dtype, together, tuple(buffers))

    def line(self, nth: int) -> tuple[Buffer, Expr]:
        """Return the buffer that holds a line, and its place there."""
        return self.buffers[nth // self.together], number(nth % self.together)

    def each(
        self, builder: LoopNestBuilder, body: Callable[[Buffer, Expr, Expr], Stmt | None]
    ) -> Stmt | None:
        """Do something for each line: told its buffer, its place there, and which it is."""

        def lines(nth: int, buffer: Buffer) -> Stmt | None:
            first, count = nth * self.together, int(buffer.shape[0])
            return _each(builder, "line", count, lambda i: body(buffer, i, i + first))

        return sequence([lines(*each) for each in enumerate(self.buffers)])


def _each(
    builder: LoopNestBuilder, name: str, count: int, body: Callable[[Expr], Stmt | None]
) -> Stmt | None:
    axis = Axis(Var(name, "int64"), number(count))
    return builder.nest([axis], lambda at: body(at[axis.var]))
