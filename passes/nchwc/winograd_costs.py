"""What a convolution by 3x3 costs, directly and by minimal filtering, in cycles of one core.

Three parts, each fitted to measurements (AVX2, Zen 3; figures in docs/machine-model.md):

- multiply-adds, on the register tile, ragged ones included;
- weights that fit no second-level cache, which arrive at a fixed rate;
- the transforms of the tiles, by the vector of channels.

Where weights are no constant, theirs is added: its multiply-adds, and its results at the same rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tvmfuse.ops.winograd import NEAR, TAPS
from tvmfuse.target.isa import DotProduct
from tvmfuse.target.machine import Machine
from tvmfuse.target.register_tile import block_cycles

BEGIN_AND_END: Final = 4
"""Steps that take as long as to begin and to end a sum, which is short where groups are small."""

SIZES: Final = (2, 4)
"""Outputs of a tile in each direction."""


@dataclass(frozen=True)
class Layer:
    """A convolution by 3x3 at stride 1.

    Attributes:
        images: The batch.
        height: Of its output.
        width: Of its output.
        channels: Of its input.
        filters: Channels of its output.
        block: Channels of a block of its output.
        groups: Of channels.
        computed: Whether its weights are transformed at each run.
        products_at_once: Of numbers of its type, in the time of a multiply-add of float32.
        weight_bytes: Of one weight.
    """

    images: int
    height: int
    width: int
    channels: int
    filters: int
    block: int
    groups: int = 1
    computed: bool = False
    products_at_once: int = 1
    weight_bytes: int = 4

    @property
    def summed(self) -> int:
        """Channels of a group of the input, which a filter sums up."""
        return self.channels // self.groups

    @property
    def products(self) -> int:
        """Pairs of an input channel and a filter that reads it."""
        return self.summed * self.filters

    def cycles(self, machine: Machine, rows: int) -> float:
        """Return the cycles of a block of products for each step of its sum."""
        side_by_side = self.groups == self.products_at_once == 1
        blocks = self.filters // self.block if side_by_side else 1
        return block_cycles(machine, rows, self.block, blocks)


def direct(layer: Layer, machine: Machine) -> float:
    """Return the cycles of the convolution as it is."""
    summed = TAPS * TAPS * layer.summed + BEGIN_AND_END
    steps = layer.images * layer.height * summed * layer.filters / layer.block
    tile = layer.cycles(machine, layer.width)
    return steps * tile / layer.products_at_once + _weights(layer, TAPS, machine)


def filtered(layer: Layer, m: int, machine: Machine) -> float:
    """Return the cycles with tiles of m x m outputs."""
    t = m + TAPS - 1
    tiles = layer.images * -(-layer.height // m) * -(-layer.width // m)
    steps = t * t * (layer.summed + BEGIN_AND_END) * layer.filters / layer.block
    vectors = (layer.channels + layer.filters) / 2 / machine.isa.float_lanes
    tuning = machine.tuning
    transform = {2: tuning.winograd_2x2_cycles, 4: tuning.winograd_4x4_cycles}[m]
    moved = transform * tiles * vectors
    weights = _weights(layer, t, machine) + layer.computed * _transform(layer, t, machine)
    tile = layer.cycles(machine, tiles)
    return steps * tile / layer.products_at_once + moved + weights


def best_size(layer: Layer, machine: Machine, sizes: Sequence[int] = SIZES) -> int | None:
    """Return the size of the tiles that takes the fewest cycles; None if none saves any."""
    m = min(sizes, key=lambda m: filtered(layer, m, machine))
    return m if filtered(layer, m, machine) < direct(layer, machine) else None


def pays_in_integers(layer: Layer, dot: DotProduct, machine: Machine) -> bool:
    """Whether integers take fewer cycles with tiles of 2 x 2 outputs, by products of 16 bits.

    Args:
        layer: The convolution.
        dot: What computes it directly.
        machine: Whose costs these are.
    """

    def computed_by(group: int, instructions: int, weight: str) -> Layer:
        bytes_of = np.dtype(weight).itemsize
        return replace(layer, products_at_once=group // instructions, weight_bytes=bytes_of)

    (_, names), *_ = dot.intrinsics
    plain = direct(computed_by(dot.k_group, len(names), dot.b), machine)
    return filtered(computed_by(NEAR, 1, "int16"), 2, machine) < plain


def _transform(layer: Layer, t: int, machine: Machine) -> float:
    numbers = t * t * layer.products
    tuning = machine.tuning
    products = TAPS * TAPS / machine.isa.float_lanes / tuning.fmas_per_cycle
    return numbers * (products + 4 / tuning.weight_bytes_per_cycle)


def _weights(layer: Layer, taps: int, machine: Machine) -> float:
    size = layer.weight_bytes * taps * taps * layer.products
    tuning = machine.tuning
    return size / tuning.weight_bytes_per_cycle if size > tuning.l2_budget else 0.0
