"""Quotients by a constant that are rounded to integers, as a product and a multiply-add.

A vector's division takes as long as ten products (512 bits, Zen 4). Where 1 / c is nearly h + l::

    fma(x, h, x * l)

is x / c, rounded to float32, of almost all numbers. Both grow with x, so that they round to the
same integers if they do next to each half. No part is negative, so that infinity stays. Source: N.
Brisebarre, J.-M. Muller, S. K. Raina, "Accelerating Correctly Rounded Floating-Point Division When
the Divisor Is Known in Advance", IEEE Transactions on Computers 53(8), 2004.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from tvm import tirx
from tvm.ir import Expr

from tvmfuse.schedules.cpu.vector_math.polynomials import bound, const

#: Divisors between which neither they nor parts of their inverse overflow, nor become denormal.
LEAST: Final = 2.0**-64
MOST: Final = 2.0**64

#: Numbers on each side of a half that are looked at: both roundings are off by less.
BESIDE: Final = 3

#: Numbers that are rounded, at most.
MOST_STEPS: Final = 1 << 10

Inverse = tuple[float, float]
"""Two float32, the second zero or less than a step of the first one."""


@lru_cache(maxsize=1024)
def inverse(divisor: float, low: int, high: int) -> Inverse | None:
    """Return the inverse, as float32, by which quotients between bounds are rounded right.

    None where no inverse is known to do so.

    >>> inverse(0.25, 0, 255)
    (4.0, 0.0)
    """
    if not LEAST < divisor < MOST or high - low > MOST_STEPS:
        return None
    c = np.float64(np.float32(divisor))
    head = np.float32(1 / c)
    if np.float64(head) > 1 / c:
        head = np.nextafter(head, np.float32(0))
    tail = np.float32(1 / c - np.float64(head))
    x = _beside((np.arange(low - 1, high + 1) + 0.5) * c)
    same = np.array_equal(np.rint(_fused(x, head, x * tail)), np.rint(x / np.float32(c)))
    return (float(head), float(tail)) if same else None


def quotient(real: Expr, low: int, high: int) -> Expr:
    """Return a quotient that is rounded to integers between bounds, for a CPU that has an fma.

    What is no quotient by a constant, or has no such form, stays as it is.
    """
    divisor = real.b if isinstance(real, tirx.Div) else None
    by = inverse(divisor.value, low, high) if isinstance(divisor, tirx.FloatImm) else None
    if by is None:
        return real
    head, tail = map(const, by)
    if by[1] == 0:
        return real.a * head

    def product(x: Expr) -> Expr:
        return tirx.call_llvm_pure_intrin("float32", "llvm.fma", x, head, x * tail)

    return bound(real.a, product)


def _beside(reals: np.ndarray) -> np.ndarray:
    """Return the float32 next to some numbers."""
    found = [reals.astype("float32")]
    for to in (-np.inf, np.inf):
        x = found[0]
        for _ in range(BESIDE):
            x = np.nextafter(x, np.float32(to))
            found.append(x)
    return np.concatenate(found)


def _fused(x: np.ndarray, y: np.float32, z: np.ndarray) -> np.ndarray:
    """Return x * y + z of float32, rounded once.

    The product fits float64. The sum is rounded to odd there, which no second rounding spoils (S.
    Boldo, G. Melquiond, "Emulation of a FMA and Correctly Rounded Sums: Proved Algorithms Using
    Rounding to Odd", IEEE Transactions on Computers 57(4), 2008).
    """
    a, b = x.astype("float64") * np.float64(y), z.astype("float64")
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    towards = np.nextafter(total, np.where(error > 0, np.inf, -np.inf))
    is_even = total.view("int64") % 2 == 0
    fused: np.ndarray = np.where((error != 0) & is_even, towards, total).astype("float32")
    return fused
