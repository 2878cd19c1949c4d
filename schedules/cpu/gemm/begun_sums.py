"""Sums of integers that begin with what would be added to them in the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, TensorLoad

from tvmfuse.schedules.expressions import loads, static
from tvmfuse.schedules.groups import Group

SUMMED: Final = "int32"


def begun(group: Group) -> Group:
    """Return a group whose sums begin with an addend of the epilogue, where it reads them once.

    Integers are the same in any order. The addend takes a sum's zero's place, and no instruction.
    """
    head, own = group.head, group.head.store.buffer
    initial = head.store.initial
    if str(own.dtype) != SUMMED or own in group.stored or len(head.stores) > 1:
        return group
    if initial is None or static(initial) != 0:
        return group
    parts = [part for stage in group.epilogue for part in stage.parts]
    if sum(load.source.same_as(own) for load in loads(*parts)) != 1:
        return group
    found = list[Expr]()

    def without(add: tirx.Add) -> Expr:
        for total, addend in ((add.a, add.b), (add.b, add.a)):
            is_sum = isinstance(total, TensorLoad) and total.source.same_as(own)
            if is_sum and isinstance(addend, TensorLoad) and addend.source not in group.buffers:
                found.append(addend)
                return total
        return add

    epilogue = tuple(
        stage.map(lambda e: tvm_ffi.structural_map(e, (tirx.Add, without)))
        for stage in group.epilogue
    )
    if len(found) != 1:
        return group
    begin = replace(head.store, initial=found[0])
    return replace(group, head=replace(head, stores=(begin,)), epilogue=epilogue)
