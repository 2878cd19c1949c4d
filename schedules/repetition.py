"""Reading a kernel some of whose stages are repeated: a recurrence, step after step.

::

    h[i] = initial[i]
    for t in range(steps):              # the repetition
        sums[j] = sum of h[k] * weights[k, j]
        h[i] = tanh(sums[i] + x[t, i])

What a step leaves in a buffer the next one reads. So no stage of such a kernel can be inlined, and
the order in which the stages are written is that in which they run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tvm.s_tir import SBlockRealize
from tvm.tirx import BufferStore, For, ForKind, PrimFunc, SeqStmt, Stmt

from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.kernels import (
    Axis,
    Kernel,
    Stage,
    UnreadableError,
    stages_of,
    statements,
)


@dataclass(frozen=True, eq=False)
class Repetition:
    """Stages that run one after the other, again and again.

    Attributes:
        axis: The loop around them.
        stages: What a step computes; its variable is none of their axes.
    """

    axis: Axis
    stages: tuple[Stage, ...]


@dataclass(frozen=True, eq=False)
class RepeatingKernel:
    """A kernel with repetitions.

    Attributes:
        kernel: All stages, and the buffers.
        parts: Stages and repetitions, in the order in which they run.
    """

    kernel: Kernel
    parts: tuple[Stage | Repetition, ...]

    @property
    def with_steps(self) -> tuple[Stage, ...]:
        """All stages; those that repeat have the loop around them for one more axis."""
        found: list[Stage] = []
        for part in self.parts:
            if isinstance(part, Repetition):
                found += [replace(s, axes=(*s.axes, part.axis)) for s in part.stages]
            else:
                found.append(part)
        return tuple(found)


def read_repeating(function: PrimFunc) -> RepeatingKernel:
    """Read a PrimFunc that has a loop around several loop nests.

    Raises:
        UnreadableError: It has none, or a loop nest of it cannot be read.
    """
    root = function.body
    if not isinstance(root, SBlockRealize):
        raise UnreadableError("its body is no block")
    blocks = [root.block, *_blocks(root.block.body)]
    parts = tuple(part for nest in _nests(root) for part in _parts(nest))
    if not any(isinstance(part, Repetition) for part in parts):
        raise UnreadableError("it repeats nothing")
    stages = (p.stages if isinstance(p, Repetition) else (p,) for p in parts)
    temporaries = tuple(buffer for block in blocks for buffer in block.alloc_buffers)
    kernel = Kernel(function, tuple(stage for some in stages for stage in some), temporaries)
    return RepeatingKernel(kernel, parts)


def _is_container(statement: Stmt) -> bool:
    """Whether a statement is a block around loop nests, as `te.extern` makes one."""
    if not isinstance(statement, SBlockRealize) or statement.block.iter_vars:
        return False
    return not isinstance(statement.block.body, BufferStore)


def _blocks(body: Stmt) -> Iterator[SBlockRealize]:
    for statement in statements(body):
        if _is_container(statement):
            yield statement.block
            yield from _blocks(statement.block.body)


def _nests(statement: Stmt) -> Iterator[Stmt]:
    if not _is_container(statement):
        yield statement
        return
    for inner in statements(statement.block.body):
        yield from _nests(inner)


def _parts(nest: Stmt) -> tuple[Stage | Repetition, ...]:
    if not isinstance(nest, For) or not isinstance(nest.body, SeqStmt):
        return stages_of(nest)
    if nest.kind != ForKind.SERIAL or static(nest.min) != 0 or nest.annotations or nest.step:
        raise UnreadableError("a loop of it is scheduled already")
    inner = tuple(s for one in statements(nest.body) for s in stages_of(one, repeated=True))
    return (Repetition(Axis(nest.loop_var, nest.extent), inner),)
