"""Where the tiles of a Winograd convolution are, and which of its input they read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tvm import tirx
from tvm.ir import Call, Expr, TensorLoad
from tvm.tirx import Bind, Buffer, Stmt, Var

from tvmfuse.ops.winograd import TAPS
from tvmfuse.schedules.expressions import IF_THEN_ELSE, callee, number, static, substitute
from tvmfuse.schedules.kernels import Stage, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder


@dataclass(frozen=True, eq=False)
class TileGrid:
    """The tiles of some images: m x m outputs each, of t x t inputs.

    They follow each other along a row, then row by row, then image by image. Tiles at the ends of
    an image may reach beyond it.

    Attributes:
        padded: The stage that pads the input.
        size: Outputs of a tile in each direction.
        image: The buffer (N, O / b, H, W, b) that the tiles make up.
    """

    padded: Stage
    size: int
    image: Buffer

    @property
    def points(self) -> int:
        """Inputs of a tile in each direction."""
        return self.size + TAPS - 1

    @property
    def down(self) -> Expr:
        """Rows of tiles of one image."""
        return self._tiles(2)

    @property
    def across(self) -> Expr:
        """Tiles of a row."""
        return self._tiles(3)

    @cached_property
    def count(self) -> Expr:
        """Tiles of all images."""
        known = analyzer(sizes=self.image.shape)
        return known.simplify(self.image.shape[0] * self.down * self.across)

    @property
    def ragged(self) -> bool:
        """Whether tiles may reach beyond the image."""
        sizes = [static(size) for size in self.image.shape[2:4]]
        return any(size is None or size % self.size for size in sizes)

    @property
    def chunks(self) -> int:
        """Blocks of the input's channels."""
        return int(self._source.source.shape[1])

    @property
    def block(self) -> int:
        """Channels of a block of the input."""
        return int(self._source.source.shape[-1])

    @property
    def stored(self) -> str:
        """The type of the input's elements."""
        return str(self._source.source.dtype)

    def places(self, builder: LoopNestBuilder, tile: Expr) -> tuple[Expr, Expr, Expr]:
        """Return a tile's image, and the first line and column of its outputs there."""
        # Of size 0 there is no tile, but a compiler may compute a quotient early.
        down, across = (tirx.max(tiles, 1) for tiles in (self.down, self.across))
        row = tirx.floordiv(tile, across)
        found = (
            tirx.floordiv(row, down),
            tirx.floormod(row, down) * self.size,
            tirx.floormod(tile, across) * self.size,
        )
        image, top, left = (builder.simplify(e) for e in found)
        return image, top, left

    def whole(self, place: Place) -> Expr:
        """Whether a tile lies inside the image."""
        height, width = self.image.shape[2:4]
        return tirx.all(place.top + self.size <= height, place.left + self.size <= width)

    def inside(self, place: Place) -> Expr:
        """Whether all that a tile reads lies inside the input, and not in its padding."""
        first, last = (self._read(place, d, d) for d in (number(0), number(self.points - 1)))
        sizes = self._source.source.shape
        return tirx.all(
            *(first.indices[d] >= 0 for d in (2, 3)),
            *(last.indices[d] < sizes[d] for d in (2, 3)),
        )

    def padded_value(self, place: Place, chunk: Expr, y: Expr, x: Expr, k: Expr) -> Expr:
        """Return one of the inputs of a tile, or the padding that stands there."""
        return substitute(self.padded.store.value, self._at(place, chunk, y, x, k))

    def corner(self, builder: LoopNestBuilder, place: Place, chunk: Expr) -> Corner:
        """Return where a tile that lies inside the input begins there."""
        source = self._source.source
        at = self._at(place, chunk, number(0), number(0), number(0))
        offset: Expr = number(0)
        for size, index in zip(source.shape, self._source.indices, strict=True):
            offset = offset * size + substitute(index, at)
        pitch = builder.simplify(source.shape[3] * source.shape[4])
        (start, start_is), (line, line_is) = (
            builder.named("start", builder.simplify(offset)),
            builder.named("line", pitch),
        )
        return Corner(source, start, line, (start_is, line_is))

    @cached_property
    def _source(self) -> TensorLoad:
        """The input's element, where none of the padding stands."""
        value = self.padded.store.value
        if isinstance(value, Call) and callee(value) == IF_THEN_ELSE:
            value = value.args[1]
        assert isinstance(value, TensorLoad)
        return value

    def _read(self, place: Place, y: Expr, x: Expr) -> TensorLoad:
        at = self._at(place, number(0), y, x, number(0))
        return tirx.BufferLoad(
            self._source.source, [substitute(i, at) for i in self._source.indices]
        )

    def _at(self, place: Place, chunk: Expr, y: Expr, x: Expr, k: Expr) -> dict[Var, Expr]:
        values = (place.image, chunk, place.top + y, place.left + x, k)
        return indices_at(self.padded.store.indices, values)

    def _tiles(self, dimension: int) -> Expr:
        extent = self.image.shape[dimension]
        tiles = tirx.floordiv(extent + (self.size - 1), self.size)
        return analyzer(sizes=[extent]).simplify(tiles)


@dataclass(frozen=True, eq=False)
class Place:
    """Where a tile is: its image, and the first line and column of its outputs."""

    image: Expr
    top: Expr
    left: Expr


@dataclass(frozen=True, eq=False)
class Corner:
    """Where a tile begins in the input.

    Attributes:
        source: The input.
        start: The offset of its first element.
        line: Elements from one line to the next.
        named: The statements that compute both.
    """

    source: Buffer
    start: Expr
    line: Expr
    named: tuple[Bind, ...]

    def value(self, y: int, x: Expr, k: Expr) -> Expr:
        """Return one of the tile's inputs."""
        *outer, block = self.source.shape
        offset = self.start + self.line * y + x * block + k
        return tirx.BufferLoad(self.source, [*(number(0) for _ in outer), offset])


def indices_at(indices: tuple[Expr, ...], values: tuple[Expr, ...]) -> dict[Var, Expr]:
    """Return the axes' values where an element's indices have these; axes of extent 1 are gone."""
    pairs = zip(indices, values, strict=True)
    return {index: value for index, value in pairs if isinstance(index, Var)}


def either(condition: Expr, then: Stmt | None, otherwise: Stmt | None) -> Stmt | None:
    """Return a branch; `then` alone where there is nothing else."""
    if then is None or otherwise is None:
        return then
    return tirx.IfThenElse(condition, then, otherwise)
