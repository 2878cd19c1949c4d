"""K blocking: a sum in blocks of k, so that what a block reads stays in a cache while it is used.

::

    for each block of k:                       not the whole of k at once
        for each tile of rows x columns:
            tile = 0
            for k in the block:
                tile[r, c] = tile[r, c] + ...
            tile += output                     unless it is the first block
            output = tile                      its epilogue after the last block

The part of a panel that one tile after another reads in a block fits the first cache, and that of
the other operand the second one, though neither operand does as a whole. Each block costs a load
and a store of all results. This is the outermost loop of Goto and van de Geijn's matrix product
("Anatomy of High-Performance Matrix Multiplication", 2008), with blocks that are read in place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.schedules.expressions import loads, number, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Store
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values


@dataclass(frozen=True, eq=False)
class KBlock:
    """One of `count` equal blocks of a sum, along the first of its axes."""

    index: Expr
    count: int

    @property
    def is_first(self) -> Expr:
        """Whether there are no partial sums yet."""
        return tirx.EQ(self.index, number(0))

    @property
    def is_last(self) -> Expr:
        """Whether the sums are complete after it."""
        return tirx.EQ(self.index, number(self.count - 1))

    def axes(self, reduction: Sequence[Axis]) -> tuple[Axis, ...]:
        """Return the axes of the sum over this block, which count from its beginning."""
        if self.count == 1:
            return tuple(reduction)
        first, *rest = reduction
        return (Axis(first.var, self._length(reduction), first.reduces), *rest)

    def begin(self, reduction: Sequence[Axis]) -> dict[Var, Expr]:
        """Return the values of the axes at the beginning of this block."""
        begin: dict[Var, Expr] = {a.var: tirx.const(0, a.var.ty.dtype) for a in reduction}
        if self.count > 1:
            begin[reduction[0].var] = self.index * self._length(reduction)
        return begin

    def _length(self, reduction: Sequence[Axis]) -> Expr:
        extent = static(reduction[0].extent)
        assert extent is not None
        return tirx.const(extent // self.count, reduction[0].var.ty.dtype)


@dataclass(frozen=True, eq=False)
class PartialSums:
    """Where sums are kept from one block to the next: each where a result of it will be stored.

    Attributes:
        sums: The buffer of the head.
        place: What the group stores for each sum.
    """

    sums: Buffer
    place: Store

    def load_partial(
        self, builder: LoopNestBuilder, at: Values, local: Mapping[Buffer, LocalElement]
    ) -> Stmt:
        """Return the statement that adds what the blocks before have made to a sum."""
        kept, place = local[self.sums], self.place
        before = builder.value(BufferLoad(place.buffer, list(place.indices)), at)
        return builder.store_local(kept, builder.load_local(kept) + before)

    def store_partial(
        self, builder: LoopNestBuilder, at: Values, local: Mapping[Buffer, LocalElement]
    ) -> Stmt:
        """Return the statement that keeps a sum for the next block."""
        value = builder.load_local(local[self.sums])
        return builder.store(self.place.buffer, self.place.indices, value, at)


def partial_sums(group: Group) -> PartialSums | None:
    """Return where a group's partial sums are kept; None where no result is of the sums' type.

    None, too, where the group reads what stood there before, to add to it.
    """
    if len(group.head.stores) != 1:
        return None
    sums, read = group.head.store.buffer, set[Buffer]()
    for stage in group.stages:
        if stage is not group.head:
            read |= {load.source for load in loads(*stage.parts)}
        for store in stage.stores:
            buffer = store.buffer
            if buffer in group.stored and buffer.dtype == sums.dtype and buffer not in read:
                return PartialSums(sums, store)
    return None
