"""Register tiles over several blocks of channels: blocks side by side become one axis of columns.

    Before::  for o in range(8): for k in range(16): out[o, y, x, k]
    After::   for o in range(4): for c in range(32): out[o * 2 + c // 16, y, x, c % 16]

A tile of 14 rows of one block of 16 channels has 15 loads for 14 multiply-adds; one of two blocks
has 16 for 28. Where a load takes longer than a multiply-add, as on Intel's servers, that is the
difference between 0.48 and 0.86 of the peak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tvm import tirx
from tvm.ir import Var

from tvmfuse.schedules.contraction import Contraction
from tvmfuse.schedules.expressions import static, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import Values


def block_axis(product: Contraction, column: Axis) -> Axis | None:
    """Return the axis of the blocks that the columns of a product come in; None where in one.

    All of its blocks are multiplied by the same numbers.
    """
    vectors = [o for o in product.operands if o.uses(column)]
    numbers = [o for o in product.operands if not o.uses(column)]
    if len(vectors) != 1 or static(column.extent) is None:
        return None
    blocks = [
        axis
        for axis in product.stage.spatial
        if axis is not column
        and vectors[0].uses(axis)
        and not any(o.uses(axis) for o in numbers)
        and (static(axis.extent) or 1) > 1
    ]
    return blocks[0] if len(blocks) == 1 else None


def side_by_side(
    group: Group, blocks: Axis, column: Axis, count: int
) -> tuple[Group, Axis, Values]:
    """Return a group whose columns are those of `count` blocks.

    Args:
        group: Its stages have both axes.
        blocks: The axis of blocks, of which `count` divides the extent.
        column: The axis of one block's columns.
        count: How many blocks.

    Returns:
        The group, the axis of its columns, and what the two axes are by its own.
    """
    many, width = static(blocks.extent) or 0, static(column.extent) or 0
    outer = _axis(blocks, many // count)
    columns = _axis(column, count * width)
    values = {
        blocks.var: outer.var * count + tirx.floordiv(columns.var, width),
        column.var: tirx.floormod(columns.var, width),
    }
    changed = {blocks.var: outer, column.var: columns}

    def change(stage: Stage) -> Stage:
        return replace(
            stage.map(lambda e: substitute(e, values)),
            axes=tuple(changed.get(axis.var, axis) for axis in stage.axes),
        )

    head, *epilogue = map(change, group.stages)
    return replace(group, head=head, epilogue=tuple(epilogue)), columns, values


def block_counts(blocks: Axis, most: int) -> Sequence[int]:
    """Return how many blocks of an axis may lie side by side: those that leave no rest."""
    many = static(blocks.extent) or 1
    return [n for n in range(1, min(many, most) + 1) if many % n == 0]


def _axis(like: Axis, extent: int) -> Axis:
    dtype = like.var.ty.dtype
    return Axis(Var(like.var.name, dtype), tirx.const(extent, dtype))
