"""The size of the register tile of a sum of products.

One step of the innermost loop loads `vectors` vectors of one operand and `rows` numbers of the
other, each copied to all lanes, and does ``rows * vectors`` multiply-adds. All must fit::

    rows * vectors accumulators + vectors loaded + 1 copied number <= registers

Beyond that, a core starts some multiply-adds and loads in each cycle, a multiply-add waits for the
one before it on the same accumulator, and instructions have to be decoded. From these follow the
cycles of a tile; the tile taken is the one whose tiles, ragged ones included, take the fewest.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from tvmfuse.target.machine import Machine

#: Elements that a size known only later is taken to have: many whole tiles.
LONG: Final = 3840

#: Rows and vectors beyond this only lengthen the code.
MOST_ROWS: Final = 14
MOST_VECTORS: Final = 8

#: Of the registers that a row of sums takes where a tile has little but a few rows.
NARROW_SHARE: Final = 8

#: Columns from which on panels pay even if the last is not full: a row is no few lines of a cache.
MANY_COLUMNS: Final = 128


#: Columns of a tile of a matrix unit.
TILE: Final = 16


@dataclass(frozen=True)
class Size:
    """Of a register tile: its rows, and its vectors side by side."""

    rows: int
    vectors: int


@dataclass(frozen=True)
class Sliding:
    """Numbers that rows share: a row reads what the row after it did some steps of the sum ago.

    A compiler reads each once for a body of code, most of them at its begin, and what finds no
    register goes to the stack: of a 7x7 convolution with a stride of two and pixels of four bytes,
    tiles of 14 rows take 1.2 times as long as those of 8 (VNNI, Zen 4).

    Attributes:
        step: How many steps ago; fewer than those of the window.
        window: Steps of the sum that are one body of code.
    """

    step: int
    window: int

    def numbers(self, rows: int) -> int:
        """Return how many different numbers so many rows read in a body.

        >>> Sliding(step=2, window=7).numbers(8)
        21
        """
        return (rows - 1) * self.step + self.window


def panel_columns(
    machine: Machine, rows: int | None, columns: int, *, whole: bool = False
) -> int | None:
    """Return the width of panels of a matrix: that of the tile that takes the fewest cycles.

    A panel of several tiles would be read with gaps. So of 1024 columns panels of 16 and their
    tiles of 6 x 16 run at 0.77 of the peak, those of 32 at 0.74, of 64 at 0.65 (AVX2, Zen 3).

    Args:
        machine: Its registers.
        rows: Of the product; None where that is known only later.
        columns: Of the matrix, in float32.
        whole: Whether all panels have to be full.

    Returns:
        A number of whole vectors that divides the columns. Where no two do, and the columns are
        many, it leaves a rest for the last panel; where they are few, and no vector divides them,
        None.

    >>> from tvmfuse.target.machine import AVX2
    >>> panel_columns(AVX2, 128, 768), panel_columns(AVX2, None, 1000), panel_columns(AVX2, 7, 13)
    (24, 40, None)
    >>> panel_columns(AVX2, 128, 50257), panel_columns(AVX2, 128, 241), panel_columns(AVX2, 0, 768)
    (40, 32, 48)
    """
    height, lanes = LONG if rows is None else rows, machine.isa.float_lanes

    def cost(vectors: int) -> tuple[bool, float]:
        width = vectors * lanes
        cycles = _best(machine, height, width, lanes, shared=True, least=vectors)[0]
        # One column that is left has no vectors.
        return columns % width == 1, cycles / width

    best = min(_panel_vectors(machine, columns, whole=whole), key=cost, default=None)
    return None if best is None else best * lanes


def _panel_vectors(machine: Machine, columns: int, *, whole: bool = False) -> list[int]:
    """Return how many vectors wide the panels of a matrix may be."""
    lanes, most = machine.isa.float_lanes, machine.isa.registers
    counts = [
        v for v in range(1, MOST_VECTORS + 1) if v == 1 or _registers(1, v, shared=True) <= most
    ]
    full = [v for v in counts if columns % (v * lanes) == 0]
    return counts if not whole and columns >= MANY_COLUMNS and max(full, default=0) < 2 else full


def single_pass_columns(machine: Machine, rows: int, columns: int) -> int | None:
    """Return the width of the widest panels of which one tile of all rows reads each once.

    What is multiplied by the same matrix again and again, as in a recurrence, is a few rows, and
    waits for the matrix, which comes from the second-level cache each time: eight rows of an LSTM
    with a hidden size of 128 take 0.87 of the time with panels of 32 columns, which they pass once,
    as with panels of 64, which two tiles of four rows pass (AVX-512, Sapphire Rapids).

    Args:
        machine: Its registers.
        rows: Of the product.
        columns: Of the matrix, in float32.

    Returns:
        A number of whole vectors, of two at least, as `panel_columns` has them; None where no such
        tile fits the registers.

    >>> from tvmfuse.target.machine import AVX2, AVX512
    >>> single_pass_columns(AVX512, 8, 1024), single_pass_columns(AVX512, 1, 1024)
    (32, 128)
    >>> single_pass_columns(AVX2, 4, 1024), single_pass_columns(AVX2, 8, 1024)
    (16, None)
    """
    lanes, most = machine.isa.float_lanes, machine.isa.registers
    fitting = [
        vectors * lanes
        for vectors in _panel_vectors(machine, columns)
        if vectors > 1 and _registers(rows, vectors, shared=True) <= most
    ]
    return max(fitting, default=None) if rows <= MOST_ROWS else None


def tile_panel_columns(columns: int) -> int | None:
    """Return the width of panels of which a matrix unit's tiles of 16 columns read two at once.

    None where tiles leave a rest of columns that are not many.

    >>> [tile_panel_columns(n) for n in (768, 1000, 48, 24)]
    [32, 32, 16, None]
    """
    if columns % (2 * TILE) == 0 or columns >= MANY_COLUMNS:
        return 2 * TILE
    return TILE if columns % TILE == 0 else None


def narrow_panel_columns(machine: Machine, columns: int) -> int:
    """Return the width of panels that leave registers for what their numbers are made by.

    A row of sums takes an eighth of the registers, so that a tile has a few rows.

    >>> from tvmfuse.target.machine import AVX2, AVX512
    >>> [narrow_panel_columns(machine, 1000) for machine in (AVX2, AVX512)]
    [16, 64]
    >>> narrow_panel_columns(AVX512, 40)
    48
    """
    lanes = machine.isa.float_lanes
    return lanes * min(machine.isa.registers // NARROW_SHARE, -(-columns // lanes))


def cycles(machine: Machine, rows: int, columns: int) -> float:
    """Return the cycles that a product of float32 takes for each step of its sum.

    >>> from tvmfuse.target.machine import AVX2
    >>> round(cycles(AVX2, 48, 24)), round(cycles(AVX2, 4, 16), 1)
    (76, 4.7)
    """
    return _best(machine, rows, columns, machine.isa.float_lanes, shared=True)[0]


def tile_cycles(
    machine: Machine, rows: int, columns: int, lanes: int, *, shared: bool, whole: bool = False
) -> float:
    """Return the cycles that the fastest tiles of a product take for each step of its sum.

    Args:
        machine: Its registers and its core.
        rows: Of the product.
        columns: Of the product, in elements.
        lanes: Elements of a vector.
        shared: Whether all rows use the same vectors; else all use the same broadcast number.
        whole: Whether a tile has to have all columns; if none fits, the cycles are infinite.

    >>> from tvmfuse.target.machine import AVX2, AVX512
    >>> [round(tile_cycles(AVX512, 14, n, 16, shared=True) / n, 2) for n in (16, 32)]
    [0.6, 0.46]
    >>> tile_cycles(AVX2, 14, 64, 8, shared=True, whole=True)
    inf
    """
    least = _vectors(columns, lanes) if whole else 1
    return _best(machine, rows, columns, lanes, shared=shared, least=least)[0]


def block_cycles(machine: Machine, rows: int, columns: int, blocks: int) -> float:
    """Return the cycles of one block of a product of float32 for each step of its sum.

    Args:
        machine: Its registers, and how many blocks a tile may have side by side.
        rows: Of the product.
        columns: Of a block.
        blocks: How many there are.

    >>> from tvmfuse.target.machine import AVX512, ZEN4
    >>> [round(block_cycles(machine, 196, 16, 4), 1) for machine in (ZEN4, AVX512)]
    [135.3, 98.0]
    """
    lanes = machine.isa.float_lanes
    counts = [n for n in range(1, machine.tuning.tile_blocks + 1) if blocks % n == 0]
    return min(
        tile_cycles(machine, rows, n * columns, lanes, shared=True, whole=n > 1) / n for n in counts
    )


def best_size(
    machine: Machine,
    rows: int,
    columns: int,
    lanes: int,
    *,
    shared: bool,
    whole: bool = False,
    sliding: Sliding | None = None,
) -> Size:
    """Return the size of the fastest tile.

    Args:
        machine: Its registers and its core.
        rows: Of the product.
        columns: Of the product, in elements.
        lanes: Elements of a vector.
        shared: Whether all rows use the same vectors; else all use the same broadcast number.
        whole: Whether it has to have all columns, where such a tile fits.
        sliding: The numbers that rows share; None where each has its own.

    >>> from tvmfuse.target.machine import AVX512
    >>> best_size(AVX512, 112, 16, 16, shared=True)
    Size(rows=14, vectors=1)
    >>> best_size(AVX512, 112, 16, 16, shared=True, sliding=Sliding(step=2, window=7))
    Size(rows=8, vectors=1)
    """
    least = _vectors(columns, lanes) if whole else 1
    _, _, vectors, height = _best(
        machine, rows, columns, lanes, shared=shared, least=least, sliding=sliding
    )
    return Size(height, vectors)


def pair_panel_columns(machine: Machine, rows: int | None, columns: int) -> int | None:
    """Return what `panel_columns` does where one instruction multiplies two rows by two columns.

    >>> from tvmfuse.target.machine import NEOVERSE_N1
    >>> [pair_panel_columns(NEOVERSE_N1, 128, n) for n in (768, 64, 1000, 6)]
    [12, 16, 8, None]
    """
    height, lanes = LONG if rows is None else rows, machine.isa.float_lanes

    def cost(vectors: int) -> tuple[bool, float]:
        width = vectors * lanes
        return columns % width == 1, _best_pairs(machine, height, width, lanes, vectors)[0] / width

    best = min(_panel_vectors(machine, columns), key=cost, default=None)
    return None if best is None else best * lanes


def best_pair_size(
    machine: Machine, rows: int, columns: int, lanes: int, *, whole: bool = False
) -> Size:
    """Return the size of the fastest tile of which an instruction multiplies two rows.

    One step loads a number of each row, makes one vector of two rows' numbers, and multiplies each
    by `lanes` columns in two instructions. LLVM keeps all such vectors of a step in registers::

        pairs * 2 * vectors accumulators + pairs + 2 * vectors loaded + 2 single numbers

    Args:
        machine: Its registers and its core.
        rows: Of the product.
        columns: Of the product, in elements.
        lanes: Sums of a vector.
        whole: Whether it has to have all columns, where such a tile fits.

    >>> from tvmfuse.target.machine import NEOVERSE_N1
    >>> [best_pair_size(NEOVERSE_N1, 120, n, 4) for n in (8, 12)]
    [Size(rows=10, vectors=2), Size(rows=6, vectors=3)]
    """
    least = _vectors(columns, lanes) if whole else 1
    _, _, vectors, height = _best_pairs(machine, rows, columns, lanes, least)
    return Size(max(1, min(height, rows)), vectors)


def _best_pairs(
    machine: Machine, rows: int, columns: int, lanes: int, least: int
) -> tuple[float, int, int, int]:
    """Return what `_best` does, of tiles of pairs of rows."""
    rows, columns, tuning = max(rows, 1), max(columns, 1), machine.tuning

    def cost(r: int, v: int) -> float:
        total = 0.0
        for width, across in _partition(columns, v * lanes):
            for height, down in _partition(rows, r):
                wide, pairs = 2 * _vectors(width, lanes), -(-height // 2)
                products, loads = pairs * wide, height + wide
                started = max(products / tuning.fmas_per_cycle, loads / tuning.loads_per_cycle)
                decoded = (products + loads + pairs) / tuning.decoded_per_cycle
                total += max(started, decoded, tuning.fma_latency) * across * down
        return total

    fitting = (
        (cost(r, v), -r * v, v, r)
        for r in range(2, MOST_ROWS + 1, 2)
        for v in range(least, min(MOST_VECTORS, _vectors(columns, lanes)) + 1)
        if r * v + r // 2 + 2 * v + 2 <= machine.isa.registers
    )
    return min(fitting, default=(inf, -1, 1, 2))


def _best(
    machine: Machine,
    rows: int,
    columns: int,
    lanes: int,
    *,
    shared: bool,
    least: int = 1,
    sliding: Sliding | None = None,
) -> tuple[float, int, int, int]:
    """Return cycles for each step, less registers' use, vectors and rows of the fastest tile.

    It has at least so many vectors; where none fits, it is one of one vector, of infinite cycles. A
    product without rows or columns is taken to have one.
    """
    rows, columns = max(rows, 1), max(columns, 1)

    def cost(r: int, v: int) -> float:
        return _cycles(machine, rows, columns, r, v, lanes, shared=shared, sliding=sliding)

    fitting = (
        (cost(r, v), -r * v, v, r)
        for r in range(1, min(MOST_ROWS, rows) + 1)
        for v in range(least, min(MOST_VECTORS, _vectors(columns, lanes)) + 1)
        if _registers(r, v, shared=shared, sliding=sliding) <= machine.isa.registers or r == v == 1
    )
    return min(fitting, default=(inf, -1, 1, 1))


def _vectors(columns: int, lanes: int) -> int:
    return -(-columns // lanes)


def _registers(rows: int, vectors: int, *, shared: bool, sliding: Sliding | None = None) -> int:
    numbers = sliding.numbers(rows) if sliding else 1
    return rows * vectors + (vectors if shared else 1) + numbers


def _cycles(
    machine: Machine,
    rows: int,
    columns: int,
    r: int,
    v: int,
    lanes: int,
    *,
    shared: bool,
    sliding: Sliding | None,
) -> float:
    tuning, total = machine.tuning, 0.0
    for width, across in _partition(columns, v * lanes):
        for height, down in _partition(rows, r):
            wide = -(-width // lanes)
            products = height * wide
            numbers = sliding.numbers(height) / sliding.window if sliding else height
            loads = numbers + wide if shared else products + 1
            started = max(products / tuning.fmas_per_cycle, loads / tuning.loads_per_cycle)
            decoded = (products + loads) / tuning.decoded_per_cycle
            total += max(started, decoded, tuning.fma_latency) * across * down
    return total


def _partition(extent: int, width: int) -> list[tuple[int, int]]:
    """Return the whole tiles and the ragged one: how wide, and how many of them."""
    whole, rest = divmod(extent, width)
    return [(size, count) for size, count in ((width, whole), (rest, 1)) if size and count]
