"""Chebyshev's polynomials of four kinds, of a degree that a tensor says, by their angles."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from tvmfuse.frontend.torch.composites.wide import widely

Polynomial = Callable[..., Tensor]


def polynomial(kind: str, *, shifted: bool = False) -> Polynomial:
    """Return the polynomials of a kind.

    Inside of the interval they are ratios of sines or cosines of the argument's angle, outside of
    hyperbolic ones: there the sign of a negative argument is that of the degree.

    Args:
        kind: t, u, v or w.
        shifted: Whether they are those of 2 x - 1.
    """

    @widely
    def found(x: Tensor, n: Tensor) -> Tensor:
        x, n = (2 * x - 1 if shifted else x) + 0 * n, torch.trunc(n) + 0 * x
        size = x.abs()
        # On a negative argument, the third and fourth kind change places.
        angle = torch.acos(size.clamp(max=1))
        inner = _ratio(kind, n, angle, size, torch.cos, torch.sin)
        turned = _ratio(MIRRORED[kind], n, angle, size, torch.cos, torch.sin)
        far = torch.acosh(size.clamp(min=1))
        outer = _ratio(kind, n, far, size, torch.cosh, torch.sinh)
        mirrored = _ratio(MIRRORED[kind], n, far, size, torch.cosh, torch.sinh)
        right = torch.where(size <= 1, inner, outer)
        left = torch.where(size <= 1, turned, mirrored)
        odd = torch.remainder(n, 2) == 1
        value = torch.where(x < 0, torch.where(odd, -left, left), right)
        return torch.where(n < 0, 0.0, torch.where(n == 0, 1.0, value))

    return found


#: The kind whose values a kind has on the other side of 0, but for the sign.
MIRRORED = {"t": "t", "u": "u", "v": "w", "w": "v"}


def _ratio(
    kind: str,
    n: Tensor,
    angle: Tensor,
    size: Tensor,
    cosine: Callable[[Tensor], Tensor],
    sine: Callable[[Tensor], Tensor],
) -> Tensor:
    """Return a polynomial of the cosine of an angle; at 1, where ratios are 0 by 0, its limit."""
    if kind == "t":
        return cosine(n * angle)
    if kind == "v":
        return cosine((n + 0.5) * angle) / cosine(angle / 2)
    if kind == "u":
        return torch.where(size == 1, n + 1, sine((n + 1) * angle) / sine(angle))
    return torch.where(size == 1, 2 * n + 1, sine((n + 0.5) * angle) / sine(angle / 2))
