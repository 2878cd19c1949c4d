"""Functions of one tensor of bytes, read from a graph and computed for all 256 bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from tvm import relax
from tvm.ir import Call, Expr, GenericConst
from tvm.relax import Var
from tvm.tirx import FloatImm, IntImm

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, is_float, known_array, static_size
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.folding.evaluate import CannotEvaluateError, Evaluator, is_random
from tvmfuse.passes.pattern import Match
from tvmfuse.passes.quantized import BYTES, DEQUANTIZE, QUANTIZE, Steps

#: Calls after each other, from a result to the bytes that it is computed from.
LONGEST: Final = 64

NUMBERS: Final = (GenericConst, FloatImm, IntImm)
"""What has no variable in it."""

Sources = frozenset[Var]


@dataclass(frozen=True, eq=False)
class ByteFunction:
    """What is computed element by element from one tensor of bytes.

    Attributes:
        match: Where it was found.
        result: Its result.
        source: The bytes.
        inside: The variables between them.
    """

    match: Match
    result: Var
    source: Var
    inside: tuple[Var, ...]

    @classmethod
    def of(cls, match: Match, result: Var) -> ByteFunction | None:
        """Read what a variable is computed from; None where that is not one tensor of bytes.

        The bytes are as far away as one tensor is all that the result is computed from.
        """
        found = _Reader(match).operands(result, 0)
        if found is None or len(found) != 1:
            return None
        (source,) = found
        seen: dict[Expr, None] = {source: None}
        left = [*match.resolve(result).args]
        while left:
            operand = left.pop()
            value = match.resolve(operand)
            if operand not in seen and not isinstance(value, NUMBERS):
                seen[operand] = None
                left.extend(value.args)
        _, *inside = seen
        return cls(match, result, source, tuple(inside))

    @property
    def calls(self) -> tuple[Call, ...]:
        """What computes it."""
        return tuple(self.match.resolve(var) for var in (self.result, *self.inside))

    @property
    def has_scalars_only(self) -> bool:
        """Whether all constants in it are one number each."""
        read = (self.match.resolve(x) for call in self.calls for x in call.args)
        return all(static_size(x) == 1 for x in read if isinstance(x, GenericConst))

    @property
    def is_sound(self) -> bool:
        """Whether each scale is a finite positive number."""
        return all(steps.is_sound for call in self.calls if (steps := Steps.of(call)))

    @property
    def is_read_inside_only(self) -> bool:
        """Whether nobody else reads real numbers that are more than dequantized."""
        own = {self.result, *self.inside}
        return all(
            {*self.match.users(var)} <= own
            for var in self.inside
            if is_float(var) and op_name(self.match.resolve(var)) != DEQUANTIZE
        )

    def table(self) -> np.ndarray | None:
        """Return its result for each byte, shape (256,), in the order of the bytes' bits.

        None where NaN is quantized, or a call cannot be computed at compile time.
        """
        every = np.arange(256, dtype="uint8").view(dtype_of(self.source))
        known, evaluate = {self.source: every}, Evaluator()
        try:
            for var in sorted((*self.inside, self.result), key=self.match.place):
                known[var] = self._computed(var, known, evaluate)
        except CannotEvaluateError:
            return None
        return known[self.result]

    def _computed(
        self, var: Var, known: Mapping[Expr, np.ndarray], evaluate: Evaluator
    ) -> np.ndarray:
        call = self.match.resolve(var)
        read = [x if x in known else self.match.resolve(x) for x in call.args]
        operands = [_value(operand, known) for operand in read]
        if op_name(call) == QUANTIZE and np.isnan(operands[0]).any():
            raise CannotEvaluateError("what NaN is rounded to is not defined")
        given = [
            constant(value) if isinstance(value, np.ndarray) else operand
            for value, operand in zip(operands, read, strict=True)
        ]
        typed = relax.BlockBuilder().normalize(_on_vectors(call, given))
        result: np.ndarray = evaluate(typed, operands)
        return result


def _value(operand: Expr, known: Mapping[Expr, np.ndarray]) -> Any:
    if isinstance(operand, GenericConst):
        return known_array(operand).reshape(())
    return known[operand] if isinstance(operand, Var) else operand.value


def _on_vectors(call: Call, operands: Sequence[Expr]) -> Call:
    """Return a call on other operands, which have one axis or none."""
    if op_name(call) == QUANTIZE:
        return relax.op.quantize(*operands, axis=0, out_dtype=dtype_of(call))
    if op_name(call) == DEQUANTIZE:
        return relax.op.dequantize(*operands, axis=0, out_dtype=dtype_of(call))
    return Call(call.op, operands, attrs=call.attrs, ty_args=call.ty_args)


@dataclass(frozen=True, eq=False)
class _Reader:
    """Finds the bytes that variables around one match are computed from."""

    match: Match
    known: dict[Var, Sources | None] = field(default_factory=dict)

    def operands(self, var: Var, steps: int) -> Sources | None:
        """Return the bytes that the operands of a call are computed from, element by element.

        None where there is another tensor, or they are more than `LONGEST` calls away.
        """
        value = self.match.resolve(var)
        if not computes_each(value):
            return None
        found = Sources()
        for operand in value.args:
            of_one = self._sources(operand, steps + 1)
            if of_one is None:
                return None
            found |= of_one
        return found

    def _sources(self, expr: Expr, steps: int) -> Sources | None:
        if isinstance(self.match.resolve(expr), NUMBERS):
            return Sources()
        if not isinstance(expr, Var) or steps > LONGEST:
            return None
        if expr not in self.known:
            found = self.operands(expr, steps)
            is_one = found is not None and len(found) <= 1
            stops = dtype_of(expr) in BYTES and not is_one
            self.known[expr] = Sources((expr,)) if stops else found
        return self.known[expr]


def computes_each(value: Expr) -> bool:
    """Whether a call computes each element from those in its place, and always the same.

    No cast of real numbers to integers: what is out of range may become anything.
    """
    if not isinstance(value, Call) or op_name(value) is None or is_random(value):
        return False
    if op_name(value) == "relax.astype" and is_float(value.args[0]) and not is_float(value):
        return False
    return op_name(value) in (QUANTIZE, DEQUANTIZE) or traits_of(value).kind is Kind.ELEMENTWISE
