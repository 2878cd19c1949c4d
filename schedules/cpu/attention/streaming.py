"""Attention to one block of keys after another: memory does not depend on their number.

Sums of values are kept where the results go, and are the shares of the exponentials so far::

    row_max, row_sum, output = lowest, 0, 0
    for each block of keys:
        new = max(row_max, scores);  decay = exp(row_max - new)
        row_sum = row_sum * decay + sum(exp(scores - new))
        output = output * decay + exp(scores - new) x values
        row_max = new
    output = output / row_sum

A row without a sum, of NaN, or which a mask leaves no key, is computed once more as it is written
without blocks, so that the same numbers are NaN. Source: Milakov and Gimelshein, "Online normalizer
calculation for softmax", 2018; Dao et al., "FlashAttention", 2022.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import BufferLoad, IfThenElse, Stmt, Var

from tvmfuse.schedules.cpu.attention.formulas import ROW_MAX, WEIGHTS
from tvmfuse.schedules.cpu.attention.panels import AttentionEmitter
from tvmfuse.schedules.cpu.attention.query_blocks import KeyBlock, RunningSoftmax, query_blocks
from tvmfuse.schedules.cpu.attention.softmax import Row
from tvmfuse.schedules.cpu.group_nest import inner_nest
from tvmfuse.schedules.cpu.vectors import segments
from tvmfuse.schedules.expressions import number, static, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, Store
from tvmfuse.schedules.loop_nests import Values, sequence

EachHead = Callable[[Callable[[Values, Expr], Stmt | None]], Stmt | None]
"""Writes a loop over heads that share keys, around what is done at a head and its number."""


@dataclass(frozen=True, eq=False)
class KeyStream:
    """The attention of some heads with the same keys and values.

    Attributes:
        emitter: Where to write.
        at: The batch and the first head.
        heads: How many heads.
        each_head: Loops over them.
        rows: Rows of a strip.
        most: How many keys come at a time.
    """

    emitter: AttentionEmitter
    at: Values
    heads: int
    each_head: EachHead
    rows: int
    most: int

    def statement(self) -> Stmt | None:
        """Return the loops over blocks."""
        emitter, queries = self.emitter, self.emitter.formulas.sizes["i"]
        row_max, row_sum = (
            emitter.builder.local_buffer(name, "float32", [number(self.heads), queries])
            for name in ("peaks", "totals")
        )
        sums = emitter.formulas.output
        if emitter.formulas.rounds:
            shape = [number(self.heads), queries, emitter.formulas.sizes["d"]]
            sums = emitter.builder.local_buffer("sums", "float32", shape)

        def at(head: Expr) -> RunningSoftmax:
            return RunningSoftmax(row_max, row_sum, sums, head)

        steps = [
            self.each_head(lambda place, head: self._start(place, at(head))),
            self._blocks(at),
            self.each_head(lambda place, head: self._end(place, at(head))),
        ]
        own = [sums] if emitter.formulas.rounds else []
        return emitter.builder.allocate([row_max, row_sum, *own], steps)

    def _blocks(self, running: Callable[[Expr], RunningSoftmax]) -> Stmt | None:
        builder, keys = self.emitter.builder, self.emitter.formulas.sizes["j"]
        panels = KeyBlock.of(self.emitter, number(self.most), self.rows)
        known = static(keys) is not None

        def some(first: Expr, count: Expr, width: int) -> Stmt | None:
            axis = Axis(Var("block", "int64"), count)

            def one(at: Values) -> Stmt | None:
                begin = builder.simplify(first + at[axis.var] * width)
                left = number(width) if known else tirx.min(number(width), keys - begin)
                block = panels.at(begin, left)
                heads = self.each_head(lambda at, n: query_blocks(block, at, self.rows, running(n)))
                return sequence([block.filled(self.at), heads])

            return builder.nest([axis], one)

        if known:
            parts = [some(s.begin, s.count, s.width) for s in segments(keys, self.most)]
        else:
            parts = [some(number(0), tirx.floordiv(keys + (self.most - 1), self.most), self.most)]
        return panels.allocated(parts)

    def _start(self, at: Values, running: RunningSoftmax) -> Stmt | None:
        """Let no query have seen a key."""
        formulas = self.emitter.formulas
        initial = formulas.softmax[ROW_MAX].store.initial
        zero = tirx.const(0.0, "float32")
        assert initial is not None
        i = formulas.variables["i"]
        row, element = formulas.axis("i"), formulas.axis("d")
        place = (running.head, i)
        return sequence(
            [
                self._nest("start", [row], Store(running.row_max, place, initial)),
                self._nest("start", [row], Store(running.row_sum, place, zero)),
                self._nest(
                    "start", [row, element], Store(running.sums, self._sums(running, at, i), zero)
                ),
            ]
        )

    def _end(self, at: Values, running: RunningSoftmax) -> Stmt | None:
        """Divide by the sums; where there is none compute the row as it is written."""
        emitter, formulas = self.emitter, self.emitter.formulas
        row, element = formulas.axis("i"), formulas.axis("d")

        def one(query: Values) -> Stmt | None:
            i = query[row.var]
            row_sum = BufferLoad(running.row_sum, [running.head, i])
            share = BufferLoad(running.sums, self._sums(running, at, i)) / row_sum
            divided = self._nest("end", [element], self._written(at, i, share))
            return divided and IfThenElse(
                # The row_sum is read as the builder's buffers are.
                emitter.builder.value(row_sum > 0, {}),
                divided,
                self._as_written({**at, **query}, running, row_sum),
            )

        return emitter.builder.nest([row], one)

    def _as_written(self, at: Values, running: RunningSoftmax, row_sum: Expr) -> Stmt | None:
        """Return one row whose sum is 0 or NaN: then so is each exponential."""
        formulas = self.emitter.formulas
        i, j = formulas.variables["i"], formulas.variables["j"]
        place = running.sums, self._sums(running, at, at[i])
        scored = Row(self.emitter, place, at, number(0), formulas.sizes["j"], place)
        weight = scored.formula(WEIGHTS, row_sum, {})
        term = weight * substitute(formulas.value, at)
        keys, element = Axis(j, formulas.sizes["j"], reduces=True), formulas.axis("d")
        store = Store(*place, BufferLoad(*place) + term, tirx.const(0.0, "float32"))
        summed = self._nest("as_written", [element, keys], store)
        if not formulas.rounds:
            return summed
        rounded = self._written(at, at[i], BufferLoad(*place))
        return sequence([summed, self._nest("as_written", [element], rounded)])

    def _written(self, at: Values, query: Expr, value: Expr) -> Store:
        formulas = self.emitter.formulas
        place = formulas.place(at, query, formulas.variables["d"])
        return Store(formulas.output, place, formulas.written(value))

    def _sums(self, running: RunningSoftmax, at: Values, query: Expr) -> tuple[Expr, ...]:
        formulas = self.emitter.formulas
        return running.place(formulas, at, query, formulas.variables["d"])

    def _nest(self, name: str, axes: list[Axis], store: Store) -> Stmt | None:
        stage = Stage(name, tuple(axes), (store,))
        group = Group(stage, members=(stage,), stored=frozenset([store.buffer]))
        return inner_nest(self.emitter.builder, group, self.emitter.scope)
