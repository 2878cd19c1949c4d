"""Matrix products, batched or not, and other sums of products without windows.

A tile of the output is accumulated in registers; the bias, the residual and the activation that
are fused to the product are computed on the tile before it is stored. A second operand that is
transposed is first copied.
"""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.tiled import tiled
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.protocol import Declined


def matmul(kernel: Kernel, isa: Isa) -> PrimFunc | Declined:
    """Tile the one sum of products of a kernel; the nests of its other stages stand around it."""
    heads = [contraction(s) for s in kernel.stages if s.reduces]
    if len(heads) != 1:
        return Declined(f"it has {len(heads) or 'no'} reductions, not one")
    (product,) = heads
    if product is None:
        return Declined("its reduction is no sum of products")
    if product.windows:
        return Declined("an operand is read through a window that slides")
    return tiled(kernel, isa)
