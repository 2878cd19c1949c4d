"""Convolutions by 3x3 with fewer multiplications."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np
from tvm.ir import Expr, GenericConst
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array, numbers_of, rank_of, shape_of
from tvmfuse.ops import (
    bfloat16_winograd_weights,
    filter_transform,
    integer_winograd_most,
    integer_winograd_weights,
    winograd,
    winograd_weights,
)
from tvmfuse.ops.conv_blocked import is_depthwise
from tvmfuse.ops.epilogue import has_epilogue
from tvmfuse.ops.summed_in import INTEGERS
from tvmfuse.ops.winograd import NEAR, TAPS
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.nchwc.likely_size import likely_size
from tvmfuse.passes.nchwc.winograd_costs import SIZES, Layer, best_size, pays_in_integers
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule
from tvmfuse.target.machine import AVX2, Machine

#: Dimensions of weights that lie in pairs.
PAIRS: Final = 7


@dataclass(frozen=True, eq=False)
class Tiles:
    """How a convolution is computed.

    Attributes:
        m: The outputs of a tile in each direction.
        pairs: The transformed weights of a convolution of bytes, or of bfloat16.
    """

    m: int
    pairs: np.ndarray | None = None


class WinogradConv(RewriteRule[Tiles]):
    """Multiply transformed tiles of the image by transformed weights.

    Before::

        conv_blocked(x, W, b)      # 3x3, stride 1: 9 products for each output

    After::

        winograd(x, G W G^T, b)    # F(2x2, 3x3): 4; F(4x4, 3x3): 2.25
        winograd(q, 4 G W G^T)     # of bytes, F(2x2, 3x3) alone: whole, and exact
        winograd(h, G W G^T)       # of bfloat16, F(2x2, 3x3) alone: tiles transformed in float32

    Pays where the products that it saves take longer than the transforms, and than bringing its
    larger weights (1.8 and 4 times) from memory; that is reckoned for each convolution. Weights
    that are no constant are transformed at each run, which is reckoned, too. A NaN or an infinity
    spreads to the other outputs of its tiles, and the rounding error grows, to less than 8 times
    that of the convolution; of bfloat16, whose transformed tiles and weights are rounded again, to
    less than 2 times. Source: Lavin and Gray, "Fast Algorithms for Convolutional Neural
    Networks", CVPR 2016.
    """

    name = "WinogradConv"
    aliases = ("Winograd Convolution",)
    targets = CPU
    note = "a NaN or an infinity spreads to the other outputs of its tiles"

    def __init__(
        self,
        machine: Machine = AVX2,
        tiles: Mapping[Layer, int] = MappingProxyType({}),
    ) -> None:
        self._machine, self._tiles = machine, tiles

    def configured(self, machine: Machine) -> WinogradConv:
        """Return the pass that reckons with this machine's registers and caches."""
        return WinogradConv(machine, self._tiles)

    def timed(self, tiles: Mapping[Layer, int]) -> WinogradConv:
        """Return the pass that takes these sizes of tiles, and reckons for other convolutions."""
        return WinogradConv(self._machine, tiles)

    def pattern(self) -> Pattern:
        weights = wildcard()
        conv = is_op("tvmfuse.conv_blocked")(wildcard(), weights, varg_default_wildcard=True)
        return Pattern(conv, weights=weights)

    def is_candidate(self, match: Match) -> bool:
        shape, conv = shape_of(match["weights"]) or (), match.resolve(match.root)
        spatial = len(conv.attrs["strides"]) == 2 and tuple(shape[2:4]) == (TAPS, TAPS)
        return spatial and not is_depthwise(conv) and not has_epilogue(conv)

    def requires(self, match: Match) -> Conditions[Tiles]:
        conv = match.resolve(match.root)
        of_bytes = dtype_of(conv) == INTEGERS and _bytes(match) is not None
        yield of_bytes or dtype_of(conv) == "float32", "the convolution is in float32, or of bytes"
        yield rank_of(conv.args[0]) == 5, "the convolution's input comes in blocks"
        lanes = int(conv.args[0].ty.shape.values[-1])
        yield lanes == _summed(conv), "a group's channels are whole blocks"
        steps = {*conv.attrs["strides"], *conv.attrs["dilation"]}
        yield steps == {1}, "the convolution's strides and dilations are 1"
        pays = "the convolution gains more than its transforms and larger weights cost"
        if of_bytes:
            yield self._pays_in_integers(conv), pays
            whole = integer_winograd_weights(_plain(known_array(conv.args[1])))
            fits = integer_winograd_most(whole) <= np.iinfo(INTEGERS).max
            yield fits, "no sum can be more than an int32 holds"
            return Tiles(2, whole)
        stored = dtype_of(conv.args[1])
        if dtype_of(conv.args[0]) == BFLOAT16:
            return (yield from self._of_pairs(conv, pays))
        yield stored != BFLOAT16, "the weights are not of bfloat16, which holds none transformed"
        sizes = SIZES if stored == "float32" else (SIZES[0],)
        m = self._size(layer_of(conv), sizes)
        yield m is not None, pays
        assert m is not None
        finite = stored == "float32" or _are_finite(conv.args[1], m)
        yield finite, "float16 holds the transformed weights"
        return Tiles(m)

    def _size(self, layer: Layer, sizes: Sequence[int]) -> int | None:
        """Return the size of the tiles, as timing told it or as it is reckoned; None for none."""
        if layer in self._tiles:
            return self._tiles[layer] if self._tiles[layer] in sizes else None
        return best_size(layer, self._machine, sizes)

    def _of_pairs(self, conv: Expr, pays: str) -> Conditions[Tiles]:
        """Yield the conditions of products of bfloat16, by F(2x2), whose transforms only add."""
        yield len(shape_of(conv.args[1]) or ()) == PAIRS, "dot products take pairs of its weights"
        yield not self._machine.has_tiles_of(BFLOAT16), "no matrix unit multiplies them as they are"
        layer = replace(layer_of(conv), products_at_once=NEAR, weight_bytes=2)
        yield best_size(layer, self._machine, SIZES[:1]) is not None, pays
        pairs = bfloat16_winograd_weights(_plain(known_array(conv.args[1])))
        finite = numbers_of(conv.args[1]) is None or _is_finite(pairs)
        yield finite, "bfloat16 holds the transformed weights"
        return Tiles(SIZES[0], pairs)

    def _pays_in_integers(self, conv: Expr) -> bool:
        """Whether it pays with products of 16 bits, where those of bytes have no instruction."""
        near = int(conv.args[1].ty.shape.values[-1])
        stored = dtype_of(conv.args[1])
        fits = (d for d in self._machine.dot if (d.k_group, d.b) == (near, stored))
        dot, wide = next(fits, None), any(d.b == "int16" for d in self._machine.dot)
        if dot is None or dot.accumulates or not wide:
            return False
        return pays_in_integers(layer_of(conv), dot, self._machine)

    def absorbs(self, match: Match, found: Tiles) -> tuple[Var, ...]:
        x = match.resolve(match.root).args[0]
        widened = _bytes(match) is not None and op_name(match.resolve(x)) == "relax.astype"
        return (x,) if widened and isinstance(x, Var) else ()

    def is_noted(self, found: Tiles) -> bool:
        """Whether there can be a NaN: bytes have none."""
        return found.pairs is None or found.pairs.dtype == BFLOAT16

    def rewrite(self, match: Match, found: Tiles) -> Expr:
        conv = match.resolve(match.root)
        x, weights, *bias = conv.args
        padding, groups = [int(p) for p in conv.attrs["padding"]], int(conv.attrs["groups"])
        if found.pairs is not None:
            stored, pad = _bytes(match), int(conv.attrs["pad_value"])
            x = x if stored is None else stored
            transformed = constant(found.pairs)
            return winograd(x, transformed, *bias, padding=padding, groups=groups, pad_value=pad)
        if isinstance(weights, GenericConst):
            transformed = constant(winograd_weights(known_array(weights), found.m))
        else:
            transformed = filter_transform(weights, found.m)
        return winograd(x, transformed, *bias, padding=padding, groups=groups)


