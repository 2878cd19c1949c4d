"""Attention to one block of keys after another: memory does not depend on their number.

Sums of values are kept where the results go, and are the shares of the exponentials so far::

    peak, total, output = lowest, 0, 0
    for each block of keys:
        new = max(peak, scores);  kept = exp(peak - new)
        total = total * kept + sum(exp(scores - new))
        output = output * kept + exp(scores - new) x values
        peak = new
    output = output / total

A row without a total, of NaN, or which a mask leaves no key, is computed once more as it is written
without blocks, so that the same numbers are NaN. Source: Milakov and Gimelshein, "Online normalizer
calculation for softmax", 2018; Dao et al., "FlashAttention", 2022.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import BufferLoad, IfThenElse, Stmt, Var

from tvmfuse.schedules.cpu.attention.formulas import PEAKS, WEIGHTS
from tvmfuse.schedules.cpu.attention.panels import Desk
from tvmfuse.schedules.cpu.attention.query_blocks import Block, Memory, strips
from tvmfuse.schedules.cpu.attention.softmax import Row
from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.cpu.vectors import segments
from tvmfuse.schedules.expressions import number, static, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, Store
from tvmfuse.schedules.loop_nests import Values, sequence

EachHead = Callable[[Callable[[Values, Expr], Stmt | None]], Stmt | None]
"""Writes a loop over heads that share keys, around what is done at a head and its number."""


@dataclass(frozen=True, eq=False)
class Stream:
    """The attention of some heads with the same keys and values.

    Attributes:
        desk: Where to write.
        at: The batch and the first head.
        heads: How many heads.
        each_head: Loops over them.
        height: Rows of a strip.
        most: How many keys come at a time.
    """

    desk: Desk
    at: Values
    heads: int
    each_head: EachHead
    height: int
    most: int

    def statement(self) -> Stmt | None:
        """Return the loops over blocks."""
        desk, queries = self.desk, self.desk.formulas.sizes["i"]
        peaks, totals = (
            desk.writer.inside(name, "float32", [number(self.heads), queries])
            for name in ("peaks", "totals")
        )

        def at(head: Expr) -> Memory:
            return Memory(peaks, totals, head)

        steps = [
            self.each_head(lambda place, head: self._start(place, at(head))),
            self._blocks(at),
            self.each_head(lambda place, head: self._end(place, at(head))),
        ]
        return desk.writer.allocate([peaks, totals], steps)

    def _blocks(self, memory: Callable[[Expr], Memory]) -> Stmt | None:
        writer, keys = self.desk.writer, self.desk.formulas.sizes["j"]
        panels = Block.of(self.desk, number(self.most), self.height)
        known = static(keys) is not None

        def some(first: Expr, count: Expr, width: int) -> Stmt | None:
            axis = Axis(Var("block", "int64"), count)

            def one(at: Values) -> Stmt | None:
                begin = writer.simplify(first + at[axis.var] * width)
                left = number(width) if known else tirx.min(number(width), keys - begin)
                block = panels.at(begin, left)
                heads = self.each_head(lambda at, n: strips(block, at, self.height, memory(n)))
                return sequence([block.filled(self.at), heads])

            return writer.nest([axis], one)

        if known:
            parts = [some(s.begin, s.count, s.width) for s in segments(keys, self.most)]
        else:
            parts = [some(number(0), tirx.floordiv(keys + (self.most - 1), self.most), self.most)]
        return panels.allocated(parts)

    def _start(self, at: Values, memory: Memory) -> Stmt | None:
        """Let no query have seen a key."""
        formulas = self.desk.formulas
        initial = formulas.softmax[PEAKS].store.initial
        zero = tirx.const(0.0, "float32")
        assert initial is not None
        i = formulas.variables["i"]
        row, element = formulas.axis("i"), formulas.axis("d")
        place = (memory.head, i)
        return sequence(
            [
                self._nest("start", [row], Store(memory.peaks, place, initial)),
                self._nest("start", [row], Store(memory.totals, place, zero)),
                self._nest(
                    "start", [row, element], Store(formulas.output, self._output(at, i), zero)
                ),
            ]
        )

    def _end(self, at: Values, memory: Memory) -> Stmt | None:
        """Divide by the totals; where there is none compute the row as it is written."""
        desk, formulas = self.desk, self.desk.formulas
        row, element = formulas.axis("i"), formulas.axis("d")

        def one(query: Values) -> Stmt | None:
            i = query[row.var]
            total = BufferLoad(memory.totals, [memory.head, i])
            place = self._output(at, i)
            share = BufferLoad(formulas.output, place) / total
            divided = self._nest("end", [element], Store(formulas.output, place, share))
            return divided and IfThenElse(
                # The total is read as the writer's buffers are.
                desk.writer.value(total > 0, {}),
                divided,
                self._as_written({**at, **query}, total),
            )

        return desk.writer.nest([row], one)

    def _as_written(self, at: Values, total: Expr) -> Stmt | None:
        """Return one row whose total is 0 or NaN: then so is each exponential."""
        formulas = self.desk.formulas
        i, j = formulas.variables["i"], formulas.variables["j"]
        place = self._output(at, at[i])
        scored = Row(self.desk, (formulas.output, place), at, number(0), formulas.sizes["j"])
        weight = scored.formula(WEIGHTS, total, {})
        term = weight * substitute(formulas.value, at)
        value = BufferLoad(formulas.output, place) + term
        keys = Axis(j, formulas.sizes["j"], reduces=True)
        store = Store(formulas.output, place, value, tirx.const(0.0, "float32"))
        return self._nest("as_written", [formulas.axis("d"), keys], store)

    def _output(self, at: Values, query: Expr) -> tuple[Expr, ...]:
        b, h, d = (self.desk.formulas.variables[letter] for letter in "bhd")
        return at[b], query, at[h], d

    def _nest(self, name: str, axes: list[Axis], store: Store) -> Stmt | None:
        stage = Stage(name, tuple(axes), (store,))
        group = Group(stage, members=(stage,), stored=frozenset([store.buffer]))
        return group_nest(self.desk.writer, group, self.desk.machine, threads=False)
