"""What a converter sees of one ONNX node, and how it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.emitter import Emitter, NodeEmitter
from tvmfuse.frontend.onnx.graph import Graph, Node
from tvmfuse.frontend.onnx.result_sizes import ask_for_sizes
from tvmfuse.frontend.onnx.values import Given, NotKnownError, Value, integers
from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of, numbers_of


class Context(Protocol):
    """The graph around a node, half converted."""

    emitter: Emitter

    def tensor(self, name: str) -> Expr:
        """Return what a name stands for, as a variable or a constant."""

    def value(self, name: str) -> Value:
        """Return the numbers that a name stands for; raises NotKnownError."""

    def narrow(self, name: str) -> str | None:
        """Return the type of a value whose tensor holds it in bytes; of others None."""

    def is_in_rows(self, name: str) -> bool:
        """Whether a sequence is held as one tensor with an element in each row."""

    def is_read(self, name: str) -> bool:
        """Whether a node or the caller reads this value."""

    def graph_of(self, branch: onnx.GraphProto) -> Graph:
        """Return a graph inside the node."""

    def inlined(self, graph: Graph) -> list[Expr]:
        """Convert a graph inside the node as if its nodes stood here; return its outputs."""

    def chosen(
        self, op: Operation, test: Expr, condition: Expr | None, graphs: tuple[Graph, Graph]
    ) -> list[Expr | None]:
        """Convert a choice between graphs; return the node's outputs. See `choice.Choice`."""

    def fits(self, body: onnx.GraphProto, count: int) -> bool:
        """Whether so many iterations of a loop may be written out."""

    def decides(self, body: onnx.GraphProto, given: Sequence[Given]) -> bool | None:
        """Return the first output of a loop's body if it follows from inputs that are numbers."""

    def iteration(self, body: onnx.GraphProto, given: Sequence[Given]) -> list[Given]:
        """Convert one iteration of a loop as if its nodes stood here; return its outputs.

        Raises:
            TooManyNodesError: All that are written out have too many nodes.
        """

    def repeated(self, body: onnx.GraphProto, given: Sequence[Expr]) -> list[Expr]:
        """Convert the body of a loop once, for all iterations; return its outputs."""


class Operation(NodeEmitter):
    """One node to convert.

    Attributes:
        node: The ONNX node.
        opset: The version of its domain, which decides what its attributes mean.
        context: The graph around it.
        result_type: What a converter says of the elements of its result, where these are of
            `narrow_types` and the tensor holds them in bytes, or where its operands' are.
        in_rows: Those of its results that are sequences, held as one tensor with an element in
            each row.
    """

    def __init__(self, node: Node, context: Context) -> None:
        super().__init__(node.name, context.emitter)
        self.node = node
        self.opset = node.opset
        self.context = context
        self.result_type: str | None = None
        self.in_rows: frozenset[int] = frozenset()

    # What it reads.

    def __len__(self) -> int:
        return len(self.node.inputs)

    def has(self, position: int) -> bool:
        """Whether the operand is present."""
        return position < len(self.node.inputs) and bool(self.node.inputs[position])

    def tensor(self, position: int) -> Expr:
        """Return an operand as a variable or a constant."""
        if not self.has(position):
            self.refuse(f"its operand {position} is absent")
        return self.context.tensor(self.node.inputs[position])

    def element_type(self, position: int) -> str:
        """Return what an operand holds: its dtype, or one of `narrow_types` that lies in bytes."""
        dtype = dtype_of(self.tensor(position))
        return self.context.narrow(self.node.inputs[position]) or dtype

    def optional(self, position: int) -> Expr | None:
        """Return an operand, or None if it is absent."""
        return self.tensor(position) if self.has(position) else None

    def tensors(self) -> list[Expr]:
        """Return all operands; none of them is optional."""
        return [self.tensor(i) for i in range(len(self))]

    def value(self, position: int) -> Value:
        """Return the numbers of an operand.

        Raises:
            CannotConvertError: They depend on what the model is fed.
        """
        try:
            return self._asked(position)
        except NotKnownError as error:
            name = self.node.inputs[position]
            raise CannotConvertError(
                f"its operand {position} ({name!r}) has to be known before the model runs, and "
                f"{error}"
            ) from error

    def known(self, position: int) -> Value | None:
        """Return the numbers of an operand, or None if they depend on what the model is fed."""
        try:
            return self._asked(position)
        except NotKnownError:
            return None

    def _asked(self, position: int) -> Value:
        value = self.context.value(self.node.inputs[position])
        ask_for_sizes(self.context.emitter.gate, self.node, position, value)
        return value

    def numbers(self, position: int) -> np.ndarray | None:
        """Return an operand's numbers where they are known, be it from another converter."""
        value = self.known(position)
        if value is not None and value.is_concrete:
            return value.array
        return numbers_of(self.tensor(position))

    def given(self, position: int) -> Given:
        """Return an operand's numbers where they are known, or else the tensor."""
        numbers = self.numbers(position)
        return self.tensor(position) if numbers is None else numbers

    def dims(self, position: int) -> list[Dim]:
        """Return an operand's numbers as integers or integer expressions."""
        return self.value(position).elements

    def known_integers(self, position: int) -> list[int]:
        """Return an operand's numbers, which must not depend on symbolic dimensions."""
        try:
            return integers(self.value(position), f"the elements of operand {position}")
        except NotKnownError as error:
            raise CannotConvertError(str(error)) from error

    # Its attributes.

    def integer(self, name: str, default: int) -> int:
        """Return an integer attribute."""
        return int(self.node.attributes.get(name, default))

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return an integer attribute that means yes or no."""
        return bool(self.node.attributes.get(name, default))

    def number(self, name: str, default: float) -> float:
        """Return a float attribute: a float32, exactly."""
        return float(np.float32(self.node.attributes.get(name, default)))

    def text(self, name: str, default: str) -> str:
        """Return a string attribute."""
        return str(self.node.attributes.get(name, default))

    def integers(self, name: str) -> list[int] | None:
        """Return an attribute that lists integers, or None."""
        listed = self.node.attributes.get(name)
        return None if listed is None else [int(i) for i in listed]

    def attribute(self, name: str) -> Any:
        """Return an attribute, or None."""
        return self.node.attributes.get(name)

    # What it makes.

    def is_read(self, position: int) -> bool:
        """Whether anybody reads this output."""
        outputs = self.node.outputs
        return position < len(outputs) and self.context.is_read(outputs[position])


def is_empty(shape: Sequence[Dim]) -> bool:
    """Whether a tensor of this shape has no elements, whatever the symbols stand for."""
    return any(isinstance(d, int) and d == 0 for d in shape)


def is_float_dtype(dtype: str) -> bool:
    """Whether a dtype is a floating-point one."""
    return dtype.startswith(("float", "bfloat"))


def scalar(number: float, dtype: str) -> Expr:
    """Return a 0-d constant."""
    return relax.const(number, dtype)
