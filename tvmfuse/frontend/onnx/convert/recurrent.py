"""LSTM, GRU and RNN: the products with the sequence, then one recurrence for each direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, with_dim
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape, require_static_shape
from tvmfuse.ir.types import array_of, constant, dtype_of
from tvmfuse.ops import gemm, recurrence
from tvmfuse.ops.lowering.half import HALF
from tvmfuse.ops.lowering.recurrent_activations import ACTIVATIONS
from tvmfuse.ops.recurrence import CELLS, Applied

#: The rank of sequences, of weights and of states.
RANK: Final = 3

#: Of each direction, whether it runs from the end of the sequence.
DIRECTIONS: Final = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}

#: The activations of one direction where a node lists none.
DEFAULTS: Final = {
    "LSTM": ("Sigmoid", "Tanh", "Tanh"),
    "GRU": ("Sigmoid", "Tanh"),
    "RNN": ("Tanh",),
}


@dataclass(frozen=True)
class _Layer:
    """What a node is given, its batch behind its directions or its steps.

    Attributes:
        x: (T, B, I).
        w: (D, G * H, I).
        r: (D, G * H, H).
        bias: (D, 2 * G * H), or None.
        hidden: H.
        others: Operands of the cell that have one part for each direction.
        lengths: (B,), or None.
    """

    x: Expr
    w: Expr
    r: Expr
    bias: Expr | None
    hidden: int
    others: dict[str, Expr] = field(default_factory=dict)
    lengths: Expr | None = None


def lstm(op: Operation) -> list[Expr | None]:
    """Convert LSTM."""
    layer = _layer(op, "lstm", {"initial_h": 5, "initial_c": 6})
    if op.has(7):
        peepholes = agree(op, _wide(op, op.tensor(7)), [_directions(op), 3 * layer.hidden])
        layer.others["peepholes"] = peepholes
    return _outputs(op, "lstm", layer)


def gru(op: Operation) -> list[Expr | None]:
    """Convert GRU."""
    cell = "gru_linear" if op.flag("linear_before_reset") else "gru"
    return _outputs(op, cell, _layer(op, cell, {"initial_h": 5}))


def rnn(op: Operation) -> list[Expr | None]:
    """Convert RNN."""
    return _outputs(op, "rnn", _layer(op, "rnn", {"initial_h": 5}))


def _directions(op: Operation) -> int:
    return len(DIRECTIONS[op.text("direction", "forward")])


def _layer(op: Operation, cell: str, states: dict[str, int]) -> _Layer:
    x, w, r = (_wide(op, op.tensor(i)) for i in range(3))
    dtypes = {dtype_of(t) for t in (x, w, r)}
    op.require(dtypes <= {"float32", "float64"} and len(dtypes) == 1, "its operands are no floats")
    ranks = [require_rank(t) for t in (x, w, r)]
    op.require(ranks == [RANK] * 3, f"its sequence and its weights have the ranks {ranks}, not 3")
    if op.flag("layout"):
        x = op.emit(relax.op.permute_dims(x, [1, 0, 2]))
    count = _directions(op)
    directions, rows, hidden = require_static_shape(r, "its recurrent weights")
    gates = CELLS[cell].gates
    stated = op.integer("hidden_size", hidden)
    op.require(
        stated == hidden, f"hidden_size is {stated}, and its recurrent weights have {hidden}"
    )
    op.require(
        directions == count and rows == gates * hidden,
        f"its recurrent weights have the shape {[directions, rows, hidden]}, "
        f"not {[count, gates * hidden, hidden]}",
    )
    [inputs] = require_static_shape(w, "its weights", [2])
    w = agree(op, w, [count, rows, inputs])
    x = with_dim(op, x, 2, inputs)
    bias = agree(op, _wide(op, op.tensor(3)), [count, 2 * rows]) if op.has(3) else None
    batch = require_shape(x)[1]
    layer = _Layer(
        x, w, r, bias, hidden, {}, agree(op, op.tensor(4), [batch]) if op.has(4) else None
    )
    for name, position in states.items():
        if op.has(position):
            state = _wide(op, op.tensor(position))
            op.require(require_rank(state) == RANK, f"its {name} has rank {require_rank(state)}")
            if op.flag("layout"):
                state = op.emit(relax.op.permute_dims(state, [1, 0, 2]))
            layer.others[name] = agree(op, state, [count, batch, hidden])
    return layer


def _wide(op: Operation, tensor: Expr) -> Expr:
    """Return a tensor of half precision as float32, and any other as it is."""
    if dtype_of(tensor) not in HALF:
        return tensor
    array = array_of(tensor)
    if array is not None:
        return constant(array.astype("float32"))
    return op.emit(relax.op.astype(tensor, "float32"))


def _outputs(op: Operation, cell: str, layer: _Layer) -> list[Expr | None]:
    """Return the sequence and the last states, with the directions together."""
    reverses = DIRECTIONS[op.text("direction", "forward")]
    activations = _activations(op, len(reverses))
    runs = [
        _run(op, cell, layer, d, activations[d], reverse=reverse)
        for d, reverse in enumerate(reverses)
    ]
    batchwise, results = op.flag("layout"), list[Expr | None]()
    for n in range(1 + len(CELLS[cell].states)):
        if not op.is_read(n):
            results.append(None)
            continue
        parts = [op.emit(relax.TupleGetItem(run, n)) for run in runs]
        if batchwise and n == 0:
            parts = [op.emit(relax.op.permute_dims(part, [1, 0, 2])) for part in parts]
        # (T, D, B, H) and (D, B, H), or by batches (B, T, D, H) and (B, D, H).
        axis = (2 if n == 0 else 1) if batchwise else (1 if n == 0 else 0)
        parts = [op.emit(relax.op.expand_dims(part, [axis])) for part in parts]
        whole = op.emit(relax.op.concat(parts, axis)) if len(parts) > 1 else parts[0]
        dtype = dtype_of(op.tensor(0))
        results.append(whole if dtype_of(whole) == dtype else relax.op.astype(whole, dtype))
    return results


def _run(
    op: Operation,
    cell: str,
    layer: _Layer,
    direction: int,
    activations: Sequence[Applied],
    *,
    reverse: bool,
) -> Expr:
    """Return the tuple of one direction's results."""

    def part(tensor: Expr, begin: int = 0, end: int | None = None, *, turned: bool = False) -> Expr:
        return _part(op, tensor, direction, begin, end, turned=turned)

    size = layer.hidden
    rows = CELLS[cell].gates * size
    operands = {name: part(tensor) for name, tensor in layer.others.items()}
    before = rows
    if cell == "gru":
        before = 2 * size
        operands["candidate_weights"] = part(layer.r, before, turned=True)
    bias = None
    if layer.bias is not None:
        of_w, of_r = part(layer.bias, 0, rows), part(layer.bias, rows)
        if cell == "gru_linear":
            operands["hidden_bias"] = part(layer.bias, rows + 2 * size)
            zeros = constant(np.zeros(size, dtype_of(of_r)))
            of_r = _joined(op, [part(layer.bias, rows, rows + 2 * size), zeros])
        bias = _sum(op, of_w, of_r)
    seen = op.emit(gemm(layer.x, part(layer.w, turned=True), bias))
    return op.emit(
        recurrence(
            seen,
            part(layer.r, 0, before, turned=True),
            cell=cell,
            activations=activations,
            lengths=layer.lengths,
            reverse=reverse,
            clip=op.attribute("clip"),
            input_forget=op.flag("input_forget"),
            **operands,
        )
    )


