"""The types that whole models are computed in, and how near their numbers have to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tvmfuse.measure.agreement import TOLERANCE
from tvmfuse.target.resolve import this_machine

FLOAT32: Final = "f32"


@dataclass(frozen=True)
class Precision:
    """A type that products are computed in.

    Attributes:
        label: What it is called in tables.
        tolerance: Of an engine's numbers, by the largest magnitude of those that they are compared
            with.
        like_float32: Whether these are the first engine's in float32, where that is measured, too;
            otherwise they are the first engine's in the same precision.
        dot: The type of the products that the machine has to have; None where any will do.
        weight_bits: Of the weights that a model is quantized to; None where it is not quantized.
    """

    label: str
    tolerance: float
    like_float32: bool = False
    dot: str | None = None
    weight_bits: int | None = None

    def missing(self) -> str | None:
        """Say why it cannot be measured here; None where it can."""
        if self.dot is None or any(dot.a == self.dot for dot in this_machine().dot):
            return None
        return f"this CPU has no instruction that multiplies {self.dot}"


PRECISIONS: Final[Mapping[str, Precision]] = {
    FLOAT32: Precision("float32", TOLERANCE),
    "bf16": Precision("bfloat16", 0.2, like_float32=True, dot="bfloat16"),
    "int8": Precision("int8", 0.3, weight_bits=8),
    "int8w7": Precision("int8, weights of 7 bits", 0.3, weight_bits=7),
}
"""A rounding to bfloat16 is 4e-3, one to the next of 256 steps as much of a tensor's range; in a
network with random weights nothing brings back what it moved. MobileNetV2, the worst of the five,
is 0.12 from float32 in bfloat16 and 0.19 between two engines in int8, each of them right; a wrong
kernel makes numbers that have nothing to do with the right ones, 1 and more.

Without VNNI onnxruntime adds up two products in 16 bits, and clips the sum: its documents advise
weights of 7 bits there (`reduce_range`), of which nothing is clipped. With 8 bits its numbers for
BERT are 0.39 from ours, and it has no time."""
