"""Tensors that are put together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import torch
from torch import Tensor


def concatenate(tensors: Sequence[Tensor], dim: int = 0) -> Any:
    """Leave out vectors of nothing, which torch takes beside tensors of any rank.

    A cache of keys and values begins with one. Its dtype counts.
    """
    parts = [tensor for tensor in tensors if not _is_nothing(tensor)]
    if not parts or len(parts) == len(tensors):
        return NotImplemented
    dtype = reduce(torch.promote_types, (tensor.dtype for tensor in tensors))
    return torch.ops.aten.cat([part.to(dtype) for part in parts], dim)


def _is_nothing(tensor: Tensor) -> bool:
    return tensor.ndim == 1 and isinstance(tensor.shape[0], int) and tensor.shape[0] == 0
