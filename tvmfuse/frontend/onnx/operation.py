"""What a converter sees of one ONNX node, and how it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Expr, Type

from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.values import NotKnownError, Value, integers
from tvmfuse.frontend.symbols import Dim, Symbols, as_dim, written


class CannotConvertError(Exception):
    """This node cannot be compiled; the message says why, without naming the node."""


class Context(Protocol):
    """The graph around a node, half converted."""

    symbols: Symbols

    def tensor(self, name: str) -> Expr:
        """Return what a name stands for, as a variable or a constant."""

    def value(self, name: str) -> Value:
        """Return the numbers that a name stands for; raises NotKnownError."""

    def is_read(self, name: str) -> bool:
        """Whether a node or the caller reads this value."""

    def emit(self, expr: Expr, nodes: Sequence[str]) -> Expr:
        """Bind an expression, said to compute these ONNX nodes."""

    def match(self, expr: Expr, ty: Type) -> Expr:
        """Bind an expression to a variable of this type, checked when the model runs."""

    def inlined(self, branch: onnx.GraphProto) -> list[Expr]:
        """Convert a graph inside the node as if its nodes stood here; return its outputs."""

    def block(self, branch: onnx.GraphProto) -> relax.SeqExpr:
        """Convert a graph inside the node to blocks of its own."""


class Operation:
    """One node to convert.

    Attributes:
        node: The ONNX node.
        opset: The version of its domain, which decides what its attributes mean.
        symbols: The model's symbolic dimensions.
    """

    def __init__(self, node: Node, context: Context) -> None:
        self.node = node
        self.opset = node.opset
        self.symbols = context.symbols
        self.context = context

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
            return self.context.value(self.node.inputs[position])
        except NotKnownError as error:
            name = self.node.inputs[position]
            raise CannotConvertError(
                f"its operand {position} ({name!r}) has to be known before the model runs, and "
                f"{error}"
            ) from error

    def known(self, position: int) -> Value | None:
        """Return the numbers of an operand, or None if they depend on what the model is fed."""
        try:
            return self.context.value(self.node.inputs[position])
        except NotKnownError:
            return None

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

    def emit(self, expr: Expr) -> Expr:
        """Bind an intermediate expression to a variable, which has a type."""
        return self.context.emit(expr, [self.node.name])

    def match(self, expr: Expr, ty: Type) -> Expr:
        """Bind an expression to a variable of this type; the model checks it when it runs."""
        return self.context.match(expr, ty)

    def same(self, a: Dim, b: Dim, *, sure: bool = True) -> bool:
        """Constrain two dimensions to be equal, as ONNX or, not `sure`, only tvmfuse asks for it.

        Returns:
            Whether they are, whenever the model runs. If not, `match` has to check it.

        Raises:
            CannotConvertError: They never are.
        """
        if self.symbols.equal(a, b):
            return True
        if self.symbols.differ(a, b):
            self.refuse(f"the dimensions {written(a)} and {written(b)} have to be equal")
        if isinstance(a, int):
            a, b = b, a
        return self.symbols.equate(a, b, f"of {self.node.name!r}", sure=sure)

    def refuse(self, why: str) -> NoReturn:
        """Say why this node cannot be compiled."""
        raise CannotConvertError(why)

    def require(self, condition: object, why: str) -> None:
        """Refuse the node unless a condition holds."""
        if not condition:
            self.refuse(why)


def shape_of(expr: Expr) -> list[Dim]:
    """Return the dimensions of an emitted tensor.

    Raises:
        CannotConvertError: They are not known.
    """
    shape = expr.ty.shape
    if not isinstance(shape, relax.ShapeExpr):
        raise CannotConvertError("the shape of its operand is not known")
    return [as_dim(d) for d in shape.values]


def is_empty(shape: Sequence[Dim]) -> bool:
    """Whether a tensor of this shape has no elements, whatever the symbols stand for."""
    return any(isinstance(d, int) and d == 0 for d in shape)


def static_shape_of(expr: Expr, what: str, axes: Sequence[int] | None = None) -> list[int]:
    """Return dimensions, all or those of some axes, that have to be numbers."""
    dims = shape_of(expr)
    dims = dims if axes is None else [dims[a] for a in axes]
    for dim in dims:
        if not isinstance(dim, int):
            raise CannotConvertError(f"{what} must have a fixed shape, and has {dims}")
    return [d for d in dims if isinstance(d, int)]


def rank_of(expr: Expr) -> int:
    """Return a tensor's number of dimensions."""
    if expr.ty.ndim < 0:
        raise CannotConvertError("the rank of its operand is not known")
    return int(expr.ty.ndim)


def dtype_of(expr: Expr) -> str:
    """Return a tensor's dtype as text."""
    return str(expr.ty.dtype)


def is_float(dtype: str) -> bool:
    """Whether a dtype is a floating-point one."""
    return dtype.startswith(("float", "bfloat"))


def scalar(number: float, dtype: str) -> Expr:
    """Return a 0-d constant."""
    return relax.const(number, dtype)


def normalized(axis: int, rank: int) -> int:
    """Return an axis counted from the front.

    Raises:
        CannotConvertError: There is no such axis.
    """
    if not -rank <= axis < rank:
        raise CannotConvertError(f"axis {axis} is out of range for rank {rank}")
    return axis % rank if rank else 0
