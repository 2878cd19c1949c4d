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
"""

from __future__ import annotations

from dataclasses import dataclass

from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, Stmt

from tvmfuse.schedules.cpu.gemm.k_blocking import Part
from tvmfuse.schedules.expressions import number
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import Held, Values, Writer


@dataclass(frozen=True, eq=False)
class PanelCopy:
    """An operand to copy.

    Attributes:
        load: Its elements side by side along `column`.
        reduction: The axes of the sum.
        column: The axis of the register tile's columns.
        lanes: Elements of a vector.
        inside: The axes whose tiles read the same panel.
    """

    load: TensorLoad
    reduction: tuple[Axis, ...]
    column: Axis
    lanes: int
    inside: tuple[Axis, ...]

    def copied(self, writer: Writer, part: Part, start: Values, columns: int) -> Copied:
        """Return the copy of so many columns over one part of the sum."""
        shape = [*(a.extent for a in part.axes(self.reduction)), number(columns)]
        buffer = writer.inside("panel", self.load.source.dtype, shape)
        return Copied(self, part, start, columns, buffer)


@dataclass(frozen=True, eq=False)
class Copied:
    """A panel: the columns from `start` on."""

    copy: PanelCopy
    part: Part
    start: Values
    columns: int
    buffer: Buffer

    def nest(self, writer: Writer) -> Stmt | None:
        """Return the loops that copy."""
        copy, column = self.copy, self.copy.column

        def element(at: Values, c: Expr) -> Stmt:
            value = writer.value(copy.load, self._absolute({**at, column.var: c}))
            indices = [*(at[a.var] for a in copy.reduction), c]
            return writer.store(self.buffer, indices, value, {})

        def row(at: Values) -> Stmt | None:
            return writer.vectors(column.var, self.columns, copy.lanes, lambda c: element(at, c))

        return writer.nest(self.part.axes(copy.reduction), row)

    def held(self, writer: Writer, at: Values) -> dict[Buffer, Held]:
        """Return where an element of the operand is, at absolute values of the axes."""
        begin = {**self.part.begin(self.copy.reduction), self.copy.column.var: self._first}
        offset: Expr = number(0)
        for axis in (*self.part.axes(self.copy.reduction), self.copy.column):
            extent = number(self.columns) if axis is self.copy.column else axis.extent
            offset = offset * extent + (at[axis.var] - begin[axis.var])
        return {self.copy.load.source: Held(self.buffer, writer.simplify(offset))}

    def _absolute(self, at: Values) -> Values:
        begin = {**self.part.begin(self.copy.reduction), self.copy.column.var: self._first}
        return {**self.start, **{var: begin[var] + value for var, value in at.items()}}

    @property
    def _first(self) -> Expr:
        return self.start[self.copy.column.var]
