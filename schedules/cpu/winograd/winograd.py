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

from dataclasses import dataclass, replace
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, PrimFunc, Stmt, Var

from tvmfuse.ops.winograd import STAGES
from tvmfuse.schedules.conditions import without_branches
from tvmfuse.schedules.cpu.gemm.contraction_plan import Plan, plan, products as sums
from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.cpu.stages import named_stages
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.cpu.vector_math import elementary
from tvmfuse.schedules.cpu.vectors import lanes, segments
from tvmfuse.schedules.cpu.winograd.tiles import Tiles
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.groups import Group, groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import Axis, Kernel, Stage, Store
from tvmfuse.schedules.loop_nests import Values, Writer, sequence
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.target.machine import Machine

#: Channels of one part of a sum. Transforms multiply what a sum rounds off: of 256 channels in one
#: part 8 times what a direct convolution does that sums in parts, too, and in two parts 6 times.
SUMMED: Final = 128


@dataclass(frozen=True)
class Winograd:
    """The schedule of `tvmfuse.winograd` and of what is fused behind it."""

    name: str = "winograd"

    def __call__(self, subject: Subject) -> PrimFunc | Declined:
        """Return the function scheduled, or the reason why this schedule is not for it."""
        named = named_stages(subject, STAGES, "Winograd convolution")
        if isinstance(named, Declined):
            return named
        kernel, stages = named.kernel, named.stages
        machine, writer = Machine.of(subject.target), Writer(kernel)
        first, *_, products, _, outputs = (kernel.stages[0], *(stages[name] for name in STAGES))
        after = kernel.stages[kernel.stages.index(outputs) + 1 :]
        results = outputs.store.buffer
        end, *rest = _finishing(replace(kernel, stages=after), results, machine)
        tiles = Tiles(writer, machine, first, results, end)
        nests = [_Strips(tiles, products).nest()]
        nests += [
            group_nest(writer, g, machine) for g in groups(replace(kernel, stages=tuple(rest)))
        ]
        return writer.function(nests)


def _finishing(kernel: Kernel, results: Buffer, machine: Machine) -> tuple[Stage, ...]:
    """Return the stages behind the tiles, inlined into the first where that keeps its vectors.

    The tiles' results are there for the first one only.
    """
    kernel = replace(
        kernel, stages=tuple(without_branches(s.map(elementary)) for s in kernel.stages)
    )
    inlined = inline(kernel).stages
    again = any(load.source.same_as(results) for stage in inlined[1:] for load in stage.loads)
    vectors = lanes(inlined[:1], inlined[0].axes[-1], machine) > 1
    return inlined if vectors and not again else kernel.stages


@dataclass(frozen=True, eq=False)
class _Strips:
    """The loops over strips, and the matrix products in them."""

    tiles: Tiles
    products: Stage

    def nest(self) -> Stmt | None:
        """Return the loops over all strips, of about one length."""
        writer, rows = self.tiles.writer, self.tiles.rows
        tiles = self.tiles.machine.tuning.winograd_tiles
        most, known = max(1, tiles // self.tiles.across), static(rows)
        height = most if known is None else -(-known // -(-known // most))

        def strips(begin: Expr, count: Expr, height: int) -> Stmt | None:
            strip = Axis(Var("strip", "int64"), count)
            return writer.nest(
                [strip],
                lambda at: self._strip(writer.simplify(begin + at[strip.var] * height), height),
            )

        return sequence([strips(s.begin, s.count, s.width) for s in segments(rows, height)])

    def _strip(self, begin: Expr, height: int) -> Stmt | None:
        tiles, writer, machine = self.tiles, self.tiles.writer, self.tiles.machine
        blocks, t, _, chunks, inner, _ = self._weights.shape
        shape = [chunks, t, t, number(height * tiles.across), inner]
        inputs = writer.inside("inputs", "float32", shape)
        chunk, row, block = (
            Axis(Var(name, "int64"), extent)
            for name, extent in (("chunk", chunks), ("row", number(height)), ("block", blocks))
        )
        threads = worth_threads([self.products], machine)
        transform = writer.nest(
            [chunk, row],
            lambda at: tiles.transformed(at[chunk.var], begin, at[row.var], inputs),
            parallel=threads,
        )
        multiply = writer.nest(
            [block],
            lambda at: self._block(at[block.var], begin, height, inputs),
            parallel=threads,
        )
        return writer.allocate([inputs], [transform, multiply])

    def _block(self, block: Expr, begin: Expr, height: int, inputs: Buffer) -> Stmt | None:
        """Compute one block of output channels of a strip."""
        writer, machine = self.tiles.writer, self.tiles.machine
        shape = [*inputs.shape[1:4], self._weights.shape[-1]]
        products = writer.inside("products", "float32", shape)
        a, b = (Axis(Var(name, "int64"), inputs.shape[1]) for name in "ab")

        def product(at: Values) -> Stmt | None:
            stage = self._product(inputs, at[a.var], at[b.var], products, block)
            group = Group(stage, members=(stage,), stored=frozenset([products]))
            planned = plan(group, machine)
            assert isinstance(planned, Plan)
            return sums(writer, replace(planned, parts=self._parts), machine, threads=False)

        row, tile = (
            Axis(Var(name, "int64"), number(extent))
            for name, extent in (("row", height), ("tile", self.tiles.across))
        )
        back = writer.nest(
            [row, tile],
            lambda at: self.tiles.finished(
                block,
                begin + at[row.var],
                at[tile.var],
                at[row.var] * self.tiles.across + at[tile.var],
                products,
            ),
        )
        return writer.allocate([products], [writer.nest([a, b], product), back])

    @property
    def _parts(self) -> int:
        """How many parts a sum comes in."""
        chunks, inner = (static(self._weights.shape[d]) or 1 for d in (3, 4))
        few = (n for n in range(1, chunks) if chunks % n == 0 and chunks // n * inner <= SUMMED)
        return next(few, chunks)

    @property
    def _weights(self) -> Buffer:
        """Of shape (O / b, t, t, I / a, a, b)."""
        return next(s.source for s in self.products.loads if len(s.source.shape) == 6)

    def _product(self, inputs: Buffer, a: Expr, b: Expr, products: Buffer, block: Expr) -> Stage:
        """Return the matrix product of one point: tiles x input channels by output channels."""
        chunks, _, _, tiles, inner = inputs.shape
        p, k = (Axis(Var(n, "int64"), e) for n, e in (("p", tiles), ("k", self._weights.shape[-1])))
        chunk, lane = (
            Axis(Var(n, "int64"), e, reduces=True) for n, e in (("chunk", chunks), ("lane", inner))
        )
        at = (a, b, p.var, k.var)
        term = BufferLoad(inputs, [chunk.var, a, b, p.var, lane.var]) * BufferLoad(
            self._weights, [block, a, b, chunk.var, lane.var, k.var]
        )
        store = Store(products, at, BufferLoad(products, at) + term, tirx.const(0.0, "float32"))
        return Stage("product", (p, k, chunk, lane), (store,))
