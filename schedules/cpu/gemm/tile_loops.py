"""What the loops over the register tiles of a reduction are to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvmfuse.schedules.cpu.gemm.block_sums import BlockSums
from tvmfuse.schedules.cpu.gemm.dot_product import Dot
from tvmfuse.schedules.cpu.gemm.epilogue_prefetch import EpiloguePrefetch
from tvmfuse.schedules.cpu.gemm.packed_bytes import PackedBytes
from tvmfuse.schedules.cpu.gemm.panel_copy import PanelCopy
from tvmfuse.schedules.cpu.gemm.panel_prefetch import PanelPrefetch
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.vectors import (
    Segment,
    halved,
    masked,
    may_overlap,
    narrower,
    overlapping,
    segments,
)
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis


@dataclass(frozen=True, eq=False)
class TileLoops:
    """A reduction and its epilogue, tile by tile.

    Attributes:
        group: What to compute. Its head reduces.
        tile: Of the head's spatial axes.
        order: The head's spatial axes, those of the tile among them, from the outermost loop on.
        unrolled: Returns how many steps of the sum are one body of its loop, for the vector
            multiply-adds of one step.
        parallel: Whether the loops over tiles run in threads.
        k_blocks: How many blocks the first axis of the reduction is cut into; a divisor of its
            extent. All tiles' sums over one block come before those over the next, and are kept in
            `partial_sums(group)`.
        by_panel: The last axes of the order, where those are all tiles that read one panel; none
            where they are all tiles.
        row_strip: Rows of a strip, a multiple of the tile's, where nothing is copied; 0 for all.
        panel_copy: What to copy panel by panel. Its `shared_by` are the last axes of the order.
        panel_prefetch: What to ask for ahead of its use.
        epilogue_prefetch: What to ask for before each tile's sum.
        masked: Whether a mask may cut the last vector of the columns.
        dot: How the sums are computed, where that is by dot products.
        block_sums: How the sum comes in blocks whose terms share a factor; None for term by term.
        block_sum_rows: Rows of a tile up to which it does, where nothing is copied.
        packed: How bytes of several vectors are stored together; None for vector by vector.
        row_pairs: Whether an instruction multiplies two rows.
    """

    group: Group
    tile: Tile
    order: tuple[Axis, ...]
    unrolled: Callable[[int], int]
    parallel: bool
    k_blocks: int = 1
    by_panel: tuple[Axis, ...] = ()
    row_strip: int = 0
    panel_copy: PanelCopy | None = None
    panel_prefetch: PanelPrefetch | None = None
    epilogue_prefetch: EpiloguePrefetch | None = None
    masked: bool = False
    dot: Dot | None = None
    block_sums: BlockSums | None = None
    block_sum_rows: int = 0
    packed: PackedBytes | None = None
    row_pairs: bool = False

    def columns(self, column: Axis) -> tuple[Segment, ...]:
        """Return the tiles along an axis whose size is known only later."""
        lanes, columns = self.tile.lanes, self.tile.columns
        # Not where sums are kept in between.
        if lanes > 1 and self.k_blocks == 1 and not self.panel_prefetch:
            if self.masked and not self.panel_copy:
                return masked(column.extent, columns, lanes)
            if may_overlap(self.group.stages, column):
                half, narrow = lanes // 2, narrower(lanes)
                if narrow and half > narrow[0]:
                    return halved(column.extent, columns, lanes, half, *narrow)
                return overlapping(column.extent, columns, lanes, *narrow)
        return segments(column.extent, columns, lanes, *narrower(lanes))
