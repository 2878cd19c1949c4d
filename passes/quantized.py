"""Quantized tensors: what they store, and the real numbers that it stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr, GenericConst

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array
from tvmfuse.passes.per_channel import are_constant

QUANTIZE: Final = "relax.quantize"
DEQUANTIZE: Final = "relax.dequantize"
BYTES: Final = ("uint8", "int8")

SIGN: Final = 128
"""What makes uint8 of int8: the top bit, flipped."""


@dataclass(frozen=True, eq=False)
class Steps:
    """The parameters of a quantize or a dequantize: ``real = (stored - zero) * scale``.

    Attributes:
        dtype: Of what is stored.
        scale: float32, one number or one for each element of the axis.
        zero: int64, likewise.
        axis: Of the parameters.
    """

    dtype: str
    scale: np.ndarray
    zero: np.ndarray
    axis: int

    @classmethod
    def of(cls, call: Expr | None) -> Steps | None:
        """Read a call; None where it is neither, or its parameters are not known."""
        if op_name(call) not in (QUANTIZE, DEQUANTIZE):
            return None
        assert call is not None
        if not are_constant(call.args[1:]):
            return None
        stored = call if op_name(call) == QUANTIZE else call.args[0]
        scale, zero = (known_array(parameter) for parameter in call.args[1:])
        return cls(dtype_of(stored), scale, zero.astype("int64"), int(call.attrs.axis))

    @property
    def is_one(self) -> bool:
        """Whether scale and zero point are one number each, and can be reckoned with."""
        return self.scale.size == self.zero.size == 1 and self.is_sound

    @property
    def is_sound(self) -> bool:
        """Whether each scale is a finite positive number."""
        return bool(np.all(np.isfinite(self.scale) & (self.scale > 0)))

    @np.errstate(over="ignore")
    def step(self, real: float) -> int:
        """Return the step that a real number is rounded to, which is ``one`` for all elements."""
        limits = np.iinfo(self.dtype)
        quotient = np.rint(np.float32(real) / np.float32(self.scale.item()))
        return int(np.clip(quotient + self.zero.item(), limits.min, limits.max))


@np.errstate(over="ignore")
def dequantized(call: Expr) -> np.ndarray | None:
    """Return the float32 numbers of a constant, or of a dequantize of constants; None of others."""
    if isinstance(call, GenericConst):
        return known_array(call)
    steps = Steps.of(call)
    if steps is None or not isinstance(call.args[0], GenericConst):
        return None
    whole = known_array(call.args[0]).astype("int64") - laid(steps.zero, call)
    reals: np.ndarray = whole.astype("float32") * laid(steps.scale, call)
    return reals


def laid(parameter: np.ndarray, call: Expr) -> np.ndarray:
    """Return a parameter of a dequantize in a shape that broadcasts to the tensor."""
    if parameter.size == 1:
        return parameter.reshape(())
    rank = int(call.ty.ndim)
    axis = int(call.attrs.axis) % rank
    return parameter.reshape([-1 if d == axis else 1 for d in range(rank)])


def as_uint8(stored: Expr) -> Expr:
    """Return bytes as uint8: of int8 the top bit is flipped, and the zero point moves by `SIGN`."""
    if dtype_of(stored) == "uint8":
        return stored
    return relax.op.add(relax.op.astype(stored, "uint8"), constant(np.array(SIGN, "uint8")))
