"""Memory that only a branch of a kernel takes, and who asks for it.

TVM's planner of temporaries asks for all that a kernel may take where it begins::

    Before::  if n == 1: y[0] = x[0]           Planned::  t = malloc(n)
              else:      t = malloc(n); ...               if n == 1: y[0] = x[0]
                                                          else: ...

A kernel of few sizes of its own (`schedules.specialize`) may take less time than that.
"""

from __future__ import annotations

from collections.abc import Iterator

import tvm_ffi
from tvm.s_tir import SBlock
from tvm.tirx import AllocBuffer, Buffer, For, IfThenElse, PrimFunc, Stmt

from tvmfuse.schedules.local_buffers import on_stack


def branches_ask(function: PrimFunc) -> bool:
    """Whether each branch of a function had better ask for its memory itself.

    So it is where one takes some outside its loops, and what loops take lies on the stack: else
    each iteration would ask anew.
    """
    inside = {buffer for loop in _all(function.body, For) for buffer in _temporaries(loop.body)}
    if any(block.alloc_buffers for block in _all(function.body, SBlock)):
        return False
    branches = (b for b in _all(function.body, IfThenElse) if b.else_case is not None)
    own = {buffer for branch in branches for buffer in _temporaries(branch)} - inside
    return not all(map(on_stack, own)) and all(map(on_stack, inside))


def _all(part: Stmt, kind: type) -> list[Stmt]:
    found: list[Stmt] = []
    tvm_ffi.structural_walk(part, (kind, found.append))
    return found


def _temporaries(part: Stmt) -> Iterator[Buffer]:
    yield from (allocation.buffer for allocation in _all(part, AllocBuffer))
