"""A multiplication by one number a channel disappears into the convolution before it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.passes.channels import (
    all_finite,
    bias_of,
    convolution,
    per_channel,
    scaled_weights,
    with_operands,
)
from tvmfuse.passes.facts import array_of, constant
from tvmfuse.passes.rewrite import Match, Pattern, RewriteRule


class ConvMulFusion(RewriteRule):
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
    keeps_apart = "conv"

    def pattern(self) -> Pattern:
        conv, factor = convolution(wildcard(), wildcard()), wildcard()
        multiply = is_op("relax.multiply")
        return Pattern(multiply(conv, factor) | multiply(factor, conv), conv=conv, factor=factor)

    def requires(self, match: Match) -> Iterator[tuple[bool, str]]:
        conv, factor = match["conv"], array_of(match["factor"])
        yield factor is not None, "the factor is constant"
        yield array_of(conv.args[1]) is not None, "the convolution's weights are constant"
        yield bias_of(conv) is not None, "the convolution's bias is constant"
        yield match.readers("conv") == 1, "the product is the convolution's only reader"
        scale = per_channel(factor, conv)
        yield scale is not None, "the factor is one number for each output channel"
        yield all_finite(*_folded(conv, scale)), "the scaled weights are finite"

    def rewrite(self, match: Match) -> Expr:
        conv = match["conv"]
        scale = per_channel(match["factor"].value.numpy(), conv)
        weights, *bias = _folded(conv, scale)
        return with_operands(conv, conv.args[0], constant(weights), *bias)


@np.errstate(over="ignore", invalid="ignore")
def _folded(conv: Expr, scale: np.ndarray) -> list[np.ndarray]:
    """Return the scaled weights, and the scaled bias where there is one."""
    weights = scaled_weights(conv, scale)
    bias = bias_of(conv)
    return [weights, *([(bias * scale).astype(weights.dtype)] if len(conv.args) > 2 else [])]
