"""The loops of a depthwise convolution over the results of some columns, in tiles of lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial, reduce
from itertools import product

from tvm import sym, tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Bind, Buffer, BufferLoad, ForKind, IfThenElse, Stmt

from tvmfuse.schedules.cpu.conv.column_steps import Steps
from tvmfuse.schedules.cpu.conv.depthwise import Depthwise
from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.gemm.begun_sums import SUMMED
from tvmfuse.schedules.cpu.gemm.bfloat16_dot import Bits
from tvmfuse.schedules.cpu.padding import conjuncts
from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.cpu.widened import widened_vector
from tvmfuse.schedules.expressions import number, static, substitute, variables
from tvmfuse.schedules.fence import fenced
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.mask_words import mask_words, named_words
from tvmfuse.schedules.quotients import Quotients
from tvmfuse.schedules.vector_accesses import Mask, below

_Tap = tuple[int, ...]
"""The values of a reduction's axes."""

_Place = tuple[int, ...]
"""Where a vector is in the copy, counted from the first that a tile reads."""

_Weights = dict[_Tap, tuple[Var, Expr]]
"""For each tap, the variable of its weight, and what that is set to."""


class Strip:
    """The results of some columns, of any number of lines.

    Args:
        what: The convolution.
        builder: Of the function.
        steps: Of what code it is.
        at: The image, and the first column of the results.
        bits: What is read as bits; those of bfloat16.
        words: Whether masks of an image's columns are `mask_words`.
    """

    def __init__(
        self,
        what: Depthwise,
        builder: LoopNestBuilder,
        steps: Steps,
        at: Values,
        bits: Bits,
        *,
        words: bool = False,
    ) -> None:
        self._what, self._builder, self._at = what, builder, at
        self._lanes, self._inner, self._bits, self._words = steps.lanes, steps.inner, bits, words
        self._mask: Mask | None = None
        # Of a known height, few lines have a mask: less than the code of another tile gains.
        self._branches = what.is_blocked and static(what.row.extent) is None
        self.bounds: list[Stmt] = []
        if not steps.whole:
            left = builder.at(what.column.extent - what.column.var, at)
            self._mask, counted = Mask.of(left, steps.lanes)
            self.bounds.append(counted)
        self._there: dict[int, Expr | None] = {}

    def tile(self, lines: Segment, at: Values) -> Stmt | None:
        """Return the results of some lines."""
        what = self._what
        first = {**self._at, what.row.var: lines.start(at[what.row.var])}
        weights = self._weights(first)

        def results(at: Values) -> Stmt | None:
            row = what.row.var
            own = [{**first, **at, row: first[row] + r} for r in range(lines.width)]
            inside = self._inside(own, weights)
            there = {place: Var("inside", value.ty) for place, value in inside.items()}
            results = self._results(own, weights, there)
            if self._branches and there:
                whole = self._results(own, weights, {})
                results = IfThenElse(reduce(tirx.And, there.values()), whole, results)
            return sequence([*(Bind(there[place], inside[place]) for place in there), results])

        found = [Bind(weight, value) for weight, value in weights.values()]
        return sequence([*found, self._builder.nest(what.along, results)])

    def _results(
        self, own: Sequence[Values], weights: _Weights, there: Mapping[_Place, Expr]
    ) -> Stmt | None:
        what, builder, lanes = self._what, self._builder, self._lanes
        head, size = what.group.head.store, [number(len(own) * lanes)]
        kept = {b: builder.local_buffer(b.name, b.dtype, size) for b in local_buffers(what.group)}
        sums = kept[head.buffer]
        initial = self._initial(own[0])

        def end(r: int, lane: Expr) -> Stmt | None:
            local = {b: LocalElement(buffer, lane + r * lanes) for b, buffer in kept.items()}
            column = what.column.var
            return finish(builder, what.group, {**own[r], column: own[r][column] + lane}, local)

        def line(r: int) -> Stmt | None:
            write = partial(end, r)
            return builder.inner(what.column.var, lanes, ForKind.VECTORIZED, write, self._mask)

        starts = [number(r * lanes) for r in range(len(own))]
        statements = [
            *(builder.store_vector(sums, [start], initial, lanes) for start in starts),
            *self._added(sums, own, weights, there),
            *map(line, range(len(own))),
        ]
        return builder.allocate(list(kept.values()), statements)

    def _initial(self, at: Values) -> Expr:
        """Return the vector that sums begin with: a number, or an addend of each channel."""
        initial = self._what.group.head.store.initial
        assert initial is not None
        if isinstance(initial, TensorLoad) and self._what.column.var in variables(initial):
            return self._builder.vector(initial, self._lanes, at)
        return tirx.Broadcast(self._builder.value(initial, at), self._lanes)

    def _added(
        self,
        sums: Buffer,
        own: Sequence[Values],
        weights: _Weights,
        there: Mapping[_Place, Expr],
    ) -> list[Stmt]:
        """Return what adds up the products of lines of results; each vector is read once.

        Args:
            sums: The vectors of sums.
            own: Where the first result of each is.
            weights: The variables of all weights.
            there: By the place of lines that are not always there, whether they are.
        """
        builder, lanes = self._builder, self._lanes
        found, vectors = list[Stmt](), dict[_Place, list[Var]]()
        for (*line, column), users in self._reads(len(own), weights).items():
            r, k = users[0]
            apart = column % self._what.stride
            first, present = (*line, column - apart), there.get(tuple(line))
            if first not in vectors:
                values = self._loaded(first[-1], {**own[r], **self._values(k)}, apart, present)
                vectors[first] = [Var("vector", value.ty) for value in values]
                found += [Bind(*pair) for pair in zip(vectors[first], values, strict=True)]
            (vector, *others) = vectors[first]
            if others:
                value = self._shuffled(vectors[first], apart)
                vector = Var("columns", value.ty)
                found.append(Bind(vector, value))
            for r, k in users:
                place = [number(r * lanes)]
                before = builder.vector(BufferLoad(sums, place), lanes)
                after = before + vector * weights[k][0]
                after = fenced(after) if self._what.sums == SUMMED else after
                found.append(builder.store_vector(sums, place, after, lanes))
        return found

    def _loaded(self, column: int, at: Values, apart: int, present: Expr | None) -> list[Expr]:
        """Return the vectors that one of results needs from a column of a line on.

        Args:
            column: Counted from the first that a tile reads.
            at: A result, and a tap that reads so many columns further on.
            apart: How many.
            present: Whether the line is there; None where it always is.
        """
        padded, lanes, found = self._what.padded, self._lanes, list[Expr]()
        *others, last = padded.load.indices
        for nth in range(self._what.stride):
            further, masks = nth * lanes - apart, list[Expr]()
            if (columns := self._columns(column + nth * lanes, further, at)) is not None:
                masks.append(columns)
            if present is not None:
                line = mask_words(present) if self._words else present
                masks.append(tirx.Broadcast(line, lanes))
            both = tirx.bitwise_and if self._words else tirx.And
            masked = (reduce(both, masks), padded.fill) if masks else None
            load = BufferLoad(padded.load.source, [*others, last + further])
            found.append(widened_vector(self._builder, self._bits, load, lanes, at, masked))
        return found

    def _shuffled(self, vectors: Sequence[Var], first: int) -> Expr:
        """Return every n-th element of n vectors."""
        places = [first + len(vectors) * lane for lane in range(self._lanes)]
        return tirx.Shuffle(list(vectors), [tirx.const(place, "int32") for place in places])

    def _inside(self, own: Sequence[Values], weights: _Weights) -> dict[_Place, Expr]:
        """Return whether the lines of what is read are there, by their places.

        Those that are there always are left out. A tile has no more lines than there are from its
        first one on, of which the loops' variables say nothing where the height is unknown.
        """
        row, found = self._what.row, dict[_Place, Expr]()
        left, sizes = Var("left", "int64"), Quotients.of(row.extent)
        sizes.known.update(left, sym.ConstIntBound(len(own), sym.ConstIntBound.POS_INF))
        for (*line, _), ((r, k), *_) in self._reads(len(own), weights).items():
            if tuple(line) not in found:
                at = {**own[r], **self._values(k)}
                from_end = {**at, row.var: row.extent - left + r}
                terms = [
                    term
                    for term in conjuncts(self._what.padded.inside)
                    if not sizes.can_prove(substitute(term, from_end))
                ]
                inside = reduce(tirx.And, terms, tirx.const(1, "bool"))
                found[tuple(line)] = self._builder.at(inside, at)
        return {place: inside for place, inside in found.items() if static(inside) != 1}

    def _reads(self, count: int, weights: _Weights) -> dict[_Place, list[tuple[int, _Tap]]]:
        """Return the lines of results and the taps that read a vector, by its place, in order."""
        found = defaultdict[_Place, list[tuple[int, _Tap]]](list)
        for r, k in product(range(count), weights):
            found[self._place(r, k)].append((r, k))
        return dict(sorted(found.items()))

    def _weights(self, at: Values) -> _Weights:
        """Return a variable for each weight, and its vector."""
        builder, weight, lanes = self._builder, self._what.weight, self._lanes
        found = {}
        for k in product(*(range(static(a.extent) or 1) for a in self._what.group.head.reduction)):
            place = {**at, **self._values(k)}
            if self._what.is_blocked:
                vector = widened_vector(builder, self._bits, weight, lanes, place)
            else:
                vector = tirx.Broadcast(builder.value(weight, place), lanes)
            found[k] = Var("weight", vector.ty), vector
        return found

    def _values(self, k: _Tap) -> Values:
        axes = self._what.group.head.reduction
        return {axis.var: number(n) for axis, n in zip(axes, k, strict=True)}

    def _place(self, r: int, k: _Tap) -> _Place:
        """Return the lines and the column that a tap reads, counted from those of the first."""
        what = self._what
        zeros = {a.var: number(0) for a in what.group.head.spatial}
        at = {**zeros, what.row.var: number(r), **self._values(k)}
        return tuple(static(self._builder.at(e, at)) or 0 for e in what.image.indices)

    def _columns(self, column: int, further: int, at: Values) -> Expr | None:
        """Return which columns of a vector are the image's; None of all.

        Args:
            column: Where it begins, counted from the first that a tile reads.
            further: The same, counted from what `at` reads.
            at: A result, and a tap.
        """
        padded, lanes, place = self._what.padded, self._lanes, self._what.image.indices[-1]
        if column not in self._there:
            ends = [end - place - further for end in (padded.first, padded.end)]
            simple = self._builder.at
            all_there = tirx.And(tirx.LE(ends[0], number(0)), tirx.GE(ends[1], number(lanes)))
            self._there[column] = None
            if not self._inner and static(simple(all_there, at)) != 1:
                before, there = (below(self._bound(simple(end, at)), lanes) for end in ends)
                self._there[column] = self._mask_of(tirx.And(tirx.Not(before), there))
        return self._there[column]

    def _mask_of(self, there: Expr) -> Expr:
        if not self._words:
            return there
        mask, named = named_words(there)
        self.bounds.append(named)
        return mask

    def _bound(self, columns: Expr) -> Var:
        """Set an int32 to a number of columns, but no less than 0 and no more than the lanes."""
        var, lanes = Var("bound", "int32"), number(self._lanes)
        within = tirx.max(tirx.min(columns, lanes), number(0))
        self.bounds.append(Bind(var, tirx.Cast("int32", within)))
        return var
