"""schedules.cpu.threads: small kernels stay serial."""

from typing import Any

import pytest
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2


@pytest.mark.parametrize(
    ("shape", "parallel"),
    [((10, 100), False), ((1000, 1000), True), ((tirx.Var("n", "int64"), 4), True)],
    ids=str,
)
def test_large_and_unknown_sizes_are_parallel(lab: Any, shape: Any, parallel: bool) -> None:
    module = schedule(lab.lowered(R.exp, (shape, "float32")), AVX2.target).module
    (function,) = lab.kernels(module).values()
    assert ("T.parallel" in function.script()) == parallel


def test_dear_elements_count_for_more(lab: Any) -> None:
    def is_parallel(operator: Any) -> Any:
        module = schedule(lab.lowered(operator, ((40_000,), "float32")), AVX2.target).module
        (function,) = lab.kernels(module).values()
        return "T.parallel" in function.script()

    assert not is_parallel(R.negative)
    assert is_parallel(R.erf)