def _part(
    op: Operation, tensor: Expr, direction: int, begin: int, end: int | None, *, turned: bool
) -> Expr:
    """Return one direction's part of a tensor, some rows of it, transposed if `turned`."""
    array = array_of(tensor)
    if array is not None:
        chosen = array[direction, begin:end]
        return constant(chosen.T if turned else chosen)
    shape = require_shape(tensor)
    end = end or shape[1]
    chosen = tensor
    if shape[0] != 1 or (begin, end) != (0, shape[1]):
        chosen = op.emit(
            relax.op.strided_slice(tensor, [0, 1], [direction, begin], [direction + 1, end])
        )
    chosen = op.emit(relax.op.squeeze(chosen, [0]))
    return op.emit(relax.op.permute_dims(chosen, [1, 0])) if turned else chosen


def _sum(op: Operation, a: Expr, b: Expr) -> Expr:
    known = array_of(a), array_of(b)
    if known[0] is not None and known[1] is not None:
        return constant(known[0] + known[1])
    return op.emit(relax.op.add(a, b))


def _joined(op: Operation, parts: Sequence[Expr]) -> Expr:
    arrays = [array_of(part) for part in parts]
    if all(array is not None for array in arrays):
        return constant(np.concatenate([array for array in arrays if array is not None]))
    return op.emit(relax.op.concat(list(parts), 0))


def _activations(op: Operation, directions: int) -> list[list[Applied]]:
    """Return the activations of each direction; alphas and betas go to those that have them."""
    listed = op.attribute("activations") or []
    names = [str(name) for name in listed] or [*DEFAULTS[op.node.op]] * directions
    each = len(DEFAULTS[op.node.op])
    op.require(
        len(names) == each * directions,
        f"it lists {len(names)} activations, not {each * directions}",
    )
    given = [[*(op.attribute(f"activation_{which}") or [])] for which in ("alpha", "beta")]
    found = []
    for name in names:
        activation = ACTIVATIONS.get(name.lower())
        if activation is None:
            op.refuse(f"its activation {name!r} is none of ONNX's")
        parameters = []
        for values, default in zip(given, activation.parameters, strict=False):
            parameter = float(np.float32(values.pop(0))) if values else default
            if parameter is None:
                op.refuse(f"its activation {name!r} has no activation_alpha, or no activation_beta")
            parameters.append(parameter)
        found.append(Applied(name.lower(), tuple(parameters)))
    return [found[n : n + each] for n in range(0, len(found), each)]
