"""Matrix products, batched or not, and other sums of products without windows.

A tile of the output is accumulated in registers; the bias, the residual and the activation that
are fused to the product are computed on the tile before it is stored. A second operand that is
transposed is copied first.
"""

from __future__ import annotations

from tvmfuse.schedules.cpu.gemm.contraction_schedule import contraction_schedule
from tvmfuse.schedules.cpu.work import Work
from tvmfuse.schedules.protocol import Declined, Subject


def matmul(subject: Subject) -> Work | Declined:
    """Tile a matrix product."""
    return contraction_schedule(subject, window=False)
