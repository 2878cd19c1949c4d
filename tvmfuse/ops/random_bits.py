"""`tvmfuse.random_bits`: random numbers that follow from a key and from where they stand.

SplitMix64 counts: a number is the bits of ``key + place * GAMMA``, scrambled. So the elements of a
tensor are computed in any order, in vectors and in threads, and are the same each time. Source:
Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import numpy as np
from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits

GAMMA: Final = 0x9E3779B97F4A7C15
"""Odd, and next to 2^64 over the golden ratio: the counter meets every number of 64 bits."""

_ROUNDS: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST: Final = 31

BITS: Final = 31
"""Of each number that `random_bits` gives: all of an int32 but its sign."""

Words = TypeVar("Words", Expr, np.ndarray)


def scrambled(words: Words, number: Callable[[int], Any]) -> Words:
    """Return words of 64 bits of which each bit depends on all bits of the given ones.

    Args:
        words: Of uint64, as an array or an expression.
        number: Makes a constant of that kind.
    """
    for shift, factor in _ROUNDS:
        words = (words ^ (words >> number(shift))) * number(factor)
    last: Words = words ^ (words >> number(_LAST))
    return last


def key_of(number: int, kind: int) -> int:
    """Return the key of a sequence: of a seed, or of one that was counted.

    Args:
        number: From 0 to 2^64 - 1.
        kind: Which numbers are counted; those of one kind have nothing to do with another's.
    """
    word = np.array([number], np.uint64)
    return int(scrambled(scrambled(word, np.uint64) + np.uint64(kind), np.uint64)[0])


def _word(value: int) -> Expr:
    return tirx.const(value, "uint64")


def _infer(node: Call) -> Type:
    return relax.TensorType(node.args[0], "int32")


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    shape = list(node.args[0].values)
    key = int(node.attrs["high"]) << 32 | int(node.attrs["low"])
    unused = 64 - BITS if node.attrs["upper"] else 1

    def compute() -> te.Tensor:
        def element(*i: Expr) -> Expr:
            place: Expr = tirx.const(0, "int64")
            for index, extent in zip(i, shape, strict=True):
                place = place * extent + index
            word = scrambled(tirx.Cast("uint64", place) * _word(GAMMA) + _word(key), _word)
            kept = (word >> _word(unused)) & _word((1 << BITS) - 1)
            return tirx.Cast("int32", kept)

        return te.compute(shape, element, name="random_bits", tag="injective")

    return bb.call_te(compute, primfunc_name_hint="random_bits")


RANDOM_BITS: Final = define(
    "tvmfuse.random_bits",
    traits=Traits(kind=Kind.OTHER, why="it makes a tensor of sizes and a key", random=True),
    infer=_infer,
    legalize=_legalize,
    doc="Random integers.",
)


def random_bits(shape: Sequence[Expr | int], key: int, *, upper: bool) -> Call:
    """Return random integers from 0 to 2^31 - 1, each of them as likely.

    Args:
        shape: The result's.
        key: Says which, from 0 to 2^64 - 1.
        upper: Which half of the words they are: both halves of one key are independent.

    Returns:
        int32.
    """
    return call(
        RANDOM_BITS,
        [relax.ShapeExpr(list(shape))],
        high=key >> 32,
        low=key & 0xFFFFFFFF,
        upper=upper,
    )
