"""Rounding to integers in one conversion, which rounds halves to even as `round` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvm import tirx
from tvm.ir import Call, Expr
from tvm.target import codegen
from tvm.tirx import FloatImm, IntImm

from tvmfuse.schedules.cpu.vector_math.polynomials import clamped
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
    """``clip(round(real) + zero, low, high)``, of whole numbers."""

    real: Expr
    zero: int
    low: int
    high: int

    @classmethod
    def of(cls, value: Expr) -> Rounded | None:
        """Read an expression of float32; None where it is something else."""
        if not isinstance(value, tirx.Max) or not isinstance(value.a, tirx.Min):
            return None
        total, zero = value.a.a, 0
        if isinstance(total, tirx.Add):
            total, added = total.a, _whole(total.b)
            if added is None:
                return None
            zero = added
        low, high = _whole(value.b), _whole(value.a.b)
        if low is None or high is None or not low <= high or not isinstance(total, Call):
            return None
        if callee(total) != "round" or str(total.ty.dtype) != "float32":
            return None
        return cls(total.args[0], zero, low, high)

    def fits(self, dtype: str) -> bool:
        """Whether an integer type has all its values."""
        return dtype == WHOLE or (
            int(tirx.min_value(dtype).value) <= self.low
            and self.high <= int(tirx.max_value(dtype).value)
        )

    def converted(self) -> Expr:
        """Return it in int32: the bounds come first, so that any number can be converted."""
        inside = clamped(self.real, self.low - self.zero, self.high - self.zero)
        return tirx.call_llvm_pure_intrin(WHOLE, NEAREST, inside) + tirx.const(self.zero, WHOLE)


def rounding(cast: tirx.Cast) -> Expr:
    """Return a cast of what is rounded and clipped as one conversion, and others as they are.

    Bytes that are widened again are never made.
    """
    dtype, value = str(cast.ty.dtype), cast.value
    found = Rounded.of(value)
    if found is not None and dtype in STORED and found.fits(dtype):
        return _stored(found.converted(), dtype)
    is_widened = isinstance(value, tirx.Cast) and str(value.ty.dtype) in BYTES
    if is_widened and dtype in WIDER and _is_converted(value.value):
        return _stored(value.value, dtype)
    return cast


def _stored(whole: Expr, dtype: str) -> Expr:
    return whole if dtype == WHOLE else whole.astype(dtype)


def _is_converted(whole: Expr) -> bool:
    """Whether an int32 is what `rounding` made, which its next cast leaves as it is."""
    if isinstance(whole, tirx.Add):
        whole = whole.a
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
