"""schedules.cpu.square: as many vectors as each has lanes, transposed by shuffles of two each."""

from typing import Any

import numpy as np
import pytest
from tvm import tirx

from tvmfuse.schedules.cpu.square import SIDES, Square


@pytest.mark.parametrize("side", SIDES)
def test_columns_become_rows(side: int) -> None:
    matrix = np.arange(side * side).reshape(side, side)
    rows = [tirx.Var(f"row{n}", f"float32x{side}") for n in range(side)]
    values: dict[Any, Any] = dict(zip(rows, matrix, strict=True))
    square = Square(rows, "float32")
    for bind in square.binds:
        value = bind.value
        if isinstance(value, tirx.Shuffle):
            assert len(value.vectors) == 2
            lanes = np.concatenate([values[vector] for vector in value.vectors])
            values[bind.var] = lanes[[int(index) for index in value.indices]]
        else:
            values[bind.var] = values[value]
    np.testing.assert_array_equal([values[column] for column in square.columns], matrix.T)
