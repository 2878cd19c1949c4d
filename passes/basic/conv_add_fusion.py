"""An addition of one number a channel disappears into the convolution before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import dtype_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.per_channel import (
    all_finite,
    are_constant,
    bias_of,
    convolution,
    is_per_channel,
    per_channel,
    with_operands,
)
from tvmfuse.passes.rewrite import Conditions, RewriteRule


@dataclass(frozen=True)
class Summed:
    """The bias with the addend folded in, in the addend's dtype."""

    bias: np.ndarray


class ConvAddFusion(RewriteRule[Summed]):
    """Add to a convolution's bias instead of its output.

    Before::

        y = conv(x, W, b)                # or conv_transpose; with or without b
        z = y + k                        # k: one number, or one for each output channel

    After::

        z = conv(x, W, b + k)

    Pays because the addition reads and writes the whole activation once more; a bias is added
    while the output is still in registers. As in ONNX Runtime, the weights are constant, too.
    """

    name = "ConvAddFusion"
    aliases = ("Conv Add Fusion",)
    barrier_at = "conv"

    def pattern(self) -> Pattern:
        conv, addend = convolution(wildcard(), wildcard()), wildcard()
        add = is_op("relax.add")
        return Pattern(add(conv, addend) | add(addend, conv), conv=conv, addend=addend)

    def requires(self, match: Match) -> Conditions[Summed]:
        conv, addend = match["conv"], match["addend"]
        yield are_constant([addend]), "the addend is constant"
        yield are_constant(conv.args[1:2]), "the convolution's weights are constant"
        yield are_constant(conv.args[2:]), "the convolution's bias is constant"
        yield match.num_uses("conv") == 1, "the sum is the convolution's only reader"
        yield is_per_channel(addend, conv), "the addend is one number for each output channel"
        bias = _summed(conv, addend)
        yield all_finite(bias), "the summed bias is finite"
        return Summed(bias)

    def rewrite(self, match: Match, found: Summed) -> Expr:
        conv = match["conv"]
        return with_operands(conv, conv.args[0], conv.args[1], found.bias)


@np.errstate(over="ignore", invalid="ignore")
def _summed(conv: Expr, addend: Expr) -> np.ndarray:
    total: np.ndarray = bias_of(conv) + per_channel(addend, conv)
    return total.astype(dtype_of(addend))
