"""TVM's code generator takes what its own passes stumble over."""

import numpy as np
import tvm
from tvm import te, tirx, topi

from tvmfuse.build.kernels.machine_code import llvm_module
from tvmfuse.target.resolve import resolve


def test_sizes_are_divided_by_sums_of_sizes() -> None:
    """Of such a kernel TVM's search for common subexpressions loses a name."""
    batch, cached, given = (tirx.Var(name, "int64") for name in "BPS")

    def number(value: int) -> tirx.IntImm:
        return tirx.const(value, "int64")

    length = given + cached
    rows = tirx.floordiv(batch * length * number(32), given * number(8) + cached * number(8))
    x = te.placeholder((batch, number(2), number(2), length, number(8)), "float32", "x")
    kernel = te.create_prim_func([x, cached, given, topi.reshape(x, (rows, length, number(8)))])
    module = llvm_module({"k": kernel}, resolve("avx2"))
    full = np.random.default_rng(0).standard_normal((3, 2, 2, 5, 8), "float32")
    result = tvm.runtime.empty((12, 5, 8))
    module["k"](tvm.runtime.tensor(full), 2, 3, result)
    np.testing.assert_array_equal(result.numpy(), full.reshape(12, 5, 8))
