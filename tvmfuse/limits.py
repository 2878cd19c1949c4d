"""How much a model may ask for: a stranger's model is refused before it fills the machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from tvmfuse.errors import ConfigurationError, closest

LARGEST: Final = 2**31 - 1
"""A size that a node states: kernels may count up to it in 32 bits."""


@dataclass(frozen=True)
class Limits:
    """What the importer admits; each limit can be set, `tvmfuse.Limits(nodes=500_000)`.

    Attributes:
        nodes: Nodes, those in branches included, after functions have given way to their bodies.
        nesting: Functions, If, Loop and Scan inside each other.
        inlined_bytes: What functions add to the model's own bytes where they are inlined.
        rank: Dimensions of a tensor.
        elements: Elements of a tensor, each symbolic dimension counted as 1.
        bytes: Bytes of a tensor, counted so.
        external_bytes: Bytes of all tensors that lie in files beside the model. A file that has
            holes takes no room on the disk, and as much memory as it says.
        constant_bytes: What is computed of constants while compiling, in total, beside eight
            times the weights in the file: each result of ConstantOfShape, Range, Expand, Concat.
    """

    nodes: int = 100_000
    nesting: int = 24
    inlined_bytes: int = 2**28
    rank: int = 64
    elements: int = 2**31
    bytes: int = 2**33
    external_bytes: int = 2**35
    constant_bytes: int = 2**28

    def __post_init__(self) -> None:
        for name in NAMES:
            value, most = getattr(self, name), MOST.get(name, 2**62)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not (whole and 1 <= value <= most):
                raise ConfigurationError(
                    f"limit {name!r}: expected a number from 1 to {most}, found {value!r}"
                )

    @classmethod
    def of(cls, given: Limits | Mapping[str, int] | None) -> Limits:
        """Return the limits that a caller gives, the others at their defaults.

        Raises:
            ConfigurationError: There is no such limit, or it does not take this value.

        >>> Limits.of({"nodes": 10}).nodes, Limits.of(None) == Limits()
        (10, True)
        """
        if given is None or isinstance(given, Limits):
            return given or cls()
        if not isinstance(given, Mapping):
            raise ConfigurationError(
                f"limits: expected tvmfuse.Limits or a mapping, found {type(given).__name__}"
            )
        for name in given:
            if name not in NAMES:
                raise ConfigurationError(
                    f"no limit is called {name!r}; {closest(str(name), NAMES)}"
                )
        return cls(**given)

    @property
    def size(self) -> int:
        """The largest number that may be a size, a count or a distance in a node.

        Its product with a tensor's elements fits 63 bits: no shape wraps around to a small one.
        """
        return min(self.elements, 2**62 // self.elements, LARGEST)


NAMES: Final = tuple(field.name for field in fields(Limits))

MOST: Final[Mapping[str, int]] = {
    "nesting": 30,  # protobuf reads messages 100 deep, and each If takes three
    "rank": 64,  # numpy's
    "elements": 2**48,
}
