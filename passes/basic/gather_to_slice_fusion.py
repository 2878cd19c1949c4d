"""Gathering consecutive indices becomes a slice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tvm import relax
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import known_array, numbers_of, rank_of, shape_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


@dataclass(frozen=True)
class Taken:
    """The indices that a gather takes along an axis."""

    indices: range
    axis: int


class GatherToSliceFusion(RewriteRule[Taken]):
    """Slice where the indices of a gather are known and rise in equal steps.

    Before::

        y = take(x, [2, 3, 4], axis=1)

    After::

        y = strided_slice(x, axes=[1], begin=[2], end=[5], strides=[1])

    Pays because a slice reads no indices, and passes understand it. A single index without an axis
    of its own stays a gather: slicing and dropping the axis would be two operators.

    Source: ONNX ``Gather`` of a ``Range``; ONNX Runtime's GatherToSliceFusion.
    """

    name = "GatherToSliceFusion"
    aliases = ("Gather To Slice Fusion",)

    def pattern(self) -> Pattern:
        x, indices = wildcard(), wildcard()
        take = is_op("relax.take")(x, indices)
        return Pattern(take, x=x, indices=indices, take=take)

    def requires(self, match: Match) -> Conditions[Taken]:
        indices = match["indices"]
        yield numbers_of(indices) is not None, "the indices are known before the model runs"
        yield rank_of(indices) == 1, "the indices are a list"
        taken = _as_range(indices)
        yield len(taken) > 0, "the indices rise in equal steps"
        axis = _axis(match)
        length = _length(match, axis)
        yield length is not None, "the axis has a known length"
        yield taken[0] >= 0 and taken[-1] < (length or 0), "the indices lie within the axis"
        return Taken(taken, axis)

    def rewrite(self, match: Match, found: Taken) -> Expr:
        taken = found.indices
        bounds = [taken.start], [taken.stop], [taken.step]
        return relax.op.strided_slice(match["x"], [found.axis], *bounds)


def _as_range(indices: Expr) -> range:
    """Return a constant list of indices as a range, an empty one if it is none."""
    array = known_array(indices)
    steps = np.diff(array)
    if array.size == 0 or np.any(steps <= 0) or np.any(steps != steps[:1]):
        return range(0)
    return range(int(array[0]), int(array[-1]) + 1, int(steps[0]) if steps.size else 1)


def _axis(match: Match) -> int:
    axis = match["take"].attrs.axis
    return 0 if axis is None else int(axis) % (rank_of(match["x"]) or 1)


def _length(match: Match, axis: int) -> int | None:
    shape = shape_of(match["x"])
    length = None if shape is None else shape[axis]
    return length if isinstance(length, int) else None
