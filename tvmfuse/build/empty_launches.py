"""Launches of no blocks, which CUDA refuses: where a size is 0 as the model runs, one does nothing.

A condition around a launch would be simpler, but TVM puts no barrier of threads inside of one::

    for row in T.thread_binding(N, "blockIdx.x"):             # T.max(N, 1)
        for i in T.thread_binding(256, "threadIdx.x"):
            with T.sblock("sum"):                             # where N > 0
"""

from __future__ import annotations

from typing import Final

from tvm import IRModule, tirx
from tvm.ir import Expr
from tvm.s_tir import SBlockRealize
from tvm.tirx import AllocBuffer, For, ForKind, IfThenElse, IntImm, PrimFunc, SeqStmt, Stmt

from tvmfuse.ir.blocks import with_body

BLOCKS: Final = "blockIdx"


def without_empty_launches(module: IRModule) -> IRModule:
    """Give each launch a block, which does nothing where it was given for nothing.

    Args:
        module: Its kernels have GPU threads; it stays as it is.
    """
    functions = {
        symbol: f.with_body(_launched(f.body)) if isinstance(f, PrimFunc) else f
        for symbol, f in module.functions_items()
    }
    return IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)


def _launched(body: Stmt) -> Stmt:
    """Return what the CPU does, which launches."""
    if isinstance(body, SeqStmt):
        return SeqStmt([*map(_launched, body)])
    if isinstance(body, SBlockRealize):
        inner = with_body(body.block, _launched(body.block.body))
        return SBlockRealize(body.iter_values, body.predicate, inner)
    if not isinstance(body, For):
        return body
    if body.kind != ForKind.THREAD_BINDING:
        return _loop(body, body.extent, _launched(body.body))
    unsure = [extent for extent in _blocks(body) if not _is_some(extent)]
    return _where(tirx.all(*(extent > 0 for extent in unsure)), body) if unsure else body


def _blocks(launch: Stmt) -> list[Expr]:
    """Return how many blocks a launch has along each axis."""
    found = []
    while isinstance(launch, For) and launch.kind == ForKind.THREAD_BINDING:
        if _is_of_blocks(launch):
            found.append(launch.extent)
        launch = launch.body
    return found


def _is_of_blocks(loop: For) -> bool:
    return loop.thread_binding is not None and loop.thread_binding.thread_tag.startswith(BLOCKS)


def _is_some(extent: Expr) -> bool:
    return isinstance(extent, IntImm) and extent.value > 0


def _where(condition: Expr, body: Stmt) -> Stmt:
    """Return what a thread does under a condition that is the same for all."""
    if isinstance(body, For):
        some = _is_of_blocks(body) and not _is_some(body.extent)
        extent = tirx.max(body.extent, 1) if some else body.extent
        return _loop(body, extent, _where(condition, body.body))
    if isinstance(body, SeqStmt):
        return SeqStmt([_where(condition, statement) for statement in body])
    if isinstance(body, SBlockRealize):
        return SBlockRealize(body.iter_values, tirx.And(condition, body.predicate), body.block)
    return body if isinstance(body, AllocBuffer) else IfThenElse(condition, body, None)


def _loop(loop: For, extent: Expr, body: Stmt) -> For:
    return For(
        loop.loop_var, loop.min, extent, loop.kind, body, loop.thread_binding, loop.annotations,
        loop.step,
    )  # fmt: skip
