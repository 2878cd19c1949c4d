"""A multiplication by one number a channel disappears into the convolution before it."""

from __future__ import annotations

import numpy as np
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import constant
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.per_channel import (
    Folded,
    all_finite,
    are_constant,
    bias_of,
    convolution,
    is_per_channel,
    per_channel,
    scaled_weights,
    with_operands,
)
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class ConvMulFusion(RewriteRule[Folded]):
    """Scale a convolution's weights instead of its output.

    Before::

        y = conv(x, W, b)                # or conv_transpose; with or without b
        z = y * k                        # k: one number, or one for each output channel

    After::

        z = conv(x, W * k, b * k)

    Pays because the multiplication reads and writes the whole activation once more, while
    ``W * k`` is computed here, at compile time. Weights that two convolutions share are copied.
    """

    name = "ConvMulFusion"
    aliases = ("Conv Mul Fusion",)
    barrier_at = "conv"

    def pattern(self) -> Pattern:
        conv, factor = convolution(wildcard(), wildcard()), wildcard()
        multiply = is_op("relax.multiply")
        return Pattern(multiply(conv, factor) | multiply(factor, conv), conv=conv, factor=factor)

    def requires(self, match: Match) -> Conditions[Folded]:
        conv, factor = match["conv"], match["factor"]
        yield are_constant([factor]), "the factor is constant"
        yield are_constant(conv.args[1:2]), "the convolution's weights are constant"
        yield are_constant(conv.args[2:]), "the convolution's bias is constant"
        yield match.num_uses("conv") == 1, "the product is the convolution's only reader"
        yield is_per_channel(factor, conv), "the factor is one number for each output channel"
        folded = _folded(conv, factor)
        yield all_finite(*folded.arrays), "the scaled weights are finite"
        return folded

    def rewrite(self, match: Match, found: Folded) -> Expr:
        conv = match["conv"]
        weights, *bias = found.arrays
        return with_operands(conv, conv.args[0], constant(weights), *bias)


@np.errstate(over="ignore", invalid="ignore")
def _folded(conv: Expr, factor: Expr) -> Folded:
    """Return the scaled weights, and the scaled bias where there is one."""
    scale = per_channel(factor, conv)
    weights = scaled_weights(conv, scale)
    if len(conv.args) < 3:
        return Folded(weights, None)
    return Folded(weights, (bias_of(conv) * scale).astype(weights.dtype))
