"""LSTM, GRU and RNN: ONNX's operator for each layer and direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.require import require_static_shape
from tvmfuse.frontend.torch.operation import TorchOperation

Converter = Callable[[TorchOperation], list[Expr]]


@dataclass(frozen=True)
class _Cell:
    """One cell, of torch and of ONNX.

    Attributes:
        op: ONNX's operator.
        gates: The place in torch's weights of each gate, in ONNX's order.
        states: How many states go from step to step.
        attributes: Of ONNX's operator.
    """

    op: str
    gates: Sequence[int]
    states: int
    attributes: dict[str, Any]


#: torch has input, forget, cell and output gates; ONNX input, output, forget and cell.
LSTM: Final = _Cell("LSTM", (0, 3, 1, 2), 2, {})
#: torch has reset, update and new gates; ONNX update, reset and hidden.
GRU: Final = _Cell("GRU", (1, 0, 2), 1, {"linear_before_reset": 1})
RNN_TANH: Final = _Cell("RNN", (0,), 1, {"activations": ["Tanh"]})
RNN_RELU: Final = _Cell("RNN", (0,), 1, {"activations": ["Relu"]})


def recurrent(cell: _Cell) -> Converter:
    """Return the converter of all layers of a cell, as `torch.nn.LSTM` calls them."""

    def convert(node: TorchOperation) -> list[Expr]:
        if node["train"] and node["dropout"]:
            node.refuse("its layers have dropout between them, which is random")
        x, turned = node.tensor(node["input"]), [1, 0, 2]
        if node["batch_first"]:
            x = node.emit(relax.op.permute_dims(x, turned))
        started = node["hx"] if cell.states > 1 else [node["hx"]]
        states = [node.tensor(state) for state in started]
        directions = ("forward", "reverse") if node["bidirectional"] else ("forward",)
        per_layer = 4 if node["has_biases"] else 2
        places = range(0, len(node["params"]), per_layer)
        if len(places) != node["num_layers"] * len(directions):
            node.refuse("its states are projected")
        last: list[list[Expr]] = [[] for _ in states]
        for layer in range(node["num_layers"]):
            seen = []
            for side, direction in enumerate(directions):
                run = layer * len(directions) + side
                weights = node["params"][places[run] : places[run] + per_layer]
                y, *ends = _run(
                    node, cell, x, weights, [_at(node, s, run) for s in states], direction
                )
                seen.append(y)
                for found, end in zip(last, ends, strict=True):
                    found.append(end)
            x = _joined(node, seen, 2)
        if node["batch_first"]:
            x = node.emit(relax.op.permute_dims(x, turned))
        return [x, *(_joined(node, ends, 0) for ends in last)]

    return convert


def _run(
    node: TorchOperation,
    cell: _Cell,
    x: Expr,
    weights: Sequence[Any],
    states: Sequence[Expr],
    direction: str,
) -> list[Expr]:
    """Return one direction of one layer: (T, B, H), and each last state as (1, B, H)."""
    of_x, of_h, *biases = (_ordered(node, cell, node.tensor(weight)) for weight in weights)
    hidden = require_static_shape(of_h, "its weights")[1]
    bias = _led(node, _joined(node, biases, 0)) if biases else None
    y, *ends = node.onnx_results(
        cell.op, x, _led(node, of_x), _led(node, of_h), bias, None, *states,
        count=1 + cell.states, hidden_size=hidden, direction=direction, **cell.attributes,
    )  # fmt: skip
    return [node.emit(relax.op.squeeze(y, [1])), *ends]


def _ordered(node: TorchOperation, cell: _Cell, weight: Expr) -> Expr:
    """Return rows of weights, or a bias, with the gates in ONNX's order."""
    count = len(cell.gates)
    if count == 1:
        return weight
    rows = require_static_shape(weight, "its weights")[0] // count
    gates = node.onnx_results("Split", weight, [rows] * count, count=count, axis=0)
    return _joined(node, [gates[place] for place in cell.gates], 0)


def _at(node: TorchOperation, states: Expr, run: int) -> Expr:
    """Return the first state of one direction of one layer, (1, B, H)."""
    return node.onnx("Slice", states, [run], [run + 1], [0], [1])


def _led(node: TorchOperation, tensor: Expr) -> Expr:
    """Return a tensor behind one axis more: of ONNX's directions there is one."""
    return node.emit(relax.op.expand_dims(tensor, [0]))


def _joined(node: TorchOperation, parts: Sequence[Expr], axis: int) -> Expr:
    return parts[0] if len(parts) == 1 else node.onnx("Concat", *parts, axis=axis)
