"""Kernels around one sum of products: what matrix products and convolutions have in common."""

from __future__ import annotations

from tvm.tirx import PrimFunc
from tvm_ffi import structural_equal

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.conv.fused_padding import strips
from tvmfuse.schedules.cpu.conv.pack_strided import compact
from tvmfuse.schedules.cpu.gemm.contraction_plan import plan
from tvmfuse.schedules.cpu.gemm.pack import pack
from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.loop_nests import Writer
from tvmfuse.schedules.protocol import Declined
from tvmfuse.target.machine import Machine


def one_product(kernel: Kernel, machine: Machine, *, window: bool) -> PrimFunc | Declined:
    """Tile the one sum of products of a kernel; the nests of its other stages stand around it.

    What its vectors would have to gather is packed before, as are pixels that lie apart.

    Args:
        kernel: To schedule.
        machine: The vectors and registers.
        window: Whether an operand has to be, or must not be, read through a window that slides.
    """
    reductions = [stage for stage in kernel.stages if stage.reduces]
    if len(reductions) != 1:
        return Declined(f"it has {len(reductions) or 'no'} reductions, not one")
    product = contraction(reductions[0])
    if product is None:
        return Declined("its reduction is no sum of products")
    if structural_equal(*product.operands):
        return Declined("its reduction is a sum of squares")
    if window != bool(product.windows):
        found = "an" if product.windows else "no"
        return Declined(f"{found} operand is read through a window that slides")
    parts = groups(packed := compact(pack(kernel), machine))
    for group in parts:
        planned = plan(group, machine) if group.head.reduces else None
        if isinstance(planned, str):
            return Declined(planned)
    writer = Writer(packed)
    if nest := strips(writer, packed, parts, machine):
        return writer.function([nest])
    return writer.function([group_nest(writer, group, machine) for group in parts])
