"""Kernels that no rule of TVM's reads: GPU threads for the loops that say they are parallel.

Scans, sorts and searches are written as loops, of which the outermost may be parallel, and cells
that recur as nests of blocks in a loop over steps::

    for v in T.parallel(rows): ...      # a thread for each row
    total = ...                         # one thread
    for t in range(steps):              # the CPU's
        for i, j, k in T.grid(...):     # a thread for each i and j, which are spatial axes
            with T.sblock("sums"): ...

Each is a launch of its own, in order, and so is what stands between two of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, Range, TensorLoad, Var
from tvm.s_tir import SBlock, SBlockRealize
from tvm.tirx import (
    AllocBuffer,
    AttrStmt,
    For,
    ForKind,
    IfThenElse,
    IterVar,
    PrimFunc,
    SeqStmt,
    Stmt,
)

from tvmfuse.ir.blocks import with_body
from tvmfuse.schedules.as_written import AsWritten
from tvmfuse.schedules.expressions import substitute
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.schedules.protocol import Subject

#: Threads of a block; each does much, so that many blocks matter more than full ones.
THREADS: Final = 32


class WrittenLoops(AsWritten):
    """The last of the table: it takes all kernels."""

    name = "written_loops"

    def emit(self, subject: Subject, plan: KernelPlan) -> PrimFunc:
        """Return the function with threads."""
        del plan
        function = subject.function
        return function.with_body(_in_threads(function.body)).with_attr(SCHEDULED, 1)


def _in_threads(body: Stmt) -> Stmt:
    if isinstance(body, AttrStmt):  # A pragma for the CPU.
        return _in_threads(body.body)
    if isinstance(body, SBlockRealize) and not body.block.iter_vars:
        inner = _in_threads(body.block.body)
        return SBlockRealize(body.iter_values, body.predicate, with_body(body.block, inner))
    regions: list[list[Stmt]] = []
    for alone, group in groupby(_statements(body), _is_launch):
        among = [*group]
        regions += [[statement] for statement in among] if alone else [among]
    if _share_memory(regions):
        return _one_thread(_statements(body))
    return _sequence([_launch(r[0]) if _is_launch(r[0]) else _one_thread(r) for r in regions])


def _is_launch(statement: Stmt) -> bool:
    """Whether a statement is parallel, or does nothing but repeat statements that are."""
    if isinstance(statement, SBlockRealize) and not statement.block.iter_vars:
        return all(map(_is_launch, _statements(statement.block.body)))
    if not isinstance(statement, For):
        return False
    if statement.kind == ForKind.PARALLEL:
        return _is_known_to_the_cpu(statement)
    if _spatial(statement):
        return True
    return (
        statement.kind == ForKind.SERIAL
        and _is_known_to_the_cpu(statement)
        and all(map(_is_launch, _statements(statement.body)))
    )


def _is_known_to_the_cpu(loop: For) -> bool:
    """Whether a loop begins with 0, and no array says how long it is."""
    loads: list[TensorLoad] = []
    tvm_ffi.structural_walk(loop.extent, (TensorLoad, loads.append))
    return isinstance(loop.min, tirx.IntImm) and loop.min.value == 0 and not loads


def _launch(statement: Stmt) -> Stmt:
    if not isinstance(statement, For):
        return _in_threads(statement)
    if loops := _spatial(statement):
        return _threads(loops, _without(statement, {*loops}))
    if statement.kind == ForKind.PARALLEL:
        return _threads({statement.loop_var: statement.extent}, statement.body)
    return _with_loop_body(statement, _in_threads(statement.body))


def _spatial(loop: For) -> dict[Var, Expr]:
    """Return the loops of a block's nest that are spatial axes, with their extents."""
    extents, around, nest = dict[Var, Expr](), set[Var](), loop
    while isinstance(nest, For):
        around.add(nest.loop_var)
        if _is_known_to_the_cpu(nest) and around.isdisjoint(_variables([nest.extent])):
            extents[nest.loop_var] = nest.extent
        nest = nest.body
    if not isinstance(nest, SBlockRealize):
        return {}
    axes = zip(nest.block.iter_vars, nest.iter_values, strict=True)
    spatial = {value for axis, value in axes if axis.iter_type == IterVar.DataPar}
    return {var: extent for var, extent in extents.items() if var in spatial}


