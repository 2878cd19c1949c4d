"""Sums of products on a register tile: what can be decided, the plan, and its loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from tvm.tirx import IfThenElse, Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.contraction import Contraction, Operand, contraction
from tvmfuse.schedules.cpu.gemm.accumulate import accumulate
from tvmfuse.schedules.cpu.gemm.begun_sums import begun
from tvmfuse.schedules.cpu.gemm.block_sums import BlockSums, block_sums
from tvmfuse.schedules.cpu.gemm.blocking import Blocked, Blocking
from tvmfuse.schedules.cpu.gemm.channel_blocks import side_by_side
from tvmfuse.schedules.cpu.gemm.dot_product import Dot, dot_product
from tvmfuse.schedules.cpu.gemm.epilogue_prefetch import EpiloguePrefetch, epilogue_prefetch
from tvmfuse.schedules.cpu.gemm.k_blocking import partial_sums
from tvmfuse.schedules.cpu.gemm.k_unroll import together, unroll_misfits, unrolling
from tvmfuse.schedules.cpu.gemm.packed_bytes import packed_bytes
from tvmfuse.schedules.cpu.gemm.panel_copy import PanelCopy, copyable
from tvmfuse.schedules.cpu.gemm.panel_prefetch import PanelPrefetch, panel_prefetch
from tvmfuse.schedules.cpu.gemm.row_pairs import LANES
from tvmfuse.schedules.cpu.gemm.tile import Tile, best_tile, length, pair_tile, panel_tile
from tvmfuse.schedules.cpu.gemm.tile_loops import TileLoops
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, axis_names, in_order_of, order_misfit
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import contiguous, lanes, may_mask, steps
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.schedules.plans import ContractionPlan, Prefetched
from tvmfuse.schedules.split_axis import split_axis
from tvmfuse.target.machine import Machine

#: Rows that are better than a number of rows that is not known.
ENOUGH_ROWS: Final = 4

#: Registers for the copied number, and for the masks and the offset that a number is made by.
NUMBER_REGISTERS: Final = 4

#: Steps of one body where bytes are added up in pairs, and then as words: of four LLVM adds up some
#: before it adds them to the sums, which finds no registers. 3 x 24 for 128 x 768 x 3072 has 139
#: GOP/s for 124, for 197 x 3072 x 768 137 for 123 (AVX2, Zen 3).
CLIPPED_UNROLL: Final = 2

#: What a plan may ask for: more only makes the code long.
MAX_MR: Final = 32
MAX_VECTORS: Final = 16


@dataclass(frozen=True, eq=False)
class ContractionNest(Nest[ContractionPlan]):
    """A sum of products that a register tile suits.

    Attributes:
        group: The group, over the axes that the loops have.
        product: Its head.
        column: The axis of the tile's columns, along which results lie side by side.
        width: Elements of the longest vector along it.
        scope: The machine and the steps.
        dot: How the sums are computed, where that is by dot products; the product is of words.
        blocks: How many blocks of channels the columns are, side by side.
    """

    plan_type = ContractionPlan

    group: Group
    product: Contraction
    column: Axis
    width: int
    scope: Scope
    dot: Dot | None = None
    blocks: int = 1

    @classmethod
    def of(cls, group: Group, scope: Scope) -> ContractionNest | str:
        """Read a group; the reason in words where no register tile suits it."""
        if contraction(group.head) is None:
            return "its reduction is no sum of products"
        head, *epilogue = collapse(split_axis(group.stages))
        column = column_axis(head)
        if column is None:
            return "its output has no axis for vectors"
        numbers = head
        head, dot = dot_product(head, column, scope.machine) or (head, None)
        group = replace(group, head=head, epilogue=tuple(epilogue))
        long = dot is not None and dot.instruction.half is not None
        width = lanes([numbers if long else head, *epilogue], column, scope.machine)
        if width == 1:
            return "it branches, or calls what has no vector form, along the axis of its vectors"
        if not contiguous(head, column):
            return "an operand is not contiguous along the output's last axis"
        product = contraction(head)
        assert product is not None
        return cls(group, product, column, width, scope, dot)

    def plan(self, *, parallel: bool = True) -> ContractionPlan:
        machine, takes = self.machine, self.scope.takes
        row, shared = self.rows()
        paired = row if takes("RowPairs") and row and self._takes_pairs(row) else None
        if takes("RegisterTiling"):
            tile = replace(self._best_tile(machine, row, shared=shared), blocks=self.blocks)
            if not shared and static(self.column.extent) is None:
                # Each row's address is a register of its own, which loads nothing for the others.
                vectors = 1 if self._masked(shared=shared) else tile.vectors
                tile = replace(tile, rows=min(tile.rows, ENOUGH_ROWS), vectors=vectors)
            if paired:
                tile = pair_tile(machine, self.width, paired, self.column, self.blocks)
            elif row is not None and self._is_vector_times_panels:
                costly = self._is_costly
                tile = panel_tile(machine, self.width, row, self.column, costly=costly) or tile
        else:
            tile = Tile(1, 1, self.width, row, self.column)
        blocked = self._blocked(tile)
        panel = self._panel_prefetch(tile, blocked.order) if takes("Prefetch") else None
        after = self._epilogue_prefetch(row) if takes("Prefetch") else None
        k_unroll, max_fmas = 1, 1
        if takes("KUnrolling"):
            fmas = tile.rows * -(-tile.columns // tile.lanes)
            k_unroll, max_fmas = unrolling(self.product.stage.reduction, fmas, machine.tuning)
            steps = together(self.product.stage.reduction)
            if steps and not blocked.panel_copy and self._is_costly:
                k_unroll, max_fmas = steps, steps * fmas
            if self.dot and self.dot.clips and len(self.product.stage.reduction) == 1:
                k_unroll = min(k_unroll, CLIPPED_UNROLL)
        asked: dict[Prefetched, object] = {"panels": panel, "epilogue": after}
        names = self._names
        return ContractionPlan(
            mr=tile.rows,
            nr=tile.columns,
            lanes=tile.lanes,
            blocks=self.blocks,
            row=names[row] if row else None,
            column=names[self.column],
            order=tuple(names[axis] for axis in blocked.order),
            k_blocks=blocked.k_blocks,
            by_panel=blocked.by_panel,
            k_unroll=k_unroll,
            max_fmas=max_fmas,
            panel_copy=blocked.panel_copy,
            row_strip=blocked.row_strip,
            prefetch=tuple(name for name, what in asked.items() if what),
            block_sum_rows=self._block_sum_rows(tile) if takes("BlockSums") else 0,
            row_pairs=paired is not None and tile.rows > 1,
            parallel=parallel and should_parallelize(self.group.stages, machine),
        )

    def misfits(self, plan: ContractionPlan) -> Iterator[Misfit]:
        names = self._names
        column, others = names[self.column], [n for a, n in names.items() if a is not self.column]
        if plan.column != column:
            yield Misfit("column", f"{column}, along which results are contiguous", plan.column)
        if plan.row is not None and plan.row not in others:
            yield Misfit("row", f"one of {', '.join(others) or 'none'}, or none", plan.row)
        yield from order_misfit(plan.order, list(names))
        yield from self._tile_misfits(plan)
        yield from unroll_misfits(plan.k_unroll, plan.max_fmas)
        most = 0 if self._block_sums is None else MAX_MR
        if not 0 <= plan.block_sum_rows <= most:
            yield Misfit("block_sum_rows", f"0 to {most}", plan.block_sum_rows)
        blocks = self._block_counts
        if plan.k_blocks not in blocks:
            yield Misfit("k_blocks", f"one of {', '.join(map(str, blocks))}", plan.k_blocks)
        else:
            yield from self._copy_misfits(plan)
        if plan.row_strip:
            yield from self._strip_misfits(plan)
        rows = {name: axis for axis, name in names.items()}.get(plan.row or "")
        if plan.row_pairs and not (rows and self._takes_pairs(rows)):
            yield Misfit("row_pairs", "false, as no instruction multiplies two such rows", "true")

    def emit(self, builder: LoopNestBuilder, plan: ContractionPlan) -> Stmt | None:
        tile, order = self._tile(plan), in_order_of(plan.order, list(self._names))
        asked = set(plan.prefetch)
        group = begun(self.group) if plan.k_blocks == 1 else self.group
        loops = TileLoops(
            group,
            tile,
            order,
            plan.unrolled,
            plan.parallel,
            plan.k_blocks,
            self._shared(order) if plan.by_panel else (),
            plan.row_strip,
            self._panel_copy(tile, order) if plan.panel_copy else None,
            self._panel_prefetch(tile, order) if "panels" in asked else None,
            self._epilogue_prefetch(tile.row_axis) if "epilogue" in asked else None,
            self._masked(shared=self.rows()[1]),
            self.dot,
            self._block_sums,
            plan.block_sum_rows,
            packed_bytes(group, tile, self.scope.machine),
            plan.row_pairs,
        )
        rows = tile.row_axis.extent if tile.row_axis else None
        if loops.panel_copy is None or not self._is_costly or rows is None or static(rows):
            return accumulate(builder, loops)
        # Few rows, as a decoder's one, read a panel once: nothing is gained by a copy.
        steps = together(self.product.stage.reduction) or 1
        few = replace(loops, unrolled=lambda _: steps, k_blocks=1, panel_copy=None)
        return IfThenElse(rows <= tile.rows, accumulate(builder, few), accumulate(builder, loops))

    def beside(self, blocks: Axis, count: int) -> ContractionNest:
        """Return the nest of the same results whose columns are those of so many blocks."""
        group, column, at = side_by_side(self.group, blocks, self.column, count)
        product, dot = contraction(group.head), self.dot and self.dot.over(at)
        assert product is not None
        return replace(self, group=group, product=product, column=column, dot=dot, blocks=count)

    def rows(self) -> tuple[Axis | None, bool]:
        """Return the axis of the tile's rows, and whether all rows use the same vectors."""
        others = [a for a in self.product.stage.spatial if a is not self.column]
        for same, shared in ((self.vector_operands, True), (self.broadcast_operands, False)):
            axes = [a for a in others if any(not operand.uses(a) for operand in same)]
            if axes:
                # Ties go to the last, whose rows are the closest in memory.
                return max(reversed(axes), key=_as_rows), shared
        return None, True

    @property
    def machine(self) -> Machine:
        """The machine, with the registers that dot products leave for sums and operands."""
        return self.dot.beside(self.scope.machine) if self.dot else self.scope.machine

    @cached_property
    def vector_operands(self) -> list[Operand]:
        """The operands that vectors are loaded from."""
        return [o for o in self.product.operands if o.uses(self.column)]

    @cached_property
    def broadcast_operands(self) -> list[Operand]:
        """The operands that give single numbers, each copied to all lanes."""
        return [o for o in self.product.operands if not o.uses(self.column)]

    def _takes_pairs(self, row: Axis) -> bool:
        """Whether an instruction multiplies two rows of an axis, which share vectors."""
        pairs = self.dot is not None and self.dot.instruction.half is not None
        return pairs and self.width == LANES and not any(o.uses(row) for o in self.vector_operands)

    @property
    def _clips(self) -> bool:
        """Whether which bytes may be clipped is found out first, for all rows and panels."""
        return self.dot is not None and self.dot.clips

    @property
    def _is_costly(self) -> bool:
        return any(operand.costly for operand in self.vector_operands)

    @cached_property
    def _block_sums(self) -> BlockSums | None:
        return block_sums(self.product)

    def _block_sum_rows(self, tile: Tile) -> int:
        """Return the rows of a tile whose sums over a block fit the registers beside its sums."""
        if self._block_sums is None:
            return 0
        # A vector of words, and what makes one number of it.
        left = self.scope.machine.isa.registers - tile.vectors - NUMBER_REGISTERS
        return max(0, min(tile.rows, left // (2 * tile.vectors)))

    @property
    def _is_vector_times_panels(self) -> bool:
        """Whether all results use the same numbers, as those of one row times a matrix do."""
        if len(self.broadcast_operands) != 1 or self.product.windows:
            return False
        return not any(map(self.broadcast_operands[0].uses, self.product.stage.spatial))

    @cached_property
    def _names(self) -> dict[Axis, str]:
        return axis_names(self.product.stage.spatial)

    @cached_property
    def _block_counts(self) -> list[int]:
        """How many blocks the sum may come in."""
        reduction = self.product.stage.reduction
        size = static(reduction[0].extent) if reduction else None
        if not size or partial_sums(self.group) is None:
            return [1]
        return [n for n in range(1, size + 1) if size % n == 0]

    def _best_tile(self, machine: Machine, row: Axis | None, *, shared: bool) -> Tile:
        """Return the fastest tile, whose rows share words if its sums still are enough."""
        best = partial(
            best_tile, machine, self.width, row, self.column, shared=shared, whole=self.blocks > 1
        )
        tile = best()
        if self.dot is None or row is None or not shared:
            return tile
        sliding = self.dot.sliding(row, self.product.stage.reduction)
        if sliding is None:
            return tile
        few = best(sliding=sliding)
        return few if few.rows * few.vectors >= machine.tuning.fmas_in_flight else tile

    def _masked(self, *, shared: bool) -> bool:
        """Return whether a mask cuts a row's last vector: where rows share numbers, no vectors."""
        return not shared and may_mask(self.group.stages, self.column, self.scope.machine)

    def _blocked(self, tile: Tile) -> Blocked:
        """Return the loops' order, in which blocks they come, and whether panels are copied."""
        if len(self.vector_operands) > 1:
            chosen = [a for a in (self.column, tile.row_axis) if a]
            rest = [a for a in self.product.stage.spatial if a not in chosen]
            return Blocked((*rest, *chosen))
        (vectors,), (numbers, *_) = self.vector_operands, self.broadcast_operands
        found = Blocking(self.group, self.product, tile, vectors, numbers, self.scope).chosen
        return found._replace(by_panel=False, row_strip=0) if self._clips else found

    def _tile(self, plan: ContractionPlan) -> Tile:
        by_name = {name: axis for axis, name in self._names.items()}
        row = None if plan.row is None else by_name[plan.row]
        return Tile(plan.mr, plan.vectors, plan.lanes, row, self.column, self.blocks)

    def _panel_copy(self, tile: Tile, order: tuple[Axis, ...]) -> PanelCopy | None:
        """Return what can be copied panel by panel in these loops; None where nothing can."""
        if len(self.vector_operands) > 1 or self.dot:
            return None
        shared = self._shared(order)
        if tile.row_axis not in shared:
            return None
        return copyable(self.product, self.vector_operands[0], tile, shared)

    def _shared(self, order: tuple[Axis, ...]) -> tuple[Axis, ...]:
        """Return the loops over the tiles that read one panel, where they are the inner ones."""
        shared = tuple(a for a in order if not self.vector_operands[0].uses(a))
        return shared if order[len(order) - len(shared) :] == shared else ()

    def _panel_prefetch(self, tile: Tile, order: tuple[Axis, ...]) -> PanelPrefetch | None:
        if len(self.vector_operands) > 1:
            return None
        load = self.vector_operands[0].load
        if load is None:
            return None
        found = panel_prefetch(self.group.head, load, tile, order, self.scope.machine)
        return replace(found, stored=self.dot.stored(load)) if found and self.dot else found

    def _epilogue_prefetch(self, row: Axis | None) -> EpiloguePrefetch | None:
        return epilogue_prefetch(self.group, row, self.column, self.scope.machine)

    def _tile_misfits(self, plan: ContractionPlan) -> Iterator[Misfit]:
        """Yield what does not fit of the register tile."""
        if plan.blocks != self.blocks:
            yield Misfit("blocks", self.blocks, plan.blocks)
        if not (1 <= plan.lanes <= self.width and self.width % plan.lanes == 0):
            yield Misfit("lanes", f"a divisor of {self.width}", plan.lanes)
        elif plan.nr % plan.lanes or not 1 <= plan.vectors <= MAX_VECTORS:
            yield Misfit("nr", f"1 to {MAX_VECTORS} times the {plan.lanes} lanes", plan.nr)
        elif self.blocks > 1 and plan.nr != (whole := static(self.column.extent)):
            yield Misfit("nr", f"{whole}, the columns of {self.blocks} blocks", plan.nr)
        most = 1 if plan.row is None else MAX_MR
        if not 1 <= plan.mr <= most:
            yield Misfit("mr", f"1 to {most}", plan.mr)

    def _strip_misfits(self, plan: ContractionPlan) -> Iterator[Misfit]:
        """Yield what does not fit of the rows of a strip."""
        if plan.row is None or self._clips:
            yield Misfit("row_strip", 0, plan.row_strip)
        elif plan.row_strip < 0 or plan.row_strip % max(plan.mr, 1) or plan.panel_copy:
            words = f"0, or a multiple of the {plan.mr} rows where no panel is copied"
            yield Misfit("row_strip", words, plan.row_strip)

    def _copy_misfits(self, plan: ContractionPlan) -> Iterator[Misfit]:
        """Yield what of copies and requests does not fit, where all else does."""
        tile, order = self._tile(plan), in_order_of(plan.order, list(self._names))
        panels = self._shared(order) and not self._clips and not plan.panel_copy
        if plan.by_panel and not (panels and plan.k_blocks > 1):
            yield Misfit("by_panel", "false, as no blocks of a panel follow each other", "true")
        if plan.panel_copy and self._panel_copy(tile, order) is None:
            words = "false, as no operand of these loops can be copied panel by panel"
            yield Misfit("panel_copy", words, "true")
        possible = {
            "panels": self._panel_prefetch(tile, order),
            "epilogue": self._epilogue_prefetch(tile.row_axis),
        }
        for name in plan.prefetch:
            if possible[name] is None:
                names = [n for n, what in possible.items() if what]
                yield Misfit("prefetch", " or ".join(names) or "nothing", name)


def column_axis(stage: Stage) -> Axis | None:
    """Return the axis along which the stage's results lie side by side in memory."""
    return next((a for a in reversed(stage.spatial) if steps(stage, a)[-1] == 1), None)


def _as_rows(axis: Axis) -> tuple[bool, int]:
    """Rank an axis: a size known only later, as a batch's, may turn out to be 1."""
    extent = static(axis.extent)
    return extent is not None and extent >= ENOUGH_ROWS, length(axis)
