"""An inference batch norm disappears into the convolution before or after it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tvm import relax
from tvm.ir import Expr
from tvm.relax.dpl import is_op, is_tuple_get_item, wildcard

from tvmfuse.passes.channels import (
    affine_of,
    all_finite,
    bias_of,
    convolution,
    is_affine,
    rounded,
    scaled_weights,
    with_operands,
)
from tvmfuse.passes.facts import array_of
from tvmfuse.passes.rewrite import Match, Pattern, RewriteRule


class ConvBNFusion(RewriteRule):
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
    keeps_apart = "first"

    def pattern(self) -> Pattern:
        y = wildcard()
        norm = is_op("relax.nn.batch_norm")(y, wildcard(), wildcard(), wildcard(), wildcard())
        ...
