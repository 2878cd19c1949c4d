"""A plain convolution as the layer whose costs are reckoned."""

from __future__ import annotations

from tvm.ir import Call

from tvmfuse.ir.types import known_array, shape_of
from tvmfuse.ops.winograd import TAPS
from tvmfuse.passes.nchwc.arrays import block_of
from tvmfuse.passes.nchwc.likely_size import likely_size
from tvmfuse.passes.nchwc.winograd_costs import Layer
from tvmfuse.target.machine import Machine


def layer_of(conv: Call, machine: Machine) -> Layer | None:
    """Return a `tvmfuse.conv` with constant weights and one group as such a layer.

    None where minimal filtering is not for it: it is not by 3x3, has strides, or fills no blocks.
    """
    filters, channels, *window = known_array(conv.args[1]).shape
    block = block_of(filters, machine.tuning.channel_blocks)
    steps = {*conv.attrs["strides"], *conv.attrs["dilation"]}
    if window != [TAPS, TAPS] or steps != {1} or block is None:
        return None
    images, _, *size = shape_of(conv) or ()
    height, width = map(likely_size, size)
    images = images if isinstance(images, int) else 1  # the least that can come
    return Layer(images, height, width, channels, filters, block)
