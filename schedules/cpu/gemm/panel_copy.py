"""Panels copied where they are used: an operand whose rows are long, and read again and again.

::

    for each column of register tiles:
        panel[k, c] = b[k, begin + c]              stays in the second-level cache
        for each tile of rows below each other:
            tile[r, c] += a[r, k] * panel[k, c]

A tile reads some columns of each row of a matrix. As the matrix lies, these are a line or two on
another page for each step, and their addresses compete for a few places in the first cache; in a
panel they follow each other. Constant matrices are panels already (`PrepackWeights`). Here it is
done as Goto and van de Geijn do it ("Anatomy of High-Performance Matrix Multiplication", 2008).

An operand that is computed, as of few bits, is computed once for all tiles of a panel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer, ForKind, Stmt
from tvm_ffi import structural_equal

from tvmfuse.schedules.contraction import Contraction, Operand
from tvmfuse.schedules.cpu.gemm.k_blocking import KBlock
from tvmfuse.schedules.cpu.gemm.k_unroll import together
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values


@dataclass(frozen=True, eq=False)
class PanelCopy:
    """An operand to copy.

    Attributes:
        factor: An element of it. They are side by side along `column`.
        source: What the tiles' products load it from: the operand's own buffer, or where it is
            computed one that stands for it.
        reduction: The axes of the sum.
        column: The axis of the register tile's columns.
        lanes: Elements of a vector.
        shared_by: The axes whose tiles read the same panel.
    """

    factor: Expr
    source: Buffer
    reduction: tuple[Axis, ...]
    column: Axis
    lanes: int
    shared_by: tuple[Axis, ...]

    def packed(
        self, builder: LoopNestBuilder, k_block: KBlock, start: Values, columns: int
    ) -> PackedPanel:
        """Return the copy of so many columns over one block of the sum."""
        shape = [*(a.extent for a in k_block.axes(self.reduction)), number(columns)]
        buffer = builder.local_buffer("panel", self.source.dtype, shape)
        return PackedPanel(self, k_block, start, columns, buffer)

    def reading(self, value: Expr) -> Expr:
        """Return what is computed of the operand, with loads where that is computed."""
        if isinstance(self.factor, TensorLoad):
            return value
        found: Expr = tvm_ffi.structural_map(value, (type(self.factor), self._loaded))
        return found

    def _loaded(self, node: Expr) -> Expr:
        if not structural_equal(node, self.factor):
            return node
        return tirx.BufferLoad(self.source, [number(0)])


@dataclass(frozen=True, eq=False)
class PackedPanel:
    """A panel: the columns from `start` on."""

    copy: PanelCopy
    k_block: KBlock
    start: Values
    columns: int
    buffer: Buffer

    def nest(self, builder: LoopNestBuilder) -> Stmt | None:
        """Return the loops that copy."""
        copy, column = self.copy, self.copy.column

        def element(at: Values, c: Expr) -> Stmt:
            value = builder.value(copy.factor, self._absolute({**at, column.var: c}))
            indices = [*(at[a.var] for a in copy.reduction), c]
            return builder.store(self.buffer, indices, value, {})

        def row(at: Values) -> Stmt | None:
            return builder.vectors(column.var, self.columns, copy.lanes, lambda c: element(at, c))

        axes = self.k_block.axes(copy.reduction)
        *outer, last = axes
        steps = together(axes)
        if steps is None or isinstance(copy.factor, TensorLoad):
            return builder.nest(axes, row)

        def inside(at: Values) -> Stmt | None:
            return builder.inner(
                last.var, steps, ForKind.UNROLLED, lambda k: row({**at, last.var: k})
            )

        return builder.nest(outer, inside)

    def elements(self, builder: LoopNestBuilder, at: Values) -> dict[Buffer, LocalElement]:
        """Return where an element of the operand is, at absolute values of the axes."""
        begin = {**self.k_block.begin(self.copy.reduction), self.copy.column.var: self._first}
        offset: Expr = number(0)
        for axis in (*self.k_block.axes(self.copy.reduction), self.copy.column):
            extent = number(self.columns) if axis is self.copy.column else axis.extent
            offset = offset * extent + (at[axis.var] - begin[axis.var])
        return {self.copy.source: LocalElement(self.buffer, builder.simplify(offset))}

    def _absolute(self, at: Values) -> Values:
        begin = {**self.k_block.begin(self.copy.reduction), self.copy.column.var: self._first}
        return {**self.start, **{var: begin[var] + value for var, value in at.items()}}

    @property
    def _first(self) -> Expr:
        return self.start[self.copy.column.var]


def copyable(
    product: Contraction, operand: Operand, tile: Tile, shared_by: Sequence[Axis]
) -> PanelCopy | None:
    """Return an operand's copy panel by panel; None where it cannot be made.

    Args:
        product: The sum of products.
        operand: Vectors of it are loaded along the tile's columns.
        tile: The register tile.
        shared_by: The axes whose tiles read the same panel; its rows' axis has to be one.
    """
    stage, load = product.stage, operand.load
    if product.windows or tile.column_axis is None:
        return None
    if tile.row_axis not in shared_by:
        return None
    if not all(isinstance(a.extent, Var) or static(a.extent) for a in stage.reduction):
        return None  # it may follow from a loop around, where TVM allocates nothing
    factor: Expr
    if load is None:
        factor = operand.factor
        source = tirx.decl_buffer([number(1)], factor.ty.dtype, "computed")
    elif len([x for x in stage.loads if x.source.same_as(load.source)]) > 1:
        return None
    else:
        factor, source = load, load.source
    axes = stage.reduction, tile.column_axis
    return PanelCopy(factor, source, *axes, tile.lanes, tuple(shared_by))
