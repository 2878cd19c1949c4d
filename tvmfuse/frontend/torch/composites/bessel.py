"""Bessel functions by their integrals, as sums over points of a circle.

The trapezoidal rule over a period is exact but for functions of orders beyond the number of its
points, which are small where the argument is. Beyond, Hankel's series.
"""

from __future__ import annotations

import math
from typing import Final

import torch
from torch import Tensor

from tvmfuse.frontend.torch.composites.wide import series, widely

#: Points of a half circle, and the largest argument that they are enough for.
POINTS: Final = 32
ENOUGH: Final = 20.0
EULER: Final = 0.5772156649015329


def _hankel(order: int) -> list[float]:
    """Return the coefficients of Hankel's series, of powers of 1/x."""
    terms = [1.0]
    for k in range(1, 13):
        terms.append(terms[-1] * (4 * order * order - (2 * k - 1) ** 2) / (k * 8))
    return terms


def _scaled_i(x: Tensor, order: int) -> Tensor:
    """Return exp(-x) I(x) of numbers that are not negative."""
    near = torch.zeros_like(x)
    for point in range(POINTS + 1):
        angle = math.pi * point / POINTS
        weight = (0.5 if point in (0, POINTS) else 1.0) * math.cos(order * angle) / POINTS
        near = near + weight * torch.exp(x * (math.cos(angle) - 1))
    signed = [term * (-1) ** k for k, term in enumerate(_hankel(order))]
    safe = torch.where(x > ENOUGH, x, ENOUGH)
    far = series(1 / safe, signed) / torch.sqrt(2 * math.pi * safe)
    return torch.where(x > ENOUGH, far, torch.where(torch.isnan(x), x, near))


@widely
def scaled_i0(x: Tensor) -> Tensor:
    """Return exp(-|x|) I0(x)."""
    return _scaled_i(x.abs(), 0)


@widely
def scaled_i1(x: Tensor) -> Tensor:
    """Return exp(-|x|) I1(x)."""
    return _scaled_i(x.abs(), 1) * torch.sign(x)


@widely
def i0(x: Tensor) -> Tensor:
    """Return I0(x)."""
    return torch.exp(x.abs()) * _scaled_i(x.abs(), 0)


@widely
def i1(x: Tensor) -> Tensor:
    """Return I1(x)."""
    return torch.exp(x.abs()) * _scaled_i(x.abs(), 1) * torch.sign(x)


def _scaled_k(x: Tensor, order: int) -> Tensor:
    """Return exp(x) K(x) as the integral of exp(x - x cosh t) cosh(order t) over the half line.

    The steps become shorter as the integrand becomes narrow.
    """
    step = 0.25 / torch.sqrt(1 + x / 4)
    total = 0.5 * torch.ones_like(x)
    for point in range(1, 161):
        cosh = torch.cosh(step * point)
        term = torch.exp(x * (1 - cosh))
        total = total + (term * cosh if order else term)
    # Near 0 the half line would have to be long; what is left out there is of the order of x.
    least = 1 / x.abs() if order else -torch.log(x / 2) - EULER
    found = torch.where(x < 1e-7, least, total * step)
    found = torch.where(x == math.inf, 0.0, found)
    return torch.where(x < 0, math.nan, found)


@widely
def scaled_k0(x: Tensor) -> Tensor:
    """Return exp(x) K0(x)."""
    return _scaled_k(x, 0)


@widely
def scaled_k1(x: Tensor) -> Tensor:
    """Return exp(x) K1(x)."""
    return _scaled_k(x, 1)


@widely
def k0(x: Tensor) -> Tensor:
    """Return K0(x)."""
    return torch.exp(-x) * _scaled_k(x, 0)


@widely
def k1(x: Tensor) -> Tensor:
    """Return K1(x)."""
    return torch.exp(-x) * _scaled_k(x, 1)


def _waves(x: Tensor, order: int) -> tuple[Tensor, Tensor]:
    """Return J(x) and Y(x) of numbers that are not negative, near and far."""
    j, y = torch.zeros_like(x), torch.zeros_like(x)
    for point in range(2 * POINTS):
        angle = math.pi * (point + 0.5) / (2 * POINTS)
        sine = math.sin(angle)
        # Neumann's series of Y0 over the even J, under the same sum.
        terms = [(-1) ** k * math.cos(2 * k * angle) / k for k in range(1, POINTS)]
        wave = sine * torch.sin(x * sine) if order else torch.cos(x * sine)
        j = j + wave / (2 * POINTS)
        y = y - 4 / math.pi * sum(terms) * wave / (2 * POINTS)
    logarithm = 2 / math.pi * (torch.log(x / 2) + EULER)
    y = y + logarithm * j
    if order:
        y = y - 2 / (math.pi * x) * _waves(x, 0)[0]
    safe = torch.where(x > ENOUGH, x, ENOUGH)
    inverse, terms = 1 / safe, _hankel(order)
    even = [t * (-1) ** k for k, t in enumerate(terms[0::2])]
    odd = [t * (-1) ** k for k, t in enumerate(terms[1::2])]
    square = inverse * inverse
    p, q = series(square, even), inverse * series(square, odd)
    phase = safe - math.pi * (2 * order + 1) / 4
    size = torch.sqrt(2 / (math.pi * safe))
    cosine, sine_ = torch.cos(phase), torch.sin(phase)
    far = x > ENOUGH
    return (
        torch.where(far, size * (p * cosine - q * sine_), j),
        torch.where(far, size * (p * sine_ + q * cosine), y),
    )


@widely
def j0(x: Tensor) -> Tensor:
    """Return J0(x)."""
    return torch.where(torch.isnan(x), x, _waves(x.abs(), 0)[0])


@widely
def j1(x: Tensor) -> Tensor:
    """Return J1(x)."""
    return torch.where(torch.isnan(x), x, _waves(x.abs(), 1)[0] * torch.sign(x))


@widely
def y0(x: Tensor) -> Tensor:
    """Return Y0(x): no number left of 0."""
    return _right_of_zero(x, _waves(x, 0)[1])


@widely
def y1(x: Tensor) -> Tensor:
    """Return Y1(x): no number left of 0."""
    return _right_of_zero(x, _waves(x, 1)[1])


def _right_of_zero(x: Tensor, found: Tensor) -> Tensor:
    found = torch.where(x == 0, -math.inf, found)
    return torch.where((x < 0) | torch.isnan(x), math.nan, found)


@widely
def spherical_j0(x: Tensor) -> Tensor:
    """Return sin(x) / x."""
    found = torch.where(x == 0, 1.0, torch.sin(x) / x)
    return torch.where(torch.isinf(x), 0.0, found)
