"""Matrix products, batched or not, and other sums of products without windows.

A tile of the output is accumulated in registers; the bias, the residual and the activation that
are fused to the product are computed on the tile before it is stored. A second operand that is
transposed is copied first.
"""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.cpu.gemm.contraction_schedule import one_product
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.protocol import Declined
from tvmfuse.target.machine import Machine


def matmul(kernel: Kernel, machine: Machine) -> PrimFunc | Declined:
    """Tile a matrix product."""
    return one_product(kernel, machine, window=False)
