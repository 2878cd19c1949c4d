"""What an epilogue computes of one axis alone, such as how many columns a window has.

::

    Before::  for each line: for each column: y[line, column] = f * float(g(column))
    After::   for each column: terms[column] = float(g(column))
              for each line: for each column: y[line, column] = f * terms[column]

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

from tvmfuse.schedules.expressions import divides_integers, loads, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values

#: Of these there are vectors on every CPU.
FLOATS: Final = ("float32", "float64")


@dataclass(frozen=True, eq=False)
class AxisTerms:
    """A group whose epilogue reads what it needs to know of an axis.

    Attributes:
        group: It reads the buffers of `terms`, at the place of the axis.
        axis: Its extent may be known only later.
        terms: What each of the buffers holds.
    """

    group: Group
    axis: Axis
    terms: Mapping[Buffer, Expr]

    def filled(self, builder: LoopNestBuilder, lanes: int) -> list[Stmt | None]:
        """Return what fills the buffers, which are for the inside of the function, in vectors."""
        var, extent = self.axis.var, self.axis.extent
        count, known = tirx.floordiv(extent + (lanes - 1), lanes), static(extent)
        most = None if known is None else -(-known // lanes) * lanes
        statements = list[Stmt | None]()
        for buffer, term in self.terms.items():
            # It has room for the rest of the last vector.
            fill = partial(_filled, builder, var, lanes, builder.localize(buffer, most), term)
            statements.append(builder.nest([Axis(var, count)], fill))
        return statements


def axis_terms(group: Group, axis: Axis) -> AxisTerms:
    """Return a group that reads each float that its epilogue makes of an integer of the axis."""
    others = {a.var for a in group.head.axes} - {axis.var}
    found = dict[Buffer, Cast]()

    def term(cast: Cast) -> Expr:
        read, dtype = set(variables(cast.value)), str(cast.ty.dtype)
        if dtype not in FLOATS or "int" not in str(cast.value.ty.dtype) or axis.var not in read:
            return cast
        if others & read or loads(cast.value) or divides_integers(cast.value):
            return cast
        same = [buffer for buffer, known in found.items() if structural_equal(known, cast)]
        buffer = same[0] if same else tirx.decl_buffer((axis.extent,), dtype, "terms")
        found[buffer] = cast
        return BufferLoad(buffer, [axis.var])

    def read(value: Expr) -> Expr:
        return tvm_ffi.structural_map(value, (Cast, term))

    epilogue = tuple(stage.map(read) for stage in group.epilogue)
    return AxisTerms(replace(group, epilogue=epilogue), axis, found)


def _filled(
    builder: LoopNestBuilder, var: Var, lanes: int, into: Buffer, term: Expr, place: Values
) -> Stmt | None:
    """Fill one vector."""

    def fill(lane: Expr) -> Stmt:
        at = place[var] * lanes + lane
        return builder.store_local(LocalElement(into, at), builder.value(term, {var: at}))

    return builder.inner(var, lanes, ForKind.VECTORIZED, fill)