def _bytes(match: Match) -> Expr | None:
    """Return the bytes that are multiplied by constant weights, widened or not; None of others."""
    conv = match.resolve(match.root)
    x = conv.args[0]
    if op_name(match.resolve(x)) == "relax.astype":
        x = match.resolve(x).args[0]
    return x if dtype_of(x) == "uint8" and isinstance(conv.args[1], GenericConst) else None


def _summed(conv: Expr) -> int:
    """Return the channels of a block of the weights; those of integers have neighbours."""
    _, _, _, _, inner, _, *near = conv.args[1].ty.shape.values
    return int(inner) * math.prod(int(size) for size in near)


def _plain(weights: np.ndarray) -> np.ndarray:
    """Return weights (O / b, I / a, 3, 3, a / g, b, g) as (O / b, I / a, 3, 3, a, b)."""
    *outer, inner, block, near = weights.shape
    return weights.swapaxes(-1, -2).reshape(*outer, inner * near, block)


def _are_finite(weights: Expr, m: int) -> bool:
    """Whether no transformed weight is too large; of what follows from parameters none is known."""
    numbers = numbers_of(weights)
    return numbers is None or _is_finite(winograd_weights(numbers, m))


def _is_finite(numbers: np.ndarray) -> bool:
    return bool(np.isfinite(numbers).all())


def layer_of(conv: Expr) -> Layer:
    """Return what the costs of a convolution on blocks follow from."""
    images, blocks, *size, block = shape_of(conv) or ()
    height, width = (likely_size(extent) for extent in size)
    _, chunks, *_ = shape_of(conv.args[1]) or ()
    images = images if isinstance(images, int) else 1  # the least that can come
    computed = not isinstance(conv.args[1], GenericConst)
    groups = int(conv.attrs["groups"])
    channels = chunks * _summed(conv) * groups
    return Layer(images, height, width, channels, blocks * block, block, groups, computed)
