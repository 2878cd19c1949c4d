"""The error function's relatives: its complement, scaled or not, and the inverses."""

from __future__ import annotations

import math
from typing import Final

import torch
from torch import Tensor

from tvmfuse.frontend.torch.composites.wide import widely

#: Terms of the continued fraction, which has double precision from `FAR` on.
TERMS: Final = 60
FAR: Final = 2.0


def _scaled(x: Tensor) -> Tensor:
    """Return exp(x^2) erfc(x) of numbers that are not small (Laplace's continued fraction)."""
    x = x.clamp(min=FAR)
    rest = x
    for term in range(TERMS, 0, -1):
        rest = x + (term / 2) / rest
    return 1 / (rest * math.sqrt(math.pi))


def _complement(x: Tensor) -> Tensor:
    size = x.abs()
    far = torch.exp(-size * size) * _scaled(size)
    found = torch.where(size < FAR, 1 - torch.erf(size), far)
    return torch.where(torch.isnan(x), x, torch.where(x < 0, 2 - found, found))


@widely
def complement(x: Tensor) -> Tensor:
    """Return erfc(x)."""
    return _complement(x)


@widely
def scaled_complement(x: Tensor) -> Tensor:
    """Return exp(x^2) erfc(x)."""
    near = torch.exp(x * x) * _complement(x)
    return torch.where(x < FAR, near, _scaled(x))


@widely
def inverse(x: Tensor) -> Tensor:
    """Return what the error function is x of."""
    return _inverse(x, 1 - x.abs())


@widely
def normal_quantile(p: Tensor) -> Tensor:
    """Return what the normal distribution is p of."""
    upper = p > 0.5
    tail = 2 * torch.where(upper, 1 - p, p)
    found = math.sqrt(2) * _inverse(1 - tail, tail)
    found = torch.where(upper, found, -found)
    return torch.where((p < 0) | (p > 1) | torch.isnan(p), math.nan, found)


def _inverse(x: Tensor, rest: Tensor) -> Tensor:
    """Return it of a number and of what is missing to 1, by Newton's method.

    It begins with Winitzki's approximation, of an error of 0.002.
    """
    logarithm = torch.log(rest * (2 - rest))
    half = 2 / (math.pi * 0.147) + logarithm / 2
    size = torch.sqrt(torch.sqrt(half * half - logarithm / 0.147) - half)
    for _ in range(3):
        slope = -2 / math.sqrt(math.pi) * torch.exp(-size * size)
        off = (_complement(size) - rest) / slope
        size = size - off / (1 + size * off)
    size = torch.where(rest == 0, math.inf, torch.where(rest == 1, 0.0, size))
    size = torch.where((rest < 0) | torch.isnan(x), math.nan, size)
    return torch.where(x < 0, -size, size)


@widely
def log_normal(x: Tensor) -> Tensor:
    """Return the logarithm of the normal distribution."""
    size = -x / math.sqrt(2)
    far = torch.log(_scaled(size) / 2) - size * size
    return torch.where(x < -FAR * math.sqrt(2), far, torch.log(_complement(size) / 2))
