"""Kernels around one sum of products."""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.pack import pack
from tvmfuse.schedules.cpu.products import plan
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.nests import Writer
from tvmfuse.schedules.protocol import Declined


def tiled(kernel: Kernel, isa: Isa) -> PrimFunc | Declined:
    """Pack what the sum of products would gather, and write its tiles."""
    kernel = pack(kernel)
    parts = groups(kernel)
    for group in parts:
        if group.head.reduces:
            planned = plan(group, isa)
            if isinstance(planned, str):
                return Declined(planned)
    writer = Writer(kernel)
    return writer.function([group_nest(writer, group, isa) for group in parts])
