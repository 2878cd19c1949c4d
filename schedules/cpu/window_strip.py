"""The loops of a window over the results of some columns: lines are joined, then columns."""

from __future__ import annotations

from collections.abc import Callable

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import Bind, Buffer, BufferLoad, ForKind, IfThenElse, Stmt
from tvm_ffi import structural_equal

from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.window import Window
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.vector_accesses import Mask, below


class Strip:
    """The results of some columns, of any number of lines.

    Args:
        builder: Of the function.
        window: What is computed.
        lanes: Of a vector.
        vectors: Of each line of the image.
        at: The first column of the results, and the image if that says which columns there are.
        masked: Whether no more than the results is stored.
        whole: The number of results, an int32, where all columns of all vectors are there.
        filled: Vectors of a line with columns that are there; None for all.
        sealed: Whether masks are kept: LLVM makes one that it knows anew for each vector.
    """

    def __init__(
        self,
        builder: LoopNestBuilder,
        window: Window,
        lanes: int,
        vectors: int,
        at: Values,
        *,
        masked: bool = True,
        whole: Expr | None = None,
        filled: int | None = None,
        sealed: bool = False,
    ) -> None:
        self._builder, self._window, self._at = builder, window, at
        self._lanes, self._vectors, self._sealed = lanes, vectors, sealed
        self.bounds: list[Stmt] = []
        self._filled = vectors if filled is None else filled
        column, most = window.column, window.results(lanes, vectors)
        if whole is not None:
            self._mask = None if most == lanes else Mask(whole)
            self._there = list[Expr | None]([None] * vectors)
            return
        left = builder.at(column.extent - column.var, at)
        self._results = self._bound("results", left, most)
        self._mask = Mask(self._results) if masked else None
        self._there = [self._columns(n * lanes) for n in range(self._filled)]

    def line(self, line: Values) -> Stmt | None:
        """Return the results of one line."""
        w, builder, lanes = self._window, self._builder, self._lanes
        at, dtype, group = {**self._at, **line}, w.load.ty.dtype, w.group
        joined = builder.local_buffer("joined", dtype, [number(self._vectors * lanes)])
        term = builder.local_buffer("term", dtype, [number(lanes)])
        kept = {
            b: builder.local_buffer(b.name, b.dtype, [number(lanes)]) for b in local_buffers(group)
        }
        result, store = kept[group.head.store.buffer], group.head.store
        assert store.initial is not None

        def joins(k: Values) -> Stmt | None:
            place = {**at, **k, **({w.tap.var: number(0)} if w.tap else {})}
            work = [self._join(joined, term, nth, place) for nth in range(self._filled)]
            inside, all_ = builder.at(w.inside, place), sequence(work)
            assert all_ is not None
            return all_ if static(inside) == 1 else IfThenElse(inside, all_, None)

        def end(lane: Expr) -> Stmt | None:
            local = {b: LocalElement(buffer, lane) for b, buffer in kept.items()}
            column = w.column.var
            return finish(builder, group, {**at, column: at[column] + lane}, local)

        # What was joined before is neutral: the first column need not be joined to it.
        fresh = structural_equal(store.initial, w.joins.neutral)
        initial = None if fresh else self._fill(result, 0, builder.value(store.initial, at))
        statements = [
            *(self._fill(joined, n * lanes, w.joins.neutral) for n in range(self._vectors)),
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

    def _columns(self, first: int) -> Expr:
        """Return which columns of a vector are there, and of use."""
        w, lanes = self._window, self._lanes
        if w.end is None or w.before is None:
            last = (self._results - 1) * w.stride + w.span
            return below(last - first, lanes)
        place = {**self._at, **({w.tap.var: number(0)} if w.tap else {})}
        before, end = (self._builder.at(e - first, place) for e in (w.before, w.end))
        there = below(self._bound("end", end, lanes), lanes)
        return tirx.And(tirx.Not(below(self._bound("before", before, lanes), lanes)), there)

    def _join(self, joined: Buffer, term: Buffer, nth: int, at: Values) -> Stmt | None:
        """Join one vector of a line to those of the lines before it."""
        w, lanes, mask = self._window, self._lanes, self._there[nth]
        first = self._moved(nth * lanes)
        masked = None if mask is None else (mask, w.joins.neutral)
        value = self._builder.vector(first, lanes, at, masked)
        return sequence(
            [
                self._builder.store_vector(term, [number(0)], value, lanes),
                self._each(joined, nth * lanes, term),
            ]
        )

    def _moved(self, columns: int) -> BufferLoad:
        load = self._window.load
        *others, last = load.indices
        return BufferLoad(load.source, [*others, last + columns])

    def _tapped(
        self, joined: Buffer, term: Buffer, result: Buffer, tap: int, *, alone: bool
    ) -> Stmt | None:
        """Join the columns of one tap to the results; `alone`, they are the results so far."""
        w, lanes, builder = self._window, self._lanes, self._builder
        vectors = [
            builder.vector(BufferLoad(joined, [number(n * lanes)]), lanes)
            for n in range(self._vectors)
        ]
        last = w.results(lanes, self._vectors) - 1
        places = [tap * w.dilation + w.stride * min(lane, last) for lane in range(lanes)]
        columns = tirx.Shuffle(vectors, [tirx.const(place, "int32") for place in places])
        if alone:
            return builder.store_vector(result, [number(0)], columns, lanes)
        kept = builder.store_vector(term, [number(0)], columns, lanes)
        return sequence([kept, self._each(result, 0, term)])

    def _each(self, into: Buffer, first: int, term: Buffer) -> Stmt | None:
        """Join a vector to one."""
        builder = self._builder

        def join(lane: Expr) -> Stmt:
            kept = LocalElement(into, lane + first)
            value = self._window.joins.join(
                builder.load_local(kept), builder.load_local(LocalElement(term, lane))
            )
            return builder.store_local(kept, value)

        return self._vector(join)

    def _fill(self, buffer: Buffer, first: int, value: Expr) -> Stmt | None:
        def fill(lane: Expr) -> Stmt:
            return self._builder.store_local(LocalElement(buffer, lane + first), value)

        return self._vector(fill)

    def _vector(self, body: Callable[[Expr], Stmt]) -> Stmt | None:
        column, lanes = self._window.column.var, self._lanes
        return self._builder.inner(column, lanes, ForKind.VECTORIZED, body)
