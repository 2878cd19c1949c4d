"""schedules.cpu.window_strip: lines are joined in vectors, and then the columns of a window."""

import re
from typing import Any

import pytest
from tvm import IRModule, tirx
from tvm.relax import op as R

from tvmfuse.schedules.schedule import Scheduled, schedule
from tvmfuse.target.machine import AVX512

N, H, W = (tirx.Var(name, "int64") for name in "nhw")


def pool(lab: Any, size: Any, window: tuple[int, int] = (3, 3), stride: int = 2) -> Scheduled:
    """Return the maxima of windows, in one kernel."""
    module = lab.lowered(
        lambda a: R.nn.max_pool2d(a, window, (stride, stride), (1, 1)), (size, "float32")
    )
    (function,) = lab.kernels(module).values()
    return schedule(IRModule({"main": function}), AVX512.target)


def test_a_line_is_read_once_in_vectors(lab: Any) -> None:
    """Of 3x3 windows two columns apart: a load for two vectors of each line, and no gather.

    Of lines of a step there are those of half vectors, one or two, and of whole ones; of longer
    ones the first and the last step, each with one vector that may be cut, and strips.
    """
    scheduled = pool(lab, (N, 3, H, W))
    code = lab.assembly(scheduled.module["main"], AVX512)
    assert "gather" not in code
    assert not re.search(r"TVMBackendAllocWorkspace", code)
    assert len(re.findall("masked.load", scheduled.module["main"].script())) == 1 + 2 + 2 + 2 + 4


@pytest.mark.parametrize(("window", "stride"), [((3, 3), 2), ((5, 3), 2), ((3, 5), 1)], ids=str)
def test_columns_are_shuffled_after_the_lines(
    lab: Any, window: tuple[int, int], stride: int
) -> None:
    """Each tap takes its columns from what was joined: a shuffle for a tap, whatever the lines."""
    script = pool(lab, (2, 3, 9, 9), window, stride).module["main"].script()
    assert len(re.findall(r"T\.Shuffle", script)) == window[1]
