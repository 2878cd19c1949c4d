"""The range of a symbol's sizes for which two dimensions are equal.

``min(n, 256) == n`` takes `n` to be at most 256, ``max(n - 1, 0) + 1 == n`` at least 1.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable

from tvm import tirx
from tvm.ir import Expr
from tvm.sym import Analyzer

from tvmfuse.ir.sizes import LARGEST, int64_range, proven, size_of
from tvmfuse.size_ranges import SizeRange
from tvmfuse.tensor_spec import Size, computed


def solved_range(left: Expr | int, right: Expr | int) -> tuple[str, SizeRange] | None:
    """Return a symbol and its sizes for which two dimensions are equal.

    Returns:
        None unless the dimensions have one symbol between them, and are proven to be equal within
        one range and to differ outside of it.
    """
    difference, one, other = left - right, size_of(left), size_of(right)
    symbols = tirx.analysis.undefined_vars(difference) if isinstance(difference, Expr) else []
    if len(symbols) != 1 or one is None or other is None:
        return None
    name = str(symbols[0].name)
    found = _found(
        lambda n: computed(one, {name: n}) == computed(other, {name: n}), _numbers(one, other)
    )
    if found is None or found == (0, LARGEST):
        return None
    begin, end = found

    def within(begin: int, end: int) -> Analyzer:
        analyzer = Analyzer()
        analyzer.bind(symbols[0], int64_range(begin, end))
        return analyzer

    def differ(begin: int, end: int) -> bool:
        if begin == end:
            return True
        can_prove = within(begin, end).can_prove
        return bool(can_prove(left < right) or can_prove(left > right))

    def solves() -> bool:
        equal = within(begin, end).can_prove_equal(left, right)
        return bool(equal) and differ(0, begin) and differ(end, LARGEST)

    return (name, SizeRange(begin, None if end == LARGEST else end - 1)) if proven(solves) else None


def _found(equal: Callable[[int], bool], numbers: set[int]) -> tuple[int, int] | None:
    """Return where a range of equality would begin and end, by bisection from a size within it."""
    near = {n + d for n in numbers for d in (-1, 0, 1) if 0 <= n + d < LARGEST}
    within = next(filter(equal, sorted(near.union(1 << i for i in range(31)))), None)
    if within is None:
        return None
    begin = bisect.bisect_left(range(within), 1, key=equal)
    end = within + bisect.bisect_left(range(within, LARGEST), 1, key=lambda n: not equal(n))
    return begin, end


def _numbers(*sizes: Size) -> set[int]:
    """Return 0, 1 and the numbers in some sizes: near those one rule takes over from another."""
    found = {0, 1}
    for size in sizes:
        if isinstance(size, tuple):
            found |= _numbers(*size[1:])
        elif isinstance(size, int):
            found.add(abs(size))
    return found
