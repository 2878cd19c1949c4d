"""What a converter sees of one node of a torch.fx graph, and how it answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeGuard, cast

import numpy as np
import onnx
import torch
from torch.fx import Node
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.emitter import Emitter, NodeEmitter
from tvmfuse.frontend.onnx.convert.table import CONVERTERS
from tvmfuse.frontend.onnx.graph import Node as OnnxNode
from tvmfuse.frontend.onnx.operation import Context, Operation
from tvmfuse.frontend.onnx.values import NotKnownError, Value, concrete, of_dims
from tvmfuse.frontend.symbols import Dim
from tvmfuse.frontend.torch.dtypes import is_float, name_of
from tvmfuse.frontend.torch.sizes import Sizes
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of, numbers_of

Result: TypeAlias = Expr | Dim | None
"""What a node makes: a tensor, a size, or nothing where nobody reads it."""

Converted: TypeAlias = Result | Sequence[Result]

NO_TRUTHS: Final = frozenset(
    {"ArgMax", "ArgMin", "Max", "Min", "ReduceMax", "ReduceMin", "ScatterElements", "ScatterND"}
)
"""ONNX's operators that compare or add up numbers alone: truth values become 0 and 1 for them."""

OPSET: Final = 25
"""Whose meaning ONNX's operators have, where a converter asks for one."""


