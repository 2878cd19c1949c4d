"""The softmax of a row of scores, in place: of all keys, or of one block after another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, Stmt, Var

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

    def running(self, state: RowState) -> Stmt | None:
        """Return the exponentials of a block of keys, and the state after it.

        Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018. A row
        that has no sum, of NaN or of scores without a maximum, has none after any block.
        """
        row_max, row_sum = self._inside("peak"), self._inside("total")
        one = tirx.const(1.0, "float32")
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
                self._step(EXPS, row_max, row_sum),
                self._step(ROW_SUM, row_max, row_sum),
                self._set(
                    state.row_sum, _read(state.row_sum) * _read(state.decay) + _read(row_sum)
                ),
                self._shares(self.formula(WEIGHTS, _read(self.place), {ROW_SUM: one})),
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

    def _weighted(self, value: Expr) -> Stmt | None:
        """Store weights; in pairs, that of a last key alone has a zero beside it."""
        buffer, place = self.weights
        rounds = str(buffer.dtype) == BFLOAT16
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

    def _shares(self, value: Expr) -> Stmt | None:
        """Store shares, which are the exponentials where nothing else is made of them."""

        def quotient(node: tirx.Div) -> Expr:
            divisor = node.b
            return node.a if isinstance(divisor, tirx.FloatImm) and divisor.value == 1 else node

        return self._weighted(tvm_ffi.structural_map(value, (tirx.Div, quotient)))

    def _set(self, place: Place, value: Expr) -> Stmt | None:
        return self._nest(Stage(place[0].name, (), (Store(*place, value),)))

    def _nest(self, stage: Stage) -> Stmt | None:
        group = Group(stage, members=(stage,), stored=frozenset(stage.buffers))
        return inner_nest(self.emitter.builder, group, self.emitter.scope)


def _read(place: Place) -> Expr:
    return BufferLoad(*place)
