"""The softmax of a row of scores, in place: of all keys, or of one block after another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.schedules.cpu.attention.formulas import EXPS, PEAKS, SCORES, TOTALS, WEIGHTS
from tvmfuse.schedules.cpu.attention.panels import Desk
from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.cpu.vector_math import DECAY, elementary
from tvmfuse.schedules.expressions import map_loads, number, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Stage, Store
from tvmfuse.schedules.loop_nests import Values

Place = tuple[Buffer, tuple[Expr, ...]]
"""An element of a buffer."""


@dataclass(frozen=True, eq=False)
class State:
    """What is known of a query after some blocks of keys.

    Attributes:
        peak: Its largest score.
        total: The sum of its exponentials.
        kept: The share of the sums so far that is left, now that the peak is another.
    """

    peak: Place
    total: Place
    kept: Place


@dataclass(frozen=True, eq=False)
class Row:
    """Products of one query and some keys, which become weights.

    Attributes:
        desk: Where to write.
        place: Where the products lie, by the key j.
        at: Batch, head and query.
        first: The first of the keys.
        keys: How many.
    """

    desk: Desk
    place: Place
    at: Values
    first: Expr
    keys: Expr

    def weights(self) -> Stmt | None:
        """Return the softmax over all keys."""
        peak, total = self._inside("peak"), self._inside("total")
        steps = [self._step(name, peak, total) for name in self.desk.formulas.softmax]
        return self.desk.writer.allocate([peak[0], total[0]], steps)

    def running(self, state: State) -> Stmt | None:
        """Return the exponentials of a block of keys, and the state after it.

        Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018. A row
        that has no total, of NaN or of scores without a peak, has none after any block.
        """
        peak, total = self._inside("peak"), self._inside("total")
        one = tirx.const(1.0, "float32")
        return self.desk.writer.allocate(
            [peak[0], total[0]],
            [
                self._step(SCORES, peak, total),
                self._step(PEAKS, peak, total),
                self._set(peak, tirx.max(_read(peak), _read(state.peak))),
                self._set(state.kept, self.formula(EXPS, _read(state.peak), {PEAKS: _read(peak)})),
                self._set(state.peak, _read(peak)),
                self._step(EXPS, peak, total),
                self._step(TOTALS, peak, total),
                self._set(state.total, _read(state.total) * _read(state.kept) + _read(total)),
                self._shares(self.formula(WEIGHTS, _read(self.place), {TOTALS: one})),
            ],
        )

    def formula(self, name: str, given: Expr, others: Mapping[str, Expr]) -> Expr:
        """Return what a stage computes, given others' results; of those not named, `given`."""
        formulas = self.desk.formulas
        j = formulas.variables["j"]

        def load(node: TensorLoad) -> Expr:
            made_by = formulas.inside.get(node.source)
            return node if made_by is None else others.get(made_by, given)

        value = substitute(formulas.softmax[name].store.value, {**self.at, j: self.first + j})
        # No score is above its row's peak.
        return elementary(map_loads(value, load), DECAY if name == EXPS else None)

    def _inside(self, name: str) -> Place:
        return self.desk.writer.inside(name, "float32", [number(1)]), (number(0),)

    def _step(self, name: str, peak: Place, total: Place) -> Stmt | None:
        """Return one stage, of which all but peak and total are where the products are."""
        stage = self.desk.formulas.row(name, self.keys)
        own = {PEAKS: peak, TOTALS: total}
        value = self.formula(name, _read(self.place), {n: _read(p) for n, p in own.items()})
        buffer, place = own.get(name, self.place)
        if isinstance(value, TensorLoad):
            return None
        store = Store(buffer, place, value, stage.store.initial)
        return self._nest(replace(stage, stores=(store,)))

    def _shares(self, value: Expr) -> Stmt | None:
        """Store shares, unless they are the exponentials."""

        def quotient(node: tirx.Div) -> Expr:
            divisor = node.b
            return node.a if isinstance(divisor, tirx.FloatImm) and divisor.value == 1 else node

        value = tvm_ffi.structural_map(value, (tirx.Div, quotient))
        if isinstance(value, TensorLoad):
            return None
        axis = self.desk.formulas.axis("j", self.keys)
        return self._nest(Stage(WEIGHTS, (axis,), (Store(*self.place, value),)))

    def _set(self, place: Place, value: Expr) -> Stmt | None:
        return self._nest(Stage(place[0].name, (), (Store(*place, value),)))

    def _nest(self, stage: Stage) -> Stmt | None:
        group = Group(stage, members=(stage,), stored=frozenset(stage.buffers))
        return group_nest(self.desk.writer, group, self.desk.machine, threads=False)


def _read(place: Place) -> Expr:
    return BufferLoad(*place)
