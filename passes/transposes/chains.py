"""Transposes of transposes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile

from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.ir.types import array_of, shape_of
from tvmfuse.passes.chains import KEEPS_OUTPUTS, Chains
from tvmfuse.passes.transposes.permutation import (
    PERMUTE,
    is_identity,
    is_reshape,
    permutation_of,
    then,
    transpose,
)


class Transposes(Chains):
    """Makes one transpose of a chain, and none of what moves nothing or moves a constant."""

    ops = (PERMUTE,)

    def merged(self, links: Sequence[Var]) -> tuple[Expr | None, str]:
        """Return what the last transpose becomes."""
        last, *before = links
        shape = shape_of(self.operand(last))
        if shape is None:
            return None, "the shape is known"
        alone = [permutation_of(self.flow.values[link]) for link in links]
        # Of each operand on the way up: how it lies after the last transpose.
        total = list(accumulate(alone, lambda so_far, p: then(p, so_far)))
        same = [self.operand(v) for v, p in zip(links, total, strict=True) if is_identity(p)]
        if same and self.may_become(last, same[-1]):
            return same[-1], ""
        if same:
            return None, KEEPS_OUTPUTS
        shapes = [shape_of(self.operand(link)) or () for link in links]
        passed = len(list(takewhile(self.inner.__contains__, before)))
        free = [i for i, p in enumerate(total) if is_reshape(p, shapes[i])]
        up = free[-1] if free else passed
        source = self.operand(links[up])
        constant = array_of(source) is not None and last not in self.flow.outputs
        if up or free or constant:
            return transpose(source, total[up], shapes[up]), ""
        return None, "the inner transpose has no other reader" if before else ""
