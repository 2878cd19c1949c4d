"""What moves bytes, and computes nothing, moves them as bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np
from tvm import relax
from tvm.ir import Call, Expr, Tuple, TupleGetItem
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.parts import as_slice
from tvmfuse.ir.types import rank_of
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.quantized import DEQUANTIZE, Steps
from tvmfuse.passes.rewrite import Conditions, RewriteRule

CONCAT: Final = "relax.concat"
PAD: Final = "relax.nn.pad"
MOVES: Final = 8
"""After each other; each but the last is moved before a quantize in a turn of its own."""

LIMITS: Final = np.finfo("float32")


class QDQPropagationTransformer(RewriteRule[None]):
    """Take the maxima of bytes, and move them, without making real numbers of them.

    Before::

        p = quantize(max_pool(dequantize(q, s, z)), s, z)

    After::

        p = max_pool(q)

    Likewise of a reshape, a transpose, a slice, a part of a split, rows that are looked up, a pad,
    whose number is quantized here, and of nothing between; and of a concatenation, each part of
    which is quantized for itself unless it has this scale and zero point; and of several of them
    after each other. Pays
    because bytes are a quarter of the memory, and a table does not become real numbers at each run.
    Steps that become real numbers and steps again are the same: the two roundings to float32 move
    255 steps by less than half of one, and greater steps are greater numbers. Source: ONNX
    Runtime's pass of this name.
    """

    name = "QDQPropagationTransformer"
    aliases = ("QDQ Propagation",)
    targets = CPU

    def pattern(self) -> Pattern:
        return Pattern(is_op("relax.quantize")(*[wildcard() for _ in range(3)]))

    def is_candidate(self, match: Match) -> bool:
        operands = _operands(_moved(match))
        return bool(operands) and all(_dequantize(match, one) is not None for one in operands)

    def requires(self, match: Match) -> Conditions[None]:
        operands = _operands(_moved(match))
        calls = [match.resolve(match.root), *(_dequantize(match, one) for one in operands)]
        steps = [Steps.of(call) for call in calls]
        known = all(found is not None and found.is_one for found in steps)
        yield known, "scales and zero points are constant, one number each"
        different = {_numbers(s) for s in steps if s is not None}
        same = len(different) == 1 or op_name(_moved(match)) == CONCAT
        yield same, "both sides have the same scale, zero point and type"
        assert steps[0] is not None
        scale = steps[0].scale.item()
        exact = LIMITS.tiny <= scale <= LIMITS.max / 2**17
        yield exact, "the scale is such that all steps are told apart"
        between = match.resolve(match.root).args[0]
        alone = op_name(_moved(match)) == DEQUANTIZE or match.num_uses(between) == 1
        yield alone, "nobody else reads the real numbers that are moved"
        kept = op_name(_moved(match)) != DEQUANTIZE or not match.returns_root()
        yield kept, "the quantized tensor is no output where nothing is moved"

    def absorbs(self, match: Match, found: None) -> tuple[Var, ...]:
        between = match.resolve(match.root).args[0]
        value = match.resolve(between)
        whole = [value.tuple_value] if isinstance(value, TupleGetItem) else []
        inside = (between, *whole, *_operands(_moved(match)))
        return tuple(v for v in inside if isinstance(v, Var))

    def rewrite(self, match: Match, found: None) -> Expr:
        moved = _moved(match)
        if op_name(moved) == DEQUANTIZE:
            return moved.args[0]
        quantize = match.resolve(match.root)
        stored = [_stored(match, quantize, operand) for operand in _operands(moved)]
        if op_name(moved) == PAD:
            steps = Steps.of(quantize)
            assert steps is not None
            value = steps.step(moved.attrs.pad_value)
            return relax.op.nn.pad(stored[0], moved.attrs.pad_width, moved.attrs.pad_mode, value)
        first = Tuple(stored) if isinstance(moved.args[0], Tuple) else stored[0]
        return Call(moved.op, [first, *moved.args[1:]], attrs=moved.attrs, ty_args=moved.ty_args)


def _numbers(steps: Steps) -> tuple[str, float, int]:
    return steps.dtype, steps.scale.item(), steps.zero.item()


def _dequantize(match: Match, real: Expr) -> Expr | None:
    """Follow real numbers, which may be moved up to `MOVES` times, to the call that makes them.

    None where that is no dequantize, or others read what is moved.
    """
    value = match.resolve(real)
    for _ in range(MOVES):
        if op_name(value) == DEQUANTIZE:
            return value
        operands = _operands(value)
        if len(operands) != 1 or match.num_uses(real) != 1:
            return None
        real, ranks = operands[0], {rank_of(value), rank_of(operands[0])}
        if len(ranks) != 1:  # the parameters' axis may not be there
            return None
        value = match.resolve(real)
    return value if op_name(value) == DEQUANTIZE else None


def _stored(match: Match, quantize: Expr, real: Expr) -> Expr:
    """Return real numbers as a quantize stores them: their own bytes, or quantized earlier."""
    ours, theirs = Steps.of(quantize), Steps.of(match.resolve(real))
    assert ours is not None
    if theirs is not None and _numbers(ours) == _numbers(theirs):
        return match.resolve(real).args[0]
    operands = [real, *quantize.args[1:]]
    return Call(quantize.op, operands, attrs=quantize.attrs, ty_args=quantize.ty_args)


def _moved(match: Match) -> Expr:
    """Return what is quantized; a part of a split as a slice."""
    value = match.resolve(match.resolve(match.root).args[0])
    if not isinstance(value, TupleGetItem):
        return value
    part = as_slice(value, match.resolve(value.tuple_value))
    return value if part is None else part


def _operands(moved: Expr) -> list[Expr]:
    """Return what is moved: itself where nothing moves it, nothing where more is done with it."""
    if op_name(moved) == DEQUANTIZE:
        return [moved]
    read = BY_NAME.get(op_name(moved) or "") or BY_KIND.get(traits_of(moved).kind)
    return read(moved) if read else []


def _first(moved: Expr) -> list[Expr]:
    return [moved.args[0]]


def _joined(moved: Expr) -> list[Expr]:
    return list(moved.args[0].fields) if isinstance(moved.args[0], Tuple) else []


def _looked_up(moved: Expr) -> list[Expr]:
    """Return the table, where each place is one of its rows': none gives NaN."""
    return [] if str(moved.attrs.mode) == "nan" else [moved.args[0]]


def _padded(moved: Expr) -> list[Expr]:
    """Return what is padded, where the number around it can be rounded."""
    return [] if math.isnan(moved.attrs.pad_value) else [moved.args[0]]


Read: TypeAlias = Callable[[Expr], list[Expr]]

BY_KIND: Final[Mapping[Kind, Read]] = {Kind.MAX_POOL: _first, Kind.RESHAPE: _first}

BY_NAME: Final[Mapping[str, Read]] = {
    CONCAT: _joined,
    PAD: _padded,
    "relax.permute_dims": _first,
    "relax.strided_slice": _first,
    "relax.take": _looked_up,
}