class TorchOperation(NodeEmitter):
    """One node to convert.

    Attributes:
        node: A call of an ATen operator, or of Python's arithmetic of sizes.
        torch_sizes: What torch's sizes are.
    """

    def __init__(
        self, node: Node, made: Mapping[Node, Converted], emitter: Emitter, sizes: Sizes
    ) -> None:
        super().__init__(node.name, emitter)
        self.node = node
        self.torch_sizes = sizes
        self._made = made
        self._arguments = _bound(node)

    # What it reads.

    def __getitem__(self, name: str) -> Any:
        """Return an argument as it stands in the graph, or its default."""
        return self._arguments[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Return an argument likewise, or a default where there is none, or where it is None."""
        found = self._arguments.get(name)
        return default if found is None else found

    def known(self, name: str) -> Any:
        """Return an argument that is a number; one that is computed is refused."""
        found = self._arguments[name]
        self.require(not isinstance(found, Node), f"its {name} is computed")
        return found

    def tensor(self, argument: Any, dtype: str | None = None) -> Expr:
        """Return an argument as a tensor.

        Args:
            argument: A node, or a number.
            dtype: What it becomes; numbers have none of their own.
        """
        made = self._made[argument] if isinstance(argument, Node) else argument
        if _is_tensor(made):
            return self.cast(made, dtype or dtype_of(made))
        if isinstance(made, (bool, int, float)):
            return self.number(made, dtype or _dtype_of_number(made))
        if not isinstance(made, Expr):
            self.refuse(f"its argument {argument!r} is no tensor")
        vector = self.emit(relax.op.shape_to_tensor(relax.ShapeExpr([made])))
        return self.cast(self.reshaped(vector, []), dtype or "int64")

    def optional(self, argument: Any, dtype: str | None = None) -> Expr | None:
        """Return an argument as a tensor, or None if it is absent."""
        return None if argument is None else self.tensor(argument, dtype)

    def is_fed(self, argument: Any) -> bool:
        """Whether an argument is computed, or a number that is no size."""
        return isinstance(argument, Node) and _is_tensor(self._made[argument])

    def size(self, argument: Any) -> Dim:
        """Return an argument that is a whole number, or a size."""
        made = self._made[argument] if isinstance(argument, Node) else argument
        if isinstance(made, bool) or not isinstance(made, (int, Expr)) or _is_tensor(made):
            self.refuse(f"its argument {argument!r} is no size")
        return made

    def sizes(self, arguments: Sequence[Any]) -> list[Dim]:
        """Return arguments that are whole numbers, or sizes."""
        return [self.size(argument) for argument in arguments]

    # What it makes.

    def dtype(self, place: int = 0) -> str:
        """Return the dtype that a result has."""
        return name_of(self._result(place).dtype)

    def shape(self, place: int = 0) -> list[Dim]:
        """Return the shape that a result has."""
        return [self.torch_sizes.dim(size) for size in self._result(place).shape]

    def rank(self, place: int = 0) -> int:
        """Return how many dimensions a result has."""
        return self._result(place).ndim

    def is_read(self, place: int) -> bool:
        """Whether somebody reads one of several results."""
        return any(user.args[1] == place and user.users for user in self.node.users)

    def _result(self, place: int) -> torch.Tensor:
        found = self.node.meta["val"]
        tensor: torch.Tensor = found[place] if isinstance(found, (tuple, list)) else found
        return tensor

    # How it computes.

    def number(self, number: complex, dtype: str) -> Expr:
        """Return a 0-d constant."""
        if dtype == "bool":
            return relax.const(bool(number), dtype)
        if isinstance(number, float) and not is_float(dtype):
            if not number.is_integer():
                self.refuse(f"its number {number} does not fit {dtype}")
            number = int(number)
        return relax.const(number, dtype)

    def cast(self, tensor: Expr, dtype: str) -> Expr:
        """Return a tensor in another dtype; itself where it has that."""
        if dtype_of(tensor) == dtype:
            return tensor
        to = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)) if dtype != "bfloat16" else 16
        return self.onnx("Cast", tensor, to=to)

    def filled(self, shape: Sequence[Dim], number: Any, dtype: str) -> Expr:
        """Return a tensor of one number."""
        scalar = self.tensor(number, dtype)
        if isinstance(number, float) and not math.isfinite(number):
            return self.emit(
                relax.op.broadcast_to(scalar, list(shape))
            )  # TVM's full does not lower
        return self.emit(relax.op.full(list(shape), scalar, dtype)) if shape else scalar

    def reshaped(self, tensor: Expr, shape: Sequence[Dim]) -> Expr:
        """Return a tensor in another shape of as many elements."""
        if 0 in shape:
            return self.filled(shape, 0, dtype_of(tensor))  # TVM's reshape takes no empty tensors
        return self.emit(in_shape(tensor, list(shape)))

    def onnx(self, op: str, *operands: Operand, **attributes: Any) -> Expr:
        """Return the first result of one of ONNX's operators, whose converter does it."""
        return self.onnx_results(op, *operands, **attributes)[0]

    def onnx_results(
        self, op: str, *operands: Operand, count: int = 1, **attributes: Any
    ) -> list[Expr]:
        """Return the results of one of ONNX's operators.

        Args:
            op: The operator, of ONNX's own domain.
            operands: Tensors; lists of sizes; None where one is absent.
            count: How many results are wanted.
            attributes: As ONNX has them.
        """
        if op in NO_TRUTHS and any(_is_truth(operand) for operand in operands):
            counted = [self._counted(operand) for operand in operands]
            made = self.onnx_results(op, *counted, count=count, **attributes)
            return [self.cast(r, "bool") if dtype_of(r) == "uint8" else r for r in made]
        given = {f"i{place}": o for place, o in enumerate(operands) if o is not None}
        names = [f"i{place}" if o is not None else "" for place, o in enumerate(operands)]
        results = [f"o{place}" for place in range(count)]
        proto = onnx.helper.make_node(op, names, results, **attributes)
        # Of the context, operators without a graph inside ask no more than this one has.
        context = cast("Context", _OnnxContext(self._emitter, given))
        operation = Operation(OnnxNode(self.name, OPSET, proto), context)
        converted = CONVERTERS[op](operation)
        made = [converted] if isinstance(converted, Expr) else list(converted)
        return [self.emit(result) for result in made[:count] if result is not None]

    def _counted(self, operand: Operand) -> Operand:
        return self.cast(operand, "uint8") if _is_truth(operand) else operand


def _is_tensor(made: object) -> TypeGuard[Expr]:
    return isinstance(made, Expr) and isinstance(made.ty, relax.TensorType)


def _is_truth(operand: Operand) -> TypeGuard[Expr]:
    return isinstance(operand, Expr) and dtype_of(operand) == "bool"


Operand: TypeAlias = Expr | Sequence[Dim] | np.ndarray | None


class _OnnxContext:
    """What stands around an ONNX node that stands for a part of torch's."""

    def __init__(self, emitter: Emitter, given: Mapping[str, Operand]) -> None:
        self.emitter = emitter
        self._given = given

    def tensor(self, name: str) -> Expr:
        """Return an operand as a variable or a constant."""
        operand = self._given[name]
        if isinstance(operand, Expr):
            return operand
        value = self.value(name)
        if value.is_concrete:
            return constant(value.array)
        return self.emitter.emit(relax.op.shape_to_tensor(relax.ShapeExpr(value.elements)), [name])

    def value(self, name: str) -> Value:
        """Return the numbers of an operand; raises NotKnownError."""
        operand = self._given[name]
        if isinstance(operand, np.ndarray):
            return concrete(operand)
        if operand is None:
            raise NotKnownError("it is absent")
        if isinstance(operand, Expr):
            numbers = numbers_of(operand)
            if numbers is None:
                raise NotKnownError("it is computed, or a parameter's")
            return concrete(numbers)
        return of_dims(operand)

    def narrow(self, name: str) -> str | None:
        """Return None: no tensor holds its elements in bytes."""
        return None

    def is_in_rows(self, name: str) -> bool:
        """Return False: there are no sequences."""
        return False

    def is_read(self, name: str) -> bool:
        """Return True: what nobody reads is not asked for."""
        return True


def _bound(node: Node) -> dict[str, Any]:
    """Return the arguments by their names, with the defaults of those that are not given."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return dict(node.kwargs)
    schema = node.target._schema
    bound = {a.name: a.default_value for a in schema.arguments if a.has_default_value()}
    places = [a.name for a in schema.arguments if not a.kwarg_only]
    return bound | dict(zip(places, node.args, strict=False)) | dict(node.kwargs)


def _dtype_of_number(number: float) -> str:
    if isinstance(number, bool):
        return "bool"
    return "int64" if isinstance(number, int) else "float32"
