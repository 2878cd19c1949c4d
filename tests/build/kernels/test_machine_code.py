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


def test_truths_are_kept_and_read_in_vectors() -> None:
    """TVM would keep vectors of bits, and LLVM refuses to combine them with the mask's bytes."""
    kernel = tvm.script.from_source("""
@T.prim_func(s_tir=True)
def kernel(x: T.Buffer((64,), "float32"), mask: T.Buffer((64,), "bool"), y: T.Buffer((64,), "int8")):
    T.func_attr({"tirx.noalias": True})
    kept = T.sblock_alloc_buffer((64,), "bool")
    for i in range(4):
        for j in T.vectorized(16):
            kept[i * 16 + j] = T.Cast("bool", x[i * 16 + j])
    for i in range(4):
        for j in T.vectorized(16):
            y[i * 16 + j] = T.Select(kept[i * 16 + j] and mask[i * 16 + j], T.int8(1), T.int8(2))
""")
    module = llvm_module({"k": kernel}, resolve("avx2"))
    rng = np.random.default_rng(0)
    x, mask = rng.integers(0, 2, 64).astype("float32"), rng.integers(0, 2, 64).astype(bool)
    result = tvm.runtime.empty((64,), "int8")
    module["k"](tvm.runtime.tensor(x), tvm.runtime.tensor(mask), result)
    np.testing.assert_array_equal(result.numpy(), np.where((x != 0) & mask, 1, 2))
