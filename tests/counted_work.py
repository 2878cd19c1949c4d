"""What the loops of a scheduled kernel do: iterations, times the operations of what stands inside.

An iteration that a guard sends home counts as one that works, since it takes its time: a loop over
a thousand taps of padding is a thousand taps. A store counts at least once, so that moving an
element is work, too. Addresses, prefetches and buffers are free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tvm import sym, tirx
from tvm.ir import Call, Expr, Range, Var
from tvm.s_tir import SBlock, SBlockRealize
from tvm.tirx import PrimFunc, Stmt

from tvmfuse.build.kernels.work import operations
from tvmfuse.schedules.expressions import callee, number, substitute, variables


class UncountableError(Exception):
    """A kernel whose work its loops do not say: they depend on data, or it calls a library."""


def counted_work(function: PrimFunc) -> int:
    """Count the operations of one launch.

    Raises:
        UncountableError: The message says what cannot be counted.
    """
    return round(_Counter().count(function.body))


class _Counter:
    """Walks through statements; knows the ranges of the loops around, and what names stand for."""

    def __init__(self) -> None:
        self._known = sym.Analyzer()
        self._named: dict[Var, Expr] = {}
        self._pieces: dict[Var, int] = {}

    def count(self, stmt: Stmt) -> float:
        kind = next((k for k in type(stmt).mro() if k in _RULES), None)
        if kind is None:
            raise UncountableError(f"{type(stmt).__name__}: {stmt}")
        return _RULES[kind](self, stmt)

    def loop(self, loop: tirx.For) -> float:
        if (share := self.share(loop.extent)) is not None:
            return share * self.count(loop.body)
        extent = self.most(loop.extent)
        if extent == 0:
            return 0
        self._known.bind(loop.loop_var, Range(loop.min, loop.extent))
        if loop.kind == tirx.ForKind.PARALLEL:
            self._pieces[loop.loop_var] = extent
        return extent * self.count(loop.body)

    def share(self, extent: Expr) -> float | None:
        """Return the mean extent of a loop that is cut into pieces; None of any other."""
        extent = substitute(extent, self._named)
        for piece, count in self._pieces.items():
            if variables(extent) == {piece}:
                at = [
                    self._known.simplify(substitute(extent, {piece: number(n)}))
                    for n in range(count)
                ]
                return sum(map(int, at)) / count
        return None

    def name(self, bind: tirx.Bind) -> int:
        self._named[bind.var] = substitute(bind.value, self._named)
        return operations(bind.value)

    def most(self, extent: Expr) -> int:
        """Return the largest value of an extent."""
        bound = int(self._known.const_int_bound(extent).max_value)
        if bound == sym.ConstIntBound.POS_INF:
            raise UncountableError(f"a loop of {extent} iterations")
        return max(bound, 0)

    def branch(self, branch: tirx.IfThenElse) -> float:
        otherwise = branch.else_case
        return max(self.count(branch.then_case), self.count(otherwise) if otherwise else 0, 1)

    def call(self, statement: tirx.Evaluate) -> int:
        value = statement.value
        if isinstance(value, Call) and "call" in callee(value) and "intrin" not in callee(value):
            raise UncountableError(f"a call: {value}")
        return 0


def _stored(_: _Counter, store: tirx.BufferStore) -> int:
    return _of_value(store.value)


def _of_value(value: Expr) -> int:
    return int(value.ty.dtype.lanes) * max(1, operations(value))


_RULES: Mapping[type, Callable[[_Counter, Any], float]] = {
    tirx.For: _Counter.loop,
    tirx.IfThenElse: _Counter.branch,
    tirx.Evaluate: _Counter.call,
    tirx.BufferStore: _stored,
    tirx.Bind: _Counter.name,
    tirx.SeqStmt: lambda counter, stmts: sum(map(counter.count, stmts)),
    tirx.AttrStmt: lambda counter, stmt: counter.count(stmt.body),
    tirx.AllocBuffer: lambda *_: 0,
    tirx.DeclBuffer: lambda *_: 0,
    SBlockRealize: lambda counter, realize: counter.count(realize.block),
    SBlock: lambda counter, block: counter.count(block.body),
}
