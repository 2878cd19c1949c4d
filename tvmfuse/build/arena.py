"""One piece of memory for all tensors between kernels: which of them lie in the same place.

A tensor's memory is another's after the last kernel that reads it. Sizes that are known only later
are compared as expressions: where it cannot be told which is larger, both have a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tvm import sym, tirx
from tvm.ir import Expr

from tvmfuse.arrays import ALIGNMENT
from tvmfuse.schedules.expressions import number, static, variables


@dataclass(frozen=True, eq=False)
class Lifetime:
    """How long a tensor is there.

    Attributes:
        nbytes: Of it.
        first: The call that writes it, counted from 0.
        last: The last call that reads it.
    """

    nbytes: Expr
    first: int
    last: int


@dataclass(eq=False)
class _Place:
    nbytes: Expr
    free_from: int


@dataclass(frozen=True, eq=False)
class Arena:
    """The memory.

    Attributes:
        begins: Where each tensor begins, in bytes.
        nbytes: Of all of it.
    """

    begins: Sequence[Expr]
    nbytes: Expr

    @classmethod
    def of(cls, lifetimes: Sequence[Lifetime]) -> Arena:
        """Find a place for each tensor; those of which the first call comes first are given first.

        >>> sizes = 100, 64, 70
        >>> arena = Arena.of([Lifetime(number(n), at, at + 1) for at, n in enumerate(sizes)])
        >>> [int(begin) for begin in arena.begins], int(arena.nbytes)
        ([0, 128, 0], 192)
        """
        places = _Places(sym.Analyzer())
        for size in {v for lifetime in lifetimes for v in variables(lifetime.nbytes)}:
            places.known.update(size, sym.ConstIntBound(0, sym.ConstIntBound.POS_INF))
        order = sorted(range(len(lifetimes)), key=lambda n: lifetimes[n].first)
        taken = {n: places.taken(lifetimes[n]) for n in order}
        begins, end = list[Expr](), number(0)
        for place in places.found:
            begins.append(end)
            end = places.known.simplify(end + place.nbytes)
        return cls([begins[taken[n]] for n in range(len(lifetimes))], end)


@dataclass(frozen=True, eq=False)
class _Places:
    known: sym.Analyzer
    found: list[_Place] = field(default_factory=list)

    def taken(self, lifetime: Lifetime) -> int:
        """Return which place a tensor takes: the smallest free one that it fits, or a new one."""
        units = tirx.floordiv(lifetime.nbytes + (ALIGNMENT - 1), ALIGNMENT)
        nbytes = self.known.simplify(units * ALIGNMENT)
        free = [n for n, place in enumerate(self.found) if place.free_from <= lifetime.first]
        fitting = [n for n in free if self._fits(nbytes, self.found[n].nbytes)]
        grown = [n for n in free if self._fits(self.found[n].nbytes, nbytes)]
        chosen = min(fitting, key=self._size, default=max(grown, key=self._size, default=None))
        if chosen is None:
            self.found.append(_Place(nbytes, lifetime.last + 1))
            return len(self.found) - 1
        if chosen not in fitting:
            self.found[chosen].nbytes = nbytes
        self.found[chosen].free_from = lifetime.last + 1
        return chosen

    def _fits(self, nbytes: Expr, place: Expr) -> bool:
        return bool(self.known.can_prove(nbytes <= place))

    def _size(self, place: int) -> int:
        """Return a place's size, where it is known: such are compared, others are as they come."""
        return static(self.found[place].nbytes) or 0
