"""Reductions and the elementwise stages around them: softmax, normalization, pooling, means.

The stages of a softmax all run over the same rows. One loop over the rows then computes all of
them, row by row, and what they pass on stays in the cache, in buffers of one row's size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer, BufferLoad, PrimFunc, Stmt

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.expressions import loads, map_loads, product, static
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import Kernel, Stage, Store, analyzer
from tvmfuse.schedules.loop_nests import Values, Writer
from tvmfuse.schedules.protocol import Declined
from tvmfuse.target.machine import Machine

#: With fewer rows than a small machine has cores, each stage is parallel on its own instead.
ROWS: Final = 4


def reduction(kernel: Kernel, machine: Machine) -> PrimFunc | Declined:
    """One nest over the rows that all stages share; one for each group where they share none."""
    if not any(stage.reduces for stage in kernel.stages):
        return Declined("it has no reduction")
    if any(stage.reduces and _multiplies_matrices(stage) for stage in kernel.stages):
        return Declined("it holds a product of matrices")
    writer, parts = Writer(kernel), groups(kernel)
    rows = _shared_rows(kernel) if len(parts) > 1 else 0
    if rows:
        return writer.function([_Rows(writer, kernel, rows, machine).nest()])
    return writer.function([group_nest(writer, group, machine) for group in parts])


def _multiplies_matrices(stage: Stage) -> bool:
    """Return whether elements of an operand are used again along an axis, unlike in a variance."""
    found = contraction(stage)
    return found is not None and any(
        not found.uses(operand, axis) for operand in found.operands for axis in stage.spatial
    )


def _shared_rows(kernel: Kernel) -> int:
    """Return how many leading axes are the same rows in all stages."""
    for count in range(min(len(s.spatial) for s in kernel.stages), 0, -1):
        rows = static(product([a.extent for a in kernel.stages[0].spatial[:count]]))
        enough = rows is None or rows >= ROWS
        if enough and _same_rows(kernel, count) and _stay_in_their_row(kernel, count):
            return count
    return 0


def _same_rows(kernel: Kernel, count: int) -> bool:
    first = kernel.stages[0].spatial[:count]
    known = analyzer(first)
    return all(
        known.can_prove_equal(a.extent, b.extent)
        for stage in kernel.stages
        for a, b in zip(first, stage.spatial[:count], strict=True)
    )


def _stay_in_their_row(kernel: Kernel, count: int) -> bool:
    """Return whether no stage reads a temporary outside the row that it computes itself."""
    for buffer in kernel.temporaries:
        dimensions = {_row_dimensions(i, s, count) for s, i in _accesses(kernel, buffer)}
        if len(dimensions) > 1 or None in dimensions:
            return False
    return True


def _accesses(kernel: Kernel, buffer: Buffer) -> list[tuple[Stage, Sequence[Expr]]]:
    found: list[tuple[Stage, Sequence[Expr]]] = []
    for stage in kernel.stages:
        found += [(stage, s.indices) for s in stage.stores if s.buffer.same_as(buffer)]
        read = loads(*stage.parts)
        found += [(stage, load.indices) for load in read if load.source.same_as(buffer)]
    return found


def _row_dimensions(indices: Sequence[Expr], stage: Stage, count: int) -> tuple[int, ...] | None:
    """Return the dimensions that the stage's rows index; None where one does not as it is."""
    found = []
    for axis in stage.spatial[:count]:
        at = [d for d, i in enumerate(indices) if isinstance(i, Var) and i.same_as(axis.var)]
        if len(at) != 1:
            return None
        found += at
    return tuple(found)


@dataclass(frozen=True, eq=False)
class _Rows:
    """All stages of a kernel, row by row."""

    writer: Writer
    kernel: Kernel
    count: int
    machine: Machine

    def nest(self) -> Stmt | None:
        """Return the loop over the rows."""
        stages = self.kernel.stages
        threads = worth_threads(stages, self.machine)
        return self.writer.nest(stages[0].spatial[: self.count], self._row, parallel=threads)

    def _row(self, at: Values) -> Stmt | None:
        row = [at[a.var] for a in self.kernel.stages[0].spatial[: self.count]]
        buffers = {b: self._buffer(b) for b in self.kernel.temporaries}
        stages = tuple(self._inside(stage, row, buffers) for stage in self.kernel.stages)
        inside = replace(self.kernel, stages=stages, temporaries=tuple(buffers.values()))
        return self.writer.allocate(
            tuple(buffers.values()),
            [group_nest(self.writer, g, self.machine, threads=False) for g in groups(inside)],
        )

    def _rest(self, buffer: Buffer) -> list[int]:
        """Return the dimensions of a temporary that are not the rows'."""
        stage, indices = _accesses(self.kernel, buffer)[0]
        rows = _row_dimensions(indices, stage, self.count) or ()
        return [d for d in range(len(buffer.shape)) if d not in rows]

    def _buffer(self, buffer: Buffer) -> Buffer:
        shape = [buffer.shape[d] for d in self._rest(buffer)]
        return self.writer.inside(buffer.name, buffer.dtype, shape)

    def _inside(self, stage: Stage, row: Sequence[Expr], buffers: dict[Buffer, Buffer]) -> Stage:
        """Return a stage in one row, with the row's buffers for the temporaries."""

        def load(node: TensorLoad) -> Expr:
            own = buffers.get(node.source)
            if own is None:
                return node
            return BufferLoad(own, [node.indices[d] for d in self._rest(node.source)])

        def store(s: Store) -> Store:
            own = buffers.get(s.buffer)
            if own is None:
                return s
            return replace(s, buffer=own, indices=tuple(s.indices[d] for d in self._rest(s.buffer)))

        # The stores' own elements change with their buffer.
        changed = stage.map(lambda e: map_loads(e, load))
        changed = replace(changed, stores=tuple(map(store, changed.stores)))
        values = {a.var: v for a, v in zip(stage.spatial[: self.count], row, strict=True)}
        return changed.bind(values)
