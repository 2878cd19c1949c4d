"""Direct convolutions of one to three dimensions, grouped and depthwise ones too.

In N C H W the vectors lie along the width, and the rows of the register tile are output channels,
which share each vector of the input; a depthwise convolution's are rows of the image, which share
each weight. The padded input is a copy; with a stride, the copy holds the columns of each phase
side by side. A depthwise convolution of small windows reads padding under a mask instead. A 1x1
convolution has no window: it is a matrix product.
"""

from __future__ import annotations

from tvmfuse.schedules.cpu.gemm.contraction_schedule import contraction_schedule
from tvmfuse.schedules.cpu.work import Work
from tvmfuse.schedules.protocol import Declined, Subject


def conv(subject: Subject) -> Work | Declined:
    """Tile a convolution."""
    return contraction_schedule(subject, window=True)
