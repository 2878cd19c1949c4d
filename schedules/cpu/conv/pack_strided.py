"""Packing strided pixels: a copy of just the pixels that a 1x1 convolution with a stride reads.

    Before::  out[y, x] += image[2 * y, 2 * x] * w
    After::   pixels[y, x] = image[2 * y, 2 * x];  out[y, x] += pixels[y, x] * w

Height and width of the copy collapse, so that a register tile need not end where a line does, and
the pixels fill all sets of the caches; of those with a stride of two, every second one is idle.
"""

from __future__ import annotations

from dataclasses import replace

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import BufferLoad
from tvm_ffi import structural_equal

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.gemm.contraction_nest import column_axis
from tvmfuse.schedules.expressions import coefficient, map_loads, product, static, variables
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import Axis, Kernel, Stage, Store
from tvmfuse.target.machine import Machine
from tvmfuse.target.register_tile import cycles


def pack_strided(kernel: Kernel, machine: Machine) -> Kernel:
    """Copy the pixels that the kernel's sums of products read with a stride, where that pays."""
    for stage in kernel.stages:
        load = _strided(stage) if stage.reduces else None
        if load is not None and _pays(stage, load, machine):
            kernel = _with_packed_pixels(kernel, stage, load)
    return kernel


def _strided(stage: Stage) -> TensorLoad | None:
    """Return the operand that gives single numbers, where an index of it is a multiple of an axis.

    None where another is anything but an axis: through a window, pixels are read several times.
    """
    found, column = contraction(stage), column_axis(stage)
    if found is None or column is None:
        return None
    broadcast = [operand.load for operand in found.operands if not operand.uses(column)]
    if len(broadcast) != 1 or broadcast[0] is None:
        return None
    steps = [_step(index) for index in broadcast[0].indices]
    return broadcast[0] if None not in steps and max(filter(None, steps), default=1) > 1 else None


def _step(index: Expr) -> int | None:
    """Return n of an index ``n * axis``, 1 of a constant one; None of any other."""
    match list(variables(index)):
        case []:
            return 1
        case [Var() as axis]:
            factor = coefficient(index, axis)
            step = None if factor is None else static(factor)
            return step if step and step > 0 and structural_equal(index, axis * step) else None
    return None


def _pays(stage: Stage, load: TensorLoad, machine: Machine) -> bool:
    column = column_axis(stage)
    axes = [a for a in stage.spatial if a.var in variables(*load.indices)]
    sizes = [static(a.extent) for a in (*axes[-2:], *([column] if column else []))]
    points, copied = (
        static(product([a.extent for a in some]))
        for some in (stage.axes, (*axes, *stage.reduction))
    )
    if len(sizes) != 3 or None in sizes or points is None or copied is None:
        return False
    height, width, columns = (size or 0 for size in sizes)
    apart = height * cycles(machine, width, columns)
    return (
        points >= machine.tuning.reads_strided * columns * copied
        and cycles(machine, height * width, columns) < (1 - machine.tuning.strided_gain) * apart
    )


def _with_packed_pixels(kernel: Kernel, stage: Stage, load: TensorLoad) -> Kernel:
    axes = {axis.var: axis for axis in stage.axes}
    own = [axes[v] for index in load.indices for v in variables(index)]
    name = f"{load.source.name}_pixels"
    pixels = tirx.decl_buffer([axis.extent for axis in own], load.ty.dtype, name)
    moved = BufferLoad(pixels, [axis.var for axis in own])
    copy = Stage(
        name,
        tuple(Axis(axis.var, axis.extent) for axis in own),
        (Store(pixels, tuple(axis.var for axis in own), load),),
    )
    reader = stage.map(lambda e: map_loads(e, lambda x: moved if structural_equal(x, load) else x))
    at = kernel.stages.index(stage)
    stages = (*kernel.stages[:at], copy, reader, *kernel.stages[at + 1 :])
    return inline(replace(kernel, stages=stages, temporaries=(*kernel.temporaries, pixels)))
