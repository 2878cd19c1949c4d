"""Plans that are one decision away from a plan: what a tuner tries next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest
from typing import Any, Final

from tvmfuse.schedules.attention_plan import AttentionPlan
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plans import (
    BlockDotsPlan,
    ContractionPlan,
    DepthwisePlan,
    FusedPaddingPlan,
    MatrixUnitPlan,
    NestPlan,
    PointwisePlan,
    ReductionPlan,
    RepeatingPlan,
    RowsPlan,
    WindowPlan,
    WinogradPlan,
)
from tvmfuse.schedules.steps import PREPARING

#: Register tiles that are tried of a plan, those of about as many accumulators first.
TILES: Final = 12
#: Rows and vectors of them, at most, and blocks of channels.
MOST_ROWS: Final = 14
MOST_VECTORS: Final = 8
BLOCKS: Final = (1, 2, 4, 8)
#: Steps of a sum that are one body of code.
UNROLLS: Final = (1, 2, 4, 8, 16)
#: In how many blocks a sum comes.
K_BLOCKS: Final = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
#: Register tiles that a strip is long.
STRIPS: Final = (0, 2, 4, 8, 16)

Plans = Iterable[Any]
Moves = Callable[[Any], Sequence[Plans]]


def neighbours(plan: KernelPlan) -> Iterator[KernelPlan]:
    """Yield plans of the same kernel that differ in one decision: a tile, an order, a number.

    Of each kind of decision the nearest one comes first. Whether a plan fits the kernel is not
    looked at: see `schedule.check_fits`.
    """
    prepared = frozenset(plan.steps) & PREPARING
    for nests in _in_turn(_within(plan.nests)):
        yield KernelPlan.of(plan.schedule, prepared, nests)


def _in_turn(kinds: Sequence[Plans]) -> Iterator[Any]:
    """Yield the first of each kind, then the second of each, and so on."""
    rounds = zip_longest(*kinds)
    return (plan for plan in chain.from_iterable(rounds) if plan is not None)


def _within(nests: tuple[NestPlan, ...]) -> Sequence[Plans]:
    """Return the ways to change one of several nests."""

    def changed(place: int, moves: Plans) -> Plans:
        return ((*nests[:place], nest, *nests[place + 1 :]) for nest in moves)

    return [changed(n, moves) for n, nest in enumerate(nests) for moves in _of(nest)]


def _of(nest: NestPlan) -> Sequence[Plans]:
    """Return the ways to change a nest, by the kind of decision."""
    return MOVES[type(nest)](nest) if type(nest) in MOVES else ()


def _contraction(nest: ContractionPlan) -> Sequence[Plans]:
    kinds: list[Plans] = [
        _tiles(nest),
        _each(nest, "k_blocks", _near(nest.k_blocks, K_BLOCKS)),
        _orders(nest),
        _unrolled(nest),
        _each(nest, "prefetch", _toggled(nest)),
        _flipped(nest, "panel_copy"),
        _each(nest, "row_strip", (n * nest.mr for n in STRIPS if n * nest.mr != nest.row_strip)),
    ]
    kinds += [_flipped(nest, "by_panel")] if nest.k_blocks > 1 else []
    return [*kinds, _flipped(nest, "row_pairs")] if nest.row_pairs else kinds


def _tiles(nest: ContractionPlan) -> Plans:
    """Yield register tiles, those of about as many accumulators first."""
    columns, size = nest.nr // nest.blocks, nest.mr * nest.vectors
    found = [
        (abs(rows * vectors - size), rows, vectors, blocks)
        for blocks in (BLOCKS if nest.blocks > 1 else (1, 2, 4))
        for vectors in (
            [blocks * columns // nest.lanes]
            if blocks > 1 or nest.blocks > 1
            else range(1, MOST_VECTORS + 1)
        )
        for rows in range(1, MOST_ROWS + 1)
        if size / 2 <= rows * vectors <= size * 1.5 and vectors <= MOST_VECTORS
    ]
    for _, rows, vectors, blocks in sorted(found)[: TILES + 1]:
        tile = replace(nest, mr=rows, nr=vectors * nest.lanes, blocks=blocks, row_strip=0)
        if tile != replace(nest, row_strip=0):
            yield tile


def _unrolled(nest: ContractionPlan | ReductionPlan) -> Plans:
    """Yield plans of which so many steps of the sum are one body, whatever the tile."""
    fmas = nest.mr * nest.vectors if isinstance(nest, ContractionPlan) else nest.vectors
    now = nest.unrolled(fmas)
    for steps in _near(now, UNROLLS):
        yield replace(nest, k_unroll=steps, max_fmas=max(nest.max_fmas, steps * fmas))


def _orders(nest: ContractionPlan | PointwisePlan | MatrixUnitPlan) -> Plans:
    """Return orders of which two loops are exchanged, and those with another loop outermost."""
    order = nest.order
    swapped = [(*order[:n], order[n + 1], order[n], *order[n + 2 :]) for n in range(len(order) - 1)]
    led = [(axis, *(a for a in order if a != axis)) for axis in order]
    return _each(nest, "order", [*swapped, *led])


def _toggled(nest: ContractionPlan) -> Iterator[tuple[str, ...]]:
    """Yield what may be asked for ahead of its use: one thing less, or one more."""
    for what in ("panels", "epilogue"):
        left = tuple(one for one in nest.prefetch if one != what)
        yield left if what in nest.prefetch else (*left, what)


def _winograd(nest: WinogradPlan) -> Sequence[Plans]:
    def with_product(product: ContractionPlan) -> WinogradPlan:
        return replace(nest, product=product)

    tiles = [n for n in dict.fromkeys(_sizes(nest.strip_tiles)) if n != nest.strip_tiles]
    strips = (
        replace(nest, strip_tiles=count, last_product=last)
        for count in tiles
        for last in (None, nest.product)
    )
    products = [map(with_product, moves) for moves in _contraction(nest.product)]
    return [strips, _flipped(nest, "share_strips"), *products]


def _sizes(count: int) -> Iterator[int]:
    """Yield numbers around one: half of it, a third less, a third more, twice as many."""
    yield from (max(1, round(count * share)) for share in (4 / 3, 2 / 3, 2, 1 / 2))


def _fused_padding(nest: FusedPaddingPlan) -> Sequence[Plans]:
    lines: Plans = ()
    if nest.lines is not None:
        lines = (
            replace(nest, lines=count, last_nests=last)
            for count in dict.fromkeys((nest.lines + 1, nest.lines - 1, *_sizes(nest.lines)))
            for last in ((), nest.nests)
            if count not in (0, nest.lines)
        )
    return [lines, *_inner(nest)]


def _inner(nest: RowsPlan | RepeatingPlan | FusedPaddingPlan) -> Sequence[Plans]:
    """Return the ways to change one of the nests inside."""
    return [map(partial(_with_nests, nest), moves) for moves in _within(nest.nests)]


def _with_nests(nest: Any, nests: tuple[NestPlan, ...]) -> NestPlan:
    changed: NestPlan = replace(nest, nests=nests)
    return changed


def _attention(nest: AttentionPlan) -> Sequence[Plans]:
    keys = [None, *_sizes(nest.key_block)] if nest.key_block else []
    return [
        _each(nest, "query_block", _sizes(nest.query_block)),
        _each(nest, "key_block", keys),
        _each(nest, "heads", (1, 2 * nest.heads, nest.heads // 2)),
    ]


def _reduction(nest: ReductionPlan) -> Sequence[Plans]:
    return [_each(nest, "vectors", _near(nest.vectors, UNROLLS)), _unrolled(nest)]


def _depthwise(nest: DepthwisePlan) -> Sequence[Plans]:
    return [
        _each(nest, "mr", (nest.mr + 1, nest.mr - 1, 2 * nest.mr, nest.mr // 2)),
        _flipped(nest, "by_lines"),
    ]


def _pointwise(nest: PointwisePlan) -> Sequence[Plans]:
    return [_each(nest, "lanes", (2 * nest.lanes, nest.lanes // 2)), _orders(nest)]


def _vectors(nest: WindowPlan) -> Sequence[Plans]:
    return [_each(nest, "vectors", _near(nest.vectors, UNROLLS))]


def _rows(nest: BlockDotsPlan) -> Sequence[Plans]:
    return [_each(nest, "mr", (nest.mr + 1, nest.mr - 1, 2 * nest.mr, nest.mr // 2))]


def _matrix_unit(nest: MatrixUnitPlan) -> Sequence[Plans]:
    tile = min(nest.mr, nest.nr)
    return [
        _each(nest, "strip_tiles", _near(nest.strip_tiles, UNROLLS)),
        [replace(nest, mr=nest.mr + rows) for rows in (tile, -tile) if nest.mr + rows > 0],
        _each(nest, "nr", (2 * nest.nr, nest.nr // 2)),
        _each(nest, "blocks", _near(nest.blocks, BLOCKS)),
        _orders(nest),
    ]


def _near(now: int, known: Sequence[int]) -> list[int]:
    """Return some numbers, those nearest to one first, without itself.

    >>> _near(4, (1, 2, 4, 8, 16))
    [2, 8, 1, 16]
    """
    return sorted((n for n in known if n != now), key=lambda n: max(n / now, now / n))


def _each(nest: NestPlan, field: str, values: Iterable[Any]) -> Plans:
    """Yield a nest with other values of a field; numbers are at least 1 where it has one now."""
    now = getattr(nest, field)
    least = 1 if isinstance(now, int) and now else 0
    for value in dict.fromkeys(values):
        if value != now and (not isinstance(value, int) or value >= least):
            yield replace(nest, **{field: value})


def _flipped(nest: NestPlan, field: str) -> Plans:
    return [replace(nest, **{field: not getattr(nest, field)})]


MOVES: Final[Mapping[type[NestPlan], Moves]] = {
    AttentionPlan: _attention,
    BlockDotsPlan: _rows,
    ContractionPlan: _contraction,
    DepthwisePlan: _depthwise,
    FusedPaddingPlan: _fused_padding,
    MatrixUnitPlan: _matrix_unit,
    PointwisePlan: _pointwise,
    ReductionPlan: _reduction,
    RepeatingPlan: _inner,
    RowsPlan: _inner,
    WindowPlan: _vectors,
    WinogradPlan: _winograd,
}
"""The ways to change each kind of nest."""
