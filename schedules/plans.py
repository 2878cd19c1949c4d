"""Plans: how the loops of a kernel run, as plain data that can be shown, kept and given back.

A kernel's plan (`kernel_plan.py`) has one for each of its loop nests. A schedule makes it, and code
of it, or of another that fits the kernel. No plan changes what is computed. No TVM is needed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

Prefetched = Literal["panels", "epilogue"]
Vectorized = Literal["outputs", "terms", "nothing"]


@dataclass(frozen=True, kw_only=True)
class NestPlan:
    """What the plans of all loop nests have.

    Attributes:
        parallel: Whether the outermost loops run in threads.
    """

    kind: ClassVar[str]
    parallel: bool = False

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of the steps that take part."""
        return ("Threads",) if self.parallel else ()

    @property
    def words(self) -> str:
        """The plan in a few words."""
        return self.kind


@dataclass(frozen=True, kw_only=True)
class SumPlan(NestPlan):
    """How a sum's loop is unrolled.

    Attributes:
        k_unroll: Steps of the sum that one body of the innermost loop takes, at most.
        max_fmas: Vector multiply-adds of such a body, at most: a tile that has more of them takes
            half as many steps, and so on, down to one.
    """

    k_unroll: int = 1
    max_fmas: int = 1

    def unrolled(self, fmas: int) -> int:
        """Return how many steps are one body, for so many vector multiply-adds in each.

        >>> ReductionPlan(k_unroll=4, max_fmas=48).unrolled(12)
        4
        >>> ReductionPlan(k_unroll=4, max_fmas=48).unrolled(28)
        1
        """
        steps = self.k_unroll
        while steps > 1 and steps * fmas > self.max_fmas:
            steps //= 2
        return steps

    @property
    def steps(self) -> tuple[str, ...]:
        return (*super().steps, *(("KUnrolling",) if self.k_unroll > 1 else ()))


@dataclass(frozen=True, kw_only=True)
class ContractionPlan(SumPlan):
    """A sum of products on a register tile.

    Attributes:
        mr: Rows of the register tile.
        nr: Columns of the register tile, in elements; a multiple of `lanes`.
        lanes: Elements of a vector.
        blocks: How many blocks of channels its columns are, side by side.
        row: The axis of the tile's rows; None where it has one.
        column: The axis of its columns, which lie side by side.
        order: The loops over tiles, the outermost first: all axes of the output.
        k_blocks: In how many blocks the first axis of the sum comes.
        by_panel: Whether those of a panel follow each other; else a block of all panels comes
            before the next one, and threads wait for each other in between.
        panel_copy: Whether the operand of vectors is copied panel by panel.
        prefetch: What is asked for ahead of its use: the next panel, or what the epilogue touches.
        row_strip: Rows of a strip, which pass for all columns before others do; 0 for all rows.
        block_sum_rows: Rows of a tile up to which a factor that all terms of a block of the sum
            share multiplies the block's sum, not each term; 0 for none.
        row_pairs: Whether one instruction multiplies two rows by two columns.
    """

    kind: ClassVar[str] = "contraction"
    mr: int
    nr: int
    lanes: int
    row: str | None
    column: str
    order: tuple[str, ...]
    blocks: int = 1
    k_blocks: int = 1
    by_panel: bool = False
    panel_copy: bool = False
    row_strip: int = 0
    prefetch: tuple[Prefetched, ...] = ()
    block_sum_rows: int = 0
    row_pairs: bool = False

    @property
    def vectors(self) -> int:
        """Vectors of a row of the tile."""
        return self.nr // self.lanes

    @property
    def steps(self) -> tuple[str, ...]:
        taken = {
            "RegisterTiling": self.mr * self.vectors > 1,
            "KBlocking": self.k_blocks > 1,
            "PanelCopy": self.panel_copy,
            "RowStrips": self.row_strip > 0,
            "Prefetch": bool(self.prefetch),
            "BlockSums": self.block_sum_rows > 0,
            "RowPairs": self.row_pairs,
        }
        return (*super().steps, *(name for name, takes in taken.items() if takes))

    @property
    def words(self) -> str:
        said = [f"{self.mr} x {self.nr}", f"k by {self.unrolled(self.mr * self.vectors)}"]
        said += [f"{self.blocks} blocks of channels"] if self.blocks > 1 else []
        blocks = f"{self.k_blocks} k blocks{' of each panel' if self.by_panel else ''}"
        said += [blocks] if self.k_blocks > 1 else []
        said += ["panels copied"] if self.panel_copy else []
        said += [f"strips of {self.row_strip} rows"] if self.row_strip else []
        said += [f"prefetch {'+'.join(self.prefetch)}"] if self.prefetch else []
        said += [f"block sums of {self.block_sum_rows}"] if self.block_sum_rows else []
        said += ["two rows at a time"] if self.row_pairs else []
        return ", ".join(said)


