"""The gamma function's logarithm and derivatives, and Hurwitz's zeta."""

from __future__ import annotations

import math
from typing import Any, Final

import torch
from torch import Tensor

from tvmfuse.frontend.torch.composites.wide import series, widely

#: Bernoulli's numbers of even index, from the second one on.
BERNOULLI: Final = [
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798,
]  # fmt: skip

#: From here on the asymptotic series have double precision.
FAR: Final = 9


def _far(x: Tensor) -> Tensor:
    """Return numbers at least one, as far as the asymptotic series need them."""
    return x + FAR


@widely
def log_gamma(x: Tensor) -> Tensor:
    """Return the logarithm of the gamma function's size."""
    below = x < 0.5
    right = torch.where(below, 1 - x, x)
    found = _log_gamma(right)
    turned = math.log(math.pi) - torch.log(torch.abs(_sine_of_pi(x))) - found
    found = torch.where(below, turned, found)
    found = torch.where((x <= 0) & (x == torch.floor(x)), math.inf, found)
    return torch.where(torch.isinf(x), math.inf, found)


def _log_gamma(x: Tensor) -> Tensor:
    """Return it right of 0.5, by Stirling's series of a number further on."""
    product = x
    for step in range(1, FAR):
        product = product * (x + step)
    far = _far(x)
    terms = [b / ((2 * k + 1) * (2 * k + 2)) for k, b in enumerate(BERNOULLI)]
    inverse = 1 / far
    tail = inverse * series(inverse * inverse, terms)
    near = (far - 0.5) * torch.log(far) - far + math.log(2 * math.pi) / 2 + tail
    # Where the product overflows, the series needs no such help.
    plain = (x - 0.5) * torch.log(x) - x + math.log(2 * math.pi) / 2
    return torch.where(x > 1e8, plain, near - torch.log(product))


def _sine_of_pi(x: Tensor) -> Tensor:
    """Return the sine of pi times a number, exact where it is 0."""
    rest = x - 2 * torch.round(x / 2)
    return torch.sin(math.pi * rest)


@widely
def digamma(x: Tensor) -> Tensor:
    """Return the derivative of the gamma function's logarithm."""
    below = x < 0.5
    right = torch.where(below, 1 - x, x)
    total = torch.zeros_like(x)
    for step in range(FAR):
        total = total - 1 / (right + step)
    far = _far(right)
    square = 1 / (far * far)
    terms = [b / (2 * k + 2) for k, b in enumerate(BERNOULLI)]
    found = total + torch.log(far) - 0.5 / far - square * series(square, terms)
    rest = x - torch.round(x)
    turned = found - math.pi / torch.tan(math.pi * rest)
    found = torch.where(below, turned, found)
    found = torch.where((x < 0) & (rest == 0), math.nan, found)
    found = torch.where(x == 0, torch.copysign(torch.full_like(x, math.inf), -x), found)
    found = torch.where(x == math.inf, math.inf, found)
    return torch.where(x == -math.inf, math.nan, found)


@widely
def zeta(x: Tensor, q: Tensor) -> Tensor:
    """Return Hurwitz's zeta function by Euler's and Maclaurin's formula."""
    found = _zeta(x, q)
    found = torch.where((q <= 0) & (q == torch.floor(q)), math.inf, found)
    found = torch.where((q < 0) & (q != torch.floor(q)) & (x != torch.floor(x)), math.nan, found)
    found = torch.where(x < 1, math.nan, found)
    return torch.where(x == 1, math.inf, found)


def _zeta(x: Tensor, q: Tensor) -> Tensor:
    """Return it right of 1, and of numbers not far left of 0."""
    total = torch.zeros_like(x + q)
    for step in range(2 * FAR):
        total = total + torch.pow(q + step, -x)
    far = q + 2 * FAR
    power = torch.pow(far, -x)
    total = total + power * far / (x - 1) + power / 2
    factor = x * power / far
    for k, bernoulli in enumerate(BERNOULLI):
        order = 2 * k + 2
        total = total + factor * (bernoulli / math.factorial(order))
        factor = factor * (x + order - 1) * (x + order) / (far * far)
    return total


def polygamma(n: int, x: Tensor) -> Any:
    """Return the derivative of an order of digamma."""
    return digamma(x) if n == 0 else _derivative(x, n)


def _derivative(x: Tensor, n: int) -> Any:
    def of(wide: Tensor) -> Tensor:
        below = wide < 0.5
        right = torch.where(below, 1 - wide, wide)
        sign = 1.0 if n % 2 else -1.0
        found = sign * math.factorial(n) * _zeta(torch.full_like(wide, n + 1.0), right)
        cotangent = 1 / torch.tan(math.pi * (wide - torch.round(wide)))
        turned = -sign * found - math.pi * series(cotangent, _of_cotangent(n))
        turned = torch.where(wide == torch.round(wide), sign * math.inf, turned)
        return torch.where(below, turned, found)

    return widely(of)(x)


def _of_cotangent(n: int) -> list[float]:
    """Return the derivative of an order of cot(pi x), as a polynomial of the cotangent."""
    powers = [0.0, 1.0]
    for _ in range(n):
        slope = [k * powers[k] for k in range(1, len(powers))]
        grown = [0.0] * (len(slope) + 2)
        for k, value in enumerate(slope):
            grown[k] -= math.pi * value
            grown[k + 2] -= math.pi * value
        powers = grown
    return powers
