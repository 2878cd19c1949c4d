"""What an epilogue computes of a result's column alone, such as how many columns a window has.

::

    Before::  for each line: for each column: y[line, column] = f(line) * float(g(column))
    After::   for each column: columns[column] = float(g(column))
              for each line: for each column: y[line, column] = f(line) * columns[column]

Vectors of integers of 64 bits are twice as many as those of floats, and all lines have the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import Buffer, BufferLoad, Cast, ForKind, Stmt
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import divides_integers, loads, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values

#: Of these there are vectors on every CPU.
FLOATS: Final = ("float32", "float64")


@dataclass(frozen=True, eq=False)
class ColumnTerms:
    """A group whose epilogue reads what it needs to know of a column.

    Attributes:
        group: It reads the buffers of `terms`, at the column.
        terms: What each of them holds.
    """

    group: Group
    terms: Mapping[Buffer, Expr]

    def filled(
        self, builder: LoopNestBuilder, column: Axis, lanes: int
    ) -> tuple[dict[Buffer, Buffer], list[Stmt | None]]:
        """Return for each buffer one for the inside of the loops, and the statements that fill it.

        Args:
            builder: Of the function.
            column: The axis.
            lanes: Of a vector.
        """
        size = column.extent
        steps = Axis(column.var, tirx.floordiv(size + (lanes - 1), lanes))
        kept, statements = dict[Buffer, Buffer](), list[Stmt | None]()
        for buffer, term in self.terms.items():
            kept[buffer] = builder.local_buffer(buffer.name, buffer.dtype, [size])
            fill = partial(_filled, builder, column.var, lanes, kept[buffer], term)
            statements.append(builder.nest([steps], fill))
        return kept, statements


def column_terms(group: Group, column: Axis) -> ColumnTerms:
    """Return a group that reads each float that its epilogue makes of an integer of the column."""
    others = {axis.var for axis in group.head.axes} - {column.var}
    found = dict[Buffer, Cast]()

    def term(cast: Cast) -> Expr:
        read, dtype = set(variables(cast.value)), str(cast.ty.dtype)
        if dtype not in FLOATS or "int" not in str(cast.value.ty.dtype) or column.var not in read:
            return cast
        if others & read or loads(cast.value) or divides_integers(cast.value):
            return cast
        same = [buffer for buffer, known in found.items() if structural_equal(known, cast)]
        buffer = same[0] if same else tirx.decl_buffer((column.extent,), dtype, "columns")
        found[buffer] = cast
        return BufferLoad(buffer, [column.var])

    def read(value: Expr) -> Expr:
        return tvm_ffi.structural_map(value, (Cast, term))

    epilogue = tuple(stage.map(read) for stage in group.epilogue)
    return ColumnTerms(replace(group, epilogue=epilogue), found)


def _filled(
    builder: LoopNestBuilder, column: Var, lanes: int, into: Buffer, term: Expr, place: Values
) -> Stmt | None:
    """Fill one vector."""

    def fill(lane: Expr) -> Stmt:
        at = place[column] * lanes + lane
        return builder.store_local(LocalElement(into, at), builder.value(term, {column: at}))

    return builder.inner(column, lanes, ForKind.VECTORIZED, fill)