@dataclass(frozen=True, kw_only=True)
class MatrixUnitPlan(NestPlan):
    """A sum of products on the tiles of a matrix unit.

    Attributes:
        mr: Rows that are computed together: of one tile, or of two.
        nr: Columns that are computed together, a multiple of a tile's, of one block of channels.
        blocks: How many blocks of channels are computed together.
        strip_tiles: How many times `mr` rows pass for some columns before others do.
        row: The axis of rows.
        column: The axis of columns.
        order: The loops over tiles, the outermost first: all axes of the output.
    """

    kind: ClassVar[str] = "matrix unit"
    mr: int
    nr: int
    row: str
    column: str
    order: tuple[str, ...]
    blocks: int = 1
    strip_tiles: int = 1

    @property
    def steps(self) -> tuple[str, ...]:
        return (*super().steps, "MatrixUnit")

    @property
    def words(self) -> str:
        said = f"{self.mr} x {self.blocks * self.nr} on the matrix unit"
        return f"{said}, strips of {self.strip_tiles * self.mr} rows"


@dataclass(frozen=True, kw_only=True)
class BlockDotsPlan(NestPlan):
    """Dot products of integers in blocks, on a tile as wide as a panel.

    Attributes:
        mr: Rows of the tile.
    """

    kind: ClassVar[str] = "block dots"
    mr: int

    @property
    def steps(self) -> tuple[str, ...]:
        return (*super().steps, *(("RegisterTiling",) if self.mr > 1 else ()))

    @property
    def words(self) -> str:
        return f"dot products of {self.mr} rows"


@dataclass(frozen=True, kw_only=True)
class ReductionPlan(SumPlan):
    """A reduction in vectors of results, in vectors of terms, or one by one.

    Attributes:
        vectorize: What lies in the lanes: results side by side, or partial results of one sum.
        axis: The axis that vectors lie along; None for none.
        lanes: Elements of a vector.
        vectors: Vectors that are accumulated side by side.
    """

    kind: ClassVar[str] = "reduction"
    vectorize: Vectorized = "nothing"
    axis: str | None = None
    lanes: int = 1
    vectors: int = 1

    @property
    def words(self) -> str:
        if self.vectorize == "nothing":
            return "reduction, scalar"
        return f"reduction, {self.vectors} x {self.lanes} {self.vectorize} along {self.axis}"


@dataclass(frozen=True, kw_only=True)
class WindowPlan(NestPlan):
    """A window that slides along lines; its lines are joined first, then its columns.

    Attributes:
        lanes: Elements of a vector.
        vectors: Vectors of each line of the image that are joined side by side.
        padded: Whether the image is padded as it is read.
    """

    kind: ClassVar[str] = "window"
    lanes: int
    vectors: int
    padded: bool = False

    @property
    def steps(self) -> tuple[str, ...]:
        return (*super().steps, *(("FusedPadding",) if self.padded else ()))

    @property
    def words(self) -> str:
        return f"window, lines by {self.vectors} x {self.lanes}"


