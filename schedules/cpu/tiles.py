"""The size of the register tile of a sum of products.

One step of the innermost loop loads `vectors` vectors of one operand and `rows` numbers of the
other, each copied to all lanes, and does ``rows * vectors`` multiply-adds. All must fit::

    rows * vectors accumulators + vectors loaded + 1 copied number <= registers

Beyond that, cores of the last ten years start two multiply-adds and two loads in each cycle, and a
multiply-add waits four cycles for the one before it on the same accumulator. A core that another
thread shares decodes three instructions in each. From these follow the cycles of a tile; the tile
taken is the one whose tiles, ragged ones included, take the fewest.
"""

from __future__ import annotations

from typing import Final

from tvm.ir import Expr

from tvmfuse.schedules.cpu.accumulate import Tile
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.kernels import Axis

STARTS_PER_CYCLE: Final = 2
DECODED_PER_CYCLE: Final = 3
LATENCY: Final = 4

#: Elements that a size known only later is taken to have: many whole tiles.
LONG: Final = 3840

#: Rows and vectors beyond this only lengthen the code.
MOST_ROWS: Final = 14
MOST_VECTORS: Final = 8


def best_tile(
    isa: Isa, lanes: int, row_axis: Axis | None, column_axis: Axis, *, shared: bool
) -> Tile:
    """Return the fastest tile.

    Args:
        isa: Its registers.
        lanes: Elements of a vector.
        row_axis: None if every row would need the same numbers.
        column_axis: The axis that vectors lie along.
        shared: Whether all rows use the same vectors; else all use the same copied number.
    """
    rows = length(row_axis) if row_axis else 1
    _, _, vectors, height = _best(isa, rows, length(column_axis), lanes, shared=shared)
    return Tile(height, vectors, lanes, row_axis, column_axis)


def panel_columns(isa: Isa, rows: int | None, columns: int) -> int | None:
    """Return the width of panels of a matrix: that of the tile that takes the fewest cycles.

    A panel of several tiles would be read with gaps. So of 1024 columns panels of 16 and their
    tiles of 6 x 16 run at 0.77 of the peak, those of 32 at 0.74, of 64 at 0.65 (AVX2, Zen 3).

    Args:
        isa: Its registers.
        rows: Of the product; None where that is known only later.
        columns: Of the matrix, in float32.

    Returns:
        A number of whole vectors that divides the columns; None where there is none.

    >>> from tvmfuse.schedules.cpu.isa import AVX2
    >>> panel_columns(AVX2, 128, 768), panel_columns(AVX2, None, 1000), panel_columns(AVX2, 7, 13)
    (24, 40, None)
    """
    height, lanes = LONG if rows is None else rows, isa.float_lanes
    counts = [v for v in range(1, MOST_VECTORS + 1) if columns % (v * lanes) == 0]
    counts = [v for v in counts if v == 1 or _registers(1, v, shared=True) <= isa.registers]

    def cost(vectors: int) -> float:
        width = vectors * lanes
        return _best(isa, height, width, lanes, shared=True, least=vectors)[0] / width

    best = min(counts, key=cost, default=None)
    return None if best is None else best * lanes


def cycles(isa: Isa, rows: int, columns: int) -> float:
    """Return the cycles that a product of float32 takes for each step of its sum.

    >>> from tvmfuse.schedules.cpu.isa import AVX2
    >>> round(cycles(AVX2, 48, 24)), round(cycles(AVX2, 4, 16), 1)
    (76, 4.7)
    """
    return _best(isa, rows, columns, isa.float_lanes, shared=True)[0]


def _best(
    isa: Isa, rows: int, columns: int, lanes: int, *, shared: bool, least: int = 1
) -> tuple[float, int, int, int]:
    """Return cycles for each step, less registers' use, vectors and rows of the fastest tile.

    It has at least so many vectors.
    """
    return min(
        (_cycles(rows, columns, r, v, lanes, shared=shared), -r * v, v, r)
        for r in range(1, min(MOST_ROWS, rows) + 1)
        for v in range(least, min(MOST_VECTORS, -(-columns // lanes)) + 1)
        if _registers(r, v, shared=shared) <= isa.registers or r == v == 1
    )


def _registers(rows: int, vectors: int, *, shared: bool) -> int:
    return rows * vectors + (vectors if shared else 1) + 1


def _cycles(rows: int, columns: int, r: int, v: int, lanes: int, *, shared: bool) -> float:
    total = 0.0
    for column in _cut(columns, v * lanes):
        for row in _cut(rows, r):
            wide = -(-column.width // lanes)
            products = row.width * wide
            loads = row.width + wide if shared else products + 1
            started = max(products, loads) / STARTS_PER_CYCLE
            cycles = max(started, (products + loads) / DECODED_PER_CYCLE, LATENCY)
            total += cycles * int(column.count) * int(row.count)
    return total


def _cut(extent: int, width: int) -> tuple[Segment, ...]:
    return segments(number(extent), width)


def length(axis: Axis) -> int:
    """Return an axis's extent; `LONG` where it is known only later."""
    extent: Expr = axis.extent
    known = static(extent)
    return LONG if known is None else known
