"""Sums, differences and products of integers that wrap around, as a model's do.

TVM takes integers of 32 and 64 bits for indices, which do not overflow: it simplifies ``x * 2 / 2``
to x, and tells LLVM that nothing wraps (``nsw``, ``nuw``). ONNX's tensors are numbers modulo 2^n,
as numpy's are. So a model's arithmetic is written in intrinsics of its own, into which no pass
looks, and which become machine arithmetic last of all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import add, mul, sub
from typing import Final

from tvm import tirx
from tvm.ir import Call, Expr, Op

from tvmfuse.ir.intrinsics import register_intrinsic

#: What TVM lets not wrap. Narrower integers wrap as they are.
DTYPES: Final = ("int32", "int64", "uint32", "uint64")

_ARITHMETIC: Final[Mapping[str, Callable[[Expr, Expr], Expr]]] = {
    "wrapping_add": add,
    "wrapping_subtract": sub,
    "wrapping_multiply": mul,
}

#: The names of the intrinsics, without their dialect.
NAMES: Final = frozenset(_ARITHMETIC)


def wrapping(name: str, a: Expr, b: Expr) -> Expr:
    """Return the sum, difference or product of two integers modulo 2^n.

    Args:
        name: ``add``, ``subtract`` or ``multiply``.
        a: Of one of `DTYPES`, or of vectors of it.
        b: Of the same.
    """
    return Call(Op.get(f"tirx.wrapping_{name}"), [a, b], ret_ty=a.ty)


def _in_twice_the_width(compute: Callable[[Expr, Expr], Expr], call: Call) -> Expr:
    """Compute where nothing overflows, and keep the low half: of that LLVM makes one operation.

    Differences of unsigned numbers may be negative, and their products fill both halves.
    """
    dtype = call.ty.dtype
    kind, bits, lanes = _parts(str(dtype))
    wide = f"{kind if compute is mul else 'int'}{2 * bits}{lanes}"
    # TVM takes what it casts for a number that fits, and refuses a constant that does not; of bits
    # it knows nothing.
    whole = tirx.reinterpret(
        f"uint{2 * bits}{lanes}", compute(*(tirx.Cast(wide, a) for a in call.args))
    )
    low = tirx.Cast(f"uint{bits}{lanes}", whole)
    return low if kind == "uint" else tirx.reinterpret(dtype, low)


def _as_unsigned(compute: Callable[[Expr, Expr], Expr], call: Call) -> Expr:
    """Compute with unsigned integers, which wrap around in C."""
    dtype = call.ty.dtype
    kind, bits, lanes = _parts(str(dtype))
    if kind == "uint":
        return compute(*call.args)
    return tirx.reinterpret(
        dtype, compute(*(_unsigned(a, f"uint{bits}{lanes}") for a in call.args))
    )


def _unsigned(operand: Expr, dtype: str) -> Expr:
    """Return the same bits as another type; C has no way to look so at a constant."""
    if not isinstance(operand, tirx.IntImm):
        return tirx.reinterpret(dtype, operand)
    if operand.value < 0:
        return tirx.bitwise_not(tirx.const(-1 - operand.value, dtype))
    return tirx.const(operand.value, dtype)


def _parts(dtype: str) -> tuple[str, int, str]:
    """Return the kind of an integer, its bits, and what says that it is a vector.

    >>> _parts("uint32x8")
    ('uint', 32, 'x8')
    """
    scalar, times, lanes = dtype.partition("x")
    kind = scalar.rstrip("0123456789")
    return kind, int(scalar.removeprefix(kind)), times + lanes


for _name, _compute in _ARITHMETIC.items():
    register_intrinsic(
        _name,
        f"{_compute.__name__} of integers, modulo 2^n",
        {"llvm": partial(_in_twice_the_width, _compute), "cuda": partial(_as_unsigned, _compute)},
    )
