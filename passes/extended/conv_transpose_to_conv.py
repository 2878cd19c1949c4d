"""A transposed convolution of stride 1 is a convolution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr, GenericConst
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, known_array, shape_of, static_shape_of
from tvmfuse.ops import conv
from tvmfuse.passes.nchwc.likely_size import likely_size
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

USES: Final = 64
"""Of each weight, from which on turning it at each run costs less than it gains: as many as
`Tuning.nchwc_flop_per_cycle` and `Tuning.reorder_cycles` ask for."""


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
    channels of 28 x 28 and taps of 3 x 3 take 0.4 of the time (Zen 4). Weights that are computed
    are turned by operators, where each is used so often that it pays.
    """

    name = "ConvTransposeToConv"

    def pattern(self) -> Pattern:
        weights = wildcard()
        product = is_op("tvmfuse.conv_transpose")(wildcard(), weights, varg_default_wildcard=True)
        return Pattern(product, weights=weights)

    def requires(self, match: Match) -> Conditions[Padding]:
        attrs, weights = match.resolve(match.root).attrs, match["weights"]
        yield all(stride == 1 for stride in attrs["strides"]), "its strides are 1"
        pays = isinstance(weights, GenericConst) or _uses(match.resolve(match.root)) > USES
        yield pays, "its weights are constant, or each is used often"
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
            _turned(weights, groups),
            *bias,
            strides=attrs["strides"],
            padding=found.widths,
            dilation=attrs["dilation"],
            groups=groups,
        )


def _uses(product: Expr) -> int:
    """Return how many results read each weight."""
    images, _, *sizes = shape_of(product) or ()
    images = images if isinstance(images, int) else 1  # the least that can come
    return images * math.prod(map(likely_size, sizes))


def _turned(weights: Expr, groups: int) -> Expr:
    """Return (C, O / groups, taps...) as (O, C / groups, taps...), the last tap first."""
    channels, outs, *taps = static_shape_of(weights) or ()
    parts = (groups, channels // groups, outs, *taps)
    shape = (groups * outs, channels // groups, *taps)
    if isinstance(weights, GenericConst):
        parted = known_array(weights).reshape(parts).swapaxes(1, 2)
        return constant(np.flip(parted, tuple(range(3, len(parts)))).reshape(shape))
    for axis, size in enumerate(taps, 2):
        weights = relax.op.flip(weights, axis) if size > 1 else weights
    order = [0, 2, 1, *range(3, len(parts))]
    return in_shape(relax.op.permute_dims(in_shape(weights, parts), order), shape)
