"""Attention: products of queries and keys, their softmax, and the sums of values, strip by strip.

::

    for each head, in threads:
        keys and values = copied into panels
        for each strip of queries:
            scores = strip x keys                       on the register tile
            for each row: softmax                       in place, in the first cache
            output = scores x values                    on the register tile

A head's keys and values stay in the second-level cache while all its queries pass. Its scores are
never stored as a whole: a strip has as many rows as fit beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, PrimFunc, Stmt, Var

from tvmfuse.ops.attention import STAGES
from tvmfuse.schedules.combiners import sum_term
from tvmfuse.schedules.cpu.elementary import elementary
from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.pointwise import pointwise
from tvmfuse.schedules.cpu.stages import named_stages
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.cpu.tiles import best_tile
from tvmfuse.schedules.cpu.vectors import segments
from tvmfuse.schedules.expressions import map_loads, number, static, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import (
    Axis,
    Stage,
    Store,
    without_unit_axes,
)
from tvmfuse.schedules.nests import Values, Writer, sequence
from tvmfuse.schedules.protocol import Declined, Subject

#: Rows of a strip: at most, at least, and where the number of keys is not known.
LONGEST: Final = 48
SHORTEST: Final = 12
USUAL: Final = 24

#: What the stages' results and sums run over: batch, head, query i, key j, and an element of a
#: head, summed up as c or a result as d.
PRODUCTS, SCORES, PEAKS, EXPS, TOTALS, WEIGHTS, SUMS = STAGES
RESULTS: Final = {
    **dict.fromkeys((PRODUCTS, SCORES, EXPS, WEIGHTS), "bhij"),
    **dict.fromkeys((PEAKS, TOTALS), "bhi"),
    SUMS: "bihd",
}
SUMMED: Final = {PRODUCTS: "c", PEAKS: "j", TOTALS: "j", SUMS: "j"}


@dataclass(frozen=True)
class Attention:
    """The schedule of `tvmfuse.attention`."""

    name: str = "attention"

    def __call__(self, subject: Subject) -> PrimFunc | Declined:
        """Return the function scheduled, or the reason why this schedule is not for it."""
        named = named_stages(subject, STAGES, "attention in float32")
        if isinstance(named, Declined):
            return named
        kernel, stages = named.kernel, named.stages
        if len(stages) > len(STAGES):
            return Declined("it rounds, or computes more than an attention")
        if sum_term(stages[PRODUCTS]) is None or sum_term(stages[SUMS]) is None:
            return Declined("it has nothing to add up")
        isa, writer = Isa.of(subject.target), Writer(kernel)
        heads = _Heads(writer, isa, _Formulas.of(stages))
        return writer.function([heads.nest(threads=worth_threads(kernel.stages, isa))])


@dataclass(frozen=True, eq=False)
class _Formulas:
    """What the stages compute, all with the same variables.

    Attributes:
        query: An element of the queries; likewise `key` and `value`.
        softmax: The stages that make weights of products, along a row.
        output: What is written.
        variables: By the letters of `RESULTS` and `SUMMED`.
        sizes: Likewise.
        inside: The stages' results -> their names.
    """

    query: Expr
    key: Expr
    value: Expr
    softmax: tuple[Stage, ...]
    output: Buffer
    variables: Mapping[str, Var]
    sizes: Mapping[str, Expr]
    inside: Mapping[Buffer, str]

    @classmethod
    def of(cls, stages: Mapping[str, Stage]) -> _Formulas:
        """Read them off the stages."""
        variables = {letter: Var(letter, "int64") for letter in "bhijcd"}
        sizes = {"c": next((a.extent for a in stages[PRODUCTS].reduction), number(1))}
        renamed = {}
        for name, stage in stages.items():
            letters = dict(zip(stage.store.indices, RESULTS[name], strict=True))
            letters |= {axis.var: SUMMED[name] for axis in stage.reduction}
            sizes |= dict(zip(RESULTS[name], stage.store.buffer.shape, strict=True))
            same = {v: variables[letter] for v, letter in letters.items() if isinstance(v, Var)}
            renamed[name] = stage.map(partial(substitute, mapping=same))
        query, key = _factors(renamed[PRODUCTS])
        _, value = _factors(renamed[SUMS])
        row = [renamed[name] for name in STAGES if name not in (PRODUCTS, SUMS)]
        softmax = tuple(
            replace(s, axes=(Axis(variables["j"], sizes["j"], reduces=s.reduces),)) for s in row
        )
        inside = {stages[name].store.buffer: name for name in STAGES if name != SUMS}
        output = stages[SUMS].store.buffer
        return cls(query, key, value, softmax, output, variables, sizes, inside)

    def axis(self, letter: str, extent: Expr | None = None) -> Axis:
        """Return a loop over one of the variables; all of it, or an extent of its own."""
        return Axis(self.variables[letter], self.sizes[letter] if extent is None else extent)


def _factors(stage: Stage) -> tuple[Expr, Expr]:
    term = sum_term(stage)
    assert isinstance(term, tirx.Mul)
    return term.a, term.b


@dataclass(frozen=True, eq=False)
class _Panels:
    """A copy of one head's keys or values, in panels of as many columns as a register tile has.

    Attributes:
        buffer: Shape (panels, depth, width).
        columns: How many columns there are; the last panel may have more.
    """

    buffer: Buffer
    columns: Expr

    @property
    def width(self) -> int:
        """Columns of a panel."""
        return static(self.buffer.shape[2]) or 1


@dataclass(frozen=True, eq=False)
class _Heads:
    """The loops over heads, and what is done for each."""

    writer: Writer
    isa: Isa
    formulas: _Formulas

    def nest(self, *, threads: bool) -> Stmt | None:
        """Return the loops over all heads."""
        return self.writer.nest(
            [self.formulas.axis("b"), self.formulas.axis("h")], self._head, parallel=threads
        )

    def _head(self, at: Values) -> Stmt | None:
        keys, values = self._panels("keys", "j", "c"), self._panels("values", "d", "j")
        return self.writer.allocate(
            [keys.buffer, values.buffer],
            [
                self._packed(keys, self.formulas.key, "j", "c", at),
                self._packed(values, self.formulas.value, "d", "j", at),
                self._strips(at, keys, values),
            ],
        )

    @property
    def height(self) -> int:
        """How many rows of scores a strip has."""
        keys = static(self.formulas.sizes["j"])
        if keys is None:
            return USUAL
        fitting = self.isa.l2_bytes // 4 // (4 * keys) // SHORTEST * SHORTEST
        return min(LONGEST, max(SHORTEST, fitting))

    def _panels(self, name: str, columns: str, depth: str) -> _Panels:
        sizes, lanes = self.formulas.sizes, self.isa.float_lanes
        rows, column = self.formulas.axis("i", number(self.height)), self.formulas.axis(columns)
        width = best_tile(self.isa, lanes, rows, column, shared=True).columns
        extent = sizes[columns]
        count = self.writer.simplify(tirx.floordiv(extent + (width - 1), width))
        shape = [count, sizes[depth], number(width)]
        return _Panels(self.writer.inside(name, "float32", shape), extent)

    def _packed(
        self, panels: _Panels, element: Expr, columns: str, depth: str, at: Values
    ) -> Stmt | None:
        """Fill panels; what the last one has beyond the columns is zero."""
        buffer, width = panels.buffer, panels.width
        panel, lane = (Axis(Var(name, "int64"), number(1)) for name in ("panel", "lane"))
        step, column = self.formulas.axis(depth), self.formulas.variables[columns]
        whole, rest = (
            self.writer.simplify(part(panels.columns, width))
            for part in (tirx.floordiv, tirx.floormod)
        )

        def stage(panels: Expr, lanes: Expr, place: Expr, value: Expr) -> Stmt | None:
            if static(panels) == 0:
                return None
            axes = (Axis(panel.var, panels), step, Axis(lane.var, lanes))
            store = Store(buffer, (place, step.var, lane.var), value)
            copy = Stage(buffer.name, axes, (store,))
            return pointwise(self.writer, copy, self.isa, threads=False)

        def elements(place: Expr) -> Expr:
            return substitute(element, {**at, column: place * width + lane.var})

        # One panel where something is left, none where not.
        last = self.writer.simplify(tirx.floordiv(rest + (width - 1), width))
        behind = whole + panel.var
        zero = tirx.const(0, "float32")
        return sequence(
            [
                stage(whole, number(width), panel.var, elements(panel.var)),
                stage(last, number(width), behind, zero),
                stage(last, rest, behind, elements(behind)),
            ]
        )

    def _strips(self, at: Values, keys: _Panels, values: _Panels) -> Stmt | None:
        length, height = self.formulas.sizes["i"], self.height
        known = static(length) is not None

        def strips(first: Expr, count: Expr, rows: int) -> Stmt | None:
            strip = Axis(Var("strip", "int64"), count)

            def one(place: Values) -> Stmt | None:
                begin = self.writer.simplify(first + place[strip.var] * rows)
                left = number(rows) if known else tirx.min(number(rows), length - begin)
                return _Strip(self, at, begin, left, keys, values).statement()

            return self.writer.nest([strip], one)

        if known:
            parts = segments(length, height)
            return sequence([strips(s.begin, s.count, s.width) for s in parts])
        return strips(number(0), tirx.floordiv(length + (height - 1), height), height)


@dataclass(frozen=True, eq=False)
class _Strip:
    """Some queries of a head, from `begin` on."""

    heads: _Heads
    at: Values
    begin: Expr
    rows: Expr
    keys: _Panels
    values: _Panels

    def statement(self) -> Stmt | None:
        """Return the strip's products, softmax and sums."""
        count, _, width = self.keys.buffer.shape
        scores = self._writer.inside(
            "scores", "float32", [number(self.heads.height), count * width]
        )
        row = self._formulas.axis("i", self.rows)
        return self._writer.allocate(
            [scores],
            [
                self._products(scores),
                self._writer.nest([row], lambda at: self._softmax(scores, at[row.var])),
                self._sums(scores),
            ],
        )

    @property
    def _writer(self) -> Writer:
        return self.heads.writer

    @property
    def _formulas(self) -> _Formulas:
        return self.heads.formulas

    def _products(self, scores: Buffer) -> Stmt | None:
        """Multiply queries by keys; the columns that fill the last panel are not read."""
        i = self._formulas.variables["i"]
        query = substitute(self._formulas.query, {**self.at, i: self.begin + i})
        count, _, width = self.keys.buffer.shape
        return self._multiplied(
            query, self.keys, "c", (number(0), count, width), scores, lambda column: (i, column)
        )

    def _sums(self, scores: Buffer) -> Stmt | None:
        """Multiply weights by values."""
        formulas = self._formulas
        i, j, b, h = (formulas.variables[letter] for letter in "ijbh")
        width, columns = self.values.width, self.values.columns
        whole, rest = (part(columns, width) for part in (tirx.floordiv, tirx.floormod))
        last = tirx.floordiv(rest + (width - 1), width)
        return sequence(
            [
                self._multiplied(
                    BufferLoad(scores, [i, j]),
                    self.values,
                    "j",
                    tuple(map(self._writer.simplify, part)),
                    formulas.output,
                    lambda column: (self.at[b], self.begin + i, self.at[h], column),
                )
                for part in ((number(0), whole, number(width)), (whole, last, rest))
            ]
        )

    def _multiplied(
        self,
        left: Expr,
        right: _Panels,
        depth: str,
        part: tuple[Expr, Expr, Expr],
        into: Buffer,
        place: Callable[[Expr], tuple[Expr, ...]],
    ) -> Stmt | None:
        """Multiply matrices on the register tile.

        Args:
            left: An element of the strip, by the row and the depth.
            right: The other matrix.
            depth: The letter of what is summed up.
            part: The first panel, how many, and how many columns of each.
            into: Where the products go.
            place: Returns an element's indices there, for its column.
        """
        first, count, lanes = part
        if static(count) == 0:
            return None
        panel, lane = (Axis(Var(n, "int64"), e) for n, e in (("panel", count), ("lane", lanes)))
        step = replace(self._formulas.axis(depth), reduces=True)
        at = place((first + panel.var) * right.width + lane.var)
        term = left * BufferLoad(right.buffer, [first + panel.var, step.var, lane.var])
        store = Store(into, at, BufferLoad(into, at) + term, tirx.const(0.0, "float32"))
        axes = (self._formulas.axis("i", self.rows), panel, lane, step)
        stage = without_unit_axes(Stage(into.name, axes, (store,)))
        group = Group(stage, members=(stage,), stored=frozenset([into]))
        return group_nest(self._writer, group, self.heads.isa, threads=False)

    def _softmax(self, scores: Buffer, row: Expr) -> Stmt | None:
        """Turn one row of products into weights, in place."""
        peak, total = (
            self._writer.inside(name, "float32", [number(1)]) for name in ("peak", "total")
        )
        zero, (i, j) = number(0), (self._formulas.variables[letter] for letter in "ij")
        own = {
            buffer: {PEAKS: (peak, zero), TOTALS: (total, zero)}.get(name, (scores, row, j))
            for buffer, name in self._formulas.inside.items()
        }
        at = {**self.at, i: self.begin + row}

        def load(node: TensorLoad) -> Expr:
            if node.source not in own:
                return node
            buffer, *place = own[node.source]
            return BufferLoad(buffer, place)

        def nest(stage: Stage) -> Stmt | None:
            buffer, *place = own[stage.store.buffer]
            changed = stage.map(lambda e: elementary(map_loads(substitute(e, at), load)))
            store = replace(changed.store, buffer=buffer, indices=tuple(place))
            changed = replace(changed, stores=(store,))
            if isinstance(store.value, TensorLoad):
                return None
            group = Group(changed, members=(changed,), stored=frozenset([buffer]))
            return group_nest(self._writer, group, self.heads.isa, threads=False)

        return self._writer.allocate([peak, total], list(map(nest, self._formulas.softmax)))
