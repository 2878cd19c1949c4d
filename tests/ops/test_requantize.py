"""tvmfuse.ops.requantize: where its steps are clipped, by what is known of the scale."""

from typing import Any

import numpy as np
import pytest
from tvm import relax

from tvmfuse.ir.types import constant
from tvmfuse.ops import requantize

SUMS = relax.Var("sums", relax.TensorType((2, 3), "int32"))


@pytest.mark.parametrize(
    ("scale", "small"),
    [
        (constant(np.array([0.5, -0.5, 1e-9], "float32")), True),
        (constant(np.array([0.5, 0.6, 0.1], "float32")), False),
        (relax.Var("scale", relax.TensorType((3,), "float32")), False),
    ],
    ids=["small", "one is not", "unknown"],
)
def test_a_small_scale_is_known(scale: Any, small: bool) -> None:
    found = requantize(
        SUMS, constant(np.array(1, "int32")), scale, zero_point=3, low=0, high=255, dtype="uint8"
    )
    assert bool(found.attrs["small"]) is small
