"""ClampIndices: on a GPU, which raises no error, no index reaches beside a tensor."""

import numpy as np
import pytest
from tvm import IRModule, relax

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.types import constant
from tvmfuse.ops import checked_indices
from tvmfuse.passes.required.clamp_indices import ClampIndices
from tvmfuse.testing import evaluate


def checked(given: np.ndarray, sizes: list[int], *, from_back: bool) -> IRModule:
    bb = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType(given.shape, given.dtype.name))
    with bb.function("main", [x]):
        with bb.dataflow():
            made = checked_indices(x, constant(np.array(sizes)), "node", from_back=from_back)
            y = bb.emit_output(made)
        bb.emit_func_output(y)
    return bb.get()


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize(
    ("given", "sizes", "from_back", "expected"),
    [
        ([-9, -4, -1, 0, 3, 9], [4], True, [0, 0, 3, 0, 3, 3]),
        ([-9, -4, -1, 0, 3, 9], [4], False, [0, 0, 0, 0, 3, 3]),
        ([[-1, -1], [7, 7]], [2, 5], True, [[1, 4], [1, 4]]),
        (-1, [4], True, 3),
    ],
)
def test_what_is_out_of_range_is_clamped(
    given: object, sizes: list[int], expected: object, dtype: str, *, from_back: bool
) -> None:
    array = np.array(given, dtype)
    after = ClampIndices()(checked(array, sizes, from_back=from_back))
    assert "tvmfuse.checked_indices" not in map(op_name, Dataflow.of(after["main"]).values.values())
    np.testing.assert_array_equal(evaluate(after, [array])[0], np.array(expected, dtype))
