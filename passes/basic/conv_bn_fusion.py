"""An inference batch norm disappears into the convolution before or after it."""

from __future__ import annotations

import numpy as np
from tvm.ir import Expr
from tvm.relax.dpl import is_op, is_tuple_get_item, wildcard

from tvmfuse.ir.types import constant, known_array
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.per_channel import (
    Folded,
    affine_of,
    all_finite,
    are_constant,
    bias_of,
    convolution,
    is_affine,
    over_second_axis,
    scaled_weights,
    with_operands,
)
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class ConvBNFusion(RewriteRule[Folded]):
    """Scale a convolution's weights instead of its output, or of its input.

    Before::

        y = conv(x, W, b)                # or conv_transpose; with or without b
        z = batch_norm(y, gamma, beta, mean, var)[0]

    After, with ``s = gamma / sqrt(var + epsilon)`` for each output channel::

        z = conv(x, W * s, (b - mean) * s + beta)

    The batch norm may also come first, where the convolution pads nothing: at a padded border
    the shift would be missing. Then ``s`` scales the weights of an input channel, and what the
    weights make of the shift is the new bias.

    Pays because the batch norm reads and writes the whole activation once more, while the new
    weights are computed here, at compile time.
    """

    name = "ConvBNFusion"
    aliases = ("Conv BN Fusion", "Conv BatchNorm Fusion", "Conv Batch Normalization Fusion")
    barrier_at = "conv"

    def pattern(self) -> Pattern:
        batch_norm = is_op("relax.nn.batch_norm")
        parameters = [wildcard() for _ in range(4)]

        conv = convolution(wildcard(), wildcard())
        norm = batch_norm(conv, *parameters)

        input_norm = batch_norm(wildcard(), *parameters)
        normalized = is_tuple_get_item(input_norm, 0)
        reader = is_op("tvmfuse.conv")(normalized, wildcard(), varg_default_wildcard=True)
        return Pattern(
            is_tuple_get_item(norm, 0) | reader,
            conv=conv, norm=norm, input_norm=input_norm, normalized=normalized, reader=reader,
        )  # fmt: skip

    def requires(self, match: Match) -> Conditions[Folded]:
        norm, conv = ("norm", "conv") if "conv" in match else ("input_norm", "reader")
        yield from is_affine(match[norm], match.num_uses(norm))
        _, weights, *bias = match[conv].args
        yield are_constant([weights]), "the convolution's weights are constant"
        yield are_constant(bias), "the convolution's bias is constant"
        yield match[norm].attrs.axis % weights.ty.ndim == 1, "the batch norm runs over the channels"
        if conv == "conv":
            yield match.num_uses("conv") == 1, "the batch norm is the convolution's only reader"
        else:
            only = match.num_uses("normalized") == 1
            yield only, "the convolution is the batch norm's only reader"
            yield not any(match["reader"].attrs["padding"]), "the convolution pads nothing"
        folded = _folded(match)
        yield all_finite(*folded.arrays), "the scaled weights are finite"
        return folded

    def rewrite(self, match: Match, found: Folded) -> Expr:
        weights, *bias = found.arrays
        conv = match["conv"] if "conv" in match else match["reader"]
        x = conv.args[0] if "conv" in match else match["input_norm"].args[0]
        return with_operands(conv, x, constant(weights), *bias)


@np.errstate(over="ignore", invalid="ignore")
def _folded(match: Match) -> Folded:
    """Return the new weights and the new bias."""
    if "conv" in match:
        conv, (scale, shift) = match["conv"], affine_of(match["norm"])
        weights = scaled_weights(conv, scale)
        return Folded(weights, (bias_of(conv) * scale + shift).astype(weights.dtype))

    conv, (scale, shift) = match["reader"], affine_of(match["input_norm"])
    weights, groups = known_array(conv.args[1]), conv.attrs["groups"]
    scaled = weights * over_second_axis(scale, weights, groups)
    shifted = weights * over_second_axis(shift, weights, groups)
    bias = bias_of(conv) + shifted.sum(axis=tuple(range(1, weights.ndim)))
    return Folded(scaled.astype(weights.dtype), bias.astype(weights.dtype))
