"""Kernels without reduction: chains of elementwise operators, broadcasts, copies, gathers."""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.cpu.pointwise import pointwise
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.loop_nests import Writer
from tvmfuse.schedules.protocol import Declined
from tvmfuse.target.machine import Machine


def elementwise(kernel: Kernel, machine: Machine) -> PrimFunc | Declined:
    """One vectorized nest for each output."""
    if any(stage.reduces for stage in kernel.stages):
        return Declined("it has a reduction")
    writer = Writer(kernel)
    return writer.function([pointwise(writer, stage, machine) for stage in kernel.stages])
