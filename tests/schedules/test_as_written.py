"""schedules.as_written: kernels that cannot be read run as they are, and the report says why."""

from typing import Any

import pytest
from tvm.relax import op as R

CASES = {
    "scatter": (
        lambda a, i, u: R.scatter_elements(a, i, u, 0),
        ((9, 4), "float32"),
        ((3, 4), "int64"),
        ((3, 4), "float32"),
    ),
    "scatter nd": (
        lambda a, i, u: R.scatter_nd(a, i, u),
        ((9, 4), "float32"),
        ((3, 1), "int64"),
        ((3, 4), "float32"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_stays_as_it_is(lab: Any, name: str) -> None:
    operator, *inputs = CASES[name]
    module = lab.lowered(operator, *inputs)
    scheduled = lab.assert_same_numbers(module)
    for kernel, decision in scheduled.report.decisions.items():
        assert decision.schedule == "as_written"
        assert set(decision.declined) == {
            "repeating",
            "winograd",
            "attention",
            "block_dots",
            "lookup",
            "elementwise",
            "conv",
            "matmul",
            "matvec",
            "reduction",
            "generic",
        }
        assert scheduled.module[kernel].body.same_as(module[kernel].body)
