"""`tvmfuse.recurrence`: a recurrent cell over a sequence, in one kernel that has the loop inside.

The products with the sequence, ``x @ W.T + bias``, depend on no step before and stand outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm.tirx import Buffer, Stmt, Var

from tvmfuse.ir.types import numbers_of
from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.cells import CellWriter, Function, clipped
from tvmfuse.ops.lowering.recurrent_activations import ACTIVATIONS
from tvmfuse.ops.lowering.stages import Element, Step, around, fill, repeat
from tvmfuse.ops.traits import Kind, Traits


@dataclass(frozen=True)
class Cell:
    """A kind of cell.

    Attributes:
        gates: Rows of H numbers that a step reads of the sequence.
        states: What it hands from step to step.
    """

    gates: int
    states: tuple[str, ...] = ("h",)


CELLS: Final = {
    "lstm": Cell(4, ("h", "c")),
    "gru": Cell(3),
    "gru_linear": Cell(3),
    "rnn": Cell(1),
}
"""The kinds: each is a method of `CellWriter`."""


#: Steps of which the first is written on its own where its hidden state is zeros.
FEW_STEPS: Final = 8

#: The place of the activation that an LSTM applies to its cell state, which no gate has.
LSTM_OUTPUT: Final = 2


@dataclass(frozen=True)
class Applied:
    """An activation with its parameters, by its name in `ACTIVATIONS`."""

    name: str
    parameters: tuple[float, ...] = ()


def _infer(node: Call) -> Type:
    x, cell = node.args[0].ty, CELLS[node.attrs["cell"]]
    steps, batch, columns = x.shape.values
    state = relax.TensorType([batch, columns // cell.gates], x.dtype)
    sequence = relax.TensorType([steps, *state.shape.values], x.dtype)
    return relax.TupleType([sequence, *(state for _ in cell.states)])


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    cell, names = CELLS[node.attrs["cell"]], str(node.attrs["operands"]).split()

    def compute(*tensors: te.Tensor) -> list[te.Tensor]:
        x = tensors[0]
        steps, batch, columns = x.shape
        state = (batch, columns // cell.gates)
        made = te.extern(
            [(steps, *state), *(state for _ in cell.states)],
            [*tensors],
            lambda ins, outs: _kernel(node, dict(zip(names, ins, strict=True)), outs),
            dtype=[x.dtype] * (1 + len(cell.states)),
            name="recurrence",
        )
        return list(made)

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint=str(node.attrs["cell"]),
        primfunc_attrs={"op_pattern": OPAQUE},
    )


def _kernel(node: Call, operands: dict[str, Buffer], results: Sequence[Buffer]) -> Stmt:
    y, *kept = results
    cell = CELLS[node.attrs["cell"]]
    states = dict(zip(cell.states, kept, strict=True))
    steps, first = y.shape[0], int(_begins_from_zeros(node))
    temporaries: list[Buffer] = []

    def step(t: Expr, *, from_zeros: bool = False) -> list[Stmt]:
        position = steps - 1 - t if node.attrs["reverse"] else t
        writer = CellWriter(
            operands,
            states,
            _functions(node),
            Step(position, steps),
            bool(node.attrs["input_forget"]),
            from_zeros,
            temporaries,
        )
        return [*getattr(writer, node.attrs["cell"])(), writer.result(y)]

    begin = [fill(state, _initial(operands, name)) for name, state in states.items()]
    loops = [repeat(tirx.const(1, "int64"), partial(step, from_zeros=True))] if first else []
    if not first or int(steps) > 1:
        loops.append(repeat(steps - first, lambda t: step(t + first)))
    return around("recurrence", [*begin, *loops], temporaries)


def _begins_from_zeros(node: Call) -> bool:
    """Whether the first of few steps would multiply zeros by what makes zeros of them."""
    steps = node.args[0].ty.shape.values[0]
    if not isinstance(steps, int | tirx.IntImm) or not 0 < int(steps) <= FEW_STEPS:
        return False
    names = str(node.attrs["operands"]).split()
    values = {name: numbers_of(a) for name, a in zip(names, node.args, strict=True)}
    weights = [value for name, value in values.items() if name.endswith("weights")]
    if any(value is None or not np.isfinite(value).all() for value in weights):
        return False
    if "initial_h" not in values:
        return True
    initial = values["initial_h"]
    return initial is not None and not initial.any()


def _initial(operands: dict[str, Buffer], state: str) -> Element:
    """Return what a state begins as; of a sequence without steps, zeros, as in ONNX Runtime."""
    given = operands.get(f"initial_{state}")
    zero = tirx.const(0, operands["x"].dtype)

    def element(b: Var, j: Var) -> Expr:
        if given is None:
            return zero
        if "lengths" not in operands:
            return given[b, j]
        return tirx.Select(operands["lengths"][b] > 0, given[b, j], zero)

    return element


def _functions(node: Call) -> list[Function]:
    """Return the activations; those of gates bound their arguments where the node says so."""
    found, parameters = list[Function](), [float(p) for p in node.attrs["parameters"]]
    for place, name in enumerate(str(node.attrs["activations"]).split()):
        activation = ACTIVATIONS[name]
        own = [parameters.pop(0) for _ in activation.parameters]
        function = partial(_applied, activation.function, own)
        # An LSTM's third one is of its cell state.
        bound = float(node.attrs["clip"]) if place < LSTM_OUTPUT else 0
        found.append(clipped(function, bound or None))
    return found


def _applied(function: Function, parameters: Sequence[float], x: Expr) -> Expr:
    return function(x, *parameters)


RECURRENCE: Final = define(
    "tvmfuse.recurrence",
    traits=Traits(kind=Kind.OTHER, why="each step reads what the one before made"),
    infer=_infer,
    legalize=_legalize,
    doc="ONNX LSTM, GRU and RNN in one direction.",
)


def recurrence(
    x: Expr,
    weights: Expr,
    *,
    cell: str,
    activations: Sequence[Applied],
    candidate_weights: Expr | None = None,
    hidden_bias: Expr | None = None,
    initial_h: Expr | None = None,
    initial_c: Expr | None = None,
    peepholes: Expr | None = None,
    lengths: Expr | None = None,
    reverse: bool = False,
    clip: float | None = None,
    input_forget: bool = False,
) -> Call:
    """Run a cell over a sequence.

    Args:
        x: The sequence as the gates see it, ``x @ W.T + bias``, of shape (T, B, G * H).
        weights: Of the hidden state, (H, N), or in panels of w columns, (N / w, H, w). N is H for
            each gate; for ``gru``, for its update and its reset gate.
        cell: One of `CELLS`; "gru_linear" is GRU with `linear_before_reset`.
        activations: As many as the cell has, in ONNX's order.
        candidate_weights: For ``gru``, those of what the reset gate lets through, (H, H).
        hidden_bias: For ``gru_linear``, what is added before the reset gate scales, (H,).
        initial_h: (B, H); None for zeros.
        initial_c: For ``lstm``, likewise.
        peepholes: For ``lstm``, (3 * H,): of its input, output and forget gates.
        lengths: Steps of each sequence, (B,), of integers; None for T.
        reverse: Whether the last step of a sequence comes first.
        clip: Arguments of gates are bounded by it; None for no bound. An LSTM's cell state is not.
        input_forget: Whether an LSTM forgets just what it does not let in.

    Returns:
        A tuple: the hidden states of all steps, (T, B, H), zeros where a sequence has ended; the
        last one, (B, H); and for ``lstm`` the last cell state, (B, H).
    """
    given = {
        "x": x,
        "weights": weights,
        "candidate_weights": candidate_weights,
        "hidden_bias": hidden_bias,
        "initial_h": initial_h,
        "initial_c": initial_c,
        "peepholes": peepholes,
        "lengths": lengths,
    }
    operands = {name: operand for name, operand in given.items() if operand is not None}
    return call(
        RECURRENCE,
        [*operands.values()],
        operands=" ".join(operands),
        cell=cell,
        activations=" ".join(a.name for a in activations),
        parameters=[float(p) for a in activations for p in a.parameters],
        reverse=reverse,
        clip=float(clip or 0),
        input_forget=input_forget,
    )
