"""The softmax of a row of scores, in place: of all keys, or of one block after another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, IfThenElse, Stmt, Var

from tvmfuse.ir.bfloat16 import BFLOAT16, cast_to_bfloat16
from tvmfuse.schedules.cpu.attention.formulas import EXPS, ROW_MAX, ROW_SUM, SCORES, WEIGHTS
from tvmfuse.schedules.cpu.attention.pairs import PAIR
from tvmfuse.schedules.cpu.attention.panels import AttentionEmitter
from tvmfuse.schedules.cpu.group_nest import inner_nest
from tvmfuse.schedules.cpu.vector_math import EXP_NONPOSITIVE, vector_math
from tvmfuse.schedules.expressions import loads, map_loads, number, substitute, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, Store
from tvmfuse.schedules.loop_nests import Values, sequence

Place = tuple[Buffer, tuple[Expr, ...]]
"""An element of a buffer."""


@dataclass(frozen=True, eq=False)
class RowState:
    """What is known of a query after some blocks of keys.

    Attributes:
        row_max: Its largest score.
        row_sum: The sum of its exponentials.
        decay: The share of the sums so far that is left, now that the maximum is another.
    """

    row_max: Place
    row_sum: Place
    decay: Place


@dataclass(frozen=True, eq=False)
class Row:
    """Products of one query and some keys, which become weights.

    Attributes:
        emitter: Where to write.
        place: Where the products lie, by the key j.
        at: Batch, head and query.
        first: The first of the keys.
        keys: How many.
        weights: Where the weights go, which may be where the products lie.
    """

    emitter: AttentionEmitter
    place: Place
    at: Values
    first: Expr
    keys: Expr
    weights: Place

    def softmax(self) -> Stmt | None:
        """Return the softmax over all keys."""
        row_max, row_sum = self._inside("peak"), self._inside("total")
        steps = [self._step(name, row_max, row_sum) for name in self.emitter.formulas.softmax]
        return self.emitter.builder.allocate([row_max[0], row_sum[0]], steps)

    def undivided(self, divisor: Place) -> Stmt | None:
        """Return the exponentials in place of weights, and what sums of values are divided by.

        A row without a sum has its weights as they are written, and is divided by 1.
        """
        row_max, row_sum = self._inside("peak"), self._inside("total")
        total = _read(row_sum)
        steps = [
            *(self._step(name, row_max, row_sum) for name in (SCORES, ROW_MAX)),
            *self._exponentials(row_max, row_sum),
        ]
        known = sequence([self._set(divisor, total), None if self._direct else self._shares()])
        as_written = [
            self._set(divisor, _one()),
            self._weighted(self.formula(WEIGHTS, self._exponential, {ROW_SUM: total})),
        ]
        assert known is not None
        is_positive = self.emitter.builder.value(total > 0, {})
        steps.append(IfThenElse(is_positive, known, sequence(as_written)))
        return self.emitter.builder.allocate([row_max[0], row_sum[0]], steps)

    def running(self, state: RowState) -> Stmt | None:
        """Return the exponentials of a block of keys, and the state after it.

        Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018. A row
        that has no sum, of NaN or of scores without a maximum, has none after any block.
        """
        row_max, row_sum = self._inside("peak"), self._inside("total")
        return self.emitter.builder.allocate(
            [row_max[0], row_sum[0]],
            [
                self._step(SCORES, row_max, row_sum),
                self._step(ROW_MAX, row_max, row_sum),
                self._set(row_max, tirx.max(_read(row_max), _read(state.row_max))),
                self._set(
                    state.decay, self.formula(EXPS, _read(state.row_max), {ROW_MAX: _read(row_max)})
                ),
                self._set(state.row_max, _read(row_max)),
                *self._exponentials(row_max, row_sum),
                self._set(
                    state.row_sum, _read(state.row_sum) * _read(state.decay) + _read(row_sum)
                ),
                None if self._direct else self._shares(),
            ],
        )

    def formula(self, name: str, given: Expr, others: Mapping[str, Expr]) -> Expr:
        """Return what a stage computes, given others' results; of those not named, `given`."""
        formulas = self.emitter.formulas
        j = formulas.variables["j"]

        def load(node: TensorLoad) -> Expr:
            made_by = formulas.inside.get(node.source)
            return node if made_by is None else others.get(made_by, given)

        value = substitute(formulas.softmax[name].store.value, {**self.at, j: self.first + j})
        written = map_loads(value, load)
        if not self.emitter.scope.takes("VectorMath"):
            return written
        # No score is above its row's maximum.
        return vector_math(written, EXP_NONPOSITIVE if name == EXPS else None)

    def _inside(self, name: str) -> Place:
        return self.emitter.builder.local_buffer(name, "float32", [number(1)]), (number(0),)

    def _step(self, name: str, row_max: Place, row_sum: Place) -> Stmt | None:
        """Return one stage, of which all but row_max and row_sum are where the products are."""
        own = {ROW_MAX: row_max, ROW_SUM: row_sum}
        value = self.formula(name, _read(self.place), {n: _read(p) for n, p in own.items()})
        if name == WEIGHTS:
            return self._weighted(value)
        buffer, place = own.get(name, self.place)
        if isinstance(value, TensorLoad):
            return None
        stage = self.emitter.formulas.row(name, self.keys)
        store = Store(buffer, place, value, stage.store.initial)
        if not stage.reduces:
            stage = self.emitter.formulas.row(name, self._vectors(value))
        return self._nest(replace(stage, stores=(store,)))

    def _exponentials(self, row_max: Place, row_sum: Place) -> list[Stmt | None]:
        """Return the exponentials and their sum; of those that are rounded, if they are."""
        if not self._direct:
            return [self._step(name, row_max, row_sum) for name in (EXPS, ROW_SUM)]
        exps = self.formula(EXPS, _read(self.place), {ROW_MAX: _read(row_max)})
        total = self.formula(ROW_SUM, self._exponential, {ROW_SUM: _read(row_sum)})
        stage = self.emitter.formulas.row(ROW_SUM, self.keys)
        store = Store(*row_sum, total, stage.store.initial)
        return [self._weighted(exps), self._nest(replace(stage, stores=(store,)))]

    @cached_property
    def _direct(self) -> bool:
        """Whether exponentials are rounded to pairs at once: nothing else is made of them."""
        return self._rounds and isinstance(self._share, TensorLoad)

    @property
    def _exponential(self) -> Expr:
        """An exponential as it is kept."""
        return _read(self.weights).astype("float32") if self._direct else _read(self.place)

    @property
    def _rounds(self) -> bool:
        return str(self.weights[0].dtype) == BFLOAT16

    def _weighted(self, value: Expr) -> Stmt | None:
        """Store weights; in pairs, that of a last key alone has a zero beside it."""
        (buffer, place), rounds = self.weights, self._rounds
        if not rounds and isinstance(value, TensorLoad):
            return None
        axis = self.emitter.formulas.axis("j", self._vectors(value))
        value = cast_to_bfloat16(value) if rounds else value
        stored = self._nest(Stage(WEIGHTS, (axis,), (Store(buffer, place, value),)))
        if not rounds:
            return stored
        j = self.emitter.formulas.variables["j"]
        odd = Axis(Var("odd", "int64"), tirx.floormod(self.keys, PAIR))
        behind = tuple(substitute(index, {j: self.keys}) for index in place)
        zero = Store(buffer, behind, tirx.const(0, BFLOAT16))
        return sequence(
            [
                stored,
                self.emitter.builder.nest([odd], lambda _: self._nest(Stage(WEIGHTS, (), (zero,)))),
            ]
        )

    def _vectors(self, value: Expr) -> Expr:
        """Return how many elements are computed: whole vectors, where only products are read.

        What is behind the last key in its vector is any number, which nothing reads.
        """
        lanes, key = (
            self.emitter.scope.machine.isa.float_lanes,
            self.emitter.formulas.variables["j"],
        )
        products, _ = self.place
        others = (load for load in loads(value) if not load.source.same_as(products))
        if any(key in variables(*load.indices) for load in others):
            return self.keys
        return tirx.floordiv(self.keys + (lanes - 1), lanes) * lanes

    def _shares(self) -> Stmt | None:
        """Store shares, unless the exponentials are in their place."""
        return self._weighted(self._share)

    @cached_property
    def _share(self) -> Expr:
        """The share that an exponential has, with 1 for the sum."""

        def chosen(node: tirx.Select) -> Expr:
            holds = _holds(node.condition)
            return node if holds is None else node.true_value if holds else node.false_value

        def quotient(node: tirx.Div) -> Expr:
            divisor = node.b
            return node.a if isinstance(divisor, tirx.FloatImm) and divisor.value == 1 else node

        value = self.formula(WEIGHTS, _read(self.place), {ROW_SUM: _one()})
        return tvm_ffi.structural_map(value, [(tirx.Div, quotient), (tirx.Select, chosen)])

    def _set(self, place: Place, value: Expr) -> Stmt | None:
        return self._nest(Stage(place[0].name, (), (Store(*place, value),)))

    def _nest(self, stage: Stage) -> Stmt | None:
        group = Group(stage, members=(stage,), stored=frozenset(stage.buffers))
        return inner_nest(self.emitter.builder, group, self.emitter.scope)


def _one() -> Expr:
    return tirx.const(1.0, "float32")


def _holds(condition: Expr) -> bool | None:
    """Return whether one number is above another; None where they are not known."""
    if not isinstance(condition, tirx.GT | tirx.LT):
        return None
    sides = condition.a, condition.b
    if not all(isinstance(side, tirx.FloatImm) for side in sides):
        return None
    above, below = sides if isinstance(condition, tirx.GT) else reversed(sides)
    return float(above.value) > float(below.value)


def _read(place: Place) -> Expr:
    return BufferLoad(*place)
