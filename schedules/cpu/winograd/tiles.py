"""The tiles of a Winograd convolution: into the points where it multiplies, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, ForKind, IfThenElse, Stmt, Var

from tvmfuse.ops.cook_toom import Filtering, minimal_filtering
from tvmfuse.ops.winograd import TAPS, combination
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.cpu.pointwise import inner_pointwise
from tvmfuse.schedules.expressions import map_loads, number, substitute
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence

Element = Callable[[Expr], Stmt]
"""Returns a statement for one lane."""


@dataclass(frozen=True, eq=False)
class TileGrid:
    """The tiles of an image: m x m outputs each, of t x t inputs.

    Attributes:
        padded: The stage that pads the input, to whole tiles.
        outputs: The buffer (O / b, tiles, m, m, b) of the transformed products.
    """

    padded: Stage
    outputs: Buffer

    @cached_property
    def size(self) -> int:
        """Outputs of a tile in each direction."""
        return int(self.outputs.shape[2])

    @property
    def down(self) -> int:
        """Rows of tiles of one image."""
        return (int(self.padded.store.buffer.shape[2]) - TAPS + 1) // self.size

    @property
    def across(self) -> int:
        """Tiles of a row."""
        return (int(self.padded.store.buffer.shape[3]) - TAPS + 1) // self.size

    @cached_property
    def rows(self) -> Expr:
        """Rows of tiles of all images."""
        images = self.padded.store.buffer.shape[0]
        return analyzer(sizes=[images]).simplify(images * self.down)


@dataclass(frozen=True, eq=False)
class Tiles:
    """Tiles of m x m outputs, into the points where they are multiplied, and back.

    Attributes:
        builder: Of the function.
        scope: The vectors.
        grid: Where the tiles are.
        end: The stage that puts tiles into the image, and finishes them.
    """

    builder: LoopNestBuilder
    scope: Scope
    grid: TileGrid
    end: Stage

    @property
    def _filtering(self) -> Filtering:
        return minimal_filtering(self.grid.size, TAPS)

    def transformed(self, chunk: Expr, begin: Expr, row: Expr, inputs: Buffer) -> Stmt | None:
        """Transform one row of tiles of one block of channels.

        Args:
            chunk: The block.
            begin: The strip's first row of tiles.
            row: The row in the strip.
            inputs: Shape (I / a, t, t, tiles of the strip, a).
        """
        t, matrix = self.grid.size + TAPS - 1, self._filtering.inputs.tolist()
        width, block = self.grid.padded.store.buffer.shape[3:]
        padded, columns = (
            self.builder.local_buffer(name, "float32", [number(t), width, block])
            for name in ("padded", "columns")
        )
        x, tile = (
            Axis(Var(name, "int64"), extent)
            for name, extent in (("x", width), ("tile", number(self.grid.across)))
        )
        line = Axis(Var("line", "int64"), number(t))

        def column(a: int, at: Values) -> Element:
            def value(k: Expr) -> Expr:
                return combination(
                    matrix[a], lambda j: BufferLoad(padded, [number(j), at[x.var], k])
                )

            return lambda k: self._set(columns, [number(a), at[x.var], k], value(k))

        def point(b: int, at: Values) -> Element:
            first, p = at[tile.var] * self.grid.size, row * self.grid.across + at[tile.var]

            def value(k: Expr) -> Expr:
                return combination(
                    matrix[b], lambda j: BufferLoad(columns, [at[line.var], first + j, k])
                )

            return lambda k: self._set(inputs, [chunk, at[line.var], number(b), p, k], value(k))

        return self.builder.allocate(
            [padded, columns],
            [
                self._copy(chunk, begin + row, padded),
                self.builder.nest(
                    [x], lambda at: self._vectors(block, [column(a, at) for a in range(t)])
                ),
                self.builder.nest(
                    [line, tile], lambda at: self._vectors(block, [point(b, at) for b in range(t)])
                ),
            ],
        )

    def _copy(self, chunk: Expr, row: Expr, padded: Buffer) -> Stmt | None:
        image, first = self._place(row)
        axes = [Axis(Var(name, "int64"), e) for name, e in zip("yxk", padded.shape, strict=True)]
        y, x, k = (a.var for a in axes)
        store = self.grid.padded.store
        at = _at(store.indices, [image, chunk, first + y, x, k])
        value = substitute(store.value, at)
        copy = replace(store, buffer=padded, indices=(y, x, k), value=value)
        return inner_pointwise(self.builder, Stage("copy", tuple(axes), (copy,)), self.scope)

    def finished(
        self, block: Expr, row: Expr, tile: Expr, p: Expr, products: Buffer
    ) -> Stmt | None:
        """Transform one tile back, finish it, and put it into the image.

        Args:
            block: The block of channels.
            row: The row of tiles.
            tile: The tile in the row.
            p: The tile in the strip.
            products: Shape (t, t, tiles of the strip, b).
        """
        image, top = self._place(row)
        place = _Place(image, block, top, self.builder.simplify(tile * self.grid.size))
        parts = self._parts(products.shape[3])
        return sequence([self._finished(place, p, products, *part) for part in parts])

    def _finished(
        self, place: _Place, p: Expr, products: Buffer, start: int, wide: int
    ) -> Stmt | None:
        """Finish one vector of each point of a tile."""
        matrix, m, t = self._filtering.outputs.tolist(), self.grid.size, self.grid.size + TAPS - 1
        height, width = self._ends
        rows = [
            self.builder.local_buffer("rows", "float32", [number(t), number(wide)])
            for _ in range(m)
        ]

        def gathered(r: int, b: int) -> Element:
            def value(k: Expr) -> Expr:
                return combination(
                    matrix[r],
                    lambda a: BufferLoad(products, [number(a), number(b), p, k + start]),
                )

            return lambda k: self._set(rows[r], [number(b), k], value(k))

        def ended(r: int, s: int) -> Element:
            def value(k: Expr) -> Expr:
                return combination(matrix[s], lambda b: BufferLoad(rows[r], [number(b), k]))

            return lambda k: self._end(place, r, s, k + start, value(k))

        def point(r: int, s: int) -> Stmt | None:
            always = s <= (width - 1) % m
            return _if(place.left + s < width, self._vector(wide, ended(r, s)), always=always)

        def line(r: int) -> Stmt | None:
            points = sequence([point(r, s) for s in range(m)])
            return _if(place.top + r < height, points, always=r <= (height - 1) % m)

        gathering = [self._vector(wide, gathered(r, b)) for b in range(t) for r in range(m)]
        return self.builder.allocate(rows, [*gathering, *(line(r) for r in range(m))])

    def _end(self, place: _Place, r: int, s: int, k: Expr, tile: Expr) -> Stmt:
        """Return the store of one element of the image, from its value in a tile."""
        store = self.end.store
        y, x = place.top + r, place.left + s
        at = _at(store.indices, [place.image, place.block, y, x, k])

        def load(node: TensorLoad) -> Expr:
            return tile if node.source.same_as(self.grid.outputs) else node

        value = map_loads(store.value, load)
        return self.builder.store(store.buffer, store.indices, self.builder.value(value, at), at)

    @property
    def _ends(self) -> tuple[int, int]:
        """Height and width of the output."""
        height, width = self.end.store.buffer.shape[2:4]
        return int(height), int(width)

    def _place(self, row: Expr) -> tuple[Expr, Expr]:
        """Return the image of a row of tiles, and the first line that it needs."""
        image = tirx.floordiv(row, self.grid.down)
        line = tirx.floormod(row, self.grid.down) * self.grid.size
        return self.builder.simplify(image), self.builder.simplify(line)

    def _set(self, buffer: Buffer, indices: Sequence[Expr], value: Expr) -> Stmt:
        return self.builder.store(buffer, indices, self.builder.value(value, {}), {})

    def _vectors(self, extent: Expr, elements: Sequence[Element]) -> Stmt | None:
        """Run each statement for each vector of a block."""

        def one(start: int, wide: int, element: Element) -> Stmt | None:
            return self._vector(wide, lambda k: element(k + start))

        return sequence([one(*part, e) for part in self._parts(extent) for e in elements])

    def _vector(self, wide: int, element: Element) -> Stmt | None:
        return self.builder.inner(Var("k", "int64"), wide, ForKind.VECTORIZED, element)

    def _parts(self, extent: Expr) -> list[tuple[int, int]]:
        """Cut a block into vectors: where each begins, and its lanes."""
        lanes, total = self.scope.machine.isa.float_lanes, int(extent)
        return [(start, min(lanes, total - start)) for start in range(0, total, lanes)]


@dataclass(frozen=True, eq=False)
class _Place:
    """Where a tile is in the output: its image, block of channels, first line and column."""

    image: Expr
    block: Expr
    top: Expr
    left: Expr


def _if(condition: Expr, then: Stmt | None, *, always: bool) -> Stmt | None:
    return then if always or then is None else IfThenElse(condition, then, None)


def _at(indices: Sequence[Expr], values: Sequence[Expr]) -> dict[Var, Expr]:
    """Return the axes' values where an element's indices have these; axes of extent 1 are gone."""
    pairs = zip(indices, values, strict=True)
    return {index: value for index, value in pairs if isinstance(index, Var)}
