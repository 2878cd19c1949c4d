"""The type in which a sum of products is kept."""

from __future__ import annotations

from typing import Final

from tvmfuse.ops.lowering.half import HALF

#: What products of two integers of at most this many bits are summed in.
INTEGERS: Final = "int32"

#: Of what such integers are stored.
STORED: Final = ("uint8", "int8", "int16")

#: The name of a sum whose weights are such that those of two neighbours, times any two bytes, make
#: no more than an int16 holds: instructions that clip such sums clip none. Names survive fusion.
BOUNDED: Final = "bounded_sum"


def summed_in(a: str, b: str, *, wide: bool = False) -> str:
    """Return the type of the sums of products of two operands.

    Operands of one type have sums of that type, but for what is stored of quantized tensors, whose
    sums have to be wider: bytes times the weights that they meet, either perhaps in an int16. Where
    weights are stored in half of float32, sums are float32.

    Args:
        a: The first operand's type.
        b: The second operand's.
        wide: Whether sums of bfloat16 stay float32, in which they are added up.

    >>> summed_in("float32", "float32"), summed_in("uint8", "int8"), summed_in("int16", "int16")
    ('float32', 'int32', 'int32')
    >>> summed_in("bfloat16", "bfloat16"), summed_in("bfloat16", "bfloat16", wide=True)
    ('bfloat16', 'float32')
    >>> summed_in("float32", "float16")
    'float32'
    """
    if (wide and a == b == "bfloat16") or (a == "float32" and b in HALF):
        return "float32"
    return a if a == b and a not in STORED else INTEGERS
