"""transposed_axes: the sums of each result hold the pairs that meet there, and few others."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from tvm import sym, tirx
from tvm.ir import Expr

from tvmfuse.ops.transposed_axes import Axis, OnePixel, Phases, axis_of

AXES = [
    (pixels, kernel, stride, dilation, begin, end)
    for pixels, kernel, stride, dilation in itertools.product(
        (1, 2, 5), (1, 2, 3, 5), (1, 2, 3, 6), (1, 2, 4)
    )
    for begin, end in ((0, 0), (1, 0), (0, 2), (3, 2))
    if begin + end <= dilation * (kernel - 1)
]


def number(expr: Any) -> int:
    return int(sym.Analyzer().simplify(expr)) if isinstance(expr, Expr) else int(expr)


def results_of(pixels: int, kernel: int, stride: int, dilation: int, begin: int, end: int) -> int:
    return stride * (pixels - 1) + dilation * (kernel - 1) + 1 - begin - end


def meeting(result: int, axis: Any) -> set[tuple[int, int]]:
    """Pixels and taps that meet in a result, by definition."""
    pixels, kernel, stride, dilation, begin, _ = axis
    pairs = itertools.product(range(pixels), range(kernel))
    return {(j, k) for j, k in pairs if stride * j + dilation * k - begin == result}


def read(axis: Axis, result: int, pixels: int, kernel: int) -> set[tuple[int, int]]:
    """What the sum of a result reads, without padding; all of it has to be there."""
    phase, place = (number(n) for n in axis.place_of(result))
    assert 0 <= phase < axis.phases
    assert 0 <= place < number(axis.places)
    if axis.is_reached(result) is False:
        return set()
    found = set()
    for term in range(axis.terms):
        at = (tirx.const(n, "int64") for n in (phase, place, term))
        pixel, tap = (number(n) for n in axis.reads(*at))
        before, behind = axis.pixel_padding
        assert 0 <= pixel < before + pixels + number(behind)
        assert 0 <= tap < kernel
        if 0 <= pixel - before < pixels:
            assert (pixel - before, tap) not in found
            found.add((pixel - before, tap))
    return found


@pytest.mark.parametrize("stride", [1, 2, 3, 6])
def test_phases_read_what_meets(stride: int) -> None:
    for axis in (a for a in AXES if a[2] == stride):
        pixels, kernel, _, dilation, begin, end = axis
        size, behind = tirx.const(pixels, "int64"), dilation * (kernel - 1) - end
        phases = Phases(size, kernel, stride, dilation, begin, behind)
        for result in range(results_of(*axis)):
            assert read(phases, result, pixels, kernel) == meeting(result, axis), axis


def test_one_pixel_reads_what_meets() -> None:
    for axis in (a for a in AXES if a[0] == a[3] == 1):
        pixels, kernel, _, _, begin, end = axis
        one = OnePixel(begin, kernel - 1 - end)
        assert one.places == results_of(*axis)
        for result in range(one.places):
            assert read(one, result, pixels, kernel) == meeting(result, axis), axis


def test_no_zeros_are_multiplied_between_pixels() -> None:
    """4 taps at stride 2: each result reads 2, where TVM's convolution of zeros reads 4."""
    phases = Phases(8, 4, 2, 1, 1, 2)
    assert (phases.phases, phases.places, phases.terms) == (2, 9, 2)


@pytest.mark.parametrize(
    ("pixels", "kernel", "stride", "expected"),
    [(1, 4, 1, OnePixel), (1, 16, 8, OnePixel), (2, 16, 8, Phases), (7, 3, 2, Phases)],
)
def test_the_fewer_products_are_taken(pixels: int, kernel: int, stride: int, expected: Any) -> None:
    size = tirx.const(pixels, "int64")
    assert isinstance(axis_of(size, kernel, stride, 1, 0, kernel - 1), expected)


def test_an_image_whose_size_is_not_known_has_phases() -> None:
    axis = axis_of(tirx.Var("n", "int64"), 4, 1, 1, 0, 3)
    assert isinstance(axis, Phases)
