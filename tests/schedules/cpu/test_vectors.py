"""schedules.cpu.vectors: how axes are cut into vectors, and which can be."""

from typing import Any

import pytest
import tvm
import tvm_ffi
from tvm import te, tirx

from tvmfuse.schedules.cpu.vectors import contiguous, lanes, segments, steps, vectorizable
from tvmfuse.schedules.kernels import read
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


@pytest.mark.parametrize("value", [0, 1, 7, 8, 23, 24, 100])
def test_a_size_known_only_later_is_cut_down_to_single_elements(value: int) -> None:
    n = tirx.Var("n", "int64")

    def at(expr: Any) -> Any:
        fixed = tvm_ffi.structural_map(expr, (tvm.ir.Var, lambda _: tirx.const(value, "int64")))
        return int(tvm.sym.Analyzer().simplify(fixed))

    covered = [
        at(s.begin) + step * s.width + lane
        for s in segments(n, 16, 8)
        for step in range(at(s.count))
        for lane in range(s.width)
    ]
    assert covered == list(range(value))


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
