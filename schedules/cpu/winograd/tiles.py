"""The tiles of a Winograd convolution: into the points where it multiplies, and back.

A tile that lies inside the image is read and written there as it is; one at an end of the image
goes through a small buffer, with a branch for each of its pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, ForKind, IfThenElse, Stmt, Var

from tvmfuse.ir.bfloat16 import BFLOAT16, cast_to_bfloat16
from tvmfuse.ops.cook_toom import Filtering, minimal_filtering
from tvmfuse.ops.winograd import TAPS, combination, transformed_in
from tvmfuse.schedules.cpu.narrow import rounded
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.cpu.winograd.grid import Place, TileGrid, either, indices_at
from tvmfuse.schedules.expressions import flat, map_loads, number, static
from tvmfuse.schedules.kernels import Axis, Stage
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
        parts, dtype = self._parts(self.grid.block), transformed_in(str(inputs.dtype))

        def direct(start: int) -> Callable[[int, Expr, Expr], Expr]:
            return lambda y, x, k: corner.value(y, x, k + start).astype(dtype)

        def guarded(start: int) -> Callable[[int, Expr, Expr], Expr]:
            return lambda y, x, k: self.grid.padded_value(
                place, chunk, number(y), x, k + start
            ).astype(dtype)

        first, found = self._first(inputs, chunk, p)

        def part(start: int, wide: int) -> Stmt | None:
            t = self.grid.points
            columns = self._lines("columns", t, wide, dtype=dtype)
            inside = self._columns(columns, wide, direct(start))
            ending = self._columns(columns, wide, guarded(start), copied=True)
            read = either(self.grid.inside(place), inside, ending)
            return self.builder.allocate(
                columns, [read, self._points(columns, wide, start, first, inputs)]
            )

        return sequence([*named, *corner.named, *found, *(part(*each) for each in parts)])

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
        columns: Sequence[Buffer],
        wide: int,
        value: Callable[[int, Expr, Expr], Expr],
        *,
        copied: bool = False,
    ) -> Stmt | None:
        """Transform a tile along its columns.

        Args:
            columns: For each point, a buffer (t, lanes).
            wide: Lanes.
            value: Returns an input by line, column and lane.
            copied: Whether values go through a buffer, as they take more than a load.
        """
        matrix, t = self._filtering.inputs.tolist(), self.grid.points
        pixels = self._lines("pixel", t, wide, 1, dtype=columns[0].dtype) if copied else []
        axis = Axis(Var("x", "int64"), number(t))

        def one(at: Values) -> Stmt | None:
            x = at[axis.var]

            def copy(j: int) -> Element:
                return lambda k: self._set(pixels[j], [number(0), k], value(j, x, k))

            def read(j: int, k: Expr) -> Expr:
                return BufferLoad(pixels[j], [number(0), k]) if copied else value(j, x, k)

            def column(a: int) -> Element:
                return lambda k: self._set(
                    columns[a], [x, k], combination(matrix[a], lambda j: read(j, k))
                )

            return sequence(
                [
                    *(self._vector(wide, copy(j)) for j in range(t) if copied),
                    *(self._vector(wide, column(a)) for a in range(t)),
                ]
            )

        return self.builder.allocate(pixels, [self.builder.nest([axis], one)])

    def _points(
        self,
        columns: Sequence[Buffer],
        wide: int,
        start: int,
        first: tuple[Expr, Expr, Expr],
        inputs: Buffer,
    ) -> Stmt | None:
        """Transform a tile's columns along its lines."""
        chunk, p, channel = first
        matrix, t = self._filtering.inputs.tolist(), self.grid.points
        halves = str(inputs.dtype) == BFLOAT16

        def point(a: int, b: int) -> Element:
            def value(k: Expr) -> Expr:
                found = combination(matrix[b], lambda j: BufferLoad(columns[a], [number(j), k]))
                return cast_to_bfloat16(found) if halves else found

            return lambda k: self._set(
                inputs, [chunk, number(a), number(b), p, channel + k + start], value(k)
            )

        return sequence([self._vector(wide, point(a, b)) for a in range(t) for b in range(t)])

    def finished(self, block: Expr, p: Expr, places: Buffer, products: Buffer) -> Stmt | None:
        """Transform one tile back, finish it, and put it into the image.

        Args:
            block: The block of channels.
            p: The tile in the strip.
            places: Shape (tiles of the strip, 3).
            products: Shape (t, t, tiles of the strip, b).
        """
        place, named = self._place(places, p)
        parts = self._parts(int(products.shape[3]))
        return sequence([*named, *(self._finished(place, block, p, products, *x) for x in parts)])

    def _finished(
        self, place: Place, block: Expr, p: Expr, products: Buffer, start: int, wide: int
    ) -> Stmt | None:
        """Finish one vector of each point of a tile."""
        matrix, m, t = self._filtering.outputs.tolist(), self.grid.size, self.grid.points
        lines = self._lines("lines", m, wide, t, dtype=products.dtype)

        def gathered(r: int, b: int) -> Element:
            def value(k: Expr) -> Expr:
                return combination(
                    matrix[r],
                    lambda a: BufferLoad(products, [number(a), number(b), p, k + start]),
                )

            return lambda k: self._set(lines[r], [number(b), k], value(k))

        def result(r: int, s: int, k: Expr) -> Expr:
            return combination(matrix[s], lambda b: BufferLoad(lines[r], [number(b), k]))

        def end(r: int, s: Expr, k: Expr, value: Expr) -> Stmt:
            y, x = place.top + r, place.left + s
            return self._end((place.image, block, y, x, k + start), value)

        def whole(r: int, s: int) -> Element:
            return lambda k: end(r, number(s), k, result(r, s, k))

        def ragged(r: int) -> Stmt | None:
            """Finish what of a line lies inside the image."""
            height, width = self.grid.image.shape[2:4]
            (kept,) = self._lines("line", 1, wide, m, dtype=products.dtype)
            axis = Axis(Var("x", "int64"), tirx.min(width - place.left, m))

            def keep(s: int) -> Element:
                return lambda k: self._set(kept, [number(s), k], result(r, s, k))

            def put(s: Expr) -> Element:
                return lambda k: end(r, s, k, BufferLoad(kept, [s, k]))

            stored = self.builder.nest([axis], lambda at: self._vector(wide, put(at[axis.var])))
            line = self.builder.allocate(
                [kept], [*(self._vector(wide, keep(s)) for s in range(m)), stored]
            )
            return line and IfThenElse(place.top + r < height, line, None)

        each = sequence([self._vector(wide, whole(r, s)) for r in range(m) for s in range(m)])
        ends = sequence([ragged(r) for r in range(m)]) if self.grid.ragged else None
        gathering = [self._vector(wide, gathered(r, b)) for b in range(t) for r in range(m)]
        return self.builder.allocate(
            lines, [*gathering, either(self.grid.whole(place), each, ends)]
        )

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

    def _lines(
        self, name: str, count: int, wide: int, long: int | None = None, *, dtype: object
    ) -> list[Buffer]:
        """Return some buffers of vectors, each small enough for the stack."""
        shape = [number(self.grid.points if long is None else long), number(wide)]
        return [self.builder.local_buffer(name, str(dtype), shape) for _ in range(count)]

    def _set(self, buffer: Buffer, indices: Sequence[Expr], value: Expr) -> Stmt:
        value = rounded(self.builder, self.builder.value(value, {}))
        return self.builder.store(buffer, indices, value, {})

    def _vector(self, wide: int, element: Element) -> Stmt | None:
        return self.builder.inner(Var("k", "int64"), wide, ForKind.VECTORIZED, element)

    def _parts(self, total: int) -> list[tuple[int, int]]:
        """Cut a block into vectors: where each begins, and its lanes."""
        lanes = self.scope.machine.isa.float_lanes
        return [(start, min(lanes, total - start)) for start in range(0, total, lanes)]
