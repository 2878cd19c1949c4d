"""The loops of a window over the results of some columns: lines are joined, then columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import Bind, Buffer, BufferLoad, ForKind, IfThenElse, Stmt
from tvm_ffi import structural_equal

from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.window import Window
from tvmfuse.schedules.cpu.window_columns import Columns
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.mask_words import has_words, named_words
from tvmfuse.schedules.vector_accesses import Mask, below


class Strip:
    """The results of some columns, of any number of lines.

    Args:
        builder: Of the function.
        window: What is computed.
        columns: What is read of each line.
        at: The first column of the results, and the image if that says which columns there are.
        masked: Whether there may be fewer results, and no more is stored than there are.
        whole: The number of results, an int32, where all columns of all vectors are there.
        filled: Vectors of a line with columns that are there; None for all.
        padded: Columns of the padding before the image, from the first on, at most; None where
            that is not known.
        there: Columns from the first on that are padded or the image's, at least.
        sealed: Whether masks are kept: LLVM makes one that it knows anew for each vector.
        words: Whether masks of columns are `mask_words` where they can be.
    """

    def __init__(
        self,
        builder: LoopNestBuilder,
        window: Window,
        columns: Columns,
        at: Values,
        *,
        masked: bool = True,
        whole: Expr | None = None,
        filled: int | None = None,
        padded: int | None = None,
        there: int = 0,
        sealed: bool = False,
        words: bool = False,
    ) -> None:
        self._builder, self._window, self._at = builder, window, at
        self._columns, self._lanes, self._sealed = columns, columns.lanes, sealed
        self._padded, self._sure = padded, there
        self._words = words and has_words(window.load)
        self.bounds: list[Stmt] = []
        begins = [n * columns.vector for n in range(filled or columns.vectors)]
        if whole is not None:
            self._mask = None if columns.results == columns.lanes else Mask(whole)
            self._there = list[Expr | None]([None] * len(begins))
            return
        self._mask, self._results = None, tirx.const(columns.results, "int32")
        if masked:
            left = builder.at(window.column.extent - window.column.var, at)
            self._results = self._bound("results", left, columns.results)
            self._mask = Mask(self._results)
        self._there = [self._are_there(begin) for begin in begins]

    def line(self, line: Values) -> Stmt | None:
        """Return the results of one line."""
        w, builder, lanes = self._window, self._builder, self._lanes
        at, dtype, group = {**self._at, **line}, w.load.ty.dtype, w.group
        vectors, vector = self._columns.vectors, self._columns.vector
        joined = builder.local_buffer("joined", dtype, [number(vectors * vector)])
        term = builder.local_buffer("term", dtype, [number(max(lanes, vector))])
        kept = {
            b: builder.local_buffer(b.name, b.dtype, [number(lanes)]) for b in local_buffers(group)
        }
        result, store = kept[group.head.store.buffer], group.head.store
        assert store.initial is not None

        def joins(k: Values) -> Stmt | None:
            place = {**at, **k, **({w.tap.var: number(0)} if w.tap else {})}
            work = [self._join(joined, term, nth, place) for nth in range(len(self._there))]
            inside, all_ = builder.at(w.inside, place), sequence(work)
            assert all_ is not None
            return all_ if static(inside) == 1 else IfThenElse(inside, all_, None)

        def end(lane: Expr) -> Stmt | None:
            local = {b: LocalElement(buffer, lane) for b, buffer in kept.items()}
            column = w.column.var
            return finish(builder, group, {**at, column: at[column] + lane}, local)

        # What was joined before is neutral: the first column need not be joined to it.
        fresh = structural_equal(store.initial, w.joins.neutral)
        initial = None if fresh else self._fill(result, 0, lanes, builder.value(store.initial, at))
        statements = [
            *(self._fill(joined, n * vector, vector, w.joins.neutral) for n in range(vectors)),
            builder.nest(w.lines, joins),
            initial,
            *(
                self._tapped(joined, term, result, tap, alone=fresh and not tap)
                for tap in range(w.taps)
            ),
            builder.inner(w.column.var, lanes, ForKind.VECTORIZED, end, self._mask),
        ]
        return builder.allocate([joined, term, *kept.values()], statements)

    def _bound(self, name: str, value: Expr, most: int) -> Var:
        """Set an int32 to a number, but no less than 0 and no more than `most`."""
        within = tirx.max(tirx.min(value, number(most)), number(0))
        bound = tirx.Cast("int32", within)
        if self._sealed:
            var, found = self._builder.sealed(name, bound)
            self.bounds += found
        else:
            var = Var(name, "int32")
            self.bounds.append(Bind(var, bound))
        return var

    def _are_there(self, first: int) -> Expr | None:
        """Return which columns of a vector are there, and of use; None of all."""
        w, lanes = self._window, self._columns.vector
        if w.end is None or w.before is None:
            left = self._builder.simplify((self._results - 1) * w.stride + w.span - first)
            all_there = (static(left) or 0) >= lanes
            return None if all_there else self._mask_of(below(left, lanes))
        place = {**self._at, **({w.tap.var: number(0)} if w.tap else {})}
        before, end = (self._builder.at(e - first, place) for e in (w.before, w.end))
        masks = list[Expr]()
        if self._sure < first + lanes:
            masks.append(below(self._bound("end", end, lanes), lanes))
        if self._padded is None or self._padded > first:
            masks.append(tirx.Not(below(self._bound("before", before, lanes), lanes)))
        return self._mask_of(reduce(tirx.And, masks)) if masks else None

    def _mask_of(self, there: Expr) -> Expr:
        if not self._words:
            return there
        mask, named = named_words(there)
        self.bounds.append(named)
        return mask

    def _join(self, joined: Buffer, term: Buffer, nth: int, at: Values) -> Stmt | None:
        """Join one vector of a line to those of the lines before it."""
        lanes, mask = self._columns.vector, self._there[nth]
        first = self._moved(nth * lanes)
        masked = None if mask is None else (mask, self._window.joins.neutral)
        value = self._builder.vector(first, lanes, at, masked)
        kept = self._builder.store_vector(term, [number(0)], value, lanes)
        return sequence([kept, self._each(joined, nth * lanes, lanes, term)])

    def _moved(self, columns: int) -> BufferLoad:
        load = self._window.load
        *others, last = load.indices
        return BufferLoad(load.source, [*others, last + columns])

    def _tapped(
        self, joined: Buffer, term: Buffer, result: Buffer, tap: int, *, alone: bool
    ) -> Stmt | None:
        """Join the columns of one tap to the results; `alone`, they are the results so far."""
        lanes, vector, builder = self._lanes, self._columns.vector, self._builder
        starts = [number(n * vector) for n in range(self._columns.vectors)]
        vectors = [builder.vector(BufferLoad(joined, [start]), vector) for start in starts]
        places = [tirx.const(place, "int32") for place in self._columns.picks[tap]]
        columns = tirx.Shuffle(vectors, places)
        if alone:
            return builder.store_vector(result, [number(0)], columns, lanes)
        kept = builder.store_vector(term, [number(0)], columns, lanes)
        return sequence([kept, self._each(result, 0, lanes, term)])

    def _each(self, into: Buffer, first: int, lanes: int, term: Buffer) -> Stmt | None:
        """Join a vector to one."""
        builder = self._builder

        def join(lane: Expr) -> Stmt:
            kept = LocalElement(into, lane + first)
            value = self._window.joins.join(
                builder.load_local(kept), builder.load_local(LocalElement(term, lane))
            )
            return builder.store_local(kept, value)

        return self._vector(lanes, join)

    def _fill(self, buffer: Buffer, first: int, lanes: int, value: Expr) -> Stmt | None:
        def fill(lane: Expr) -> Stmt:
            return self._builder.store_local(LocalElement(buffer, lane + first), value)

        return self._vector(lanes, fill)

    def _vector(self, lanes: int, body: Callable[[Expr], Stmt]) -> Stmt | None:
        return self._builder.inner(self._window.column.var, lanes, ForKind.VECTORIZED, body)
