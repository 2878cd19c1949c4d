"""schedules.cpu.gemm.k_unroll: how many steps one body of a sum's loop takes."""

from typing import Any

import pytest

from tvmfuse.ops import conv_blocked, gemm
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2

ONES: dict[str, Any] = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}


def multiply_adds(lab: Any, operator: Any, *shapes: Any) -> Any:
    """How many vectors of them the innermost loop has; no accumulator may leave its register."""
    module = schedule(lab.lowered(operator, *((s, "float32") for s in shapes)), AVX2.target).module
    (function,) = lab.kernels(module).values()
    block = "\n".join(lab.hottest_block(lab.assembly(function, AVX2), "vfmadd"))
    assert "rsp" not in block
    return block.count("vfmadd")


def test_four_steps(lab: Any) -> None:
    """Of a tile of 4 rows by 3 vectors."""
    assert multiply_adds(lab, lambda a, p: gemm(a, p), (128, 768), (32, 768, 24)) == 4 * 12


@pytest.mark.parametrize(("channels", "steps"), [(128, 4), (512, 16), (1024, 16)])
def test_a_long_sum_s_blocks_of_channels_are_one_body(lab: Any, channels: int, steps: int) -> None:
    """Of tiles of 6 rows by 2 vectors."""
    shapes = (1, channels // 16, 14, 14, 16), (4, channels // 16, 1, 1, 16, 16)
    found = multiply_adds(lab, lambda x, w: conv_blocked(x, w, **ONES), *shapes)
    assert found == steps * 12


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 7, 18, 19])
def test_steps_that_are_left(lab: Any, depth: int) -> None:
    shapes = (9, depth), (3, depth, 24)
    lab.assert_same_numbers(lab.lowered(lambda a, p: gemm(a, p), *((s, "float32") for s in shapes)))
