"""schedules.cpu.vectors: how axes are cut into vectors, and which can be."""

from typing import Any

import pytest
import tvm
import tvm_ffi
from tvm import te, tirx

from tvmfuse.schedules.cpu.vectors import (
    contiguous,
    halved,
    lanes,
    may_overlap,
    overlapping,
    segments,
    steps,
    vectorizable,
)
from tvmfuse.schedules.kernels import Axis, Stage, Store, read
from tvmfuse.target.machine import AVX2


def cuts(extent: Any, *widths: Any) -> Any:
    return [
        (int(s.begin), int(s.count), s.width)
        for s in segments(tirx.const(extent, "int64"), *widths)
    ]


@pytest.mark.parametrize(
    ("extent", "widths", "found"),
    [
        (32, (8,), [(0, 4, 8)]),
        (37, (8,), [(0, 4, 8), (32, 1, 5)]),
        (5, (8,), [(0, 1, 5)]),
        (61, (24, 8), [(0, 2, 24), (48, 1, 8), (56, 1, 5)]),
        (0, (8,), []),
    ],
)
def test_whole_vectors_and_a_rest(extent: int, widths: tuple[int, ...], found: Any) -> None:
    assert cuts(extent, *widths) == found


def with_size(expr: Any, value: int) -> int:
    """Return an expression's value where its one variable has this one."""
    fixed = tvm_ffi.structural_map(expr, (tvm.ir.Var, lambda _: tirx.const(value, "int64")))
    return int(tvm.sym.Analyzer().simplify(fixed))


@pytest.mark.parametrize("value", [0, 1, 7, 8, 23, 24, 100])
def test_a_size_known_only_later_is_cut_down_to_single_elements(value: int) -> None:
    n = tirx.Var("n", "int64")
    covered = [
        with_size(s.begin, value) + step * s.width + lane
        for s in segments(n, 16, 8)
        for step in range(with_size(s.count, value))
        for lane in range(s.width)
    ]
    assert covered == list(range(value))


@pytest.mark.parametrize(
    ("cut", "widths"),
    [
        *((overlapping, widths) for widths in ((48, 16, 4), (16, 16, 4), (8, 8), (128, 64, 16, 4))),
        *((halved, widths) for widths in ((48, 16, 8, 4), (16, 16, 8, 4), (64, 32, 16, 8, 4))),
    ],
)
def test_steps_that_overlap_stay_inside_and_leave_nothing_out(
    cut: Any, widths: tuple[int, ...]
) -> None:
    parts = cut(tirx.Var("n", "int64"), *widths)
    for value in (*range(20), 31, 33, 40, 41, 47, 48, 49, 56, 57, 63, 64, 65, 127, 130, 200):
        covered = [
            with_size(s.start(tirx.const(step, "int64")), value) + lane
            for s in parts
            for step in range(with_size(s.count, value))
            for lane in range(s.width)
        ]
        assert sorted({*covered}) == list(range(value))
        assert value < widths[-1] or len(covered) < value + max(widths[1:])


@pytest.mark.parametrize(("value", "steps"), [(49, (1, 0, 1)), (56, (1, 0, 1)), (57, (1, 1, 0)),
    (48, (1, 0, 0)), (40, (0, 2, 1)), (16, (0, 1, 0)), (15, (0, 0, 2)), (8, (0, 0, 1))])  # fmt: skip
def test_half_a_vector_is_taken_for_what_no_more_is_left_of(value: int, steps: Any) -> None:
    first, whole, half, *_ = halved(tirx.Var("n", "int64"), 48, 16, 8, 4)
    assert tuple(with_size(s.count, value) for s in (first, whole, half)) == steps


def test_what_is_read_and_written_is_not_computed_twice() -> None:
    n, i = tirx.Var("n", "int64"), tirx.Var("i", "int64")
    axis = Axis(i, n)
    x, y = (tirx.decl_buffer((n,), "float32", name) for name in "xy")

    def stage(target: Any, value: Any, initial: Any = None) -> Stage:
        return Stage("stage", (axis,), (Store(target, (i,), value, initial),))

    def of(buffer: Any, index: Any = i) -> Any:
        return tirx.BufferLoad(buffer, [index])

    assert may_overlap([stage(y, of(x) + 1)], axis)
    assert not may_overlap([stage(y, of(y) + 1)], axis), "in place"
    assert not may_overlap([stage(y, of(y) + of(x), of(y))], axis), "sums that go on"
    assert may_overlap([stage(y, of(y) + of(x), tirx.const(0.0, "float32"))], axis)
    assert not may_overlap([stage(y, of(x)), stage(x, of(y))], axis), "a later stage's"
    assert not may_overlap([stage(y, of(x, tirx.floordiv(i, 16)))], axis), "no sum of multiples"
    assert not may_overlap([stage(y, of(x) + 1)], Axis(i, tirx.const(29, "int64"))), "known"


def test_a_multiple_of_the_width_has_no_rest() -> None:
    assert [s.width for s in segments(tirx.Var("n", "int64") * 16, 8)] == [8]


def stage(lab: Any, value: Any, *, dtype: str = "float32", n: int = 40) -> Any:
    a = te.placeholder((n,), dtype=dtype, name="a")
    (found,) = read(lab.function_of(a, te.compute((n,), lambda i: value(a, i)))).stages
    return found


def test_lanes_follow_the_widest_type(lab: Any) -> None:
    for dtype, count in [
        ("float32", 8),
        ("float64", 4),
        ("int8", 32),
        ("float16", 8),
        ("bool", 32),
    ]:
        found = stage(lab, lambda a, i: a[i], dtype=dtype)
        assert lanes([found], found.axes[0], AVX2) == count
    found = stage(lab, lambda a, i: a[i].astype("float64"))
    assert lanes([found], found.axes[0], AVX2) == 4


def test_what_the_vectorizer_makes_scalar_has_one_lane(lab: Any) -> None:
    for value in (lambda a, i: tirx.atan(a[i]), lambda a, i: tirx.isnan(a[i])):
        found = stage(lab, value)
        assert not vectorizable(found, found.axes[0].var)
        assert lanes([found], found.axes[0], AVX2) == 1


def test_a_call_that_does_not_move_along_the_axis_is_no_obstacle(lab: Any) -> None:
    found = stage(lab, lambda a, i: a[i] * tirx.atan(a[0]))
    assert vectorizable(found, found.axes[0].var)


def test_steps_of_accesses(lab: Any) -> None:
    found = stage(lab, lambda a, i: a[i] + a[39 - i] + a[i // 2] + a[3])
    assert steps(found, found.axes[0]) == [1, -1, None, 0, 1]
    assert not contiguous(found, found.axes[0])
