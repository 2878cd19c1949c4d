"""A pad becomes the padding of the convolution or pool that reads it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final

from tvm.ir import Call, Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.attributes import with_attributes
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import is_float
from tvmfuse.ops.traits import Kind, operators, traits_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

CONV: Final = "tvmfuse.conv"
POOLS: Final = operators(lambda traits: traits.kind in {Kind.AVERAGE_POOL, Kind.MAX_POOL})


@dataclass(frozen=True)
class Padded:
    """The reader's padding and the pad's widths together: all begins, then all ends."""

    padding: list[int]


class PadFusion(RewriteRule[Padded]):
    """Let a convolution or a pool pad its own input.

    Before::

        p = pad(x, widths, value)
        y = conv(astype(p), W, padding)          # or avg_pool, max_pool; with or without astype

    After::

        y = conv(astype(x), W, padding + widths)

    Pays because the pad writes the whole activation once more. What is padded has to be what the
    reader pads with: zero for a convolution and for an average that counts the padding, minus
    infinity for a maximum. (ONNX Runtime folds zeros into a maximum, which is wrong where all
    other numbers of a window are negative.)
    """

    name = "Pad_Fusion"
    aliases = ("Pad Fusion",)

    def pattern(self) -> Pattern:
        pad = is_op("relax.nn.pad")(wildcard())
        cast = is_op("relax.astype")(pad)
        x = pad | cast
        conv = is_op(CONV)(x, wildcard(), varg_default_wildcard=True)
        pools = [is_op(name)(x) for name in POOLS]
        return Pattern(reduce(or_, pools, conv), pad=pad, cast=cast)

    def requires(self, match: Match) -> Conditions[Padded]:
        pad, reader = match["pad"].attrs, match.resolve(match.root)
        yield pad.pad_mode == "constant", "the pad repeats one value"
        yield all(width >= 0 for width in pad.pad_width), "the pad removes nothing"
        yield not any(pad.pad_width[:4]), "only spatial dimensions are padded"
        parts = [part for part in ("pad", "cast") if part in match]
        yield all(match.num_uses(p) == 1 for p in parts), "the padded tensor has one reader"

        kind, padding = traits_of(reader).kind, _padding(reader, pad.pad_width)
        if kind is Kind.MAX_POOL:
            yield from _pads_a_maximum(pad.pad_value, reader, padding)
        else:
            yield pad.pad_value == 0, "the pad's value is zero"
        if kind is Kind.AVERAGE_POOL:
            counted = reader.attrs.count_include_pad or not any(reader.attrs.padding)
            yield counted, "the average counts its own padding, too"
        if op_name(reader) != CONV:
            yield not reader.attrs.ceil_mode, "the pool's windows end within the padded input"
            yield reader.attrs.layout.startswith("NC"), "the channels come before the pixels"
        return Padded(padding)

    def rewrite(self, match: Match, found: Padded) -> Expr:
        x, reader = match["pad"].args[0], match.resolve(match.root)
        if "cast" in match:
            x = Call(match["cast"].op, [x], attrs=match["cast"].attrs)
        changed: dict[str, Any] = {"padding": found.padding}
        if traits_of(reader).kind is Kind.AVERAGE_POOL:
            changed["count_include_pad"] = True
        return with_attributes(reader, [x, *reader.args[1:]], **changed)


def _pads_a_maximum(value: float, pool: Expr, padding: list[int]) -> Conditions[None]:
    yield value == -math.inf, "the pad's value is minus infinity"
    yield is_float(pool), "the maximum is a floating-point one"
    # A window of nothing but padding has no maximum.
    reaches = all(d == 1 for d in pool.attrs.dilation) and all(
        width < size for width, size in zip(padding, [*pool.attrs.pool_size] * 2, strict=True)
    )
    yield reaches, "every window of the pool reaches beyond the padding"


def _padding(reader: Expr, widths: Sequence[int]) -> list[int]:
    """Return the reader's padding and the pad's widths together."""
    own = reader.attrs["padding"] if op_name(reader) == CONV else reader.attrs.padding
    # A pad lists the begin and the end of each axis, batch and channels first.
    return [a + b for a, b in zip(own, [*widths[4::2], *widths[5::2]], strict=True)]
