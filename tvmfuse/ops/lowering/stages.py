"""Stages written as TIR, for kernels that repeat some: TE has no loop around several of them.

A stage is one loop nest around one block, which stores each element of a buffer, or of a part of
it, once. Stages are written so that `tvmfuse.schedules` can read them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr, Range, Var
from tvm.s_tir import SBlock, SBlockRealize
from tvm.tirx import Buffer, BufferLoad, BufferStore, For, ForKind, IterVar, SeqStmt, Stmt

Element = Callable[..., Expr]


@dataclass(frozen=True, eq=False)
class Step:
    """One step of a repetition, as its stages see it.

    Attributes:
        position: Where it stands, of the loop's variable.
        count: How many steps there are.
    """

    position: Expr
    count: Expr


def zero() -> Expr:
    """Return the first index."""
    return tirx.const(0, "int64")


def looped(sizes: Sequence[Expr], body: Callable[..., Stmt], *, independent: int = 0) -> Stmt:
    """Return loops around a statement.

    Args:
        sizes: How often each of them runs, from the outermost one.
        body: Returns the statement for the loops' variables.
        independent: Of so many, the first one whose size is not 1 is in threads.
    """
    variables = [Var(f"i_{axis}", "int64") for axis in range(len(sizes))]
    ones = [isinstance(size, tirx.IntImm) and int(size) == 1 for size in sizes[:independent]]
    outer = next((axis for axis, one in enumerate(ones) if not one), None)
    nest = body(*variables)
    for axis, (variable, size) in reversed([*enumerate(zip(variables, sizes, strict=True))]):
        kind = ForKind.PARALLEL if axis == outer else ForKind.SERIAL
        nest = For(variable, zero(), size, kind, nest)
    return nest


def copied(x: Buffer, result: Buffer) -> Stmt:
    """Return loops that copy a buffer to another one of its shape, in threads."""
    return looped(
        [*x.shape], lambda *at: BufferStore(result, x[at], [*at]), independent=len(x.shape)
    )


def stage(
    buffer: Buffer,
    value: Element,
    *,
    step: Step,
    terms: Expr | None = None,
    leading: bool = False,
) -> Stmt:
    """Return loops that compute a buffer in one step.

    Args:
        buffer: It is stored whole, or at one position of its first dimension.
        value: Returns an element for the step's position and the buffer's other indices; of a sum,
            the term for these and the index of the term.
        step: The step.
        terms: How many there are to sum up; None for no sum.
        leading: Whether the first dimension of the buffer is that of positions.
    """
    position = Var("v_step", "int64")
    sizes = [*buffer.shape[1:]] if leading else [*buffer.shape]
    return _nest(buffer, value, sizes, terms, (position, step), [position] if leading else [])


def fill(buffer: Buffer, value: Element) -> Stmt:
    """Return loops that set each element of a buffer to a value for its indices."""
    return _nest(buffer, value, [*buffer.shape], None, None, [])


def repeat(count: Expr, body: Callable[[Var], Sequence[Stmt]]) -> Stmt:
    """Return a loop around several stages, which `body` returns for the loop's variable."""
    variable = Var("t", "int64")
    return For(variable, zero(), count, ForKind.SERIAL, SeqStmt([*body(variable)]))


def around(name: str, body: Sequence[Stmt], temporaries: Sequence[Buffer]) -> Stmt:
    """Return statements as one block that has buffers of its own."""
    block = SBlock([], [], [], name, SeqStmt([*body]), None, [*temporaries])
    return SBlockRealize([], tirx.const(1, "bool"), block)


def _nest(
    buffer: Buffer,
    value: Element,
    sizes: Sequence[Expr],
    terms: Expr | None,
    at: tuple[Var, Step] | None,
    before: Sequence[Expr],
) -> Stmt:
    extents = [*sizes, *([] if terms is None else [terms])]
    own = [Var(f"v_{n}", "int64") for n in range(len(extents))]
    loops = [Var(f"i_{n}", "int64") for n in range(len(extents))]
    kinds = [IterVar.DataPar] * len(sizes) + [IterVar.CommReduce] * (terms is not None)
    iterations = [
        IterVar(Range(zero(), extent), var, kind)
        for extent, var, kind in zip(extents, own, kinds, strict=True)
    ]
    bound: list[Expr] = [*loops]
    arguments: list[Expr] = [*own]
    if at is not None:
        position, step = at
        iterations.insert(0, IterVar(Range(zero(), step.count), position, IterVar.Ordered))
        bound.insert(0, step.position)
        arguments.insert(0, position)
    indices, result, init = [*before, *own[: len(sizes)]], value(*arguments), None
    if terms is not None:
        init = BufferStore(buffer, tirx.const(0, buffer.dtype), indices)
        result = BufferLoad(buffer, indices) + result
    block = SBlock(iterations, [], [], buffer.name, BufferStore(buffer, result, indices), init)
    nest: Stmt = SBlockRealize(bound, tirx.const(1, "bool"), block)
    for loop, extent in zip(reversed(loops), reversed(extents), strict=True):
        nest = For(loop, zero(), extent, ForKind.SERIAL, nest)
    return nest
