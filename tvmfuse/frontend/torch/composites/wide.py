"""Functions of special interest are computed in double precision, and rounded once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def widely(function: Callable[..., Tensor]) -> Callable[..., Any]:
    """Return a function of tensors that is computed in float64, and takes numbers as well.

    Its result has the dtype that its operands promote to, which is torch's own for whole numbers.
    """

    @functools.wraps(function)
    def convert(*operands: Tensor | float) -> Any:
        dtype = functools.reduce(torch.promote_types, map(_dtype, operands))
        dtype = dtype if dtype.is_floating_point else torch.get_default_dtype()
        if dtype is torch.float64:
            return NotImplemented
        return function(*map(_wide, operands)).to(dtype)

    return convert


def _wide(operand: Tensor | float) -> Tensor:
    if isinstance(operand, Tensor):
        return operand.to(torch.float64)
    return torch.full((), operand, dtype=torch.float64)


def _dtype(operand: Tensor | float) -> torch.dtype:
    return operand.dtype if isinstance(operand, Tensor) else torch.bool


def series(x: Tensor, coefficients: list[float]) -> Tensor:
    """Return the sum of coefficients times powers, the constant first (Horner)."""
    total = torch.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total * x + coefficient
    return total
