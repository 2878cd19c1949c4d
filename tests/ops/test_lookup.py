"""lookup: bytes by their bits, whatever the types, folded and computed."""

import numpy as np
import pytest
from graphs import graph, run, tensor
from tvm import tirx

from tvmfuse.ir.types import constant
from tvmfuse.ops import lookup
from tvmfuse.passes.basic.constant_folding import ConstantFolding

TABLE = np.random.default_rng(0).permutation(256).astype("uint8")
EVERY = np.arange(256, dtype="uint8").reshape(4, 1, 64)


@pytest.mark.parametrize("to", ["uint8", "int8"])
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_each_byte_is_looked_up_by_its_bits(dtype: str, to: str) -> None:
    n = tirx.Var("n", "int64")
    for sizes in (EVERY.shape, (n, 1, 64)):
        module = graph(lambda x, emit: lookup(x, TABLE.view(to)), tensor(*sizes, dtype=dtype))
        (found,) = run(module, EVERY.view(dtype))
        assert found.dtype == to
        np.testing.assert_array_equal(found, TABLE[EVERY].view(to))


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_a_constant_is_looked_up_at_compile_time(dtype: str) -> None:
    module = graph(lambda x, emit: emit(lookup(constant(EVERY.view(dtype)), TABLE)), tensor(1))
    (found,) = run(ConstantFolding()(module), np.zeros(1, "float32"))
    np.testing.assert_array_equal(found, TABLE[EVERY])
