"""The projections that an attention's operands are become one matrix product."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.live_array import is_live_array
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import array_of, constant, same_dims, shape_of
from tvmfuse.manifest import StoredValue
from tvmfuse.ops import attention, gemm
from tvmfuse.ops.attention import AXES
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

OPERANDS = ("q", "k", "v")

COLUMNS: Final = 2
"""The axis of a product of shape (B, S, H * D) along which heads lie."""


@dataclass(frozen=True)
class Projection:
    """An operand of an attention that is a product with constants, split into heads.

    Attributes:
        name: Of the operand.
        x: What is multiplied, of shape (B, S, K).
        product: The product's variable, of shape (B, S, H * D).
        heads: The variable that the attention reads, of shape (B, S, H, D).
        weights: Shape (K, H * D).
        bias: Shape (H * D,).
    """

    name: str
    x: Expr
    product: Expr
    heads: Expr
    weights: np.ndarray
    bias: np.ndarray


@dataclass(frozen=True)
class Shared:
    """The projections of one tensor: of the one that most operands are made of."""

    projections: list[Projection]


class QkvMatMulFusion(RewriteRule[Shared]):
    """Multiply the tensor that queries, keys and values are made of once, by all their weights.

    Before::

        q, k, v = (reshape(gemm(x, W, b), (B, S, H, D)) for W, b in ...)
        attention(q, k, v)

    After::

        qkv = reshape(gemm(x, concat(W), concat(b)), (B, S, 3, H, D))
        attention(qkv, qkv, qkv)         # each reads its part

    Pays because `x` is read once, and one product takes the place of three. In cross-attention
    keys and values alone share their tensor. ONNX Runtime does it as a part of AttentionFusion.
    """

    name = "QkvMatMulFusion"
    aliases = ("QKV MatMul Fusion", "QKV Fusion")

    def pattern(self) -> Pattern:
        call = is_op("tvmfuse.attention")
        operands = {name: wildcard() for name in OPERANDS}
        return Pattern(call(*operands.values(), varg_default_wildcard=True), **operands)

    def is_candidate(self, match: Match) -> bool:
        return len(match.fact(_shared).projections) > 1

    def requires(self, match: Match) -> Conditions[Shared]:
        shared = match.fact(_shared)
        sizes = {tuple(map(str, (shape_of(p.heads) or ())[2:])) for p in shared.projections}
        yield len(sizes) == 1, "the projections have as many heads of the same size"
        inner = [var for p in shared.projections for var in (p.product, p.heads)]
        alone = all(match.num_uses(var) == 1 for var in inner)
        yield alone, "nobody else reads the projections"
        return shared

    def absorbs(self, match: Match, found: Shared) -> Iterable[Var]:
        del match
        return [var for p in found.projections for var in (p.product, p.heads)]

    def rewrite(self, match: Match, found: Shared) -> Expr:
        shared = found.projections
        call = match.resolve(match.root)
        weights = constant(np.concatenate([p.weights for p in shared], axis=1))
        bias = np.concatenate([p.bias for p in shared])
        together = gemm(
            shared[0].x, weights, constant(bias) if is_live_array(bias) or bias.any() else None
        )
        nodes = [n for p in shared for n in nodes_of(match.resolve(p.product))]
        together = with_nodes(together, tuple(dict.fromkeys(nodes)), _parts(match, shared))
        batch, length, *head = shape_of(shared[0].heads) or ()
        parts = in_shape(together, (batch, length, len(shared), *head))
        operands = dict(zip(OPERANDS, call.args, strict=False))
        said = {f"{name}_axes": call.attrs[f"{name}_axes"] for name in OPERANDS}
        for place, projection in enumerate(shared):
            operands[projection.name] = parts
            said[f"{projection.name}_axes"] = f"bs{place}hd"
        q, k, v = operands.values()
        return attention(
            q,
            k,
            v,
            *_mask_and_zero_where(call),
            scale=call.attrs["scale"],
            zero_masked_rows=call.attrs["zero_masked_rows"],
            **said,
        )


def _parts(match: Match, shared: Sequence[Projection]) -> Iterator[StoredValue]:
    """Yield the values that the projections were: columns of the product that takes their place."""
    begin = 0
    for projection in shared:
        end = begin + projection.weights.shape[1]
        for stored in values_of(match.resolve(projection.product)):
            if stored.part is None and not stored.blocked and not stored.axes:
                yield replace(stored, part=(COLUMNS, begin, end))
        begin = end


def _mask_and_zero_where(call: Expr) -> tuple[Expr | None, Expr | None]:
    """Return an attention's further operands."""
    more = list(call.args[len(OPERANDS) :])
    mask = more.pop(0) if call.attrs["masked"] else None
    return mask, more[0] if more else None


def _shared(match: Match) -> Shared:
    call = match.resolve(match.root)
    by_input: dict[Expr, list[Projection]] = defaultdict(list)
    for name in OPERANDS:
        if call.attrs[f"{name}_axes"] == AXES:
            projection = _projection(name, match)
            if projection is not None:
                by_input[projection.x].append(projection)
    return Shared(max(by_input.values(), key=len, default=[]))


def _projection(name: str, match: Match) -> Projection | None:
    heads = match[name]
    split = match.resolve(heads)
    if op_name(split) != "relax.reshape" or not _splits_heads(heads, split.args[0]):
        return None
    product = match.resolve(split.args[0])
    if op_name(product) not in ("relax.matmul", "tvmfuse.gemm") or not _is_plain(product):
        return None
    x, *constants = product.args
    weights, *bias = (array_of(match.resolve(c)) for c in constants)
    if weights is None or weights.ndim != 2:
        return None
    if op_name(product) == "tvmfuse.gemm" and product.attrs["trans_b"]:
        weights = weights.T
    zeros = np.zeros(weights.shape[1], weights.dtype)
    added = bias[0] if bias else zeros
    if added is None or added.shape != zeros.shape:
        return None
    return Projection(name, x, split.args[0], heads, weights, added)


def _splits_heads(heads: Expr, product: Expr) -> bool:
    """Whether (B, S, H * D) is read as (B, S, H, D)."""
    (*before, columns), (*after, h, d) = shape_of(product) or (None,), shape_of(heads) or (0, 0)
    known = isinstance(h, int) and isinstance(d, int) and h * d == columns
    return known and len(before) == 2 and same_dims(before, after)


def _is_plain(product: Expr) -> bool:
    """Whether nothing but a bias is done to a product."""
    if op_name(product) == "relax.matmul":
        return True
    attrs = product.attrs
    return not attrs["trans_a"] and attrs["alpha"] == attrs["beta"] == 1
