"""How many lines a tile of a depthwise convolution has: what was measured on AVX2 and AVX-512."""

from __future__ import annotations

from typing import Any

import pytest

from tvmfuse.ops import conv_blocked
from tvmfuse.schedules.plans import DepthwisePlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine


def lines(lab: Any, machine: Machine, rows: int, stride: int = 1) -> int:
    """Return those of the tiles of 32 channels in blocks of 16, of 3x3 and so many rows."""

    def compute(x: Any, w: Any) -> Any:
        how: Any = {"strides": [stride] * 2, "dilation": [1, 1], "padding": [1] * 4}
        return conv_blocked(x, w, groups=32, **how)

    size = stride * rows
    shapes = (1, 2, size, size, 16), (2, 1, 3, 3, 1, 16)
    module = lab.lowered(compute, *((shape, "float32") for shape in shapes))
    (decision,) = schedule(module, machine.target).report.decisions.values()
    (nest,) = decision.plan.nests
    assert isinstance(nest, DepthwisePlan)
    return nest.mr


@pytest.mark.parametrize(("rows", "expected"), [(56, 7), (8, 4), (30, 6), (3, 3), (11, 6)])
def test_the_fewest_tiles_share_lines_evenly(lab: Any, rows: int, expected: int) -> None:
    assert lines(lab, AVX512, rows) == expected


@pytest.mark.parametrize(("rows", "expected"), [(112, 8), (28, 8), (14, 8), (7, 7), (10, 6)])
def test_with_avx2_several_tiles_have_an_even_number(lab: Any, rows: int, expected: int) -> None:
    assert lines(lab, AVX2, rows) == expected


@pytest.mark.parametrize(("machine", "expected"), [(AVX2, 3), (AVX512, 7)], ids=["avx2", "avx512"])
def test_with_a_stride_avx2_takes_few(lab: Any, machine: Machine, expected: int) -> None:
    assert lines(lab, machine, 28, stride=2) == expected
