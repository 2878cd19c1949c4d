"""Windows that slide along an image's columns, as pools have them: what they read, and join.

A padded image is a copy that one reduction reads. Here it is none: what each term is, is said of
the image itself, with the lines and the columns that there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm_ffi import structural_equal

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.combiners import Combiner, combiner
from tvmfuse.schedules.cpu.gemm.contraction_nest import column_axis
from tvmfuse.schedules.cpu.padding import padded
from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    callee,
    calls,
    coefficient,
    flat,
    loads,
    static,
    variables,
)
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.vector_accesses import MASKED_BITS, MAX_STEP


@dataclass(frozen=True, eq=False)
class Window:
    """A reduction over a window, and its epilogue.

    Attributes:
        group: Both, over the axes that the loops have.
        joins: How terms are joined. What is padded is its neutral value.
        column: The axis of results side by side.
        stride: Columns from one result to the next.
        tap: The axis over the columns of a window; None for windows of one column.
        dilation: Columns from one tap to the next.
        load: A term.
        inside: Whether its line is there; depends on no column.
        before: Columns of the padding from the term's column on; None where nothing is padded.
        end: Columns until the image's end, counted likewise.
    """

    group: Group
    joins: Combiner
    column: Axis
    stride: int
    tap: Axis | None
    dilation: int
    load: TensorLoad
    inside: Expr
    before: Expr | None = None
    end: Expr | None = None

    @property
    def lines(self) -> tuple[Axis, ...]:
        """The axes over the lines of a window."""
        return tuple(a for a in self.group.head.reduction if a is not self.tap)

    @property
    def taps(self) -> int:
        """Columns of a window, without those that it leaves out."""
        return (static(self.tap.extent) or 1) if self.tap else 1

    @property
    def span(self) -> int:
        """Columns from a window's first to its last, both included."""
        return (self.taps - 1) * self.dilation + 1

    def results(self, lanes: int, vectors: int) -> int:
        """Return how many results of one vector some vectors of a line are enough for."""
        return min(lanes, (lanes * vectors - self.span) // self.stride + 1)


def window(parts: Sequence[Group]) -> Window | None:
    """Read groups as one reduction over a window that slides along columns; None where it is none.

    Args:
        parts: All groups of a kernel.
    """
    *copies, group = parts
    head = group.head
    joins = combiner(head) if head.reduces else None
    if joins is None or len(copies) > 1 or not _is_one_number(head, joins):
        return None
    if copies:
        padded = _padded(head, joins, copies[0])
        if padded is None:
            return None
        head = padded
    head, *epilogue = collapse((head, *group.epilogue))
    return _sliding(replace(group, head=head, epilogue=tuple(epilogue)), joins)


def _own(stage: Stage) -> TensorLoad:
    return next(load for load in loads(stage.store.value) if load.source in stage.buffers)


def _is_one_number(head: Stage, joins: Combiner) -> bool:
    """Whether each term is one number as it is read."""
    found, value = head.loads, head.store.value
    if not found or not all(structural_equal(load, found[0]) for load in found):
        return False
    pairs = ((_own(head), found[0]), (found[0], _own(head)))
    return any(structural_equal(joins.join(*pair), value) for pair in pairs)


def _padded(head: Stage, joins: Combiner, made: Group) -> Stage | None:
    """Return the reduction of what a copy is made of, under its conditions on lines and on columns.

    None where the copy pads with what would change the result, or does more than to pad.
    """
    load = head.loads[0]
    found = padded(load, made)
    if found is None or not structural_equal(found.fill, joins.neutral):
        return None
    place = load.indices[-1]
    columns = tirx.And(tirx.LE(found.first, place), tirx.LT(place, found.end))
    term = tirx.if_then_else(tirx.And(found.inside, columns), found.load, found.fill)
    return replace(head, stores=(replace(head.store, value=joins.join(_own(head), term)),))


def _step(offset: Expr, var: Var) -> int:
    """Return by how many elements a variable moves; 0 where it is irregular, too."""
    factor = coefficient(offset, var)
    return (factor is not None and static(factor)) or 0


def _sliding(group: Group, joins: Combiner) -> Window | None:
    """Return what slides along the columns of a group's results."""
    head, known = group.head, analyzer(group.head.axes)
    column, (load, *_) = column_axis(head), head.loads
    if column is None or int(load.ty.dtype.bits) not in MASKED_BITS:
        return None
    offset = known.simplify(flat(load.source.shape, load.indices))
    stride = _step(offset, column.var)
    along = [a for a in head.reduction if a.var in variables(load.indices[-1])]
    apart = [_step(offset, a.var) for a in along]
    if not 1 <= stride <= MAX_STEP or len(along) > 1 or not all(n > 0 for n in apart):
        return None
    if stride == 1 and not along:
        return None  # a sum over lines
    if any(static(a.extent) is None for a in head.reduction):
        return None
    tap, dilation = (along[0], apart[0]) if along else (None, 1)
    found = [c for c in calls(head.store.value) if callee(c) == IF_THEN_ELSE]
    whole = Window(group, joins, column, stride, tap, dilation, load, tirx.const(1, "bool"))
    if not found:
        return whole
    condition = found[0].args[0]
    inside, (low, high) = condition.a, (condition.b.a, condition.b.b)
    if column.var in variables(inside, *load.indices[:-1]):
        return None  # of results with one column, those side by side are of other lines
    return replace(whole, inside=inside, before=low.a - low.b, end=high.b - high.a)
