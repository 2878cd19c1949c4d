"""Packing: copying an operand of a sum of products so that its vectors are contiguous.

    Before::  out[i, j] += a[i, k] * b[j, k]
    After::   packed[k, j] = b[j, k];  out[i, j] += a[i, k] * packed[k, j]

and, for a convolution of stride 2, the columns of each parity side by side::

    Before::  out[y] += x[2 * y + r] * w[r]
    After::   packed[p, q] = x[2 * q + p];  out[y] += packed[r % 2, y + r // 2] * w[r]

A vector gathered from separate places takes as many loads as it has lanes; a copy takes them once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer
from tvm_ffi import structural_equal

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.gemm.contraction_nest import column_axis
from tvmfuse.schedules.cpu.gemm.dot_product import dot_product
from tvmfuse.schedules.expressions import (
    coefficient,
    flat,
    map_loads,
    product,
    static,
    variables,
)
from tvmfuse.schedules.kernels import Axis, Kernel, Stage, Store, analyzer
from tvmfuse.target.core import Tuning
from tvmfuse.target.machine import Machine


def pack(kernel: Kernel, machine: Machine) -> Kernel:
    """Pack the operands that the kernel's sums of products would gather; the same if there is none.

    Dot products gather none: what they add up lies side by side.

    What is packed may be inlined into its copy now, which is left to the caller.
    """
    for stage in kernel.stages:
        if stage.reduces and contraction(stage):
            kernel = _packed(kernel, stage, machine)
    return kernel


def _packed(kernel: Kernel, stage: Stage, machine: Machine) -> Kernel:
    column = column_axis(stage)
    if column is not None and dot_product(stage, column, machine):
        return kernel
    copies: list[_Copy] = []
    for load in stage.loads if column else []:
        assert column is not None
        copy = _copy(load, column, stage, machine.tuning)
        made_here = load.source in kernel.temporaries
        pays = copy and (made_here or _reuse(stage, load) >= copy.worth)
        if copy and pays and not any(structural_equal(c.load, load) for c in copies):
            copies.append(copy)
    if not copies:
        return kernel

    def change(load: TensorLoad) -> Expr:
        return next((c.packed_load for c in copies if structural_equal(c.load, load)), load)

    changed = stage.map(lambda e: map_loads(e, change))
    before = tuple(s for copy in copies for s in copy.stages)
    at = kernel.stages.index(stage)
    return replace(
        kernel,
        stages=(*kernel.stages[:at], *before, changed, *kernel.stages[at + 1 :]),
        temporaries=(*kernel.temporaries, *(c.packed for c in copies)),
    )


def _reuse(stage: Stage, load: TensorLoad) -> float:
    """Return how often an element of the operand is read; infinite where that is not known."""
    known = analyzer(stage.axes)
    points = static(known.simplify(product([a.extent for a in stage.axes])))
    elements = static(known.simplify(product(load.source.shape)))
    return float("inf") if points is None or elements is None else points / max(elements, 1)


@dataclass(frozen=True, eq=False)
class _Copy:
    """A packed operand.

    Attributes:
        load: Of the operand as it is.
        packed: The new buffer.
        packed_load: What is read instead.
        stages: What fills the buffer, one for each phase of the stride.
        worth: How often each element must be read for the copy to pay.
    """

    load: TensorLoad
    packed: Buffer
    packed_load: TensorLoad
    stages: tuple[Stage, ...]
    worth: float


def _copy(load: TensorLoad, column: Axis, stage: Stage, tuning: Tuning) -> _Copy | None:
    """Return a copy in which the columns are the last dimension; None where they need none.

    None, too, where they move in no dimension, in several, or backwards.
    """
    source, known = load.source, analyzer(stage.axes)
    step = coefficient(known.simplify(flat(source.shape, load.indices)), column.var)
    moving = [d for d, i in enumerate(load.indices) if column.var in variables(i)]
    contiguous = step is not None and static(step) in (0, 1)
    if contiguous or len(moving) != 1:
        return None
    (d,) = moving
    factor = coefficient(load.indices[d], column.var)
    stride = None if factor is None else static(factor)
    if not stride or stride < 0:
        return None
    rest = known.simplify(load.indices[d] - column.var * stride)
    bound = known.const_int_bound(rest)
    if stride > 1 and bound.min_value < 0:
        return None
    phases = min(stride, bound.max_value + 1) if stride > 1 else 1
    others = [i for i in range(len(source.shape)) if i != d]
    length = tirx.floordiv(source.shape[d] + (stride - 1), stride)
    shape = [*(source.shape[i] for i in others), phases, known.simplify(length)]
    packed = tirx.decl_buffer(shape, source.dtype, f"{source.name}_packed")
    indices = [*(load.indices[i] for i in others)]
    phase = known.simplify(tirx.floormod(rest, stride))
    place = known.simplify(column.var + tirx.floordiv(rest, stride))
    return _Copy(
        load,
        packed,
        tirx.BufferLoad(packed, [*indices, phase, place]),
        tuple(_phase(source, packed, d, stride, p) for p in range(phases)),
        tuning.reads_transposed if stride == 1 else tuning.reads_apart,
    )


def _phase(source: Buffer, packed: Buffer, d: int, stride: int, phase: int) -> Stage:
    """Return the stage that copies every `stride`-th element of dimension `d`, from `phase` on."""
    dtype = packed.shape[-1].ty.dtype
    axes: list[Axis] = []
    for extent in (*packed.shape[:-2], packed.shape[-1]):
        axes.append(Axis(Var(f"{source.name}_{len(axes)}", dtype), extent))
    *others, last = (a.var if static(a.extent) != 1 else tirx.const(0, dtype) for a in axes)
    place = last * stride + phase
    value: Expr = tirx.BufferLoad(source, [*others[:d], place, *others[d:]])
    if stride > 1:
        inside = place < source.shape[d]
        value = tirx.if_then_else(inside, value, tirx.const(0, source.dtype))
    store = Store(packed, (*others, tirx.const(phase, dtype), last), value)
    left = tuple(a for a in axes if static(a.extent) != 1)
    return Stage(f"{packed.name}_{phase}", left, (store,))
