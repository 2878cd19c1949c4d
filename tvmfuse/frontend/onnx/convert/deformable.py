"""DeformConv: a convolution whose taps lie where another tensor says."""

from __future__ import annotations

from dataclasses import dataclass

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape, require_static_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.types import dtype_of


@dataclass(frozen=True)
class _Window:
    """The windows along one axis of an image.

    Attributes:
        size: Pixels of the image.
        taps: Of a window.
        stride: Pixels from a window to the next one.
        dilation: Pixels from a tap to the next one.
        begin: Pixels of padding before the image.
        end: The same behind it.
    """

    size: Dim
    taps: int
    stride: int
    dilation: int
    begin: int
    end: int

    @property
    def count(self) -> Dim:
        """How many windows there are."""
        padded = self.size + self.begin + self.end
        return (padded - self.dilation * (self.taps - 1) - 1) // self.stride + 1


def deform_conv(op: Operation) -> Expr:
    """Convert DeformConv: taps are sampled, then multiplied by the filters."""
    x, filters = Numbers(op, op.tensor(0)), Numbers(op, op.tensor(1))
    op.require(require_rank(x.expr) == 4, "it is not of two spatial axes")
    batch, *sizes = require_shape(x.expr)[:1] + require_shape(x.expr)[2:]
    [channels] = require_static_shape(x.expr, "its channels", [1])
    made, of_group, *kernel = require_static_shape(filters.expr, "its filters")
    groups, moved = op.integer("group", 1), op.integer("offset_group", 1)
    op.require(
        of_group * groups == channels and made % groups == 0 and channels % moved == 0,
        f"{channels} channels, {made} filters of {of_group}, {groups} groups and {moved} groups of "
        "offsets do not go together",
    )
    windows = _windows(op, sizes, kernel)
    taps, counts = kernel[0] * kernel[1], [op.symbols.simplify(w.count) for w in windows]
    offset = agree(op, op.tensor(2), [batch, moved * taps * 2, *counts])
    samples = _sampled(x, Numbers(op, offset), windows, moved, counts)
    if op.has(4):
        mask = Numbers(op, agree(op, op.tensor(4), [batch, moved * taps, *counts]))
        samples = samples * mask.reshaped([batch, moved, 1, taps, *counts])
    columns = samples.reshaped([batch, groups, of_group * taps, op.symbols.product(counts)])
    rows = filters.reshaped([groups, made // groups, of_group * taps])
    result = rows.times(columns).reshaped([batch, made, *counts])
    if op.has(3):
        bias = Numbers(op, agree(op, op.tensor(3), [made]))
        result = result + bias.expanded(1, 2)
    return result.expr


def _windows(op: Operation, sizes: list[Dim], kernel: list[int]) -> list[_Window]:
    strides = op.integers("strides") or [1, 1]
    dilations = op.integers("dilations") or [1, 1]
    pads = op.integers("pads") or [0] * 4
    axes = zip(sizes, kernel, strides, dilations, pads[:2], pads[2:], strict=True)
    return [_Window(*axis) for axis in axes]


def _sampled(
    x: Numbers, offset: Numbers, windows: list[_Window], moved: int, counts: list[Dim]
) -> Numbers:
    """Return what the taps read: four pixels each, by their shares; nothing outside of the image.

    Args:
        x: Shape (batch, channels, height, width).
        offset: How far each tap lies from its place: (batch, groups of offsets x taps x 2, counts).
        windows: Along both axes.
        moved: Groups of offsets.
        counts: Windows along both axes.

    Returns:
        Shape (batch, groups of offsets, channels of a group, taps, counts).
    """
    op, dtype = x.op, dtype_of(x.expr)
    batch, channels, height, width = require_shape(x.expr)
    taps = [w.taps for w in windows]
    apart = offset.reshaped([batch, moved, *taps, 2, *counts])
    positions = []
    for axis, window in enumerate(windows):
        part = relax.op.strided_slice(apart.expr, [4], [axis], [axis + 1])
        own = Numbers(op, part).reshaped([batch, moved, *taps, *counts])
        tap = counting(op, window.taps).beside(6, 2 + axis) * window.dilation
        first = counting(op, counts[axis]).beside(6, 4 + axis) * window.stride - window.begin
        positions.append(own + (tap + first).astype(dtype))
    rows = op.symbols.product([batch, moved])
    pixels = x.reshaped([rows, channels // moved, op.symbols.product([height, width])])
    pixels = pixels.transposed([0, 2, 1])
    total = None
    for corner in ((0, 0), (0, 1), (1, 0), (1, 1)):
        places, share = _corner(positions, corner, [height, width])
        flat = places.reshaped([rows, op.symbols.product([*taps, *counts]), 1])
        read = Numbers(op, relax.op.gather_nd(pixels.expr, flat.expr, 1)).transposed([0, 2, 1])
        read = read.reshaped([batch, moved, channels // moved, taps[0] * taps[1], *counts])
        shares = share.reshaped([batch, moved, 1, taps[0] * taps[1], *counts])
        part = (shares > 0).where(read * shares, 0)
        total = part if total is None else total + part
    assert total is not None
    return total


def _corner(
    positions: list[Numbers], corner: tuple[int, int], sizes: list[Dim]
) -> tuple[Numbers, Numbers]:
    """Return the pixels at one corner of the positions, as indices, and their shares."""
    index = share = None
    for position, step, size in zip(positions, corner, sizes, strict=True):
        op, low = position.op, position.floor()
        count = sizes_of(op, [size]).astype(dtype_of(position.expr))
        near = position - low
        place = low + step
        there = (place >= 0) & (place < count)
        weight = there.where(near if step else -near + 1, 0)
        inside = place.at_least(0).at_most(count - 1)
        at = (there).where(inside, 0).astype(INT64)
        index = at if index is None else index * sizes_of(op, [size]) + at
        share = weight if share is None else share * weight
    assert index is not None
    assert share is not None
    return index, share
