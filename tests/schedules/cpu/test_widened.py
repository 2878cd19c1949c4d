"""schedules.cpu.widened: vectors of bfloat16 become float32 as they are read."""

from typing import Any

import tvm

from tvmfuse.ops import conv_blocked
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import ZEN4

IMAGE, WEIGHTS, BIAS = (1, 2, 56, 56, 32), (2, 1, 3, 3, 1, 32), (2, 32)


def test_each_vector_is_widened_once_by_two_instructions(lab: Any) -> None:
    """Of a tile of seven lines by a window of 3x3, nine lines of three vectors are read once."""

    def depthwise(x: Any, w: Any, b: Any) -> Any:
        how: dict[str, Any] = {"strides": [1, 1], "dilation": [1, 1], "padding": [1] * 4}
        return conv_blocked(x, w, b, groups=64, wide=True, **how)

    half = "bfloat16"
    module = lab.lowered(depthwise, (IMAGE, half), (WEIGHTS, half), (BIAS, "float32"))
    (function,) = lab.kernels(module).values()
    scheduled = schedule(tvm.IRModule({"main": function}), ZEN4.target).module["main"]
    block = "\n".join(lab.hottest_block(lab.assembly(scheduled, ZEN4), "vfmadd"))
    assert block.count("vfmadd") == 7 * 9
    assert block.count("vpmovzxwd") == block.count("vpslld") == 9 * 3
