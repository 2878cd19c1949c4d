"""Bytes that are looked up in a table of 256, a vector of them at once.

TVM gathers what is read at places of a vector byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from tvm import tirx
from tvm.ir import Expr, StringImm, TensorLoad
from tvm.tirx import AttrStmt, Buffer, BufferLoad, Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.cpu.byte_tables import FUNCTION, function_of
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, axis_names, order_misfit
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, contiguous, overlapping
from tvmfuse.schedules.cpu.work import Work, prepared, scope_of
from tvmfuse.schedules.expressions import loads, number, static
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import PointwisePlan
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.target.isa import ByteLookup

ENTRIES: Final = 256
BYTES: Final = ("uint8", "int8")


def lookup(subject: Subject) -> Work | Declined:
    """Return the nest of a kernel that looks bytes up and does nothing else."""
    found = prepared(subject)
    if isinstance(found, Declined):
        return found
    if len(found.kernel.stages) != 1 or not (parts := _parts(found.kernel.stages[0])):
        return Declined("it does not only look bytes up in a table of 256")
    if not subject.machine.lookups:
        return Declined("the machine looks no vectors of bytes up")
    entry, place = parts
    (stage,) = found.kernel.stages
    (copy,) = collapse([replace(stage, stores=(replace(stage.store, value=place),))])
    if len(copy.axes) != 1 or not contiguous(copy, copy.axes[0]):
        return Declined("the bytes do not lie in one piece, as their results do")
    nest = LookupNest(copy, entry.source, subject.machine.lookups[0], scope_of(subject))
    return Work(found.kernel, (nest,), found.steps)


def _parts(stage: Stage) -> tuple[TensorLoad, TensorLoad] | None:
    """Return what a stage reads of a table, and the byte that says where; None of other stages."""
    entry = stage.store.value
    if stage.reduces or not isinstance(entry, TensorLoad) or not _is_table(entry.source):
        return None
    (place,) = entry.indices
    while isinstance(place, tirx.Cast) and str(place.value.ty.dtype) in (*BYTES, "int32"):
        place = place.value
    is_byte = isinstance(place, TensorLoad) and str(place.ty.dtype) in BYTES
    return (entry, place) if is_byte and not loads(*place.indices) else None


def _is_table(buffer: Buffer) -> bool:
    is_whole = len(buffer.shape) == 1 and static(buffer.shape[0]) == ENTRIES
    return is_whole and str(buffer.dtype) in BYTES


@dataclass(frozen=True, eq=False)
class LookupNest(Nest[PointwisePlan]):
    """Bytes in one piece, each of them looked up.

    Attributes:
        stage: Copies the bytes; it has one axis.
        table: Their results, by their bits.
        instruction: What looks a vector of them up in a part of the table.
        scope: The machine and the steps.
    """

    plan_type = PointwisePlan

    stage: Stage
    table: Buffer
    instruction: ByteLookup
    scope: Scope

    def plan(self, *, parallel: bool = True) -> PointwisePlan:
        pays = should_parallelize([self.stage], self.scope.machine, vectorized=True)
        order = tuple(axis_names(self.stage.axes).values())
        lanes = self.instruction.lanes
        return PointwisePlan(lanes=lanes, order=order, parallel=parallel and pays)

    def misfits(self, plan: PointwisePlan) -> Iterator[Misfit]:
        yield from order_misfit(plan.order, self.stage.axes)
        if plan.lanes != self.instruction.lanes:
            yield Misfit("lanes", f"{self.instruction.lanes}", plan.lanes)

    def emit(self, builder: LoopNestBuilder, plan: PointwisePlan) -> Stmt | None:
        (axis,), store = self.stage.axes, self.stage.store

        def loop(part: Segment) -> Stmt | None:
            def vector(at: Values) -> Stmt:
                at = {axis.var: part.start(at[axis.var])}
                if part.width == 1:
                    return builder.store(
                        store.buffer, store.indices, builder.value(self._entry, at), at
                    )
                places = builder.vector(store.value, part.width, at)
                first = builder.value(BufferLoad(self.table, [number(0)]), at)
                results = tirx.call_extern(
                    f"{self.table.dtype}x{part.width}", FUNCTION, places, tirx.address_of(first)
                )
                return builder.store_vector(store.buffer, store.indices, results, part.width, at)

            return builder.nest([Axis(axis.var, part.count)], vector, parallel=plan.parallel)

        loops = sequence([loop(part) for part in _segments(axis.extent, plan.lanes)])
        text = StringImm(function_of(self.instruction))
        return loops and AttrStmt(number(0), "pragma_import_llvm", text, loops)

    @property
    def _entry(self) -> Expr:
        """What is looked up of one byte."""
        bits = self.stage.store.value.astype("uint8").astype("int64")
        return BufferLoad(self.table, [bits])


def _segments(extent: Expr, lanes: int) -> tuple[Segment, ...]:
    """Cut an axis into vectors, of which the last may overlap, or into elements if it has fewer."""
    size = static(extent)
    if size is None or size < lanes:
        return overlapping(extent, lanes, lanes)
    zero, count = tirx.const(0, extent.ty.dtype), tirx.const(-(-size // lanes), extent.ty.dtype)
    return (Segment(zero, count, lanes, extent - lanes if size % lanes else None),)
