"""A kernel's form that writes its result into the memory of an operand, and only what changes.

Two kinds of kernels have one. A scatter copies its operand and then stores at computed places::

    Before::  for i in range(n): y[i] = x[i]
              for k in range(m): y[at[k]] = new[k]
    After::   for k in range(m): x[at[k]] = new[k]

A kernel that appends rows chooses between the operand's element in the same place, and a new one::

    Before::  for t in range(n): y[t] = new[t - s] if 0 <= t - s < m else x[t]
    After::   for r in range(m): if 0 <= r + s < n: x[r + s] = new[r]

What neither stores stands where it stood, and so both are right wherever the operand is read by
nothing else from then on, which `sharing` looks after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import tvm_ffi
from tvm import sym, tirx
from tvm.ir import Call, Expr, TensorLoad, Var
from tvm.s_tir import SBlock, SBlockRealize
from tvm.tirx import (
    AttrStmt,
    Buffer,
    BufferLoad,
    BufferStore,
    BufferType,
    For,
    ForKind,
    IfThenElse,
    PrimFunc,
    SeqStmt,
    Stmt,
)
from tvm_ffi import structural_equal

from tvmfuse.ops.append_rows import REST_IS_FREE
from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    callee,
    coefficient,
    loads,
    static,
    substitute,
)
from tvmfuse.schedules.kernels import (
    Axis,
    Stage,
    UnreadableError,
    analyzer,
    read,
    statements,
)


class InPlace:
    """A kernel's forms that write into one of its operands what it writes into its result.

    Args:
        function: It is not scheduled yet, and its last parameter is its only result.
    """

    def __init__(self, function: PrimFunc) -> None:
        self._function = function

    def into(self, operand: int) -> PrimFunc | None:
        """Return a kernel that has no parameter for the result.

        Args:
            operand: The place of a parameter of the result's shape and dtype.

        Returns:
            None where `function` does not leave most elements as they are, or reads them elsewhere.
        """
        function = self._function
        *operands, result = function.params
        if operand >= len(operands) or not _alike(operands[operand], result):
            return None
        kept = operands[operand]
        body = _scattered(function.body, kept, result) or self._appended(kept, result)
        if body is None:
            return None
        made = PrimFunc(operands, _root(body), function.ret_type, function.attrs, function.span)
        return made.without_attr("global_symbol") if "global_symbol" in made.attrs else made

    @cached_property
    def _choice(self) -> Stage | None:
        """The kernel's only stage, if it chooses; read once, however many operands there are."""
        try:
            stages = read(self._function).stages
        except UnreadableError:
            return None
        (stage, *others) = stages
        return stage if not others and _is_choice(stage.store.value) else None

    def _appended(
        self, kept: Buffer, result: Buffer
    ) -> tuple[Sequence[Stmt], Sequence[Buffer]] | None:
        """Return the stores of the new elements, where they are consecutive along an axis."""
        stage = self._choice
        if stage is None or stage.reduces or not stage.store.buffer.same_as(result):
            return None
        store = stage.store
        condition, new, otherwise = store.value.args
        free = REST_IS_FREE in self._function.attrs
        if not _stays(otherwise, kept, store.indices, free=free):
            return None
        if any(load.source.same_as(kept) for load in loads(condition, new)):
            return None
        for axis in stage.axes:
            bounds = _bounds(condition, axis.var)
            if bounds is not None:
                return [_rows(stage, axis, *bounds, new, kept)], []
        return None


def _alike(one: Var, other: Var) -> bool:
    """Whether two parameters are tensors of one shape and dtype."""
    if not (isinstance(one.ty, BufferType) and isinstance(other.ty, BufferType)):
        return False
    return one.dtype == other.dtype and structural_equal(list(one.shape), list(other.shape))


def _root(body: tuple[Sequence[Stmt], Sequence[Buffer]]) -> Stmt:
    work, temporaries = body
    inner = work[0] if len(work) == 1 else SeqStmt([*work])
    block = SBlock([], [], [], "root", inner, None, [*temporaries])
    return SBlockRealize([], tirx.const(1, "bool"), block)


def _scattered(
    body: Stmt, kept: Buffer, result: Buffer
) -> tuple[Sequence[Stmt], Sequence[Buffer]] | None:
    """Return what a kernel does beside copying an operand to its result, and does there.

    Each element that is copied is copied to its own place, so that it stands there already.
    """
    opened = _opened(body)
    if opened is None:
        return None
    work, temporaries = opened
    place = next((i for i, one in enumerate(work) if _copies(one, kept, result)), None)
    if place is None or any(kept in _stored(one) for one in work):
        return None
    before, after = work[:place], work[place + 1 :]
    if any(result in variables_of(one) for one in before) or not after:
        return None
    if any(kept in variables_of(one) for one in after):
        return None
    return [*before, *(substitute(one, {result: kept}) for one in after)], temporaries


