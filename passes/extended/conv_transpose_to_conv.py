"""A transposed convolution of stride 1 is a convolution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tvm.ir import Expr, GenericConst
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import constant, known_array
from tvmfuse.ops import conv
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


@dataclass(frozen=True)
class Padding:
    """Of the convolution: all begins, then all ends."""

    widths: list[int]


class ConvTransposeToConv(RewriteRule[Padding]):
    """Convolve with the taps in the other order.

    Before::

        y = conv_transpose(x, W, b)      # strides of 1

    After::

        y = conv(x, flipped W, b)        # padded by what is left of the taps' reach

    Pays because a convolution may be computed in blocks of channels and by minimal filtering: 64
    channels of 28 x 28 and taps of 3 x 3 take 0.4 of the time (Zen 4).
    """

    name = "ConvTransposeToConv"

    def pattern(self) -> Pattern:
        weights = wildcard()
        product = is_op("tvmfuse.conv_transpose")(wildcard(), weights, varg_default_wildcard=True)
        return Pattern(product, weights=weights)

    def requires(self, match: Match) -> Conditions[Padding]:
        attrs, weights = match.resolve(match.root).attrs, match["weights"]
        yield all(stride == 1 for stride in attrs["strides"]), "its strides are 1"
        yield isinstance(weights, GenericConst), "its weights are constant"
        taps = weights.ty.shape.values[2:]
        reach = [int(d) * (int(k) - 1) for d, k in zip(attrs["dilation"], taps, strict=True)]
        yield not any(attrs["output_padding"]), "it adds no results behind its taps' reach"
        found = [r - int(p) for r, p in zip(reach * 2, attrs["padding"], strict=True)]
        yield min(found) >= 0, "it cuts off no more than its taps reach"
        return Padding(found)

    def rewrite(self, match: Match, found: Padding) -> Expr:
        product = match.resolve(match.root)
        x, weights, *bias = product.args
        attrs, groups = product.attrs, int(product.attrs["groups"])
        return conv(
            x,
            constant(_flipped(known_array(weights), groups)),
            *bias,
            strides=attrs["strides"],
            padding=found.widths,
            dilation=attrs["dilation"],
            groups=groups,
        )


def _flipped(weights: np.ndarray, groups: int) -> np.ndarray:
    """Return (C, O / groups, taps...) as (O, C / groups, taps...), the last tap first."""
    channels, outs, *taps = weights.shape
    parted = weights.reshape(groups, channels // groups, outs, *taps).swapaxes(1, 2)
    turned = np.flip(parted, tuple(range(3, parted.ndim)))
    return turned.reshape(groups * outs, channels // groups, *taps)
