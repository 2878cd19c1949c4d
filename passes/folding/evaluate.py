"""Evaluating one call at compile time."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import tvm
from tvm import IRModule, relax
from tvm.ir import Call, Expr, Type

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.keys import structural_key
from tvmfuse.ir.live_array import LiveArray, NumbersChangeError, now, recorded, standing_in
from tvmfuse.ir.types import bytes_of
from tvmfuse.ops.lowering.operators import LEGALIZE
from tvmfuse.ops.traits import traits_of
from tvmfuse.passes.folding.arithmetic import ARITHMETIC, is_integer
from tvmfuse.passes.folding.movement import MOVEMENT
from tvmfuse.passes.folding.work import operations

Value = Any
"""A tensor is an array, a tuple or a shape a tuple, a scalar a number."""

KERNELS: Final = {**ARITHMETIC, **MOVEMENT}

# A kernel compiled without a schedule is slow: what it reads and writes has to be small.
MAX_COMPILED_BYTES: Final = 16 << 20
# It takes LLVM a few tenths of a second to compile one; this bounds the wait for a whole model.
MAX_COMPILED: Final = 32

# What all calls may take each time that the pass runs: a minute or two.
MAX_OPERATIONS: Final = 1 << 36

# What numpy and TVM raise when the operands are none for this operator.
REJECTIONS: Final = (
    ArithmeticError, IndexError, MemoryError, RuntimeError, TypeError, ValueError,
)  # fmt: skip


class CannotEvaluateError(Exception):
    """This call has no value at compile time; the message says why."""


def is_random(expr: Expr) -> bool:
    """Whether two equal calls may give different results.

    >>> is_random(relax.op.exp(relax.const(1.0)))
    False
    """
    trains = op_name(expr) == "tvmfuse.dropout" and bool(expr.attrs["training"])
    return trains or traits_of(expr).random


class Evaluator:
    """Evaluates calls: with numpy where it has the operator, else with a kernel made by TVM."""

    def __init__(self) -> None:
        self._left: float = MAX_OPERATIONS
        self._machines: dict[Hashable, relax.VirtualMachine] = {}

    def __call__(self, call: Call, operands: Sequence[Value]) -> Value:
        """Return the value of a call.

        Raises:
            CannotEvaluateError: There is no evaluator, or it rejects the operands.
        """
        name, arrays = str(call.op.name), list(_arrays(operands))
        try:
            with np.errstate(all="ignore"):
                if name in KERNELS:
                    self._spend(operations(call, arrays))
                    return fitted(KERNELS[name](call, *operands), call.ty)
                return self._compile(call, operands, arrays)
        except REJECTIONS as error:
            why = str(error).strip().splitlines() or [type(error).__name__]
            raise CannotEvaluateError(f"{name} cannot be evaluated: {why[0]}") from error

    def followed(self, call: Call, operands: Sequence[Value]) -> Value:
        """Return the value of a call some operands of which follow from parameters.

        It follows by numpy's functions where these are all that computes it, of the stand-ins: what
        moves elements is a view then, and the recipe can be kept. Else it follows by this call.

        Raises:
            CannotEvaluateError: There is no evaluator, or it rejects the operands.
        """
        if str(call.op.name) in KERNELS:
            try:
                result = self(call, operands)
            except (CannotEvaluateError, NumbersChangeError, AttributeError):
                pass  # it asks for numbers, or for what only an array has
            else:
                if _follows(result):
                    return result
        return recorded(self(call, now(operands)), partial(self.again, call), operands)

    def again(self, call: Call, operands: Sequence[Value]) -> Value:
        """Return the value of a call for other operands of the same types, however long it takes.

        Raises:
            CannotEvaluateError: It rejects the operands.
        """
        left, self._left = self._left, math.inf
        try:
            return self(call, operands)
        finally:
            self._left = left

    def _spend(self, asked: int) -> None:
        if asked > self._left:
            raise CannotEvaluateError("folding it would take minutes")
        self._left -= asked

    def _compile(
        self, call: Call, operands: Sequence[Value], arrays: Sequence[np.ndarray]
    ) -> Value:
        name = str(call.op.name)
        size = bytes_of(call.ty)
        if traits_of(call).unchecked or size is None or call.op.get_attr("FLegalize") is None:
            raise CannotEvaluateError(f"no evaluator for {name}")
        if size + sum(a.nbytes for a in arrays) > MAX_COMPILED_BYTES:
            raise CannotEvaluateError(f"no fast evaluator for {name} on tensors of this size")
        self._spend(operations(call, arrays, compiled=True))
        machine = self._machine(_program(call, operands))
        return fitted(_from_tvm(machine["main"](*map(tvm.runtime.tensor, arrays))), call.ty)

    def _machine(self, program: IRModule) -> relax.VirtualMachine:
        key = structural_key(program["main"])
        if key not in self._machines:
            if len(self._machines) >= MAX_COMPILED:
                raise CannotEvaluateError(f"more than {MAX_COMPILED} evaluators would be compiled")
            kernels = relax.transform.LegalizeOps(LEGALIZE)(program)
            self._machines[key] = relax.VirtualMachine(tvm.compile(kernels, "llvm"), tvm.cpu())
        return self._machines[key]


def fitted(value: Value, ty: Type) -> Value:
    """Round a result to the dtype of a type; its kind and its shape have to agree already.

    Raises:
        CannotEvaluateError: They do not.
    """
    if isinstance(ty, relax.TupleType):
        return tuple(fitted(v, t) for v, t in zip(value, ty.fields, strict=True))
    if isinstance(ty, relax.ShapeType):
        return value
    array = standing_in(value) if isinstance(value, LiveArray) else np.asarray(value)
    dtype = np.dtype(str(ty.dtype))
    if array.dtype != dtype and (is_integer(array) or dtype.kind in "iub"):
        raise CannotEvaluateError(f"a result of {dtype} is expected, {array.dtype} was computed")
    dims = [getattr(d, "value", None) for d in ty.shape.values] if ty.shape is not None else None
    if dims is not None and None not in dims and dims != list(array.shape):
        raise CannotEvaluateError(f"a result of shape {dims} is expected, found {array.shape}")
    return array if array.dtype == dtype else array.astype(dtype)


def _follows(result: Value) -> bool:
    """Whether all of a result follows from parameters, and no part was taken for good."""
    return isinstance(result, LiveArray) or (
        isinstance(result, tuple) and bool(result) and all(map(_follows, result))
    )


def _arrays(operands: Sequence[Value]) -> Iterator[Any]:
    for operand in operands:
        if isinstance(operand, (np.ndarray, LiveArray)):
            yield operand
        elif isinstance(operand, tuple):
            yield from _arrays(operand)


def _program(call: Call, operands: Sequence[Value]) -> IRModule:
    """Return a module whose `main` gets the arrays among the operands and returns the call."""
    builder = relax.BlockBuilder()
    params: list[relax.Var] = []

    def argument(given: Expr, value: Value) -> Expr:
        if isinstance(value, np.ndarray):
            params.append(
                relax.Var(f"x{len(params)}", relax.TensorType(value.shape, str(value.dtype)))
            )
            return params[-1]
        if isinstance(given.ty, relax.ShapeType):
            return relax.ShapeExpr(value)
        if isinstance(value, tuple):
            fields = given.fields if isinstance(given, relax.Tuple) else [given] * len(value)
            return relax.Tuple([argument(f, v) for f, v in zip(fields, value, strict=True)])
        return given

    arguments = [argument(a, v) for a, v in zip(call.args, operands, strict=True)]
    with builder.function("main", params):
        with builder.dataflow():
            result = builder.emit_output(
                Call(call.op, arguments, attrs=call.attrs, ty_args=call.ty_args)
            )
        builder.emit_func_output(result)
    return builder.get()


def _from_tvm(result: Any) -> Value:
    if isinstance(result, tvm.runtime.Tensor):
        return result.numpy()
    return tuple(_from_tvm(r) for r in result)