def _opened(body: Stmt) -> tuple[list[Stmt], list[Buffer]] | None:
    """Return what stands in the blocks around loop nests, as `te.extern` makes them."""
    if isinstance(body, SBlockRealize) and not body.block.iter_vars:
        block = body.block
        if block.match_buffers or block.init is not None or static(body.predicate) != 1:
            return None
        inner = _opened(block.body)
        return None if inner is None else (inner[0], [*block.alloc_buffers, *inner[1]])
    if isinstance(body, AttrStmt) and body.attr_key == "pragma_scope":  # of `T.seq_scope`
        return _opened(body.body)
    if not isinstance(body, SeqStmt):
        return [body], []
    work, temporaries = list[Stmt](), list[Buffer]()
    for one in statements(body):
        opened = _opened(one)
        if opened is None:
            return None
        work += opened[0]
        temporaries += opened[1]
    return work, temporaries


def _copies(nest: Stmt, kept: Buffer, result: Buffer) -> bool:
    """Whether loops do nothing but store elements of one buffer in their places of the other."""
    while isinstance(nest, For):
        nest = nest.body
    if not isinstance(nest, BufferStore) or not nest.buffer.same_as(result):
        return False
    value = nest.value
    if not isinstance(value, TensorLoad) or not value.source.same_as(kept):
        return False
    return structural_equal(list(value.indices), list(nest.indices))


def variables_of(statement: Stmt) -> set[Var]:
    """Return all variables of a statement; buffers are variables, too."""
    found: set[Var] = set()
    tvm_ffi.structural_walk(statement, (Var, found.add))
    return found


def _stored(statement: Stmt) -> set[Buffer]:
    found: set[Buffer] = set()
    tvm_ffi.structural_walk(statement, (BufferStore, lambda store: found.add(store.buffer)))
    return found


def _is_choice(value: Expr) -> bool:
    return isinstance(value, Call) and callee(value) == IF_THEN_ELSE


def _stays(value: Expr, kept: Buffer, at: Sequence[Expr], *, free: bool) -> bool:
    """Whether a value is the operand's element in the same place, or need not be any."""
    if isinstance(value, TensorLoad):
        own = value.source.same_as(kept)
        return own and structural_equal(list(value.indices), list(at))
    if not free or not _is_choice(value) or loads(value.args[2]):
        return False
    return _stays(value.args[1], kept, at, free=False)


def _bounds(condition: Expr, var: Var) -> tuple[Expr, Expr] | None:
    """Return the first value of a variable for which a condition holds, and the end behind them.

    None where it is not that the variable lies between two bounds.
    """
    least: list[Expr] = []
    ends: list[Expr] = []
    for part in _conjuncts(condition):
        bound = _bound(part, var)
        if bound is None:
            return None
        (least if bound[0] else ends).append(bound[1])
    if len(least) != 1 or len(ends) != 1:
        return None
    return least[0], ends[0]


def _conjuncts(condition: Expr) -> Iterator[Expr]:
    if isinstance(condition, tirx.And):
        yield from _conjuncts(condition.a)
        yield from _conjuncts(condition.b)
    else:
        yield condition


def _bound(condition: Expr, var: Var) -> tuple[bool, Expr] | None:
    """Return whether a comparison bounds a variable from below, and by which first value or end."""
    if not isinstance(condition, tirx.LT | tirx.LE | tirx.GT | tirx.GE):
        return None
    # As low < high, or low <= high.
    forward = isinstance(condition, tirx.LT | tirx.LE)
    low, high = (condition.a, condition.b) if forward else (condition.b, condition.a)
    strict = isinstance(condition, tirx.LT | tirx.GT)
    difference = high - low  # > 0, or >= 0
    if "int" not in str(difference.ty.dtype):
        return None
    factor = coefficient(difference, var)
    times = None if factor is None else static(sym.Analyzer().simplify(factor))
    if times not in (1, -1):
        return None
    rest = substitute(difference, {var: tirx.const(0, var.ty.dtype)})
    if times == 1:  # var + rest > 0
        return True, (1 if strict else 0) - rest
    return False, rest + (0 if strict else 1)  # rest - var > 0


def _rows(stage: Stage, axis: Axis, least: Expr, end: Expr, new: Expr, kept: Buffer) -> Stmt:
    """Return loops that store the new elements along an axis, where it has them."""
    row = Var("row", axis.var.ty.dtype)
    known = analyzer([a for a in stage.axes if a is not axis])
    at = {axis.var: known.simplify(least + row)}
    count = known.simplify(end - least)
    known.update(row, sym.ConstIntBound(0, sym.ConstIntBound.POS_INF))

    def moved(expr: Expr) -> Expr:
        return _with_simple_places(substitute(expr, at), known)

    inside = tirx.And(at[axis.var] >= 0, at[axis.var] < axis.extent)
    body: Stmt = BufferStore(kept, moved(new), [moved(i) for i in stage.store.indices])
    body = IfThenElse(inside, body, None)
    for other in reversed(stage.axes):
        var, extent = (row, count) if other is axis else (other.var, other.extent)
        kind = ForKind.PARALLEL if other is stage.axes[0] and other is not axis else ForKind.SERIAL
        body = For(var, tirx.const(0, var.ty.dtype), extent, kind, body)
    return body


def _with_simple_places(expr: Expr, known: sym.Analyzer) -> Expr:
    """Simplify addresses; values stay as they are."""

    def simple(load: TensorLoad) -> Expr:
        return BufferLoad(load.source, [known.simplify(i) for i in load.indices])

    return tvm_ffi.structural_map(expr, (TensorLoad, simple))
