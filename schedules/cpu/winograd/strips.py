"""The strips of a Winograd convolution's tiles: their buffers, and the products of one point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, Var

from tvmfuse.ops.winograd import first_chunk
from tvmfuse.schedules.cpu.gemm.contraction_nest import ContractionNest
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.cpu.winograd.grid import TileGrid
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, Store


@dataclass(frozen=True, eq=False)
class Strip:
    """Some tiles, as many in each such strip.

    Attributes:
        segment: The tiles of all such strips.
        count: The tiles of one strip; a variable where the last one may have fewer.
        lines: Tiles from one point to the next in both buffers; a variable where `count` is one.
        inputs: The transformed inputs, of shape (I / a, t, t, tiles of the strip, a).
        products: Their products with the weights of `blocks` blocks, of shape (t, t, blocks, tiles
            of the strip, b).
        product: The nest of the products of one point.
        blocks: Blocks of output channels that are multiplied at once.
    """

    segment: Segment
    count: Expr
    lines: Expr
    inputs: Buffer
    products: Buffer
    product: ContractionNest
    blocks: int

    def most(self, buffer: Buffer) -> int:
        """Return how many elements one of the buffers has, at most."""
        most = self.segment.width | 1
        return math.prod(static(size) or most for size in buffer.shape)


@dataclass(frozen=True, eq=False)
class Strips:
    """What is the same of all strips.

    Attributes:
        scope: The machine and the steps.
        grid: The tiles of the images.
        products: The stage of the products.
        at: The variables of a point, and of the first block of output channels.
    """

    scope: Scope
    grid: TileGrid
    products: Stage
    at: tuple[Var, Var, Var] = field(
        default_factory=lambda: (Var("a", "int64"), Var("b", "int64"), Var("block", "int64"))
    )
    _made: dict[tuple[int, int], tuple[Strip, ...]] = field(
        default_factory=dict, init=False, repr=False
    )

    def block_counts(self, most: int) -> Sequence[int]:
        """Return how many blocks of output channels may be multiplied at once."""
        count = int(self.weights.shape[0])
        grouped = int(self.weights.shape[3]) != self.grid.chunks
        return [1] if grouped else [n for n in range(1, most + 1) if count % n == 0]

    def of(self, tiles: int, blocks: int) -> tuple[Strip, ...]:
        """Return the strips of so many tiles, and the last one if it is shorter."""
        if (tiles, blocks) not in self._made:
            count, width = self.grid.count, number(tiles)
            if static(count) is None:
                some = Segment(number(0), tirx.floordiv(count + (tiles - 1), width), tiles)
                self._made[tiles, blocks] = (self.one(some, Var("tiles", "int64"), blocks),)
            else:
                parts = segments(count, tiles)
                self._made[tiles, blocks] = tuple(
                    self.one(s, number(s.width), blocks) for s in parts
                )
        return self._made[tiles, blocks]

    def one(self, segment: Segment, count: Expr, blocks: int) -> Strip:
        """Return the strips of a segment, of `count` tiles each."""
        _, t, _, _, _, block, *_ = self.weights.shape
        # An odd number of lines, so that the points of a tile fill all sets of the caches.
        known = static(count) is not None
        lines = number(segment.width | 1) if known else Var("lines", "int64")
        dtype, inner = self.dtype, number(self.grid.block)
        inputs = tirx.decl_buffer((self.grid.chunks, t, t, lines, inner), self.moved, "inputs")
        products = tirx.decl_buffer((t, t, number(blocks), lines, block), dtype, "products")
        beside = Axis(Var("beside", "int64"), number(blocks))
        stage = self._product(inputs, products, count, beside)
        group = Group(stage, members=(stage,), stored=frozenset([products]))
        nest = ContractionNest.of(group, self.scope)
        assert isinstance(nest, ContractionNest)
        nest = nest.beside(beside, blocks) if blocks > 1 else nest
        return Strip(segment, count, lines, inputs, products, nest, blocks)

    @property
    def moved(self) -> str:
        """The type in which transformed tiles are multiplied."""
        stored = self.grid.stored
        return stored if stored == self.dtype else str(self.weights.dtype)

    @cached_property
    def weights(self) -> Buffer:
        """Of shape (O / b, t, t, I / a, a, b), or (O / b, t, t, I / a, a / g, b, g)."""
        return next(s.source for s in self.products.loads if len(s.source.shape) > 5)

    @property
    def dtype(self) -> str:
        """The type of the products."""
        return str(self.products.store.buffer.dtype)

    def _product(self, inputs: Buffer, products: Buffer, tiles: Expr, beside: Axis) -> Stage:
        """Return the matrix product of one point: tiles x input channels by output channels.

        Args:
            inputs: The transformed inputs.
            products: Of `beside` many blocks.
            tiles: How many there are.
            beside: Blocks that are multiplied at once; of one there is no such axis.
        """
        (a, b, block), (_, _, _, chunks, inner, _, *near) = self.at, self.weights.shape
        first = first_chunk(block, self.weights.shape, self.grid.chunks // int(chunks))
        p, k = (Axis(Var(n, "int64"), e) for n, e in (("p", tiles), ("k", self.weights.shape[5])))
        chunk, lane, *nth = (
            Axis(Var(n, "int64"), e, reduces=True)
            for n, e in zip(("chunk", "lane", "near"), (chunks, inner, *near), strict=False)
        )
        several = static(beside.extent) != 1
        place: Expr = beside.var if several else number(0)
        at, channel = (a, b, place, p.var, k.var), lane.var
        for axis in nth:
            channel = channel * axis.extent + axis.var
        near_by, dtype = [axis.var for axis in nth], self.dtype
        pixel = BufferLoad(inputs, [first + chunk.var, a, b, p.var, channel])
        own = [block + place, a, b, chunk.var, lane.var, k.var, *near_by]
        weight = BufferLoad(self.weights, own)
        total = BufferLoad(products, at) + pixel.astype(dtype) * weight.astype(dtype)
        store = Store(products, at, total, tirx.const(0, dtype))
        spatial = (beside, p, k) if several else (p, k)
        return Stage("product", (*spatial, chunk, lane, *nth), (store,))
