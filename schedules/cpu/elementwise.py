"""Kernels without reduction: chains of elementwise operators, broadcasts, copies, gathers."""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.pointwise import pointwise
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.nests import Writer
from tvmfuse.schedules.protocol import Declined


def elementwise(kernel: Kernel, isa: Isa) -> PrimFunc | Declined:
    """One vectorized nest for each output."""
    if any(stage.reduces for stage in kernel.stages):
        return Declined("it has a reduction")
    writer = Writer(kernel)
    return writer.function([pointwise(writer, stage, isa) for stage in kernel.stages])
