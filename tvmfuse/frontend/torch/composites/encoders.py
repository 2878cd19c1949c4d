"""Whole layers: what `MultiheadAttention` and `TransformerEncoderLayer` call in inference."""

from __future__ import annotations

import torch
from torch.nn import functional


def multi_head_attention(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, width: int, heads: int,
    weight: torch.Tensor, bias: torch.Tensor, out_weight: torch.Tensor, out_bias: torch.Tensor,
    mask: torch.Tensor | None = None, need_weights: bool = True,
    average_attn_weights: bool = True, mask_type: int | None = None,
) -> tuple[torch.Tensor, torch.Tensor | None]:  # fmt: skip
    """Take attention of several heads apart: [batch, sequence, width], and weights or None."""
    parts = zip((query, key, value), weight.chunk(3), bias.chunk(3), strict=True)
    q, k, v = (_in_heads(functional.linear(x, w, b), heads) for x, w, b in parts)
    hidden, weights = _hidden(mask, mask_type), None
    if need_weights:
        scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        scores = scores if hidden is None else scores.masked_fill(hidden, float("-inf"))
        weights = scores.softmax(-1)
        seen = weights @ v
        weights = weights.mean(1) if average_attn_weights else weights
    else:
        shown = None if hidden is None else hidden.logical_not()
        seen = functional.scaled_dot_product_attention(q, k, v, shown)
    rows = seen.transpose(1, 2).reshape(query.shape[0], query.shape[1], width)
    return functional.linear(rows, out_weight, out_bias), weights


def encoder_layer(
    x: torch.Tensor, width: int, heads: int, weight: torch.Tensor, bias: torch.Tensor,
    out_weight: torch.Tensor, out_bias: torch.Tensor, use_gelu: bool, norm_first: bool, eps: float,
    norm_weight_1: torch.Tensor, norm_bias_1: torch.Tensor, norm_weight_2: torch.Tensor,
    norm_bias_2: torch.Tensor, ffn_weight_1: torch.Tensor, ffn_bias_1: torch.Tensor,
    ffn_weight_2: torch.Tensor, ffn_bias_2: torch.Tensor, mask: torch.Tensor | None = None,
    mask_type: int | None = None,
) -> torch.Tensor:  # fmt: skip
    """Take a layer apart: attention and a network of two products, each with a norm."""

    def attended(y: torch.Tensor) -> torch.Tensor:
        return multi_head_attention(
            y, y, y, width, heads, weight, bias, out_weight, out_bias, mask,
            need_weights=False, mask_type=mask_type,
        )[0]  # fmt: skip

    def fed(y: torch.Tensor) -> torch.Tensor:
        y = functional.linear(y, ffn_weight_1, ffn_bias_1)
        y = functional.gelu(y) if use_gelu else functional.relu(y)
        return functional.linear(y, ffn_weight_2, ffn_bias_2)

    def first(y: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(y, [width], norm_weight_1, norm_bias_1, eps)

    def second(y: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(y, [width], norm_weight_2, norm_bias_2, eps)

    if norm_first:
        x = x + attended(first(x))
        return x + fed(second(x))
    x = first(x + attended(x))
    return second(x + fed(x))


def _in_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    batch, length, width = x.shape
    return x.view(batch, length, heads, width // heads).transpose(1, 2)


def _hidden(mask: torch.Tensor | None, kind: int | None) -> torch.Tensor | None:
    """Return which scores are left out, for [batch, heads, rows, columns].

    torch has masks of scores (kind 0), of keys (kind 1) and of both together (kind 2); whatever is
    not 0 in them hides.
    """
    if mask is None:
        return None
    hides = mask.bool()
    return hides[:, None, None, :] if kind == 1 else hides
