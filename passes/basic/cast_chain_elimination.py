"""Two casts in a row become one, or none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from tvm import relax
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import dtype_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class Format(NamedTuple):
    """What a dtype can hold.

    Attributes:
        digits: Bits of the significand, the hidden one included; of an integer, without the sign.
        exponent: Bits of the exponent, 0 for integers.
        signed: Whether it holds negative numbers.
    """

    digits: int
    exponent: int
    signed: bool


# IEEE 754 binary16, binary32, binary64; bfloat16 is binary32 with a shorter significand.
FLOATS: Final[Mapping[str, Format]] = {
    "float16": Format(11, 5, signed=True),
    "bfloat16": Format(8, 8, signed=True),
    "float32": Format(24, 8, signed=True),
    "float64": Format(53, 11, signed=True),
}


@dataclass(frozen=True)
class Casts:
    """The dtypes before the first cast, between the two, and after the second."""

    narrow: str
    wide: str
    last: str

    @property
    def cancel(self) -> bool:
        """Whether the second cast undoes the first."""
        return self.narrow == self.last


class CastChainElimination(RewriteRule[Casts]):
    """Skip a cast to a wider type that another cast follows.

    Before, with ``x`` in float32::

        y = astype(astype(x, "float64"), "float16")
        z = astype(astype(x, "float64"), "float32")

    After::

        y = astype(x, "float16")
        z = x

    Pays because the wide copy of the tensor is neither written nor read. ONNX Runtime drops the
    first cast whatever it loses; here it has to keep every number, and the second cast has to do
    to these numbers what it does to the wider ones:

    * it is exact, too, or asks whether they are zero;
    * or both are floats, or both integers, and rounded or wrapped alike. (From float to integer
      nothing defines what is out of range, and machines differ from width to width.)

    Source: ONNX ``Cast``; ONNX Runtime's CastChainElimination, which is off by default, too.
    """

    name = "CastChainElimination"
    aliases = ("Cast Chain Elimination",)
    default = False

    def pattern(self) -> Pattern:
        x = wildcard()
        first = is_op("relax.astype")(x)
        return Pattern(is_op("relax.astype")(first), x=x, first=first)

    def requires(self, match: Match) -> Conditions[Casts]:
        casts = Casts(dtype_of(match["x"]), dtype_of(match["first"]), dtype_of(match.root))
        yield holds(casts.wide, casts.narrow), "the first cast keeps every number"
        yield _agree(casts), "the second cast treats both types alike"
        stays = not casts.cancel or match.can_become("x")
        yield stays, "no graph output becomes a graph input or another output"
        return casts

    def rewrite(self, match: Match, found: Casts) -> Expr:
        return match["x"] if found.cancel else relax.op.astype(match["x"], found.last)


def holds(wide: str, narrow: str) -> bool:
    """Whether every number of one dtype is one of another.

    >>> holds("int64", "uint32"), holds("float32", "int32"), holds("float32", "bfloat16")
    (True, False, True)
    """
    if wide == narrow:
        return True
    w, n = _format(wide), _format(narrow)
    if w is None or n is None or w.digits < n.digits or (n.signed and not w.signed):
        return False
    # An integer whose digits fit into a significand is far from any exponent's limit.
    return w.exponent >= n.exponent


def _agree(casts: Casts) -> bool:
    narrow, wide, last = casts.narrow, casts.wide, casts.last
    if last == "bool" or holds(last, narrow):
        return True
    if last not in FLOATS and wide in FLOATS:
        return False
    return (narrow in FLOATS) == (wide in FLOATS)


def _format(dtype: str) -> Format | None:
    if dtype == "bool":
        return Format(1, 0, signed=False)
    if integer := re.fullmatch(r"(u?)int(\d+)", dtype):
        signed = not integer[1]
        return Format(int(integer[2]) - signed, 0, signed)
    return FLOATS.get(dtype)
