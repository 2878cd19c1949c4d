"""Sizes of symbolic dimensions as a caller gives them: a number, or a range of numbers."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tvmfuse.errors import ConfigurationError
from tvmfuse.tensor_spec import TensorSpec

Bounds: TypeAlias = tuple[int | None, int | None]
"""The smallest and the largest size, both included; None where there is no bound."""

GivenSizes: TypeAlias = Mapping[str, int | Bounds]
"""For symbolic dimensions, by their names, a number or bounds."""

NamedSizes: TypeAlias = Mapping[str, int]
"""For some symbolic dimensions, by their names, a number."""

GivenShape: TypeAlias = Sequence[int | str | Bounds | None]
"""For each dimension a size, a name or bounds; None where it is as the model says."""

GivenShapes: TypeAlias = Mapping[str, GivenShape | Sequence[GivenShape | None] | None]
"""For inputs, by their names, a shape; for a sequence its elements'; None for what is absent."""


@dataclass(frozen=True)
class SizeRange:
    """The sizes from `least` to `most`, both included; `most` is None where there is no largest.

    >>> print(SizeRange(4, 4), SizeRange(1, 64), SizeRange(2), SizeRange(0, 9), sep=", ")
    4, 1 to 64, at least 2, at most 9
    """

    least: int = 0
    most: int | None = None

    @classmethod
    def of(cls, name: str, given: Any) -> SizeRange:
        """Return the range that a caller gives for a dimension; that of a number is the number.

        Args:
            name: Of the dimension.
            given: A number, or `Bounds` as a tuple or a list.

        Raises:
            ConfigurationError: It is neither, a number is negative, or the range is empty.

        >>> SizeRange.of("batch", 4), SizeRange.of("batch", (None, 64))
        (SizeRange(least=4, most=4), SizeRange(least=0, most=64))
        """
        if not isinstance(given, tuple | list):
            size = _size(name, given, given)
            return cls(size, size)
        if len(given) != 2:
            raise _unexpected(name, given)
        least, most = (None if bound is None else _size(name, bound, given) for bound in given)
        if least is not None and most is not None and most < least:
            raise ConfigurationError(
                f"dimension {name!r} is to be {given!r}, and no size is from {least} to {most}; "
                "expected the smallest size, then the largest"
            )
        return cls(least or 0, most)

    @property
    def number(self) -> int | None:
        """The only size of the range, or None where there are several."""
        return self.least if self.least == self.most else None

    def within(self, other: SizeRange) -> SizeRange | None:
        """Return the sizes of both ranges, or None where there are none.

        >>> SizeRange(0, 9).within(SizeRange(4)), SizeRange(0, 3).within(SizeRange(4))
        (SizeRange(least=4, most=9), None)
        """
        least = max(self.least, other.least)
        most = min((m for m in (self.most, other.most) if m is not None), default=None)
        return SizeRange(least, most) if most is None or least <= most else None

    def __contains__(self, size: int) -> bool:
        return self.least <= size and (self.most is None or size <= self.most)

    def __str__(self) -> str:
        if self.number is not None:
            return str(self.number)
        if self.most is None:
            return f"at least {self.least}"
        return f"{self.least} to {self.most}" if self.least else f"at most {self.most}"


def taken_by(spec: TensorSpec, axis: int) -> SizeRange:
    """Return the sizes that an input takes along an axis, as far as it says of that alone."""
    size = spec.shape[axis]
    if not isinstance(size, str):
        return SizeRange(size, size)
    return SizeRange(
        spec.min_sizes[axis] if spec.min_sizes else 0,
        spec.max_sizes[axis] if spec.max_sizes else None,
    )


def fixed_sizes(given: GivenSizes | None) -> dict[str, int]:
    """Return the sizes among what is given that are numbers.

    >>> fixed_sizes({"batch": (1, 64), "length": 128, "heads": (8, 8)})
    {'length': 128, 'heads': 8}
    """
    ranges = {name: SizeRange.of(name, size) for name, size in (given or {}).items()}
    return {name: r.number for name, r in ranges.items() if r.number is not None}


def named_sizes(given: Any) -> tuple[NamedSizes, ...]:
    """Return the sizes that a caller gives once, or several times in a list.

    Args:
        given: For symbolic dimensions, by their names, a number; or such mappings.

    Raises:
        ConfigurationError: It is something else, or a number is below 1.

    >>> named_sizes([{"batch": 1}, {"batch": 8}]), named_sizes({"batch": 1}), named_sizes(None)
    (({'batch': 1}, {'batch': 8}), ({'batch': 1},), ())
    """
    each = () if given is None else (given,) if isinstance(given, Mapping) else given
    if isinstance(each, str | bytes) or not isinstance(each, Sequence):
        raise _no_sizes(given)
    found = list[dict[str, int]]()
    for sizes in each:
        if not isinstance(sizes, Mapping) or not sizes:
            raise _no_sizes(given)
        for name, size in sizes.items():
            if isinstance(size, tuple | list) or not _size(name, size, size):
                raise ConfigurationError(
                    f"specialize: expected a size of 1 or more for {name!r}, found {size!r}"
                )
        found.append({name: operator.index(size) for name, size in sizes.items()})
    return tuple(found)


def _no_sizes(given: Any) -> ConfigurationError:
    return ConfigurationError(
        "specialize: expected sizes of symbolic dimensions by their names, as in "
        f"{{'batch': 1, 'width': 224}}, or a list of such, found {given!r:.60}"
    )


def _size(name: str, size: Any, given: Any) -> int:
    try:
        number = operator.index(size)
    except TypeError:
        raise _unexpected(name, given) from None
    if number < 0 or isinstance(size, bool):
        raise _unexpected(name, given)
    if number >= 2**63:
        raise ConfigurationError(f"dimension {name!r} is to be {given!r}; expected 63 bits at most")
    return number


def _unexpected(name: str, given: Any) -> ConfigurationError:
    return ConfigurationError(
        f"dimension {name!r} is to be {given!r}; expected a number >= 0, or the smallest and the "
        "largest of a range, None where there is no bound: (1, 64)"
    )
