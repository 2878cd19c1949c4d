"""The register tile of a sum of products: some rows and vectors of its output."""

from __future__ import annotations

from dataclasses import dataclass

from tvm.ir import Expr

from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.kernels import Axis
from tvmfuse.target.machine import Machine
from tvmfuse.target.register_tile import LONG, MOST_VECTORS, Sliding, best_pair_size, best_size


@dataclass(frozen=True, eq=False)
class Tile:
    """How much of the output one inner loop accumulates.

    Attributes:
        rows: Elements along `row_axis`.
        vectors: Whole vectors along `column_axis`.
        lanes: Elements of a vector.
        row_axis: None for a tile of one row.
        column_axis: None for a tile of one element.
        blocks: How many blocks of channels `column_axis` has side by side; a tile over several has
            all of them.
    """

    rows: int
    vectors: int
    lanes: int
    row_axis: Axis | None
    column_axis: Axis | None
    blocks: int = 1

    @property
    def panel(self) -> int:
        """Elements of each step that lie beside each other in one panel."""
        return self.columns // self.blocks

    @property
    def columns(self) -> int:
        """Elements along `column_axis`."""
        return self.vectors * self.lanes


def best_tile(
    machine: Machine,
    lanes: int,
    row_axis: Axis | None,
    column_axis: Axis,
    *,
    shared: bool,
    whole: bool = False,
    sliding: Sliding | None = None,
) -> Tile:
    """Return the fastest tile.

    Args:
        machine: Its registers.
        lanes: Elements of a vector.
        row_axis: None if every row would need the same numbers.
        column_axis: The axis that vectors lie along.
        shared: Whether all rows use the same vectors; else all use the same copied number.
        whole: Whether it has to have all columns, where such a tile fits.
        sliding: The numbers that rows share; None where each has its own.
    """
    rows = length(row_axis) if row_axis else 1
    columns = length(column_axis)
    size = best_size(machine, rows, columns, lanes, shared=shared, whole=whole, sliding=sliding)
    return Tile(size.rows, size.vectors, lanes, row_axis, column_axis)


def pair_tile(machine: Machine, lanes: int, row_axis: Axis, column_axis: Axis, blocks: int) -> Tile:
    """Return the fastest tile of which an instruction multiplies two rows by two columns.

    Args:
        machine: Its registers.
        lanes: Sums of a vector.
        row_axis: The axis of rows, which use the same vectors.
        column_axis: The axis that vectors lie along.
        blocks: How many blocks of channels that is; a tile of several has all of them.
    """
    rows, columns = length(row_axis), length(column_axis)
    size = best_pair_size(machine, rows, columns, lanes, whole=blocks > 1)
    return Tile(size.rows, size.vectors, lanes, row_axis, column_axis, blocks)


def panel_tile(
    machine: Machine, lanes: int, panels: Axis, column_axis: Axis, *, costly: bool
) -> Tile | None:
    """Return the tile of a vector times panels, None where a panel is no few whole vectors.

    It is as wide as a panel, so that each is read from its begin to its end, and has as many panels
    as keep the multiply-adds busy: half as many where the matrix is costly to compute, which takes
    longer than they do, and registers.
    """
    vectors, rest = divmod(static(column_axis.extent) or 0, lanes)
    if rest or not 1 < vectors <= MOST_VECTORS:
        return None
    if costly:
        rows = max(1, machine.tuning.fma_latency // vectors)
    else:
        rows = -(-machine.tuning.fmas_in_flight // vectors)
    rows = min(length(panels), rows)
    return Tile(rows, vectors, lanes, panels, column_axis)


def length(axis: Axis) -> int:
    """Return an axis's extent; `LONG` where it is known only later."""
    extent: Expr = axis.extent
    known = static(extent)
    return LONG if known is None else known
