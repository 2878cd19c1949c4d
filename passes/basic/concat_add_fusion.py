"""Tensors that are padded with zeros, each where the others are not, are joined, not added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from tvm import relax
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import dtype_of, numbers_of, same_shape, scalar_of, shape_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


@dataclass(frozen=True)
class Part:
    """A part of a concatenation.

    Attributes:
        begin: Its first place along the axis.
        end: One behind its last.
        value: A tensor of so many places; None of zeros.
    """

    begin: int
    end: int
    value: Expr | None


@dataclass(frozen=True)
class Parts:
    """A concatenation.

    Attributes:
        axis: From 0 on.
        parts: In order; None where a size is not known.
    """

    axis: int
    parts: Sequence[Part] | None


class ConcatAddFusion(RewriteRule[Parts]):
    """Concatenate what would be added to zeros.

    Before::

        y = concat(a, zeros) + concat(zeros, b)

    After::

        y = concat(a, b)

    So of any number of sums, and with zeros left where both operands have them. It is the gradient
    of a tensor whose parts were read one by one, as those of packed queries, keys and values.

    Pays because each sum reads and writes the whole tensor, and a kernel that adds up what it
    concatenates asks for each element which part it comes from. ``-0.0 + 0.0``, which is 0.0,
    stays -0.0, as in `NoopElimination`: the two are equal.
    """

    name = "ConcatAddFusion"

    def pattern(self) -> Pattern:
        a, b = (is_op("relax.concat")(wildcard()) for _ in range(2))
        return Pattern(is_op("relax.add")(a, b), a=a, b=b)

    def is_candidate(self, match: Match) -> bool:
        return all(
            any(is_zero(match, part) for part in _parts_of(match, match[name])) for name in "ab"
        )

    def requires(self, match: Match) -> Conditions[Parts]:
        a, b = (_read(match, match[name]) for name in "ab")
        same = all(same_shape(match.root, match[name]) for name in "ab")
        yield same and a.axis == b.axis, "both operands are concatenated along one axis"
        both = sorted((*_there(a), *_there(b)), key=lambda part: part.begin)
        yield a.parts is not None and b.parts is not None, "the parts' sizes are known"
        apart = all(first.end <= second.begin for first, second in pairwise(both))
        yield apart, "where one operand has a part, the other is zero"
        return Parts(a.axis, both)

    def rewrite(self, match: Match, found: Parts) -> Expr:
        shape, dtype = list(shape_of(match.root) or ()), dtype_of(match.root)
        values, at = list[Expr](), 0

        def fill(end: int) -> None:
            if end > at:
                shape[found.axis] = end - at
                values.append(relax.op.zeros(shape, dtype))

        size = shape[found.axis]
        for part in found.parts or ():
            fill(part.begin)
            assert part.value is not None
            values.append(part.value)
            at = part.end
        fill(size)
        return relax.op.concat(values, found.axis)


def is_zero(match: Match, value: Expr) -> bool:
    """Whether all elements of a tensor are zero, whatever a model is fed."""
    call = match.resolve(value)
    name = op_name(call)
    # Sizes that are symbolic are broadcast and cut; what is constant is folded before.
    if name in ("relax.broadcast_to", "relax.strided_slice"):
        return is_zero(match, call.args[0])
    if name == "relax.full":
        return scalar_of(call.args[1]) == 0
    array = numbers_of(call)
    # The first element decides nearly always, and cheaply.
    known = array is not None and not array.flat[:1].any() and not np.any(array)
    return name == "relax.zeros" or known


def _parts_of(match: Match, concat: Expr) -> Sequence[Expr]:
    parts = match.resolve(concat.args[0])
    return parts.fields if isinstance(parts, relax.Tuple) else ()


def _read(match: Match, concat: Expr) -> Parts:
    values = _parts_of(match, concat)
    axis = int(concat.attrs.axis) % concat.ty.ndim
    dims = [shape_of(value) for value in values]
    sizes = [found[axis] for found in dims if found is not None]
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(values):
        return Parts(axis, None)
    ends = list(accumulate(known, initial=0))
    return Parts(
        axis,
        [
            Part(begin, end, None if is_zero(match, value) else value)
            for (begin, end), value in zip(pairwise(ends), values, strict=True)
            if end > begin
        ],
    )


def _there(read: Parts) -> list[Part]:
    return [part for part in read.parts or () if part.value is not None]
