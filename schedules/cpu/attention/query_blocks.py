"""Strips of queries against a block of keys and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, Stmt, Var

from tvmfuse.schedules.cpu.attention.panels import Desk, Panels
from tvmfuse.schedules.cpu.attention.softmax import Row, State
from tvmfuse.schedules.cpu.vectors import segments
from tvmfuse.schedules.expressions import number, static, substitute
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import Values, sequence


@dataclass(frozen=True, eq=False)
class Block:
    """Some keys of a head, and their values, in panels.

    Attributes:
        desk: Where to write.
        keys: Columns are keys.
        values: Columns are elements of the results.
        first: The first key.
    """

    desk: Desk
    keys: Panels
    values: Panels
    first: Expr

    @classmethod
    def of(cls, desk: Desk, keys: Expr, rows: int) -> Block:
        """Return a block of the first keys, for strips of so many rows."""
        of_keys = desk.panels("keys", rows, "j", "c", keys)
        return cls(desk, of_keys, desk.panels("values", rows, "d", "j", keys), number(0))

    def at(self, first: Expr, count: Expr) -> Block:
        """Return another block in the same panels."""
        keys, values = replace(self.keys, columns=count), replace(self.values, depth=count)
        return replace(self, keys=keys, values=values, first=first)

    def allocated(self, body: Sequence[Stmt | None]) -> Stmt | None:
        """Return a body that has the panels."""
        return self.desk.writer.allocate([self.keys.buffer, self.values.buffer], body)

    def filled(self, at: Values) -> Stmt | None:
        """Copy the keys and values of a batch and head."""
        formulas = self.desk.formulas
        j = formulas.variables["j"]
        key, value = (
            substitute(e, {**at, j: self.first + j}) for e in (formulas.key, formulas.value)
        )
        return sequence(
            [
                self.desk.packed(self.keys, key, "j", "c"),
                self.desk.packed(self.values, value, "d", "j"),
            ]
        )


@dataclass(frozen=True, eq=False)
class Memory:
    """What is known of a head's queries after some blocks.

    Attributes:
        peaks: Each query's largest score, of shape (heads, queries).
        totals: Each query's sum of exponentials.
        head: Which of the heads.
    """

    peaks: Buffer
    totals: Buffer
    head: Expr


def strips(block: Block, at: Values, height: int, memory: Memory | None) -> Stmt | None:
    """Write the attention of a batch and head to a block, strip by strip.

    Args:
        block: Keys and values, copied.
        at: Batch and head.
        height: Rows of a strip.
        memory: What is known from earlier blocks; None where this block is all there is.
    """
    writer, length = block.desk.writer, block.desk.formulas.sizes["i"]
    known = static(length) is not None

    def some(first: Expr, count: Expr, rows: int) -> Stmt | None:
        strip = Axis(Var("strip", "int64"), count)

        def one(place: Values) -> Stmt | None:
            begin = writer.simplify(first + place[strip.var] * rows)
            left = number(rows) if known else tirx.min(number(rows), length - begin)
            return _Strip(block, at, begin, left, height, memory).statement()

        return writer.nest([strip], one)

    if known:
        return sequence([some(s.begin, s.count, s.width) for s in segments(length, height)])
    return some(number(0), tirx.floordiv(length + (height - 1), height), height)


@dataclass(frozen=True, eq=False)
class _Strip:
    """Some queries of a head, from `begin` on."""

    block: Block
    at: Values
    begin: Expr
    rows: Expr
    height: int
    memory: Memory | None

    def statement(self) -> Stmt | None:
        """Return the strip's products, softmax and sums."""
        desk, height = self.block.desk, number(self.height)
        panels, _, width = self.block.keys.buffer.shape
        scores = desk.writer.inside("scores", "float32", [height, panels * width])
        # What is left of the sums so far, for each query.
        kept = None if self.memory is None else desk.writer.inside("kept", "float32", [height])
        row = desk.formulas.axis("i", self.rows)
        return desk.writer.allocate(
            [scores] if kept is None else [scores, kept],
            [
                self._products(scores),
                desk.writer.nest([row], lambda at: self._softmax(scores, at[row.var], kept)),
                self._sums(scores, kept),
            ],
        )

    def _products(self, scores: Buffer) -> Stmt | None:
        """Multiply queries by keys; the columns that fill the last panel are not read."""
        desk, keys = self.block.desk, self.block.keys
        i = desk.formulas.variables["i"]
        query = substitute(desk.formulas.query, {**self.at, i: self.begin + i})
        return desk.multiplied(
            query, keys, keys.filled, lambda x: (i, x), rows=self.rows, depth="c", into=scores
        )

    def _softmax(self, scores: Buffer, row: Expr, kept: Buffer | None) -> Stmt | None:
        formulas, block = self.block.desk.formulas, self.block
        at = {**self.at, formulas.variables["i"]: self.begin + row}
        place = (scores, (row, formulas.variables["j"]))
        scored = Row(block.desk, place, at, block.first, block.keys.columns)
        if self.memory is None or kept is None:
            return scored.weights()
        query = (self.memory.head, self.begin + row)
        state = State((self.memory.peaks, query), (self.memory.totals, query), (kept, (row,)))
        return scored.running(state)

    def _sums(self, scores: Buffer, kept: Buffer | None) -> Stmt | None:
        """Multiply weights by values."""
        desk, values = self.block.desk, self.block.values
        i, j, b, h = (desk.formulas.variables[letter] for letter in "ijbh")
        return sequence(
            [
                desk.multiplied(
                    BufferLoad(scores, [i, j]),
                    values,
                    part,
                    lambda x: (self.at[b], self.begin + i, self.at[h], x),
                    rows=self.rows,
                    depth="j",
                    into=desk.formulas.output,
                    kept=None if kept is None else BufferLoad(kept, [i]),
                )
                for part in values.exact
            ]
        )
