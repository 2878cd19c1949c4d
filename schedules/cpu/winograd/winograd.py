"""Winograd convolutions: transforms and products, a strip of tiles at a time.

::

    for each strip, some rows of tiles:
        for each block of input channels, in threads:
            transform                                  what is read again is in the first cache
        for each block of output channels, in threads:
            for each of the t * t points:
                multiply matrices                      on the register tile
            transform back, tile by tile, and finish   the products are in the second cache

A strip has enough tiles for each weight to be used many times while it is near, and not many more,
so that the transformed inputs are near, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, Stmt, Var

from tvmfuse.ops.winograd import STAGES
from tvmfuse.schedules.cpu.gemm.contraction_nest import ContractionNest
from tvmfuse.schedules.cpu.group_nest import group_nests
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, lanes, segments
from tvmfuse.schedules.cpu.winograd.tiles import TileGrid, Tiles
from tvmfuse.schedules.cpu.work import Work, in_vectors, named_stages, scope_of
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.groups import Group, groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import Axis, Kernel, Stage, Store
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import ContractionPlan, WinogradPlan
from tvmfuse.schedules.protocol import Declined, Subject

#: Channels of one block of a sum. Transforms multiply what a sum rounds off: of 256 channels in one
#: block 8 times what a direct convolution does that sums in blocks, too, and in two blocks 6 times.
MAX_CHANNELS_SUMMED: Final = 128

#: Rows of tiles of a strip, where their number is known only later.
MAX_STRIP_ROWS: Final = 64


def winograd(subject: Subject) -> Work | Declined:
    """Tile a Winograd convolution, `tvmfuse.winograd`, and what is fused behind it."""
    named = named_stages(subject, STAGES, "Winograd convolution")
    if isinstance(named, Declined):
        return named
    (kernel, stages), scope = named, scope_of(subject)
    first, *_, products, _, outputs = (kernel.stages[0], *(stages[name] for name in STAGES))
    after = kernel.stages[kernel.stages.index(outputs) + 1 :]
    results = outputs.store.buffer
    (end, *rest), steps = _finishing(replace(kernel, stages=after), results, scope)
    nest = WinogradNest(scope, TileGrid(first, results), end, products)
    behind = groups(replace(kernel, stages=tuple(rest)))
    nests = (nest, *(n for group in behind for n in group_nests(group, scope)))
    return Work(kernel, nests, steps)


def _finishing(
    kernel: Kernel, results: Buffer, scope: Scope
) -> tuple[tuple[Stage, ...], frozenset[str]]:
    """Return the stages behind the tiles, inlined into the first where that keeps its vectors.

    The tiles' results are there for the first one only.
    """
    kernel, steps = in_vectors(kernel, scope)
    inlined = inline(kernel).stages
    read_later = any(x.source.same_as(results) for stage in inlined[1:] for x in stage.loads)
    vectors = lanes(inlined[:1], inlined[0].axes[-1], scope.machine) > 1
    return (inlined if vectors and not read_later else kernel.stages), steps


@dataclass(frozen=True, eq=False)
class _Strip:
    """Some rows of tiles, as many in each such strip.

    Attributes:
        segment: The rows of tiles of all such strips.
        inputs: The transformed inputs, of shape (I / a, t, t, tiles of the strip, a).
        products: Their products with one block's weights, of shape (t, t, tiles of the strip, b).
        product: The nest of the products of one point.
    """

    segment: Segment
    inputs: Buffer
    products: Buffer
    product: ContractionNest


@dataclass(frozen=True, eq=False)
class WinogradNest(Nest[WinogradPlan]):
    """The loops over strips of tiles.

    Attributes:
        scope: The machine and the steps.
        grid: The tiles of the image.
        end: The stage that puts tiles into the image, and finishes them.
        products: The stage of the products.
    """

    plan_type = WinogradPlan

    scope: Scope
    grid: TileGrid
    end: Stage
    products: Stage
    _made: dict[int, tuple[_Strip, ...]] = field(default_factory=dict, init=False, repr=False)
    _at: tuple[Var, Var, Var] = field(
        default_factory=lambda: (Var("a", "int64"), Var("b", "int64"), Var("block", "int64")),
        init=False,
        repr=False,
    )

    def plan(self, *, parallel: bool = True) -> WinogradPlan:
        """Plan strips of about one length."""
        tuning, rows = self.scope.machine.tuning, self.grid.rows
        most, known = max(1, tuning.winograd_tiles // self.grid.across), static(rows)
        strip_rows = most if known is None else -(-known // -(-known // most))
        plans = [
            replace(strip.product.plan(parallel=False), k_blocks=self._k_blocks)
            for strip in self._strips(strip_rows)
        ]
        return WinogradPlan(
            m=self.grid.size,
            strip_rows=strip_rows,
            product=plans[0],
            last_product=plans[1] if len(plans) > 1 else None,
            parallel=parallel and should_parallelize([self.products], self.scope.machine),
        )

    def misfits(self, plan: WinogradPlan) -> Iterator[Misfit]:
        if plan.m != self.grid.size:
            yield Misfit("m", f"{self.grid.size}, for which weights are transformed", plan.m)
        rows = static(self.grid.rows)
        most = MAX_STRIP_ROWS if rows is None else rows
        if not 1 <= plan.strip_rows <= most:
            yield Misfit("strip_rows", f"1 to {most}", plan.strip_rows)
        strips = self._strips(plan.strip_rows)
        plans = {"product": plan.product, "last_product": plan.last_product}
        for strip, (name, product) in zip((*strips, None)[:2], plans.items(), strict=True):
            if (strip is None) != (product is None):
                yield Misfit(name, "a plan" if strip else "none", "none" if strip else "a plan")
            elif strip and product and (found := strip.product.misfit(product, parallel=False)):
                yield found._replace(field=f"{name}.{found.field}")

    def emit(self, builder: LoopNestBuilder, plan: WinogradPlan) -> Stmt | None:
        tiles = Tiles(builder, self.scope, self.grid, self.end)
        plans = (plan.product, plan.last_product or plan.product)

        def loops(strip: _Strip, product: ContractionPlan) -> Stmt | None:
            axis, segment = Axis(Var("strip", "int64"), strip.segment.count), strip.segment

            def body(at: Values) -> Stmt | None:
                begin = builder.simplify(segment.begin + at[axis.var] * segment.width)
                return self._strip_loops(tiles, strip, begin, product, parallel=plan.parallel)

            return builder.nest([axis], body)

        pairs = zip(self._strips(plan.strip_rows), plans, strict=False)
        return sequence([loops(*pair) for pair in pairs])

    def _strip_loops(
        self, tiles: Tiles, strip: _Strip, begin: Expr, plan: ContractionPlan, *, parallel: bool
    ) -> Stmt | None:
        builder, height = tiles.builder, strip.segment.width
        blocks, _, _, chunks, _, _ = self._weights.shape
        chunk, row, block = (
            Axis(Var(name, "int64"), extent)
            for name, extent in (("chunk", chunks), ("row", number(height)), ("block", blocks))
        )
        inputs = builder.localize(strip.inputs)
        transform = builder.nest(
            [chunk, row],
            lambda at: tiles.transformed(at[chunk.var], begin, at[row.var], inputs),
            parallel=parallel,
        )
        multiply = builder.nest(
            [block],
            lambda at: self._block(tiles, strip, at[block.var], begin, plan),
            parallel=parallel,
        )
        return builder.allocate([inputs], [transform, multiply])

    def _block(
        self, tiles: Tiles, strip: _Strip, block: Expr, begin: Expr, plan: ContractionPlan
    ) -> Stmt | None:
        """Compute one block of output channels of a strip."""
        builder, (var_a, var_b, var_block) = tiles.builder, self._at
        a, b = (Axis(var, strip.inputs.shape[1]) for var in (var_a, var_b))
        products = builder.localize(strip.products)

        def product(at: Values) -> Stmt | None:
            with builder.scope({**at, var_block: block}):
                return strip.product.emit(builder, plan)

        row, tile = (
            Axis(Var(name, "int64"), number(extent))
            for name, extent in (("row", strip.segment.width), ("tile", self.grid.across))
        )
        back = builder.nest(
            [row, tile],
            lambda at: tiles.finished(
                block,
                begin + at[row.var],
                at[tile.var],
                at[row.var] * self.grid.across + at[tile.var],
                products,
            ),
        )
        return builder.allocate([products], [builder.nest([a, b], product), back])

    def _strips(self, rows: int) -> tuple[_Strip, ...]:
        """Return the strips of so many rows of tiles, and the last one if it is shorter."""
        if rows not in self._made:
            self._made[rows] = tuple(map(self._strip, segments(self.grid.rows, rows)))
        return self._made[rows]

    def _strip(self, segment: Segment) -> _Strip:
        _, t, _, chunks, inner, block = self._weights.shape
        tiles = number(segment.width * self.grid.across)
        inputs = tirx.decl_buffer((chunks, t, t, tiles, inner), self._dtype, "inputs")
        products = tirx.decl_buffer((t, t, tiles, block), self._dtype, "products")
        stage = self._product(inputs, products)
        group = Group(stage, members=(stage,), stored=frozenset([products]))
        nest = ContractionNest.of(group, self.scope)
        assert isinstance(nest, ContractionNest)
        return _Strip(segment, inputs, products, nest)

    @property
    def _k_blocks(self) -> int:
        """How many blocks a sum comes in."""
        if not self.scope.takes("KBlocking"):
            return 1
        chunks, inner = (static(self._weights.shape[d]) or 1 for d in (3, 4))
        counts = (n for n in range(1, chunks) if chunks % n == 0)
        return next((n for n in counts if chunks // n * inner <= MAX_CHANNELS_SUMMED), chunks)

    @cached_property
    def _weights(self) -> Buffer:
        """Of shape (O / b, t, t, I / a, a, b)."""
        return next(s.source for s in self.products.loads if len(s.source.shape) == 6)

    @property
    def _dtype(self) -> str:
        return str(self._weights.dtype)

    def _product(self, inputs: Buffer, products: Buffer) -> Stage:
        """Return the matrix product of one point: tiles x input channels by output channels."""
        (a, b, block), (chunks, _, _, tiles, inner) = self._at, inputs.shape
        p, k = (Axis(Var(n, "int64"), e) for n, e in (("p", tiles), ("k", self._weights.shape[-1])))
        chunk, lane = (
            Axis(Var(n, "int64"), e, reduces=True) for n, e in (("chunk", chunks), ("lane", inner))
        )
        at = (a, b, p.var, k.var)
        term = BufferLoad(inputs, [chunk.var, a, b, p.var, lane.var]) * BufferLoad(
            self._weights, [block, a, b, chunk.var, lane.var, k.var]
        )
        store = Store(products, at, BufferLoad(products, at) + term, tirx.const(0.0, self._dtype))
        return Stage("product", (p, k, chunk, lane), (store,))
