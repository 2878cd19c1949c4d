"""A row that is kept for a later pass lies in the row of the output that it turns into.

::

    Before::  kept[i] = exp(x[r, i] - m);  s = sum(kept);  y[r, i] = kept[i] / s
    After::   y[r, i] = exp(x[r, i] - m);  s = sum(y[r]);  y[r, i] = y[r, i] / s

A buffer of its own, if it is too long for the stack or its length is known only later, comes from
the runtime's pool of memory, which takes 60 ns for each row, and its memory is that much more in
the cache.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer, BufferLoad, IntImm
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import map_loads, number, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Kernel, Stage, Store, analyzer
from tvmfuse.schedules.local_buffers import on_stack


@dataclass(frozen=True, eq=False)
class LentRow:
    """Where a row lies in an output: ``row[axes]`` is ``output[indices]``.

    Attributes:
        output: The buffer.
        indices: Of the rows, and of the axes.
        axes: A variable for each of the row's dimensions; 0 for one of extent 1.
    """

    output: Buffer
    indices: tuple[Expr, ...]
    axes: tuple[Expr, ...]

    def at(self, place: Sequence[Expr]) -> tuple[Expr, ...]:
        """Return the output's indices of an element of the row."""
        pairs = zip(self.axes, place, strict=True)
        values = {axis: index for axis, index in pairs if isinstance(axis, Var)}
        return tuple(substitute(index, values) for index in self.indices)


def lent_rows(kernel: Kernel, parts: Sequence[Group], rows: Sequence[Var]) -> dict[Buffer, LentRow]:
    """Return which of the temporaries of a row can lie in an output's row, and where there.

    The last stage that reads such a one reads each element where it stores the output's, and is
    the only one that has to do with the output. So what it overwrites is read by nothing else.

    Args:
        kernel: Its stages are those inside one row.
        parts: The same, in the order in which they run.
        rows: The variables of the row.
    """
    found: dict[Buffer, LentRow] = {}
    for place, part in enumerate(parts):
        for buffer in kernel.temporaries:
            lent = None if buffer in found else _lent(kernel, part, buffer, rows)
            if lent is not None and not any(_reads(later, buffer) for later in parts[place + 1 :]):
                found[buffer] = lent
                break
    return found


def _lent(kernel: Kernel, part: Group, buffer: Buffer, rows: Sequence[Var]) -> LentRow | None:
    """Return the row of a part's output that a temporary can lie in while nothing reads it later.

    None also where it would lie on the stack: nothing is nearer.
    """
    stage = part.head
    store = stage.store
    places = [tuple(load.indices) for load in stage.loads if load.source.same_as(buffer)]
    if part.stages != (stage,) or stage.reduces or not places or on_stack(buffer):
        return None
    if store.buffer in kernel.temporaries or store.buffer.dtype != buffer.dtype:
        return None
    if kernel.readers(store.buffer) or len(kernel.writers(store.buffer)) > 1:
        return None
    place, *others = places
    if not all(structural_equal(place, other) for other in others):
        return None
    extents: dict[Expr, Expr] = {axis.var: axis.extent for axis in stage.axes}
    known = analyzer(stage.axes)
    whole = all(
        known.can_prove_equal(extents.get(index, number(1)), extent)
        for index, extent in zip(place, buffer.shape, strict=True)
    )
    if not whole or not _same(_moving(store.indices), [*rows, *_moving(place)]):
        return None
    return LentRow(store.buffer, store.indices, place)


def _moving(indices: Sequence[Expr]) -> list[Expr]:
    return [index for index in indices if not isinstance(index, IntImm)]


def _same(one: Sequence[Expr], other: Sequence[Expr]) -> bool:
    return len(one) == len(other) and all(a.same_as(b) for a, b in zip(one, other, strict=True))


def _reads(part: Group, buffer: Buffer) -> bool:
    return any(load.source.same_as(buffer) for stage in part.stages for load in stage.loads)


def with_lent_rows(part: Group, lent: Mapping[Buffer, LentRow]) -> Group:
    """Return stages of a row that find rows where they are lent."""

    def load(node: TensorLoad) -> Expr:
        row = lent.get(node.source)
        return node if row is None else BufferLoad(row.output, row.at(node.indices))

    def store(s: Store) -> Store:
        row = lent.get(s.buffer)
        return s if row is None else replace(s, buffer=row.output, indices=row.at(s.indices))

    def inside(stage: Stage) -> Stage:
        # The stores' own elements change with their buffer.
        changed = stage.map(lambda e: map_loads(e, load))
        return replace(changed, stores=tuple(map(store, changed.stores)))

    return replace(
        part,
        head=inside(part.head),
        epilogue=tuple(map(inside, part.epilogue)),
        stored=frozenset(lent[b].output if b in lent else b for b in part.stored),
    )
