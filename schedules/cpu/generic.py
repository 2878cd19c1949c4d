"""Any kernel: group after group, each as vectorized and parallel as it can be on its own."""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.loop_nests import Writer
from tvmfuse.schedules.protocol import Declined
from tvmfuse.target.machine import Machine


def generic(kernel: Kernel, machine: Machine) -> PrimFunc | Declined:
    """One nest for each group."""
    writer = Writer(kernel)
    return writer.function([group_nest(writer, group, machine) for group in groups(kernel)])
