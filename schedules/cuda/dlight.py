"""TVM's own GPU schedules, dlight, one entry of the table for each of its rules."""

from __future__ import annotations

import math
from typing import Final

import tvm_ffi
from tvm import DataType, s_tir
from tvm.error import InternalError
from tvm.ir import Expr, TensorLoad, Var
from tvm.ir.transform import Sequential
from tvm.s_tir import SBlock, dlight
from tvm.s_tir.dlight.base import ScheduleRule
from tvm.s_tir.schedule import ScheduleError
from tvm.tirx import BufferStore, For, ForKind, IntImm, IterVar, PrimFunc

from tvmfuse.errors import first_line
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.schedules.protocol import Declined, Subject

#: TVM's own steps after a schedule, up to where each array has its place and size.
LOWERED: Final = Sequential(
    [
        s_tir.transform.CanonicalizeLoop(),
        s_tir.transform.LowerCrossThreadReduction(),
        s_tir.transform.LowerInitBlock(),
        s_tir.transform.PlanAndUpdateBufferAllocationLocation(),
        s_tir.transform.ConvertBlocksToOpaque(),
        s_tir.transform.LiftThreadBinding(),
        s_tir.transform.CompactBufferAllocation(),
    ]
)

#: What a GPU keeps apart from its memory, in arrays of known size.
NEAR: Final = ("shared", "local")


class Dlight:
    """One dlight rule; it takes a kernel or leaves it without saying why, and decides alone."""

    def __init__(self, rule: ScheduleRule) -> None:
        self._rule = rule
        self.name = f"dlight.{type(rule).__name__}"

    def plan(self, subject: Subject) -> KernelPlan | Declined:
        """Return a plan without nests, or the reason why this rule is not for it."""
        found = subject.once(self._scheduled)
        return found if isinstance(found, Declined) else KernelPlan(self.name)

    def misfit(self, subject: Subject, plan: KernelPlan) -> str | None:
        """Say that there is nothing to plan."""
        del subject
        return f"nests: expected none, found {len(plan.nests)}" if plan.nests else None

    def emit(self, subject: Subject, plan: KernelPlan) -> PrimFunc:
        """Return the function as the rule schedules it."""
        del plan
        found = subject.once(self._scheduled)
        assert not isinstance(found, Declined)
        return found

    def _scheduled(self, subject: Subject) -> PrimFunc | Declined:
        function = _without_sums_of_one_term(subject.function)
        with subject.target:
            try:
                found = self._rule.apply(function, subject.target, False)  # noqa: FBT003
            except (ScheduleError, ValueError, AssertionError, InternalError) as error:
                # Known of convolutions of one channel (apache/tvm issue 20048), and of no elements.
                said = str(error).strip().splitlines() or [type(error).__name__]
                return Declined(f"TVM's rule failed: {said[-1]}")
            if found is None:
                return Declined("TVM's rule does not match it")
            module = (found if isinstance(found, s_tir.Schedule) else found[0]).mod
            try:
                lowered = LOWERED(module)["main"]
            except (ValueError, InternalError) as error:
                # It takes what reduces two values at once, as ArgMax, and groups of channels.
                return Declined(f"TVM cannot lower what its rule made: {first_line(error)}")
        room = int(subject.target.attrs["max_shared_memory_per_block"])
        if (lacking := _lacks_room(lowered, room)) is not None:
            return Declined(lacking)
        return _without_vectors_of_bools(module["main"]).with_attr(SCHEDULED, 1)


def _without_sums_of_one_term(function: PrimFunc) -> PrimFunc:
    """Return a function in which a reduction of one element is that element, and no reduction.

    TVM's rules compute what follows such a sum in its step, and once more in what it begins with.
    """
    return function.with_body(tvm_ffi.structural_map(function.body, (SBlock, _at_once)))


def _at_once(block: SBlock) -> SBlock:
    begin, step = block.init, block.body
    if not (isinstance(begin, BufferStore) and isinstance(step, BufferStore)):
        return block
    reduced = [axis for axis in block.iter_vars if axis.iter_type == IterVar.CommReduce]
    if not all(isinstance(a.dom.extent, IntImm) and a.dom.extent.value == 1 for a in reduced):
        return block

    def begun(load: TensorLoad) -> Expr:
        return begin.value if load.source.same_as(step.buffer) else load

    value = tvm_ffi.structural_map(step.value, (TensorLoad, begun))
    return SBlock(
        [IterVar(axis.dom, axis.var, IterVar.DataPar) for axis in block.iter_vars],
        block.reads,
        block.writes,
        block.name_hint,
        BufferStore(step.buffer, value, step.indices),
        None,
        block.alloc_buffers,
        block.match_buffers,
        block.annotations,
    )


def _without_vectors_of_bools(function: PrimFunc) -> PrimFunc:
    """Return a function whose loops read bools one by one: TVM reads two of them as four bytes."""
    touched: list[Var] = []

    def load(node: TensorLoad) -> None:
        touched.append(node.source)

    def store(node: BufferStore) -> None:
        touched.append(node.buffer)

    def one_by_one(loop: For) -> For:
        if loop.kind != ForKind.VECTORIZED:
            return loop
        kind = ForKind.SERIAL
        return For(loop.loop_var, loop.min, loop.extent, kind, loop.body, None, loop.annotations)

    tvm_ffi.structural_walk(function.body, [(TensorLoad, load), (BufferStore, store)])
    if all(str(buffer.dtype) != "bool" for buffer in touched):
        return function
    return function.with_body(tvm_ffi.structural_map(function.body, (For, one_by_one)))


def _lacks_room(function: PrimFunc, room: int) -> str | None:
    """Say that a function's arrays do not fit into `room` bytes of shared memory, or that none do.

    A whole convolution is one where its sums come before an epilogue.
    """
    near: list[Var] = []

    def seen(block: SBlock) -> None:
        near.extend(b for b in block.alloc_buffers if b.scope().startswith(NEAR))

    tvm_ffi.structural_walk(function.body, (SBlock, seen))
    taken = 0
    for buffer in near:
        if not all(isinstance(size, IntImm) for size in buffer.shape):
            return f"TVM's rule keeps an array of any size in {buffer.scope()} memory"
        if buffer.scope().startswith("shared"):
            taken += math.prod(s.value for s in buffer.shape) * DataType(buffer.dtype).bits // 8
    return f"TVM's rule takes {taken} bytes of shared memory" if taken > room else None


RULES = (
    Dlight(dlight.gpu.Matmul()),
    Dlight(dlight.gpu.GEMV()),
    Dlight(dlight.gpu.Reduction()),
    Dlight(dlight.gpu.GeneralReduction()),
    Dlight(dlight.gpu.Fallback()),
)
