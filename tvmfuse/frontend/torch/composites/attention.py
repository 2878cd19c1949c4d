"""Attention whose heads of queries share those of keys and values."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

_aten = torch.ops.aten


def grouped(query: Tensor, key: Tensor, value: Tensor, *settings: Any, **masks: Any) -> Any:
    """Repeat the heads of keys and values; every so many of the queries' share one.

    Source: Ainslie et al., GQA (2023).
    """
    if (times := _times(query, key)) is None:
        return NotImplemented
    flash = _aten._scaled_dot_product_flash_attention_for_cpu
    return flash(query, *(_repeated(x, times) for x in (key, value)), *settings, **masks)


def grouped_backward(
    gradient: Tensor, query: Tensor, key: Tensor, value: Tensor, *rest: Any, **masks: Any
) -> Any:
    """Add up the gradients of heads that are one."""
    if (times := _times(query, key)) is None:
        return NotImplemented
    backward = _aten._scaled_dot_product_flash_attention_for_cpu_backward
    wide = (_repeated(x, times) for x in (key, value))
    of_query, *others = backward(gradient, query, *wide, *rest, **masks)
    return of_query, *(x.unflatten(1, (-1, times)).sum(2) for x in others)


def _times(query: Tensor, key: Tensor) -> int | None:
    """Return how many heads of queries share one of keys; None where each has its own."""
    heads, shared = query.shape[1], key.shape[1]
    known = isinstance(heads, int) and isinstance(shared, int)
    return heads // shared if known and shared and heads != shared else None


def _repeated(x: Tensor, times: int) -> Tensor:
    batch, heads, length, width = x.shape
    repeated = x.unsqueeze(2).expand(batch, heads, times, length, width)
    return repeated.reshape(batch, heads * times, length, width)
