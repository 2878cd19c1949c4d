"""The end of a group: each result goes through the epilogue, and is stored once."""

from __future__ import annotations

from collections.abc import Mapping

from tvm.tirx import Buffer, Stmt

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.narrow import rounded
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence


def local_buffers(group: Group) -> list[Buffer]:
    """Return the head's buffers, and those that one stage of the epilogue leaves to another."""
    read = {load.source for stage in group.epilogue for load in stage.loads}
    head = [s.buffer for s in group.head.stores]
    return head + [s.store.buffer for s in group.epilogue if s.store.buffer in read]


def finish(
    builder: LoopNestBuilder, group: Group, at: Values, local: Mapping[Buffer, LocalElement]
) -> Stmt | None:
    """Compute the epilogue of one element, and store what is read outside the group.

    A sum of products is rounded to bfloat16 by one instruction where there is one.

    Args:
        builder: Of the function.
        group: Whose head is computed.
        at: The element.
        local: Where the element of each of `local_buffers` is.
    """
    done: list[Stmt] = []
    rounds = contraction(group.head) is not None
    for stage in group.stages:
        for store in stage.stores:
            kept = local.get(store.buffer)
            if stage is group.head:
                assert kept is not None
                value = builder.load_local(kept)
            else:
                value = builder.value(store.value, at, local)
                done += [builder.store_local(kept, value)] if kept else []
            if store.buffer in group.stored:
                value = rounded(builder, value) if rounds else value
                done.append(builder.store(store.buffer, store.indices, value, at))
    return sequence(done)
