"""Winograd convolutions: transforms and products, a strip of tiles at a time.

::

    for each strip of tiles:
        for each tile, in threads:
            for each block of input channels:
                transform
        for each block of output channels, in threads:
            for each of the t * t points:
                multiply matrices                      on the register tile
            transform back, tile by tile, and finish   the products are in the second cache

Where there are many strips, and the weights are near for each, threads share the strips instead:
no core reads what another one wrote.

A strip has enough tiles for each weight to be used many times while it is near, and not many more,
so that the transformed inputs are near, too. It begins and ends anywhere in a row of tiles, so that
it is as long whatever the image's size, and its buffers are bounded where that is known only later.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Bind, Buffer, Stmt, Var

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ops.winograd import STAGES
from tvmfuse.schedules.cpu.gemm.contraction_nest import MAX_VECTORS, ContractionNest
from tvmfuse.schedules.cpu.group_nest import group_nests
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import lanes
from tvmfuse.schedules.cpu.winograd.grid import TileGrid
from tvmfuse.schedules.cpu.winograd.strips import Strip, Strips
from tvmfuse.schedules.cpu.winograd.tiles import Tiles
from tvmfuse.schedules.cpu.work import Work, in_vectors, named_stages, scope_of
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import Axis, Kernel, Stage
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import ContractionPlan, WinogradPlan
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.target.machine import Machine
from tvmfuse.target.register_tile import LONG, block_cycles, tile_cycles

#: Channels of one block of a sum. Transforms multiply what a sum rounds off: of 256 channels in one
#: block 8 times what a direct convolution does that sums in blocks, too, and in two blocks 6 times.
MAX_CHANNELS_SUMMED: Final = 128

#: Tiles of a strip that a plan may ask for.
MAX_STRIP_TILES: Final = 1024

#: How much longer the only strip may be than others are: two have to read all weights twice.
JOINED: Final = 4 / 3

#: Strips that threads may share, and the least tiles of such a one.
MANY_STRIPS: Final = 8
LEAST_TILES: Final = 12

#: Weights that each thread may read for each of its strips, as a multiple of the cache's budget.
NEAR_WEIGHTS: Final = 4


def winograd(subject: Subject) -> Work | Declined:
    """Tile a Winograd convolution, `tvmfuse.winograd`, and what is fused behind it."""
    named = named_stages(subject, STAGES, "Winograd convolution")
    if isinstance(named, Declined):
        return named
    (kernel, stages), scope = named, scope_of(subject)
    *_, products, _, outputs = (stages[name] for name in STAGES)
    (source,) = {load.source for load in stages[STAGES[0]].loads}
    (padded,) = kernel.writers(source)
    own = (padded, *(stages[name] for name in STAGES))
    after = tuple(stage for stage in kernel.stages if stage not in own)
    results = outputs.store.buffer
    (end, *rest), steps = _finishing(replace(kernel, stages=after), results, scope)
    grid = TileGrid(padded, int(results.shape[2]), end.store.buffer)
    nest = WinogradNest(scope, grid, results, end, products)
    if nest.strips.moved == BFLOAT16 and not any(dot.a == BFLOAT16 for dot in scope.machine.dot):
        return Declined("the machine multiplies no pairs of bfloat16")
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
class WinogradNest(Nest[WinogradPlan]):
    """The loops over strips of tiles.

    Attributes:
        scope: The machine and the steps.
        grid: The tiles of the images.
        outputs: The buffer of the transformed products.
        end: The stage that puts tiles into the image, and finishes them.
        products: The stage of the products.
    """

    plan_type = WinogradPlan

    scope: Scope
    grid: TileGrid
    outputs: Buffer
    end: Stage
    products: Stage

    @cached_property
    def strips(self) -> Strips:
        """The strips that there may be."""
        return Strips(self.scope, self.grid, self.products)

    def plan(self, *, parallel: bool = True) -> WinogradPlan:
        """Plan strips that whole register tiles fill, as far as that goes."""
        tiles = self._strip_tiles
        strips = self.strips.of(tiles, self._fastest_blocks(tiles))
        plans = [self._planned(strip.product) for strip in strips]
        return WinogradPlan(
            m=self.grid.size,
            strip_tiles=tiles,
            product=plans[0],
            last_product=plans[1] if len(plans) > 1 else None,
            parallel=parallel and should_parallelize([self.products], self.scope.machine),
            share_strips=self._many_strips,
        )

    def _planned(self, product: ContractionNest) -> ContractionPlan:
        """Plan a product, whose results are in the second cache: they need not be asked for."""
        plan = product.plan(parallel=False)
        asked = tuple(what for what in plan.prefetch if what != "epilogue")
        return replace(plan, k_blocks=self._k_blocks, prefetch=asked)

    def misfits(self, plan: WinogradPlan) -> Iterator[Misfit]:
        if plan.m != self.grid.size:
            yield Misfit("m", f"{self.grid.size}, for which weights are transformed", plan.m)
        most = min(static(self.grid.count) or MAX_STRIP_TILES, MAX_STRIP_TILES)
        if not 1 <= plan.strip_tiles <= most:
            yield Misfit("strip_tiles", f"1 to {most}", plan.strip_tiles)
        blocks = plan.product.blocks
        if blocks not in (counts := self.strips.block_counts(MAX_VECTORS)):
            yield Misfit("product.blocks", f"one of {', '.join(map(str, counts))}", blocks)
            return
        strips = self.strips.of(plan.strip_tiles, blocks)
        plans = {"product": plan.product, "last_product": plan.last_product}
        for strip, (name, product) in zip((*strips, None)[:2], plans.items(), strict=True):
            if (strip is None) != (product is None):
                yield Misfit(name, "a plan" if strip else "none", "none" if strip else "a plan")
            elif strip and product and (found := strip.product.misfit(product, parallel=False)):
                yield found._replace(field=f"{name}.{found.field}")

    def emit(self, builder: LoopNestBuilder, plan: WinogradPlan) -> Stmt | None:
        tiles = Tiles(builder, self.scope, self.grid, self.outputs, self.end)
        plans = (plan.product, plan.last_product or plan.product)

        def loops(
            strip: Strip, product: ContractionPlan, width: Expr, *, share: bool = False
        ) -> Stmt | None:
            count = tirx.floordiv(self.grid.count + (width - 1), width)
            known = static(strip.count) is not None
            axis = Axis(Var("strip", "int64"), strip.segment.count if known else count)

            def body(at: Values) -> Stmt | None:
                begin = builder.simplify(strip.segment.begin + at[axis.var] * width)
                parallel = plan.parallel and not share
                inside = self._strip_loops(tiles, strip, begin, product, parallel=parallel)
                if known:
                    return inside
                left = tirx.min(self.grid.count - begin, width)
                return sequence([Bind(strip.count, left), inside])

            if not known:
                builder.assume(strip.count, 1, strip.segment.width)
            nest = builder.nest([axis], body, parallel=plan.parallel and share)
            set_ = [] if known else builder.seal({strip.lines: tirx.bitwise_or(width, number(1))})
            return sequence([*set_, nest])

        strips = self.strips.of(plan.strip_tiles, plan.product.blocks)
        if static(self.grid.count) is None:
            return self._either(builder, plan, partial(loops, product=plan.product))
        return sequence(
            [
                loops(s, product, number(s.segment.width), share=plan.share_strips and not n)
                for n, (s, product) in enumerate(zip(strips, plans, strict=False))
            ]
        )

    def _either(
        self, builder: LoopNestBuilder, plan: WinogradPlan, loops: Callable[..., Stmt | None]
    ) -> Stmt | None:
        """Return loops over strips which threads share where there are many.

        They are as many as `strip_tiles` asks for, and share the tiles evenly.
        """
        (strip,) = self.strips.of(plan.strip_tiles, plan.product.blocks)
        count, most = self.grid.count, plan.strip_tiles
        even = tirx.floordiv(count + (most - 1), most)
        even = tirx.floordiv(count + even - 1, tirx.max(even, 1))
        width, found = builder.sealed("width", self._in_rows(even, plan))
        few = loops(strip, width=width)
        if not (plan.parallel and plan.share_strips):
            return sequence([*found, few])
        least = min(LEAST_TILES, most)
        each = tirx.max(tirx.floordiv(count, MANY_STRIPS), least)
        shared, also = builder.sealed("shared", self._in_rows(each, plan))
        other = self.strips.one(strip.segment, Var("tiles", "int64"), strip.blocks)
        many = loops(other, width=shared, share=True)
        if few is None or many is None:
            return few
        enough = count >= MANY_STRIPS * least
        return tirx.IfThenElse(enough, sequence([*also, many]), sequence([*found, few]))

    def _in_rows(self, tiles: Expr, plan: WinogradPlan) -> Expr:
        """Return as many tiles or more, of whole rows of register tiles where a strip has room."""
        rows = plan.product.mr
        whole = tirx.floordiv(tiles + (rows - 1), rows) * rows
        return tirx.max(tirx.min(whole, plan.strip_tiles), 1)

    def _strip_loops(
        self, tiles: Tiles, strip: Strip, begin: Expr, plan: ContractionPlan, *, parallel: bool
    ) -> Stmt | None:
        builder = tiles.builder
        chunks, blocks = number(self.grid.chunks), self.strips.weights.shape[0] // strip.blocks
        tile, chunk, block = (
            Axis(Var(name, "int64"), extent)
            for name, extent in (("tile", strip.count), ("chunk", chunks), ("block", blocks))
        )
        inputs = builder.localize(strip.inputs, strip.most(strip.inputs))
        places = builder.local_buffer("places", "int64", [number(strip.segment.width), number(3)])
        transform = builder.nest(
            [tile, chunk],
            lambda at: tiles.transformed(at[chunk.var], at[tile.var], places, inputs),
            parallel=parallel,
        )
        multiply = builder.nest(
            [block],
            lambda at: self._blocks(tiles, strip, at[block.var] * strip.blocks, places, plan),
            parallel=parallel,
        )
        located = tiles.located(begin, strip.count, places)
        return builder.allocate([inputs, places], [located, transform, multiply])

    def _blocks(
        self, tiles: Tiles, strip: Strip, first: Expr, places: Buffer, plan: ContractionPlan
    ) -> Stmt | None:
        """Compute some blocks of output channels of a strip, from one on."""
        builder, (var_a, var_b, var_block) = tiles.builder, self.strips.at
        a, b = (Axis(var, strip.inputs.shape[1]) for var in (var_a, var_b))
        products = builder.localize(strip.products, strip.most(strip.products))

        def product(at: Values) -> Stmt | None:
            with builder.scope({**at, var_block: first}):
                return strip.product.emit(builder, plan)

        block, tile = (
            Axis(Var(name, "int64"), extent)
            for name, extent in (("block", number(strip.blocks)), ("tile", strip.count))
        )
        back = builder.nest(
            [block, tile],
            lambda at: tiles.finished(first, at[block.var], at[tile.var], places, products),
        )
        return builder.allocate([products], [builder.nest([a, b], product), back])

    @property
    def _many_strips(self) -> bool:
        """Whether threads share the strips, if there are many."""
        known, shape = static(self.grid.count), self.strips.weights.shape
        weights = math.prod(int(size) for size in shape) * int(self.strips.weights.dtype.bits) // 8
        near = weights <= NEAR_WEIGHTS * self.scope.machine.tuning.l2_budget
        return near and (known is None or known >= MANY_STRIPS * LEAST_TILES)

    @property
    def _strip_tiles(self) -> int:
        """How many tiles a strip has, so that the products take the fewest cycles."""
        machine, known = self.scope.machine, static(self.grid.count)
        most, count = machine.tuning.winograd_tiles, LONG if known is None else known
        if known is not None and self._many_strips:
            most = max(min(most, count // MANY_STRIPS), LEAST_TILES)
        if count <= most * JOINED:
            return max(1, count)
        block = int(self.outputs.shape[-1])
        blocks = max(self.strips.block_counts(machine.tuning.tile_blocks))

        def cost(tiles: int) -> float:
            whole, rest = divmod(count, tiles)
            return whole * _cycles(machine, tiles, block, blocks) + _cycles(
                machine, rest, block, blocks
            )

        return min(range(most, most * 3 // 4, -1), key=cost)

    def _fastest_blocks(self, tiles: int) -> int:
        """Return with how many blocks at once the products take the fewest cycles.

        Their products have to stay in the second-level cache.
        """
        machine, shape = self.scope.machine, self.strips.weights.shape
        points, columns = int(shape[1]) ** 2, int(shape[5])
        room = machine.tuning.l2_budget // 4
        most = machine.tuning.tile_blocks if self.scope.takes("RegisterTiling") else 1
        counts = self.strips.block_counts(most)
        near = [n for n in counts if n == 1 or 4 * n * points * tiles * columns <= room]

        def cost(count: int) -> float:
            wide, lanes = count * columns, machine.isa.float_lanes
            several = tile_cycles(machine, tiles, wide, lanes, shared=True, whole=count > 1)
            return several / count

        return min(near, key=cost)

    @property
    def _k_blocks(self) -> int:
        """How many blocks a sum comes in; of bfloat16, and of integers, one is exact enough."""
        if not self.scope.takes("KBlocking") or self.strips.moved != "float32":
            return 1
        chunks, inner = (static(self.strips.weights.shape[d]) or 1 for d in (3, 4))
        counts = (n for n in range(1, chunks) if chunks % n == 0)
        return next((n for n in counts if chunks // n * inner <= MAX_CHANNELS_SUMMED), chunks)


@cache
def _cycles(machine: Machine, rows: int, columns: int, blocks: int) -> float:
    return block_cycles(machine, rows, columns, blocks) if rows else 0.0
