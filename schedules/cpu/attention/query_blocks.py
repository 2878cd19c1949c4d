"""Blocks of queries against a block of keys and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, Stmt, Var

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.cpu.attention.formulas import Formulas
from tvmfuse.schedules.cpu.attention.panels import AttentionEmitter, Panels
from tvmfuse.schedules.cpu.attention.softmax import Row, RowState
from tvmfuse.schedules.cpu.vectors import segments
from tvmfuse.schedules.expressions import number, static, substitute
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import Values, sequence


@dataclass(frozen=True, eq=False)
class KeyBlock:
    """Some keys of a head, and their values, in panels.

    Attributes:
        emitter: Where to write.
        keys: Columns are keys.
        values: Columns are elements of the results.
        first: The first key.
    """

    emitter: AttentionEmitter
    keys: Panels
    values: Panels
    first: Expr

    @classmethod
    def of(cls, emitter: AttentionEmitter, keys: Expr, rows: int) -> KeyBlock:
        """Return a block of the first keys, for blocks of so many queries."""
        of_keys = emitter.panels("keys", rows, "j", "c", keys)
        return cls(emitter, of_keys, emitter.panels("values", rows, "d", "j", keys), number(0))

    def at(self, first: Expr, count: Expr) -> KeyBlock:
        """Return another block in the same panels."""
        keys, values = replace(self.keys, columns=count), replace(self.values, depth=count)
        return replace(self, keys=keys, values=values, first=first)

    def allocated(self, body: Sequence[Stmt | None]) -> Stmt | None:
        """Return a body that has the panels."""
        return self.emitter.builder.allocate([self.keys.buffer, self.values.buffer], body)

    def filled(self, at: Values) -> Stmt | None:
        """Copy the keys and values of a batch and head."""
        formulas = self.emitter.formulas
        j = formulas.variables["j"]
        key, value = (
            substitute(e, {**at, j: self.first + j}) for e in (formulas.key, formulas.value)
        )
        return sequence(
            [
                self.emitter.packed(self.keys, key, "j", "c"),
                self.emitter.packed(self.values, value, "d", "j"),
            ]
        )


@dataclass(frozen=True, eq=False)
class RunningSoftmax:
    """What is known of a head's queries after some blocks.

    Attributes:
        row_max: Each query's largest score, of shape (heads, queries).
        row_sum: Each query's sum of exponentials.
        sums: The sums of values: what is written, or (heads, queries, elements) where it rounds.
        head: Which of the heads.
    """

    row_max: Buffer
    row_sum: Buffer
    sums: Buffer
    head: Expr

    def place(self, formulas: Formulas, at: Values, query: Expr, element: Expr) -> tuple[Expr, ...]:
        """Return the indices of an element of a query's sums."""
        if formulas.rounds:
            return self.head, query, element
        return formulas.place(at, query, element)


def query_blocks(
    block: KeyBlock, at: Values, max_rows: int, running: RunningSoftmax | None
) -> Stmt | None:
    """Write the attention of a batch and head to some keys, block of queries by block.

    Args:
        block: Keys and values, copied.
        at: Batch and head.
        max_rows: Queries of a block.
        running: What is known from earlier blocks; None where this block is all there is.
    """
    builder, length = block.emitter.builder, block.emitter.formulas.sizes["i"]
    known = static(length) is not None

    def some(first: Expr, count: Expr, rows: int) -> Stmt | None:
        strip = Axis(Var("strip", "int64"), count)

        def one(place: Values) -> Stmt | None:
            begin = builder.simplify(first + place[strip.var] * rows)
            left = number(rows) if known else tirx.min(number(rows), length - begin)
            return _QueryBlock(block, at, begin, left, max_rows, running).statement()

        return builder.nest([strip], one)

    if known:
        return sequence([some(s.begin, s.count, s.width) for s in segments(length, max_rows)])
    return some(number(0), tirx.floordiv(length + (max_rows - 1), max_rows), max_rows)


@dataclass(frozen=True, eq=False)
class _QueryBlock:
    """Some queries of a head, from `begin` on."""

    block: KeyBlock
    at: Values
    begin: Expr
    rows: Expr
    max_rows: int
    running: RunningSoftmax | None

    def statement(self) -> Stmt | None:
        """Return the strip's products, softmax and sums."""
        emitter, rows = self.block.emitter, number(self.max_rows)
        panels, _, width, *_ = self.block.keys.buffer.shape
        scores, weights = (
            emitter.builder.local_buffer(name, dtype, [rows, panels * width])
            for name, dtype in (("scores", "float32"), ("weights", BFLOAT16))
        )
        weights = weights if emitter.paired else scores
        # For each query: what is left of the sums so far, or what they are divided by.
        kept = emitter.builder.local_buffer("kept", "float32", [rows])
        has_kept = self.running is not None or emitter.paired
        row = emitter.formulas.axis("i", self.rows)
        return emitter.builder.allocate(
            [
                scores,
                *([weights] if emitter.paired else []),
                *([kept] if has_kept else []),
            ],
            [
                self._products(scores),
                emitter.builder.nest(
                    [row], lambda at: self._softmax(scores, weights, at[row.var], kept)
                ),
                self._sums(weights, BufferLoad(kept, [row.var]) if has_kept else None),
            ],
        )

    def _products(self, scores: Buffer) -> Stmt | None:
        """Multiply queries by keys; the columns that fill the last panel are not read."""
        emitter, keys = self.block.emitter, self.block.keys
        i = emitter.formulas.variables["i"]
        query = substitute(emitter.formulas.query, {**self.at, i: self.begin + i})
        return sequence(
            [
                emitter.multiplied(
                    query, keys, part, lambda x: (i, x), rows=self.rows, depth="c", into=scores
                )
                for part in keys.filled(emitter.scope.machine.isa.float_lanes)
            ]
        )

    def _softmax(self, scores: Buffer, weights: Buffer, row: Expr, kept: Buffer) -> Stmt | None:
        formulas, block = self.block.emitter.formulas, self.block
        at = {**self.at, formulas.variables["i"]: self.begin + row}
        place = row, formulas.variables["j"]
        scored = Row(
            block.emitter,
            (scores, place),
            at,
            block.first,
            block.keys.columns,
            (weights, place),
        )
        if self.running is None:
            return scored.undivided((kept, (row,))) if block.emitter.paired else scored.softmax()
        query = (self.running.head, self.begin + row)
        state = RowState(
            (self.running.row_max, query), (self.running.row_sum, query), (kept, (row,))
        )
        return scored.running(state)

    def _sums(self, weights: Buffer, kept: Expr | None) -> Stmt | None:
        """Multiply weights by values."""
        emitter, values = self.block.emitter, self.block.values
        formulas, running = emitter.formulas, self.running
        i, j = (formulas.variables[letter] for letter in "ij")
        at = partial(
            formulas.place if running is None else partial(running.place, formulas), self.at
        )
        weight = BufferLoad(weights, [i, j])
        return sequence(
            [
                emitter.multiplied(
                    weight.astype("float32"),
                    values,
                    part,
                    lambda x: at(self.begin + i, x),
                    rows=self.rows,
                    depth="j",
                    into=formulas.output if running is None else running.sums,
                    decay=None if running is None else kept,
                    divisor=kept if running is None else None,
                )
                for part in values.exact
            ]
        )
