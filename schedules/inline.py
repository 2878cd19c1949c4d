"""Inlining: a stage that computes each element on its own is computed where it is read.

    Before::  y[i] = x[i] + 1;  z[i] = exp(y[i])
    After::   z[i] = exp(x[i] + 1)

It saves a pass over memory. It pays while no element becomes much dearer by being computed again
at each of its readers: exp before a softmax's sum and its quotient is kept, so is the padded copy
that a convolution reads nine times, and the row that is interpolated once more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import (
    branches,
    cost,
    loads,
    map_loads,
    product,
    size,
    static,
    substitute,
    variables_outside_loads,
)
from tvmfuse.schedules.kernels import Kernel, Stage, analyzer

#: Additions for each element that may be spent again to save storing and loading it: one store and
#: one load from the second-level cache take about as long.
RECOMPUTED: Final = 8

#: Nodes of an expression; chains in which each value is read twice double theirs at every step.
LARGEST: Final = 400


def inline(kernel: Kernel) -> Kernel:
    """Inline every stage that is cheaper computed again than kept, and drop those not read."""
    for buffer in kernel.temporaries:
        # The stage as it is by now: others may have been inlined into it.
        match kernel.writers(buffer):
            case [Stage(stores=(_,)) as stage]:
                readers = kernel.readers(buffer)
                if not readers or _pays(stage, readers):
                    kernel = _without(kernel, stage, readers)
    return kernel


def _pays(stage: Stage, readers: list[Stage]) -> bool:
    if stage.reduces:
        return False
    if _is_copy(stage):
        return True
    if len(loads(stage.store.value)) > 1 and any(interpolates(r, stage) for r in readers):
        return False
    value, reads = stage.store.value, [_count(reader, stage.store.buffer) for reader in readers]
    sizes = (sum(map(size, reader.parts)) for reader in readers)
    if any(n * size(value) + s > LARGEST for n, s in zip(reads, sizes, strict=True)):
        return False
    if _branches_on_place(stage) and any(reader.reduces for reader in readers):
        # A copy can be cut where it branches, a reduction cannot.
        return False
    evaluations = sum(n * _ratio(r, stage) for n, r in zip(reads, readers, strict=True))
    if evaluations <= 1:
        return True
    if any(reader.reduces for reader in readers):
        return False
    return cost(value) * (evaluations - 1) <= RECOMPUTED


def interpolates(reader: Stage, stage: Stage) -> bool:
    """Return whether a stage reads each result of another at several places, found in tables.

    It then reads each place for several of its own results.
    """
    found = [load for load in reader.loads if load.source.same_as(stage.store.buffer)]
    return len(found) > 1 and all(loads(*load.indices) for load in found)


def _is_copy(stage: Stage) -> bool:
    """Return whether a stage only gives its input another name, as padding by nothing does."""
    value = stage.store.value
    return isinstance(value, TensorLoad) and structural_equal(
        tuple(value.indices), stage.store.indices
    )


def _branches_on_place(stage: Stage) -> bool:
    axes = {a.var for a in stage.axes}
    conditions = [condition for condition, _, _ in branches(stage.store.value)]
    return bool(axes & variables_outside_loads(*conditions))


def _count(reader: Stage, buffer: Buffer) -> int:
    return sum(load.source.same_as(buffer) for load in reader.loads)


def _ratio(reader: Stage, stage: Stage) -> float:
    """Return how often the reader reads each element of the stage; infinite where unknown."""
    reading, written = (product([a.extent for a in s.axes]) for s in (reader, stage))
    known = analyzer((*reader.axes, *stage.axes))
    if known.can_prove_equal(reading, written):
        return 1.0
    many, few = static(known.simplify(reading)), static(known.simplify(written))
    return many / max(few, 1) if many is not None and few is not None else float("inf")


def inlined(kernel: Kernel, stage: Stage) -> Kernel:
    """Return a kernel that computes a stage where it is read, whether that pays or not."""
    return _without(kernel, stage, kernel.readers(stage.store.buffer))


def _without(kernel: Kernel, stage: Stage, readers: list[Stage]) -> Kernel:
    changed = {reader: _inlined(stage, reader) for reader in readers}
    left = tuple(changed.get(s, s) for s in kernel.stages if s is not stage)
    temporaries = tuple(t for t in kernel.temporaries if not t.same_as(stage.store.buffer))
    return replace(kernel, stages=left, temporaries=temporaries)


def _inlined(stage: Stage, reader: Stage) -> Stage:
    known = analyzer(reader.axes)

    def simplified(load: TensorLoad) -> Expr:
        return tirx.BufferLoad(load.source, [known.simplify(i) for i in load.indices])

    def computed(load: TensorLoad) -> Expr:
        if not load.source.same_as(stage.store.buffer):
            return load
        at: dict[Var, Expr] = {
            index: value
            for index, value in zip(stage.store.indices, load.indices, strict=True)
            if isinstance(index, Var)
        }
        return map_loads(substitute(stage.store.value, at), simplified)

    return reader.map(lambda e: map_loads(e, computed))
