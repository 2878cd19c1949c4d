"""Rounding to integers in one conversion, which rounds halves to even as `round` does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tvm import tirx
from tvm.ir import Call, Expr
from tvm.target import codegen
from tvm.tirx import FloatImm, IntImm

from tvmfuse.schedules.cpu.vector_math.polynomials import clamped
from tvmfuse.schedules.cpu.vector_math.quotients import quotient
from tvmfuse.schedules.expressions import callee

#: LLVM's conversion of a float to the nearest integer; x86 has it in vectors (cvtps2dq).
NEAREST: Final = "llvm.lrint"
WHOLE: Final = "int32"

BYTES: Final = ("uint8", "int8")
WIDER: Final = ("int16", WHOLE)
STORED: Final = (*BYTES, *WIDER)

#: Whole numbers up to here, and their sums, are float32 as they are.
EXACT: Final = 1 << 22


@dataclass(frozen=True, eq=False)
class Rounded:
    """``clip(round(real) + zero, low, high)``, of whole numbers.

    Attributes:
        real: float32.
        zero: What is added.
        low: The least result.
        high: The greatest.
        small: Whether an int32 is known to hold each rounded number.
    """

    real: Expr
    zero: int
    low: int
    high: int
    small: bool = False

    @classmethod
    def of(cls, value: Expr) -> Rounded | None:
        """Read an expression of float32; None where it is something else."""
        if not (parts := _clipped(value)):
            return None
        rounded, zero, low, high = parts
        if not low <= high or not _is_round(rounded):
            return None
        return cls(rounded.args[0], zero, low, high)

    @classmethod
    def read(cls, whole: Expr) -> Rounded | None:
        """Read an int32 that `rounding` has made; None of anything else."""
        if parts := _clipped(whole):
            nearest, zero, low, high = parts
            return (
                cls(nearest.args[1], zero, low, high, small=True) if _is_nearest(nearest) else None
            )
        nearest, zero = _shifted(whole)
        inside = _clipped(nearest.args[1]) if _is_nearest(nearest) else None
        if inside is None or inside[1]:
            return None
        real, _, low, high = inside
        return cls(real, zero, low + zero, high + zero)

    def fits(self, dtype: str) -> bool:
        """Whether an integer type has all its values."""
        return dtype == WHOLE or (
            int(tirx.min_value(dtype).value) <= self.low
            and self.high <= int(tirx.max_value(dtype).value)
        )

    def converted(self) -> Expr:
        """Return it in int32: the bounds come first, so that any number can be converted."""
        inside = clamped(self.real, self.low - self.zero, self.high - self.zero)
        return _nearest(inside) + tirx.const(self.zero, WHOLE)

    def saturated(self) -> Expr:
        """Return the rounded number in int32, or one that is as far out of bounds.

        What is too small for an int32, x86 converts to the least one.
        """
        if self.small:
            return _nearest(self.real)
        return _nearest(tirx.min(self.real, tirx.const(float(self.high - self.zero), "float32")))


def rounding(cast: tirx.Cast, *, fused: bool = False) -> Expr:
    """Return a cast of what is rounded, and maybe clipped, as one conversion; others as they are.

    Bytes that are widened again are never made. `fused` says that the CPU has an fma.
    """
    dtype, value = str(cast.ty.dtype), cast.value
    if dtype == WHOLE and _is_round(value):
        return _nearest(value.args[0])
    found = Rounded.of(value)
    if found is not None and dtype in STORED and found.fits(dtype):
        if fused:
            real = quotient(found.real, found.low - found.zero, found.high - found.zero)
            found = replace(found, real=real)
        return _stored(found.converted(), dtype)
    if isinstance(value, tirx.Cast) and str(value.ty.dtype) in BYTES and dtype in WIDER:
        made = Rounded.read(value.value)
        if made is not None and made.fits(str(value.ty.dtype)):
            return _stored(value.value, dtype)
    return cast


def _stored(whole: Expr, dtype: str) -> Expr:
    return whole if dtype == WHOLE else whole.astype(dtype)


def _clipped(value: Expr) -> tuple[Expr, int, int, int] | None:
    """Return a number, what is added to it, and the bounds of the sum."""
    if not isinstance(value, tirx.Max) or not isinstance(value.a, tirx.Min):
        return None
    low, high = _whole(value.b), _whole(value.a.b)
    return None if low is None or high is None else (*_shifted(value.a.a), low, high)


def _shifted(value: Expr) -> tuple[Expr, int]:
    """Return a number and what is added to it, a constant whole number."""
    added = _whole(value.b) if isinstance(value, tirx.Add) else None
    return (value, 0) if added is None else (value.a, added)


def _is_round(real: Expr) -> bool:
    return isinstance(real, Call) and callee(real) == "round" and str(real.ty.dtype) == "float32"


def _nearest(real: Expr) -> Expr:
    return tirx.call_llvm_pure_intrin(WHOLE, NEAREST, real)


def _is_nearest(whole: Expr) -> bool:
    """Whether an int32 is what `rounding` has made of a number."""
    return (
        isinstance(whole, Call)
        and callee(whole) == "call_llvm_pure_intrin"
        and int(whole.args[0]) == codegen.llvm_lookup_intrinsic_id(NEAREST)
    )


def _whole(number: Expr) -> int | None:
    """Return a constant whole number; None of other numbers, and of large ones."""
    if not isinstance(number, FloatImm | IntImm) or not float(number.value).is_integer():
        return None
    return int(number.value) if abs(number.value) <= EXACT else None
