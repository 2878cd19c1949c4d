"""The gradient of the input of a strided convolution: a convolution for each phase of the image.

Pixels a stride apart, of one phase, are reached by the same taps, which no other phase has. With
the taps in the other order they are a convolution of stride 1 of the gradient. For 4 images of 64 x
56 x 56, 128 results and taps of 3 x 3 that takes 0.3 of the time of `conv_transpose`, for 256 x 14
x 14 0.66 (Zen 4): its phases are all summed over as many taps, and read weights that no kernel
packs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.symbols import Dim, Symbols
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import dtype_of, shape_of
from tvmfuse.ops import conv

MOST: Final = 8
"""Phases; of more, each a kernel, `conv_transpose` computes all in one."""


@dataclass(frozen=True)
class Phase:
    """Pixels a stride apart along one axis, and the taps that reach them.

    Attributes:
        first: The first of these taps.
        taps: How many there are.
        between: From one of them to the next.
        apart: How far apart they read the gradient.
        before: Zeros before the gradient; of a negative number so much is cut off.
        behind: Zeros behind it likewise.
    """

    first: int
    taps: int
    between: int
    apart: int
    before: int
    behind: int


@dataclass(frozen=True)
class Axis:
    """A convolution along one axis of its image.

    Attributes:
        size: Of the image, a number or symbolic, as is the next one.
        results: How many there are.
        kernel: Taps.
        stride: Pixels from a result to the next one.
        dilation: Pixels from a tap to the next one.
        pad: Zeros before the image.
    """

    size: Dim
    results: Dim
    kernel: int
    stride: int
    dilation: int
    pad: int

    @property
    def count(self) -> int:
        """How many phases have pixels; of an image of a symbolic size all are taken to have."""
        return min(self.stride, self.size) if isinstance(self.size, int) else self.stride

    @property
    def more(self) -> int:
        """How many more pixels each phase has than there are results.

        Of a symbolic size as many as it may be: an image has at most ``results * stride + dilation
        * (kernel - 1) - 2 * pad`` pixels.
        """
        if isinstance(self.size, int) and isinstance(self.results, int):
            return -(-self.size // self.stride) - self.results
        return -((2 * self.pad - self.dilation * (self.kernel - 1)) // self.stride)

    @property
    def places(self) -> Dim:
        """Pixels of each phase, the last ones of which may lie behind the image."""
        return self.results + self.more

    @property
    def behind_results(self) -> int:
        """Pixels behind those that the last result reads; of a symbolic size the most there are."""
        reached = self.dilation * (self.kernel - 1) + 1 - 2 * self.pad
        if isinstance(self.size, int) and isinstance(self.results, int):
            return self.size - ((self.results - 1) * self.stride + reached)
        return self.stride - 1

    def phases(self) -> list[Phase | None]:
        """Return the phases, in the order of their first pixels; None for one without taps.

        A pixel ``p`` and a tap ``k`` meet in the result ``(p + pad - dilation * k) / stride``.
        """
        return [self._phase(pixel + self.pad) for pixel in range(self.count)]

    def _phase(self, at: int) -> Phase | None:
        reach = [k for k in range(self.kernel) if (at - self.dilation * k) % self.stride == 0]
        if not reach:
            return None
        common = math.gcd(self.stride, self.dilation)
        # The result that the last tap, which is the first one now, reads for the first pixel.
        first_read = (at - self.dilation * reach[-1]) // self.stride
        span = (len(reach) - 1) * (self.dilation // common)
        behind = first_read + span + self.more
        return Phase(
            reach[0], len(reach), self.stride // common, self.dilation // common, -first_read,
            behind,
        )  # fmt: skip


def has_few_phases(strides: Sequence[int]) -> bool:
    """Whether convolutions are strided, and their images have few phases."""
    return 1 < math.prod(strides) <= MOST


def by_phases(
    node: TorchOperation, gradient: Expr, weight: Expr, axes: Sequence[Axis], groups: int
) -> Expr:
    """Return the gradient of an image.

    Args:
        node: Whose converter asks.
        gradient: Of the results, of shape (N, O, results...).
        weight: Of shape (O, C / groups, taps...).
        axes: Of the image.
        groups: Divides O and C.
    """
    batch = (shape_of(gradient) or [])[0]
    channels = int((shape_of(weight) or [])[1]) * groups
    apart = [place for axis in axes for place in (axis.places, 1)]
    found: list[Expr] = []
    for phases in itertools.product(*(axis.phases() for axis in axes)):
        present = [phase for phase in phases if phase is not None]
        if len(present) == len(axes):
            image = _convolved(node, gradient, weight, present, groups)
        else:
            sizes = [batch, channels, *(axis.places for axis in axes)]
            image = node.filled(sizes, 0.0, dtype_of(gradient))
        found.append(node.reshaped(image, [batch, channels, *apart]))
    for place in reversed(range(len(axes))):
        count = axes[place].count
        if count == 1:
            continue
        found = [
            node.emit(relax.op.concat(found[start : start + count], 3 + 2 * place))
            for start in range(0, len(found), count)
        ]
    wide = [axis.places * axis.count for axis in axes]
    return cut(node, node.reshaped(found[0], [batch, channels, *wide]), [a.size for a in axes])


def _convolved(
    node: TorchOperation, gradient: Expr, weight: Expr, phases: Sequence[Phase], groups: int
) -> Expr:
    """Return the pixels of one phase of each axis."""
    ends_cut = [(max(-phase.before, 0), max(-phase.behind, 0)) for phase in phases]
    if any(map(any, ends_cut)):
        sizes = list(shape_of(gradient) or ())[2:]
        ends = [size - end for size, (_, end) in zip(sizes, ends_cut, strict=True)]
        gradient = _sliced(node, gradient, [begin for begin, _ in ends_cut], ends)
    turned = _turned(node, _taps(node, weight, phases), groups)
    pads = [*(max(p.before, 0) for p in phases), *(max(p.behind, 0) for p in phases)]
    return node.emit(
        conv(
            gradient, turned, strides=[1] * len(phases), padding=pads,
            dilation=[phase.apart for phase in phases], groups=groups,
        )
    )  # fmt: skip


def _taps(node: TorchOperation, weight: Expr, phases: Sequence[Phase]) -> Expr:
    """Return the taps of a phase, the last one first."""
    spatial = range(2, 2 + len(phases))
    begins = [phase.first for phase in phases]
    ends = [phase.first + (phase.taps - 1) * phase.between + 1 for phase in phases]
    steps = [phase.between for phase in phases]
    taken = node.emit(relax.op.strided_slice(weight, list(spatial), begins, ends, steps))
    for axis, phase in zip(spatial, phases, strict=True):
        taken = node.emit(relax.op.flip(taken, axis)) if phase.taps > 1 else taken
    return taken


def _turned(node: TorchOperation, weight: Expr, groups: int) -> Expr:
    """Return (O, C / groups, taps...) as (C, O / groups, taps...)."""
    outs, ins, *taps = [int(size) for size in shape_of(weight) or []]
    parted = node.reshaped(weight, [groups, outs // groups, ins, *taps])
    order = [0, 2, 1, *range(3, 3 + len(taps))]
    turned = node.emit(relax.op.permute_dims(parted, order))
    return node.reshaped(turned, [groups * ins, outs // groups, *taps])


def cut(node: TorchOperation, image: Expr, sizes: Sequence[Dim]) -> Expr:
    """Return the first pixels along each axis, `sizes` of them."""
    if all(map(Symbols.evident, sizes, (shape_of(image) or [])[2:])):
        return image
    return _sliced(node, image, [0] * len(sizes), sizes)


def _sliced(node: TorchOperation, image: Expr, begins: Sequence[Dim], ends: Sequence[Dim]) -> Expr:
    axes = list(range(2, 2 + len(begins)))
    return node.emit(
        relax.op.strided_slice(image, axes, list(begins), list(ends), assume_inbound=True)
    )
