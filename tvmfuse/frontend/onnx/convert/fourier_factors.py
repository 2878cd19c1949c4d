"""Discrete Fourier transforms of composite lengths, in two steps of shorter ones.

With ``n = N2 n1 + n2`` and ``k = k1 + N1 k2``, where the length is N1 N2::

    y[k1, n2] = sum over n1 of x[n1, n2] w1 ** (n1 k1)
    X[k1, k2] = sum over n2 of y[k1, n2] w ** (n2 (k1 + N1 k2))

Each is a product with constant matrices, the second of one for each k1, which holds the twiddle
factors, too. Source: Cooley and Tukey, "An Algorithm for the Machine Calculation of Complex Fourier
Series", 1965.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from tvm import relax

from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.types import constant, dtype_of

MIN_LENGTH: Final = 192
"""Shorter transforms are one product: two more kernels that move numbers take as long as it."""

MOST_ELEMENTS: Final = 1 << 24
"""Of the matrices of a step."""


def factors(length: int, parts: int) -> tuple[int, int] | None:
    """Return two factors whose steps take the fewest multiplications; None where one product does.

    >>> factors(1024, 1), factors(400, 1), factors(64, 1), factors(509, 1)
    ((32, 32), (25, 16), None, None)
    """
    if length < MIN_LENGTH:
        return None
    most = min(math.isqrt(MOST_ELEMENTS // 4), length // 2)
    found = [(n, length // n) for n in range(2, most + 1) if length % n == 0]
    found = [(a, b) for a, b in found if 4 * length * b <= MOST_ELEMENTS]
    best = min(found, key=lambda pair: _cost(pair, parts), default=None)
    return best if best and 2 * _cost(best, parts) < length * parts else None


def _cost(pair: tuple[int, int], parts: int) -> int:
    first, second = pair
    return first * parts + second * 2


def in_two_steps(
    lines: Numbers, first: int, second: int, parts: int, *, results: int, inverse: bool
) -> Numbers:
    """Return transforms of lines.

    Args:
        lines: Shape (count, first * second * parts).
        first: One factor of the length.
        second: The other one.
        parts: 1 of real numbers, 2 of complex ones.
        results: How many of the spectrum's numbers there shall be, from the first on.
        inverse: Whether back from a spectrum, which divides by the length.

    Returns:
        Shape (count, results, 2).
    """
    op, dtype, length = lines.op, dtype_of(lines.expr), first * second
    count, _ = require_shape(lines.expr)
    sign = 1 if inverse else -1
    kept = -(-results // first)
    short = _complex(np.outer(np.arange(first), np.arange(first)), first, sign)  # (k1, n1)
    columns = lines.reshaped([count, first, second, parts]).transposed([0, 3, 1, 2])
    columns = columns.reshaped([count, parts * first, second])
    # A complex factor (c, s) takes (a, b) to (a c - b s, a s + b c).
    left = np.block([[short.real, -short.imag], [short.imag, short.real]])[:, : parts * first]
    rows = Numbers(op, constant(left)).astype(dtype).times(columns)
    rows = rows.reshaped([count, 2, first, second]).transposed([2, 0, 1, 3])
    k1, n2, k2 = np.ix_(np.arange(first), np.arange(second), np.arange(kept))
    long = _complex(n2 * (k1 + first * k2), length, sign) / (length if inverse else 1)
    parted = np.stack([long.real, long.imag, -long.imag, long.real], -1)
    right = parted.reshape(first, second, kept, 2, 2).transpose(0, 3, 1, 2, 4)
    right = right.reshape(first, 2 * second, kept * 2)
    found = rows.reshaped([first, count, 2 * second]).times(
        Numbers(op, constant(right)).astype(dtype)
    )
    spectrum = found.reshaped([first, count, kept, 2]).transposed([1, 2, 0, 3])
    whole = spectrum.reshaped([count, kept * first, 2])
    if kept * first == results:
        return whole
    part = relax.op.strided_slice(whole.expr, [1], [0], [results], assume_inbound=True)
    return Numbers(op, part)


def _complex(turns: np.ndarray, of: int, sign: int) -> np.ndarray:
    """Return points of the unit circle, of so many."""
    angle: np.ndarray = turns % of * (sign * 2 * math.pi / of)
    found: np.ndarray = np.cos(angle) + 1j * np.sin(angle)
    return found
