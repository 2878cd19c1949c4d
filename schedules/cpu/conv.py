"""Direct convolutions of one to three dimensions, grouped and depthwise ones too.

In N C H W the vectors lie along the width, and the rows of the register tile are output channels,
which share each vector of the input; a depthwise convolution's are rows of the image, which share
each weight. The padded input is a copy; with a stride, the copy holds the columns of each phase
side by side.
"""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.tiled import tiled
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.protocol import Declined


def conv(kernel: Kernel, isa: Isa) -> PrimFunc | Declined:
    """Tile the one convolution of a kernel; the nests of its other stages stand around it."""
    heads = [contraction(s) for s in kernel.stages if s.reduces]
    if len(heads) != 1:
        return Declined(f"it has {len(heads) or 'no'} reductions, not one")
    (product,) = heads
    if product is None:
        return Declined("its reduction is no sum of products")
    if not product.windows:
        return Declined("no operand is read through a window that slides")
    return tiled(kernel, isa)
