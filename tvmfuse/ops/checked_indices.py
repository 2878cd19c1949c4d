"""`tvmfuse.checked_indices`: indices that are counted from the front, once each is known to be one.

What picks or writes elements reads them from here, so that no check is dead code, and its own loops
stay as they are. The kernel is a pass over the indices alone, and ends in an error where one of
them is of no element: it then calls the function `REFUSES` of the process, by its registered name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Var
from tvm.tirx import (
    AllocBuffer,
    Buffer,
    BufferLoad,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    SeqStmt,
    Stmt,
)

from tvmfuse.ir.types import constant
from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.stages import zero
from tvmfuse.ops.traits import Kind, Traits
from tvmfuse.tvm_runtime import REFUSES

#: Rows that one thread looks at: fewer take no longer than it takes to wake another one.
ROWS: Final = 1 << 14

#: Names are as long as a multiple of so many bytes, so that few lengths have a kernel of their own.
WORDS: Final = 64


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    from_back = bool(node.attrs["from_back"])

    def compute(indices: te.Tensor, sizes: te.Tensor, words: te.Tensor) -> te.Tensor:
        return te.extern(
            [indices.shape],
            [indices, sizes, words],
            lambda ins, outs: _Kernel(*ins, *outs, from_back=from_back).body(),
            dtype=[indices.dtype],
            name="checked_indices",
        )

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="checked_indices",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


class _Kernel:
    """The loops: all indices are counted from the front; if one is wrong, the first such is found.

    Args:
        indices: Of any shape.
        sizes: One for each column.
        words: Whose they are.
        result: Of the shape of the indices.
        from_back: Whether those below zero count from the back.
    """

    def __init__(
        self,
        indices: Buffer,
        sizes: Buffer,
        words: Buffer,
        result: Buffer,
        *,
        from_back: bool,
    ) -> None:
        self._sizes, self._words, self._from_back = sizes, words, from_back
        count = math.prod(indices.shape, start=tirx.const(1, "int64"))
        self._columns = int(sizes.shape[0])
        self._rows = tirx.floordiv(count, self._columns)
        self._given, self._result = (
            (tirx.decl_buffer([count], b.dtype, f"{b.name}_in_a_row", data=b.data), b)
            for b in (indices, result)
        )
        self._wrong = tirx.decl_buffer([1], "int32", "any_is_wrong")

    def body(self) -> Stmt:
        """Write them."""
        flat = [DeclBuffer(buffer, data=of.data) for buffer, of in (self._given, self._result)]
        first = _loop(zero(), self._rows, lambda row: SeqStmt(self._refusals(row)))
        return SeqStmt(
            [
                *flat,
                AllocBuffer(self._wrong),
                _set(self._wrong, 0),
                self._looked_at(),
                IfThenElse(_holds(self._wrong), first, None),
            ]
        )

    def _looked_at(self) -> Stmt:
        """Return loops over all rows, in threads where there are many."""
        few = self._some(zero(), self._rows, self._wrong)
        known = self._rows.value if isinstance(self._rows, tirx.IntImm) else None
        if known is not None and known <= ROWS:
            return few

        def part(number: Var) -> Stmt:
            mine = tirx.decl_buffer([1], "int32", "mine_is_wrong")
            begin = number * ROWS
            rows = tirx.min(self._rows - begin, tirx.const(ROWS, "int64"))
            told = IfThenElse(_holds(mine), _set(self._wrong, 1), None)
            return SeqStmt([AllocBuffer(mine), _set(mine, 0), self._some(begin, rows, mine), told])

        parts = tirx.floordiv(self._rows + (ROWS - 1), ROWS)
        many = _loop(zero(), parts, part, ForKind.PARALLEL)
        return many if known is not None else IfThenElse(self._rows > ROWS, many, few)

    def _some(self, begin: Expr, rows: Expr, wrong: Buffer) -> Stmt:
        """Return a loop over some rows, which says whether one of them is wrong."""

        def row(number: Var) -> Stmt:
            stores: list[Stmt] = []
            for column in range(self._columns):
                at, place = self._place(begin + number, column)
                found = BufferLoad(wrong, [0]) | self._is_wrong(place, column).astype("int32")
                narrow = place.astype(self._given[0].dtype)
                stores += [
                    BufferStore(self._result[0], narrow, [at]),
                    BufferStore(wrong, found, [0]),
                ]
            return SeqStmt(stores)

        return _loop(zero(), rows, row)

    def _refusals(self, row: Expr) -> list[Stmt]:
        """Return what ends the kernel where an index of a row is wrong."""
        refusals: list[Stmt] = []
        for column in range(self._columns):
            at, place = self._place(row, column)
            size, given = self._sizes[column], BufferLoad(self._given[0], [at]).astype("int64")
            least = -size if self._from_back else tirx.const(0, "int64")
            refuse = tirx.call_packed(REFUSES, given, least, size, self._words.data)
            refusals.append(IfThenElse(self._is_wrong(place, column), Evaluate(refuse), None))
        return [*refusals, Evaluate(0)]

    def _place(self, row: Expr, column: int) -> tuple[Expr, Expr]:
        """Return where an index stands, and the index, counted from the front."""
        at = row * self._columns + column
        index = BufferLoad(self._given[0], [at]).astype("int64")
        if self._from_back:
            index = tirx.Select(index < 0, index + self._sizes[column], index)
        return at, index

    def _is_wrong(self, place: Expr, column: int) -> Expr:
        return tirx.any(place < 0, place >= self._sizes[column])


def _loop(
    begin: Expr, count: Expr, body: Callable[[Var], Stmt], kind: int = ForKind.SERIAL
) -> Stmt:
    variable = Var("i", "int64")
    return For(variable, begin, count, kind, body(variable))


def _set(flag: Buffer, number: int) -> Stmt:
    return BufferStore(flag, tirx.const(number, "int32"), [0])


def _holds(flag: Buffer) -> Expr:
    return tirx.NE(BufferLoad(flag, [0]), tirx.const(0, "int32"))


CHECKED_INDICES: Final = define(
    "tvmfuse.checked_indices",
    traits=Traits(kind=Kind.OTHER, why="the columns of its operand have limits of their own"),
    infer=lambda node: node.args[0].ty,
    legalize=_legalize,
    computes=False,
    doc="Indices counted from the front; an error where one is out of range.",
)


def checked_indices(indices: Expr, sizes: Expr, name: str, *, from_back: bool) -> Call:
    """Return indices counted from the front; where one is of no element, the run is an error.

    On a GPU, which raises none, what is out of range is clamped: see `ClampIndices`.

    Args:
        indices: int32 or int64, of any shape.
        sizes: How many elements there are: int64, (K,). With one size all indices are of it, else
            the last axis of `indices` has K columns, each of its own.
        name: The node's, for the error.
        from_back: Whether those below zero count from the back; else they are errors, too.

    Returns:
        The shape and dtype of `indices`.
    """
    words = np.frombuffer(name.encode(), np.uint8)
    words = np.pad(words, (0, WORDS - len(words) % WORDS))
    return call(CHECKED_INDICES, [indices, sizes, constant(words)], from_back=from_back)
