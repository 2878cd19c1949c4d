"""schedules.cpu.conv.depthwise_nest: threads share lines where convolutions around do so, too."""

from typing import Any

import pytest
from tvm import tirx

from tvmfuse.ops import conv_blocked
from tvmfuse.schedules.plans import DepthwisePlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX512


def blocked(lab: Any, batch: Any, height: Any, width: Any) -> Any:
    """Return a convolution of each of 64 channels, in blocks of 16."""

    def compute(x: Any, w: Any) -> Any:
        return conv_blocked(x, w, groups=64, strides=[1, 1], dilation=[1, 1], padding=[1] * 4)

    shapes = (batch, 4, height, width, 16), (4, 1, 3, 3, 1, 16)
    return lab.lowered(compute, *((shape, "float32") for shape in shapes))


@pytest.mark.parametrize(
    ("size", "by_lines"), [((8, 8), True), ((7, 9), False), ((28, 14), True), ((9, 7), False)]
)
@pytest.mark.parametrize("batch", [1, 3])
def test_by_lines_where_pixels_outnumber_channels(
    lab: Any, batch: int, size: tuple[int, int], by_lines: bool
) -> None:
    module = blocked(lab, batch, *size)
    (decision,) = schedule(module, AVX512.target).report.decisions.values()
    (plan,) = decision.plan.nests
    assert isinstance(plan, DepthwisePlan)
    assert plan.by_lines == by_lines
    lab.assert_same_numbers(module)


def test_sizes_known_only_later_come_channel_by_channel(lab: Any) -> None:
    n, h = tirx.Var("n", "int64"), tirx.Var("h", "int64")
    module = blocked(lab, n, h, 28)
    (decision,) = schedule(module, AVX512.target).report.decisions.values()
    (plan,) = decision.plan.nests
    assert isinstance(plan, DepthwisePlan)
    assert not plan.by_lines
