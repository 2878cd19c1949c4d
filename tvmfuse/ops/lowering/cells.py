"""The steps of recurrent cells: LSTM, GRU and the simple one.

What a step reads of the sequence, ``x @ W.T + bias``, comes computed for all steps. The sequence's
rows hold the gates side by side, in ONNX's order. B is the batch, H the hidden size. Sources:
Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997, with the peepholes of Gers and
Schmidhuber, 2000; Cho et al., 2014 (GRU); Elman, 1990.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.ops.lowering import activations
from tvmfuse.ops.lowering.stages import Step, stage

#: The rank of recurrent weights that come in panels.
PANELS = 3

Function = Callable[[Expr], Expr]

Sums = Callable[[Var, Expr], Expr]
"""What a row of a batch has in a column of a product."""


@dataclass(frozen=True, eq=False)
class CellWriter:
    """Writes the stages of one step.

    Attributes:
        operands: What the operator is given, by name: "x" (T, B, G * H), "weights" (H, N) or in
            panels of w columns (N / w, H, w), and what else the cell has.
        states: What lasts from step to step, by name: "h" and "c", each (B, H).
        functions: The activations, in ONNX's order, with the clip before each.
        step: The step.
        couples: Whether an LSTM forgets what it does not let in.
        from_zeros: Whether the hidden state is zeros, so that nothing is multiplied.
        temporaries: The buffers that the stages need, filled as they are written.
    """

    operands: Mapping[str, Buffer]
    states: Mapping[str, Buffer]
    functions: Sequence[Function]
    step: Step
    couples: bool = False
    from_zeros: bool = False
    temporaries: list[Buffer] = field(default_factory=list)

    @property
    def size(self) -> Expr:
        """The hidden size."""
        return self.states["h"].shape[1]

    def lstm(self) -> list[Stmt]:
        """Return a step of LSTM; its gates are input, output, forget and cell."""
        f, g, h = self.functions
        before, (product, sums) = self.states["c"], self._product("sums", self.states["h"], 4)
        cell, hidden = self._temporary("cell"), self._temporary("hidden")

        def new_cell(s: Var, b: Var, j: Var) -> Expr:
            entering = f(self._gate(sums, 0, s, b, j) + self._peephole(0, before, b, j))
            if self.couples:
                kept = tirx.const(1, entering.ty.dtype) - entering
            else:
                kept = f(self._gate(sums, 2, s, b, j) + self._peephole(2, before, b, j))
            new = kept * before[b, j] + entering * g(self._gate(sums, 3, s, b, j))
            return self._unless_over(s, b, new, before[b, j])

        def new_hidden(s: Var, b: Var, j: Var) -> Expr:
            leaving = f(self._gate(sums, 1, s, b, j) + self._peephole(1, cell, b, j))
            return self._unless_over(s, b, leaving * h(cell[b, j]), self.states["h"][b, j])

        return [
            *product,
            stage(cell, new_cell, step=self.step),
            stage(hidden, new_hidden, step=self.step),
            self._keep("c", cell),
            self._keep("h", hidden),
        ]

    def gru(self) -> list[Stmt]:
        """Return a step of GRU whose reset gate takes part in the product."""
        f, g = self.functions
        before, (product, sums) = self.states["h"], self._product("sums", self.states["h"], 2)
        reset, hidden = self._temporary("reset"), self._temporary("hidden")
        second, candidates = self._product("candidates", reset, 1, "candidate_weights")

        def opened(s: Var, b: Var, j: Var) -> Expr:
            return f(self._gate(sums, 1, s, b, j)) * before[b, j]

        def new_hidden(s: Var, b: Var, j: Var) -> Expr:
            candidate = g(candidates(b, j) + self._of_sequence(2, s, b, j))
            return self._mixed(f(self._gate(sums, 0, s, b, j)), candidate, s, b, j)

        if not self.from_zeros:
            product = [*product, stage(reset, opened, step=self.step), *second]
        return [
            *product,
            stage(hidden, new_hidden, step=self.step),
            self._keep("h", hidden),
        ]

    def gru_linear(self) -> list[Stmt]:
        """Return a step of GRU whose reset gate scales a product (`linear_before_reset`)."""
        f, g = self.functions
        product, sums = self._product("sums", self.states["h"], 3)
        hidden = self._temporary("hidden")

        def new_hidden(s: Var, b: Var, j: Var) -> Expr:
            linear = sums(b, self._column(2, j))
            if "hidden_bias" in self.operands:
                linear = linear + self.operands["hidden_bias"][j]
            opened = f(self._gate(sums, 1, s, b, j)) * linear
            candidate = g(self._of_sequence(2, s, b, j) + opened)
            return self._mixed(f(self._gate(sums, 0, s, b, j)), candidate, s, b, j)

        return [
            *product,
            stage(hidden, new_hidden, step=self.step),
            self._keep("h", hidden),
        ]

    def rnn(self) -> list[Stmt]:
        """Return a step of the simple cell."""
        (f,) = self.functions
        product, sums = self._product("sums", self.states["h"])
        hidden = self._temporary("hidden")

        def new_hidden(s: Var, b: Var, j: Var) -> Expr:
            new = f(self._gate(sums, 0, s, b, j))
            return self._unless_over(s, b, new, self.states["h"][b, j])

        return [
            *product,
            stage(hidden, new_hidden, step=self.step),
            self._keep("h", hidden),
        ]

    def result(self, y: Buffer) -> Stmt:
        """Return the stage that stores the step's hidden state: zeros behind a sequence's end."""

        def hidden(s: Var, b: Var, j: Var) -> Expr:
            state = self.states["h"][b, j]
            return self._unless_over(s, b, state, tirx.const(0, state.ty.dtype))

        return stage(y, hidden, step=self.step, leading=True)

    def _temporary(self, name: str, gates: int = 1) -> Buffer:
        batch, size = self.states["h"].shape
        buffer = tirx.decl_buffer((batch, size * gates), self.states["h"].dtype, name)
        self.temporaries.append(buffer)
        return buffer

    def _product(
        self, name: str, left: Buffer, gates: int = 1, weights: str = "weights"
    ) -> tuple[list[Stmt], Sums]:
        """Return the stages of a product with weights, and its results."""
        if self.from_zeros:
            return [], lambda b, n: tirx.const(0, left.dtype)
        right, sums = self.operands[weights], self._temporary(name, gates)

        def term(_: Var, b: Var, n: Var, k: Var) -> Expr:
            if len(right.shape) < PANELS:
                return left[b, k] * right[k, n]
            width = right.shape[2]
            return left[b, k] * right[tirx.floordiv(n, width), k, tirx.floormod(n, width)]

        return [stage(sums, term, step=self.step, terms=self.size)], lambda b, n: sums[b, n]

    def _column(self, gate: int, j: Var) -> Expr:
        return j + self.size * gate if gate else j

    def _of_sequence(self, gate: int, s: Var, b: Var, j: Var) -> Expr:
        return self.operands["x"][s, b, self._column(gate, j)]

    def _gate(self, sums: Sums, gate: int, s: Var, b: Var, j: Var) -> Expr:
        return sums(b, self._column(gate, j)) + self._of_sequence(gate, s, b, j)

    def _peephole(self, place: int, cell: Buffer, b: Var, j: Var) -> Expr:
        if "peepholes" not in self.operands:
            return tirx.const(0, cell.dtype)
        return self.operands["peepholes"][self._column(place, j)] * cell[b, j]

    def _mixed(self, update: Expr, candidate: Expr, s: Var, b: Var, j: Var) -> Expr:
        before: BufferLoad = self.states["h"][b, j]
        one = tirx.const(1, update.ty.dtype)
        new = (one - update) * candidate + update * before
        return self._unless_over(s, b, new, before)

    def _unless_over(self, s: Var, b: Var, new: Expr, otherwise: Expr) -> Expr:
        """Return a value, or another one where the sequence has ended before the step."""
        if "lengths" not in self.operands:
            return new
        length = self.operands["lengths"][b].astype("int64")
        return tirx.Select(s < length, new, otherwise)

    def _keep(self, state: str, new: Buffer) -> Stmt:
        return stage(self.states[state], lambda _, b, j: new[b, j], step=self.step)


def clipped(function: Function, bound: float | None) -> Function:
    """Return an activation whose argument is bounded on both sides; None for no bound."""
    if bound is None:
        return function

    def bounded(x: Expr) -> Expr:
        low, high = (tirx.const(b, x.ty.dtype) for b in (-bound, bound))
        return function(activations.clip(x, low, high))

    return bounded
