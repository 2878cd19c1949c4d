"""Products in blocks of integers: `tvmfuse.integer_matmul_nbits`, on a tile of dot products.

::

    for each panel of columns, in threads:
        for each tile of rows:
            tile = 0
            for each block of the sum:
                dots = 0
                for each word of the block, for each field of its bytes:
                    dots[r, c] += four bytes of a[r] . a field of four bytes of b[c]
                tile[r, c] += dots[r, c] in floats, with the block's zero points and scales
            output = epilogue(tile)

A vector of words is loaded once, and each of its fields masked once, for all rows of a tile. The
dot products are exact, so that floats are rounded once for each block. As it is known which stages
these are, they are found by their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tvm.tirx import Stmt, Var

from tvmfuse.ops.integer_matmul_nbits import DOTS, PRODUCT, STAGES
from tvmfuse.schedules.cpu.gemm.dot_tile import Dots, DotTile
from tvmfuse.schedules.cpu.gemm.row_steps import row_steps
from tvmfuse.schedules.cpu.gemm.tile import length
from tvmfuse.schedules.cpu.group_nest import group_nests
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, segments, steps
from tvmfuse.schedules.cpu.work import Work, prepared, scope_of
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.groups import Group, groups
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import BlockDotsPlan
from tvmfuse.schedules.protocol import Declined, Subject

#: Of the registers that tiles' sums take, at most; with more LLVM loads ahead and spills.
SHARE_OF_SUMS: Final = 2

#: What a plan may ask for.
MAX_MR: Final = 32


def block_dots(subject: Subject) -> Work | Declined:
    """Tile `tvmfuse.integer_matmul_nbits`."""
    found = prepared(subject)
    if isinstance(found, Declined):
        return found
    scope, parts = scope_of(subject), groups(found.kernel)
    named = {group.head.name: group for group in parts}
    if not set(STAGES) <= set(named):
        return Declined("it is no product in blocks of integers")
    nest = BlockDotsNest.of(named[DOTS], named[PRODUCT], scope)
    if isinstance(nest, str):
        return Declined(nest)
    others = [group for name, group in named.items() if name not in STAGES]
    return Work(
        found.kernel,
        (nest, *(nest for group in others for nest in group_nests(group, scope))),
        found.steps,
    )


@dataclass(frozen=True, eq=False)
class BlockDotsNest(Nest[BlockDotsPlan]):
    """The loops over panels and tiles of rows.

    Attributes:
        group: The sums over blocks, and their epilogue.
        dots: What is summed up in each block.
        column: The axis of the columns.
        scope: The machine and the steps.
    """

    plan_type = BlockDotsPlan

    group: Group
    dots: Dots
    column: Axis
    scope: Scope

    @classmethod
    def of(cls, dots: Group, group: Group, scope: Scope) -> BlockDotsNest | str:
        """Read the stages; the reason in words where they cannot be tiled."""
        column = next((x for x in group.head.spatial if steps(group.head, x)[-1] == 1), None)
        if column is None:
            return "its output has no axis for vectors"
        found = Dots.of(dots.head, group.head, scope.machine)
        return found if isinstance(found, str) else cls(group, found, column, scope)

    def plan(self, *, parallel: bool = True) -> BlockDotsPlan:
        machine, mr = self.scope.machine, 1
        if self._row is not None and self.scope.takes("RegisterTiling"):
            most = max(1, machine.isa.registers // SHARE_OF_SUMS // self.dots.vectors)
            rows = length(self._row)
            mr = -(-rows // -(-rows // most))
        parallel = parallel and should_parallelize(self.group.stages, machine)
        return BlockDotsPlan(mr=mr, parallel=parallel)

    def misfits(self, plan: BlockDotsPlan) -> Iterator[Misfit]:
        most = 1 if self._row is None else MAX_MR
        if not 1 <= plan.mr <= most:
            yield Misfit("mr", f"1 to {most}", plan.mr)

    def emit(self, builder: LoopNestBuilder, plan: BlockDotsPlan) -> Stmt | None:
        row, tile = self._row, DotTile(builder, self.group, self.dots, self.column, self._row)
        others = [x for x in self.group.head.spatial if x not in (row, self.column)]
        heights: tuple[Segment, ...] = (Segment(number(0), number(1), 1),)
        found = list[Stmt]()
        if row is not None:
            heights = segments(row.extent, plan.mr)
            if static(row.extent) is None:
                heights, found = row_steps(builder, row.extent, plan.mr)

        def panels(columns: Segment) -> Stmt | None:
            panel = Axis(Var("panel", "int64"), columns.count)

            def tiles(at: Values) -> Stmt | None:
                begin = columns.start(at[panel.var])
                outside = {**{x.var: at[x.var] for x in others}, self.column.var: begin}
                return sequence([rows(height, columns.width, outside) for height in heights])

            return builder.nest([panel, *others], tiles, parallel=plan.parallel)

        def rows(height: Segment, columns: int, outside: Values) -> Stmt | None:
            nth = Axis(Var("tile", "int64"), height.count)

            def one(at: Values) -> Stmt | None:
                first = {row.var: height.start(at[nth.var])} if row else {}
                return tile.statement(height.width, columns, {**outside, **first})

            return builder.nest([nth], one)

        cut = segments(self.column.extent, self.dots.width)
        return sequence([*found, *(panels(columns) for columns in cut)])

    @property
    def _row(self) -> Axis | None:
        """The axis of a tile's rows."""
        others = [axis for axis in self.group.head.spatial if axis is not self.column]
        return others[-1] if others else None