@dataclass(frozen=True, kw_only=True)
class DepthwisePlan(NestPlan):
    """A depthwise convolution that pads its image as it reads it.

    Attributes:
        mr: Lines of the register tile.
        lanes: Elements of a vector.
        by_lines: Whether the tiles of some lines in all channels come before those of other lines.
    """

    kind: ClassVar[str] = "depthwise"
    mr: int
    lanes: int
    by_lines: bool = False

    @property
    def steps(self) -> tuple[str, ...]:
        return (*super().steps, "FusedPadding", *(("RegisterTiling",) if self.mr > 1 else ()))

    @property
    def words(self) -> str:
        return f"depthwise, {self.mr} x {self.lanes}{', by lines' if self.by_lines else ''}"


@dataclass(frozen=True, kw_only=True)
class PointwisePlan(NestPlan):
    """Elements that are computed each on its own.

    Attributes:
        lanes: Elements of a vector, along the last axis.
        order: The loops, the outermost first; that of the last axis is over vectors.
    """

    kind: ClassVar[str] = "pointwise"
    lanes: int = 1
    order: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return f"pointwise by {self.lanes}"


@dataclass(frozen=True, kw_only=True)
class RowsPlan(NestPlan):
    """All stages of a kernel, row by row.

    Attributes:
        rows: The axes that are the rows.
        nests: The plans of the nests inside a row.
    """

    kind: ClassVar[str] = "rows"
    rows: tuple[str, ...]
    nests: tuple[NestPlan, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        return (*super().steps, *(step for nest in self.nests for step in nest.steps))

    @property
    def words(self) -> str:
        return f"row by row: {'; '.join(nest.words for nest in self.nests)}"


@dataclass(frozen=True, kw_only=True)
class RepeatingPlan(NestPlan):
    """Stages that repeat, one step after the other.

    Attributes:
        nests: The plans of the nests of a step, which may run in threads.
    """

    kind: ClassVar[str] = "repeating"
    nests: tuple[NestPlan, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        return (*super().steps, *(step for nest in self.nests for step in nest.steps))

    @property
    def words(self) -> str:
        return f"step by step: {'; '.join(dict.fromkeys(nest.words for nest in self.nests))}"


@dataclass(frozen=True, kw_only=True)
class FusedPaddingPlan(NestPlan):
    """A padded copy made strip by strip, and the nest that reads it.

    Attributes:
        lines: Lines of results of a strip; none where as many as fit the cache are found later.
        nests: The plans of the nests of a strip.
        last_nests: Those of the last strip, where it is shorter.
    """

    kind: ClassVar[str] = "fused_padding"
    lines: int | None
    nests: tuple[NestPlan, ...]
    last_nests: tuple[NestPlan, ...] = ()

    @property
    def steps(self) -> tuple[str, ...]:
        inner = (step for nest in (*self.nests, *self.last_nests) for step in nest.steps)
        return (*super().steps, "FusedPadding", *inner)

    @property
    def words(self) -> str:
        return f"{self.lines or 'fitting'} lines: {'; '.join(nest.words for nest in self.nests)}"


@dataclass(frozen=True, kw_only=True)
class WinogradPlan(NestPlan):
    """A Winograd convolution, a strip of tiles at a time.

    Attributes:
        m: Outputs of a tile in each direction; the weights are transformed for it.
        strip_tiles: Tiles of a strip.
        product: The plan of the products of a strip.
        last_product: That of the last strip, where it is shorter.
        share_strips: Whether threads share whole strips where there are many, in place of what is
            in one.
    """

    kind: ClassVar[str] = "winograd"
    m: int
    strip_tiles: int
    product: ContractionPlan
    last_product: ContractionPlan | None = None
    share_strips: bool = False

    @property
    def steps(self) -> tuple[str, ...]:
        products = (p for p in (self.product, self.last_product) if p is not None)
        return (*super().steps, *(step for p in products for step in p.steps))

    @property
    def words(self) -> str:
        strips = "strips that threads share" if self.share_strips else "strips"
        return f"F({self.m}x{self.m}), {strips}, of {self.strip_tiles} tiles: {self.product.words}"
