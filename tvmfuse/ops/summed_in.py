"""The type in which a sum of products is kept."""

from __future__ import annotations

from typing import Final

#: What products of two integers of at most this many bits are summed in.
INTEGERS: Final = "int32"

#: The name of a sum whose weights are such that those of two neighbours, times any two bytes, make
#: no more than an int16 holds: instructions that clip such sums clip none. Names survive fusion.
BOUNDED: Final = "bounded_sum"


def summed_in(a: str, b: str) -> str:
    """Return the type of the sums of products of two operands.

    Operands of one type have sums of that type. Stored numbers of two integer types, the bytes of
    a quantized tensor times the weights that they meet, have sums that are exact.

    >>> summed_in("float32", "float32"), summed_in("uint8", "int8"), summed_in("uint8", "int16")
    ('float32', 'int32', 'int32')
    """
    return a if a == b else INTEGERS
