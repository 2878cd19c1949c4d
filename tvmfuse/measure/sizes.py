"""Sizes for the symbolic dimensions that nobody fixed: those that models are mostly run at.

What a dimension is called says what it is; where the name says nothing, its place does. Sizes that
constrain each other are solved: one after the other is moved as little as possible.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmfuse.errors import ConfigurationError
from tvmfuse.size_ranges import SizeRange, taken_by
from tvmfuse.tensor_spec import ShapeConstraint, TensorSpec, computed, symbols_in

BATCH: Final = 1
CHANNELS: Final = 3
LENGTH: Final = 128
IMAGE: Final = 224
VOLUME: Final = 32
"""The sides of what has more than two."""

NAMES: Final = (
    (re.compile(r"batch|^(n|b|bs)$", re.IGNORECASE), BATCH),
    (re.compile(r"channel|^c$", re.IGNORECASE), CHANNELS),
    (re.compile(r"height|width|image|^(h|w)$", re.IGNORECASE), IMAGE),
    (re.compile(r"seq|len|token|time|frame|position|^(s|t|l)$", re.IGNORECASE), LENGTH),
)
LARGEST: Final = 4096
"""Up to which sizes are tried."""
MOVES: Final = 6
"""After so many no solution is looked for any more."""


def assumed_sizes(specs: Sequence[TensorSpec], given: Mapping[str, int]) -> dict[str, int]:
    """Return a size for each symbolic dimension of some inputs that is not given.

    Args:
        specs: The inputs.
        given: Sizes by the names of dimensions.

    Raises:
        ConfigurationError: No size fits what the model asks of its sizes together.

    >>> ids = TensorSpec("ids", "int64", ("batch", "sequence"))
    >>> assumed_sizes([ids], {}), assumed_sizes([ids], {"sequence": 7})
    ({'batch': 1, 'sequence': 128}, {'batch': 1})
    """
    taken: dict[str, range] = {}
    sizes: dict[str, int] = {}
    for spec in specs:
        for axis, dim in enumerate(spec.shape):
            if isinstance(dim, str):
                sizes.setdefault(dim, _usual(dim, axis, len(spec.shape)))
                taken[dim] = _narrowed(taken.get(dim, range(1, LARGEST + 1)), taken_by(spec, axis))
    free = {n: _nearest(taken[n], size) for n, size in sizes.items() if n not in given}
    constraints = [c for spec in specs for c in spec.shape_constraints]
    equations = _Equations(constraints, given, taken)
    smallest = {name: taken[name].start for name in free}
    found = equations.solved(free, MOVES, set()) or equations.solved(smallest, MOVES, set())
    if found is None:
        broken = next(c for c in constraints if not equations.holds(c, free))
        raise ConfigurationError(_no_sizes(broken, free, given))
    return found


def sizes_in(specs: Sequence[TensorSpec], feeds: Mapping[str, Any]) -> dict[str, int]:
    """Return what the symbolic dimensions are in some arrays, by their names."""
    return {
        dim: int(size)
        for spec in specs
        if spec.name in feeds
        for dim, size in zip(spec.shape, np.shape(feeds[spec.name]), strict=False)
        if isinstance(dim, str)
    }


def _usual(name: str, axis: int, rank: int) -> int:
    known = next((size for words, size in NAMES if words.search(name)), None)
    if known is not None:
        return known
    if axis == 0:
        return BATCH
    if rank < 4:
        return LENGTH
    if axis == 1:
        return CHANNELS
    return IMAGE if rank == 4 else VOLUME


def _narrowed(sizes: range, taken: SizeRange) -> range:
    """Return those of some sizes that a dimension takes; its smallest where that is beyond them."""
    least = max(sizes.start, taken.least)
    end = sizes.stop if taken.most is None else min(sizes.stop, taken.most + 1)
    return range(least, max(end, least + 1))


def _nearest(sizes: range, size: int) -> int:
    return min(max(size, sizes.start), sizes.stop - 1)


@dataclass(frozen=True)
class _Equations:
    """What the sizes have to fulfil together.

    Attributes:
        constraints: Equations between sizes.
        given: Sizes that stay as they are.
        taken: The sizes of each dimension that are tried.
    """

    constraints: Sequence[ShapeConstraint]
    given: Mapping[str, int]
    taken: Mapping[str, range]

    def solved(
        self, free: Mapping[str, int], moves: int, tried: set[tuple[int, ...]]
    ) -> dict[str, int] | None:
        """Move free sizes, each time so that a broken equation holds; None where that fails."""
        broken = next((c for c in self.constraints if not self.holds(c, free)), None)
        state = tuple(free.values())
        if broken is None:
            return dict(free)
        if not moves or state in tried:
            return None
        tried.add(state)
        names = symbols_in(broken.left, broken.right) & free.keys()
        for name in sorted(names, key=lambda n: (-free[n], n)):  # a batch stays what it is
            size = self.nearest(broken, name, free)
            if size is not None and (found := self.solved({**free, name: size}, moves - 1, tried)):
                return found
        return None

    def nearest(
        self, constraint: ShapeConstraint, name: str, free: Mapping[str, int]
    ) -> int | None:
        """Return the size next to the present one with which an equation holds."""
        near = sorted(self.taken[name], key=lambda size: abs(size - free[name]))
        return next((s for s in near if self.holds(constraint, {**free, name: s})), None)

    def holds(self, constraint: ShapeConstraint, free: Mapping[str, int]) -> bool:
        sizes = {**self.given, **free}
        return computed(constraint.left, sizes) == computed(constraint.right, sizes)


def _no_sizes(
    constraint: ShapeConstraint, found: Mapping[str, int], given: Mapping[str, int]
) -> str:
    sizes = {**given, **found}
    names = sorted(symbols_in(constraint.left, constraint.right))
    shown = ", ".join(f"{name}={sizes[name]}" for name in names)
    flags = " ".join(f"--dim {name}=N" for name in names)
    return (
        f"the model takes only sizes with {constraint.words}; none was found for the dimensions "
        f"that are not fixed, and with {shown} it does not hold: take other sizes, with {flags} "
        "(dims= in Python), or none for those that are fixed"
    )
