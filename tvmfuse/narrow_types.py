"""Element types that no kernel computes with: floats of 8 bits or less, integers of 4 or 2.

They lie in bytes, one element each, also those of 4 bits: an integer as its value, a float as its
code in the lower bits. So numpy and ml_dtypes hold them, and so inputs and outputs are; what moves
elements moves bytes. Sources: https://onnx.ai/onnx/technical/float8.html, int4.html and
float4.html; the OCP Microscaling Formats specification 1.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Minifloat:
    """A floating-point format of at most 8 bits: sign, exponent and mantissa, from the highest.

    Attributes:
        exponent: Bits of the exponent.
        mantissa: Bits of the mantissa.
        bias: What an exponent's code is above the exponent.
        largest: The code of the largest finite number.
        nan: The code of NaN; None where there is none.
        infinity: The code of infinity; None where there is none.
        negative_zero: Whether zero has both signs.
    """

    exponent: int
    mantissa: int
    bias: int
    largest: int
    nan: int | None = None
    infinity: int | None = None
    negative_zero: bool = True

    @property
    def sign(self) -> int:
        """The place of the sign's bit."""
        return self.exponent + self.mantissa


MINIFLOATS: Final[Mapping[str, Minifloat]] = {
    "float8_e4m3fn": Minifloat(4, 3, 7, largest=0x7E, nan=0x7F),
    "float8_e4m3fnuz": Minifloat(4, 3, 8, largest=0x7F, nan=0x80, negative_zero=False),
    "float8_e5m2": Minifloat(5, 2, 15, largest=0x7B, nan=0x7E, infinity=0x7C),
    "float8_e5m2fnuz": Minifloat(5, 2, 16, largest=0x7F, nan=0x80, negative_zero=False),
    "float6_e2m3fn": Minifloat(2, 3, 1, largest=0x1F),
    "float6_e3m2fn": Minifloat(3, 2, 3, largest=0x1F),
    "float4_e2m1fn": Minifloat(2, 1, 1, largest=0x7),
}
"""By ml_dtypes' name, formats with a sign."""

EXPONENT_ONLY: Final = "float8_e8m0fnu"
"""Powers of two, ``2 ** (code - 127)``, and NaN, 255: the scales of blocks."""

NARROW_INTEGERS: Final[Mapping[str, int]] = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2}
"""ml_dtypes' name -> bits."""

STORAGE: Final[Mapping[str, str]] = {
    **dict.fromkeys([*MINIFLOATS, EXPONENT_ONLY, "uint4", "uint2"], "uint8"),
    **dict.fromkeys(["int4", "int2"], "int8"),
}
"""ml_dtypes' name -> the dtype of the bytes."""


def stored_as(dtype: str) -> str:
    """Return the dtype that holds the elements of a dtype: itself, where kernels compute with it.

    >>> stored_as("int4"), stored_as("float8_e5m2"), stored_as("float32")
    ('int8', 'uint8', 'float32')
    """
    return STORAGE.get(dtype, dtype)


def limits_of(dtype: str) -> tuple[int, int]:
    """Return the least and the largest number of an integer type.

    >>> limits_of("int4"), limits_of("uint16")
    ((-8, 7), (0, 65535))
    """
    bits = int(dtype.removeprefix("u").removeprefix("int"))
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
