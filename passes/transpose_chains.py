"""Transposes of transposes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile

from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.passes.chains import KEEPS_OUTPUTS, Chains
from tvmfuse.passes.facts import array_of, shape_of
from tvmfuse.passes.permutation import (
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
        passed = len(list(takewhile(self.inner.__contains__, before)))
        source, p = self.operand(links[passed]), total[passed]
        constant = array_of(source) is not None and last not in self.flow.outputs
        if same:
            return None, KEEPS_OUTPUTS
        if passed or constant or is_reshape(p, shape_of(source) or ()):
            return transpose(source, p, shape_of(source) or ()), ""
        return None, "the inner transpose has no other reader" if before else ""