def _without(nest: Stmt, loops: set[Var]) -> Stmt:
    if not isinstance(nest, For):
        return nest
    inner = _without(nest.body, loops)
    return inner if nest.loop_var in loops else _with_loop_body(nest, inner)


def _share_memory(regions: Iterable[Sequence[Stmt]]) -> bool:
    """Whether what one region allocates is read in a later one."""
    allocated = set[Var]()
    for region in regions:
        if not allocated.isdisjoint(_variables(region)):
            return True
        allocated |= {s.buffer for s in region if isinstance(s, AllocBuffer)}
    return False


def _variables(nodes: Iterable[Stmt | Expr]) -> list[Var]:
    found: list[Var] = []
    for node in nodes:
        tvm_ffi.structural_walk(node, (Var, found.append))
    return found


def _threads(loops: dict[Var, Expr], body: Stmt) -> Stmt:
    """Return loops from 0 on as a thread for each of their iterations, of which may be none."""
    block, thread = Var("block", "int64"), Var("thread", "int64")
    one = tirx.const(1, "int64")
    count = math.prod(loops.values(), start=one)
    place, left, at = block * THREADS + thread, one, dict[Var, Expr]()
    first = next(iter(loops), None)
    for var, extent in reversed(loops.items()):
        # TVM bounds no remainder of any size: the first loop, which is often one, has none.
        index = place // left
        if not var.same_as(first):
            index = index % tirx.max(extent, 1)
        at[var] = index.astype(str(var.ty.dtype))
        left = left * tirx.max(extent, 1)
    inside = _where(place < count, substitute(_serial(body), at))
    within = _bound(thread, tirx.const(THREADS, "int64"), "threadIdx.x", inside)
    return _bound(block, tirx.ceildiv(count, THREADS), "blockIdx.x", within)


def _where(condition: Expr, body: Stmt) -> Stmt:
    """Return a statement for the threads that there is an iteration for.

    Of a block it is the predicate, by which TVM knows which part of an array is there.
    """
    if isinstance(body, For) and isinstance(_innermost(body), SBlockRealize):
        return _with_loop_body(body, _where(condition, body.body))
    if isinstance(body, SBlockRealize):
        return SBlockRealize(body.iter_values, tirx.And(condition, body.predicate), body.block)
    return IfThenElse(condition, body, None)


def _innermost(nest: Stmt) -> Stmt:
    while isinstance(nest, For):
        nest = nest.body
    return nest


def _one_thread(statements: Sequence[Stmt]) -> Stmt:
    return _threads({}, _sequence(statements))


def _bound(var: Var, extent: Expr, tag: str, body: Stmt) -> For:
    index = IterVar(Range(0, 1), Var(tag, "int32"), IterVar.ThreadIndex, tag)
    return For(var, tirx.const(0, "int64"), extent, ForKind.THREAD_BINDING, body, index)


def _serial(body: Stmt) -> Stmt:
    """Return what one thread does: it has no vectors, and memory of its own."""
    memory: dict[Var, Var] = {}

    def own(*buffers: Var) -> None:
        for old in buffers:
            memory[old] = tirx.decl_buffer(old.shape, old.dtype, old.name, scope="local")

    def in_order(loop: For) -> For:
        if loop.kind in (ForKind.PARALLEL, ForKind.VECTORIZED):
            return _with_loop_body(loop, loop.body)
        return loop

    tvm_ffi.structural_walk(body, (AllocBuffer, lambda s: own(s.buffer)))
    tvm_ffi.structural_walk(body, (SBlock, lambda b: own(*b.alloc_buffers)))
    owned = tvm_ffi.structural_map(body, (Var, lambda var: memory.get(var, var)))
    return tvm_ffi.structural_map(owned, (For, in_order))


def _with_loop_body(loop: For, body: Stmt) -> For:
    """Return a loop, now a serial one, with another body."""
    kind = ForKind.SERIAL
    return For(loop.loop_var, loop.min, loop.extent, kind, body, None, loop.annotations, loop.step)


def _statements(body: Stmt) -> Sequence[Stmt]:
    return [*body] if isinstance(body, SeqStmt) else [body]


def _sequence(statements: Sequence[Stmt]) -> Stmt:
    return statements[0] if len(statements) == 1 else SeqStmt(statements)
