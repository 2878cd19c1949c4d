"""The schedules, by kind of target, in the order in which they are tried.

The last of each kind takes every kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmfuse.schedules.as_written import AsWritten
from tvmfuse.schedules.cpu.attention.attention import attention
from tvmfuse.schedules.cpu.conv.conv import conv
from tvmfuse.schedules.cpu.elementwise import elementwise
from tvmfuse.schedules.cpu.gemm.block_dots import block_dots
from tvmfuse.schedules.cpu.gemm.matmul import matmul
from tvmfuse.schedules.cpu.gemm.matvec import matvec
from tvmfuse.schedules.cpu.generic import generic
from tvmfuse.schedules.cpu.lookup import lookup
from tvmfuse.schedules.cpu.reduction import reduction
from tvmfuse.schedules.cpu.repeating import repeating
from tvmfuse.schedules.cpu.winograd.winograd import winograd
from tvmfuse.schedules.cpu.work import NestSchedule
from tvmfuse.schedules.cuda import dlight
from tvmfuse.schedules.cuda.written_loops import WrittenLoops
from tvmfuse.schedules.protocol import Schedule

CATALOGUE: Final[Mapping[str, tuple[Schedule, ...]]] = {
    "llvm": (
        NestSchedule("winograd", winograd),
        NestSchedule("attention", attention),
        NestSchedule("block_dots", block_dots),
        NestSchedule("lookup", lookup),
        NestSchedule("elementwise", elementwise),
        NestSchedule("conv", conv),
        NestSchedule("matmul", matmul),
        NestSchedule("matvec", matvec),
        NestSchedule("reduction", reduction),
        NestSchedule("generic", generic),
        NestSchedule("repeating", repeating),
        AsWritten(),
    ),
    "cuda": (*dlight.RULES, WrittenLoops()),
}
