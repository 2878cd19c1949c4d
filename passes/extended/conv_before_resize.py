"""A pointwise convolution of an image that is enlarged is computed before it is enlarged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Call, Expr, GenericConst
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, known_array, shape_of, static_shape_of
from tvmfuse.ops.epilogue import has_epilogue
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

CONV: Final = "tvmfuse.conv"
RESIZED: Final = 36
ADDED: Final = 8
"""Multiply-adds in the time that a result takes to be resized, and to be added to the others."""

EXACT: Final = 1e-6
"""So far from 1 may the weights of a result be that are rounded."""


@dataclass(frozen=True)
class Enlarged:
    """A tensor (N, C, d1..dr) that is resized along some of d1..dr by constant tables.

    Attributes:
        source: What is resized.
        steps: The calls that do it, the last one first.
        bound: What they are bound to.
        before: d1 * ... * dr of the source.
        after: Of what becomes of it.
    """

    source: Expr
    steps: tuple[Call, ...]
    bound: tuple[Var, ...]
    before: int
    after: int

    def of(self, x: Expr) -> Expr:
        """Return another tensor resized alike."""
        for step in reversed(self.steps):
            x = Call(step.op, [x, *step.args[1:]], attrs=step.attrs)
        return x


@dataclass(frozen=True)
class Part:
    """Some channels that a convolution reads, side by side.

    Attributes:
        tensor: Which hold them.
        begin: The first one's number.
        end: Behind the last one.
        enlarged: How they are made, where that is by enlarging others; else None.
    """

    tensor: Expr
    begin: int
    end: int
    enlarged: Enlarged | None


class ConvBeforeResize(RewriteRule[list[Part]]):
    """Convolve what is enlarged before it is enlarged, where the taps are 1 x 1.

    Before::

        z = conv(concat(x, resize(y)), W, b)             # or of resize(y) alone

    After::

        z = conv(x, W[:, :c], b) + resize(conv(y, W[:, c:]))

    Both are linear, one along channels and the other along pixels, and commute. Pays because a
    convolution of an image of half the height and width takes a quarter of the products, and
    nothing is concatenated: the head of a SegFormer, which reads four sizes at the largest, takes
    a third of the time. What is resized now are the results' channels, and they are added.
    """

    name = "ConvBeforeResize"

    def pattern(self) -> Pattern:
        x = wildcard()
        return Pattern(is_op(CONV)(x, wildcard(), varg_default_wildcard=True), x=x)

    def is_candidate(self, match: Match) -> bool:
        pointwise = _is_pointwise(match.resolve(match.root))
        return pointwise and any(part.enlarged for part in match.fact(_parts))

    def requires(self, match: Match) -> Conditions[list[Part]]:
        conv = match.resolve(match.root)
        parts = match.fact(_parts)
        enlarged = [part.enlarged for part in parts if part.enlarged]
        yield _has_one_group(conv), "its channels are of one group"
        yield _is_constant(conv), "its weights are constant"
        between = [var for e in enlarged for var in e.bound if not var.same_as(match["x"])]
        yield all(match.num_uses(v) == 1 for v in between), "nobody else reads the enlarged image"
        readers = [match.value(user) for user in match.users(match["x"])]
        alike = all(
            r is not None and _is_pointwise(r) and _has_one_group(r) and _is_constant(r)
            for r in readers
        )
        yield alike, "nothing but such convolutions reads the enlarged image"
        mixed = all(_adds_up(step) for e in enlarged for step in e.steps)
        yield mixed, "the weights of each pixel add up to 1"
        results = sum(
            int(reader.args[1].ty.shape.values[0]) for reader in readers if reader is not None
        )
        alone = len(parts) == 1
        pays = [p.enlarged is not None and _gain(p, results, alone=alone) > 0 for p in parts]
        yield any(pays), "the products that are saved are more than resizing the results takes"
        return [
            p if kept else replace(p, enlarged=None) for p, kept in zip(parts, pays, strict=True)
        ]

    def absorbs(self, match: Match, found: list[Part]) -> Iterable[Var]:
        x = match["x"]
        inner = [var for part in found if part.enlarged for var in part.enlarged.bound]
        return dict.fromkeys([*([x] if isinstance(x, Var) else []), *inner])

    def rewrite(self, match: Match, found: list[Part]) -> Expr:
        conv = match.resolve(match.root)
        bias = list(conv.args[2:])
        kept = [part for part in found if part.enlarged is None]
        sums = list[Expr]()
        for part in found:
            if part.enlarged is not None:
                own = [] if kept or sums else bias  # the first one's, where nothing stays
                results = _of_channels(conv, part.enlarged.source, [part], own)
                sums.append(part.enlarged.of(results))
        if kept:
            tensors = [part.tensor for part in kept]
            x = tensors[0] if len(kept) == 1 else relax.op.concat(tensors, 1)
            sums = [_of_channels(conv, x, kept, bias), reduce(relax.op.add, sums)]
        return reduce(relax.op.add, sums)


def _of_channels(conv: Call, x: Expr, parts: Sequence[Part], bias: Sequence[Expr]) -> Call:
    """Return a convolution of some of the channels."""
    weights = known_array(conv.args[1])
    some = [weights[:, part.begin : part.end] for part in parts]
    joined = some[0] if len(some) == 1 else np.concatenate(some, axis=1)
    return Call(conv.op, [x, constant(joined), *bias], attrs=conv.attrs)


def _is_pointwise(conv: Expr) -> bool:
    """Whether a call is a convolution of which each result reads the channels of one pixel."""
    if op_name(conv) != CONV or has_epilogue(conv):
        return False
    taps = static_shape_of(conv.args[1])
    moves = [*conv.attrs["padding"], *(stride - 1 for stride in conv.attrs["strides"])]
    return taps is not None and math.prod(taps[2:]) == 1 and not any(map(int, moves))


def _has_one_group(conv: Expr) -> bool:
    return int(conv.attrs["groups"]) == 1


def _is_constant(conv: Expr) -> bool:
    return isinstance(conv.args[1], GenericConst)


def _parts(match: Match) -> list[Part]:
    """Return what a convolution reads: the operands of a concatenation of channels, or one."""
    x = match["x"]
    value = match.resolve(x)
    tensors = [x]
    if op_name(value) == "relax.concat" and value.attrs.axis in (1, 1 - value.ty.ndim):
        operands = match.resolve(value.args[0])
        tensors = list(operands.fields) if isinstance(operands, relax.Tuple) else [x]
    parts, begin = list[Part](), 0
    for tensor in tensors:
        channels = _static_sizes(tensor, [1])
        if channels is None:
            return []
        parts.append(Part(tensor, begin, begin + channels[0], _enlarged(match, tensor)))
        begin += channels[0]
    return parts


def _enlarged(match: Match, tensor: Expr) -> Enlarged | None:
    """Follow the resizes that make a tensor; None where they add no pixels, or are not known."""
    steps, bound, source = list[Call](), list[Var](), tensor
    while isinstance(source, Var) and _resizes_pixels(match.resolve(source)):
        steps.append(match.resolve(source))
        bound.append(source)
        source = steps[-1].args[0]
    pixels = range(2, tensor.ty.ndim)
    before, after = _static_sizes(source, pixels), _static_sizes(tensor, pixels)
    if before is None or after is None or math.prod(after) <= math.prod(before):
        return None
    return Enlarged(source, tuple(steps), tuple(bound), math.prod(before), math.prod(after))


def _static_sizes(tensor: Expr, axes: Iterable[int]) -> list[int] | None:
    shape = shape_of(tensor) or ()
    sizes = [size for axis in axes if isinstance(size := shape[axis], int)] if shape else []
    return sizes if len(sizes) == len([*axes]) else None


def _resizes_pixels(call: Expr) -> bool:
    """Whether a call mixes, or picks, pixels by constant tables."""
    tables = all(isinstance(table, GenericConst) for table in getattr(call, "args", [])[1:])
    if op_name(call) == "tvmfuse.resample":
        return tables and min(int(axis) for axis in call.attrs["axes"]) >= 2
    if op_name(call) == "relax.take":
        return tables and call.args[1].ty.ndim == 1 and int(call.attrs.axis or 0) >= 2
    return False


def _adds_up(step: Call) -> bool:
    """Whether a constant image stays what it is, so that a bias may be added before."""
    if op_name(step) != "tvmfuse.resample":
        return True
    sums = (known_array(weights).astype(np.float64).sum(axis=0) for weights in step.args[2::2])
    return all(bool((np.abs(s - 1) <= EXACT).all()) for s in sums)


def _gain(part: Part, results: int, *, alone: bool) -> float:
    """Return the multiply-adds that are saved, less what takes as long, by result and pixel."""
    assert part.enlarged is not None
    channels = part.end - part.begin
    saved = channels * (1 - part.enlarged.before / part.enlarged.after)
    return saved + RESIZED * (channels / results - 1) - (0 if alone else ADDED)
