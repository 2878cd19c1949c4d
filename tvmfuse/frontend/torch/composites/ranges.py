"""Numbers between two ends."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch._decomp import decomposition_table


def linspace(
    start: Tensor | float,
    end: Tensor | float,
    steps: int,
    *,
    dtype: torch.dtype | None = None,
    **others: Any,
) -> Any:
    """Return numbers at one distance; torch's own function rounds whole ones another way."""
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        return NotImplemented
    taken_apart = decomposition_table[torch.ops.aten.linspace.default]
    return taken_apart(start, end, steps, dtype=dtype, **others)
