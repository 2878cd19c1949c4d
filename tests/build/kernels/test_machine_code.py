"""TVM's code generator takes what its own passes stumble over."""

import numpy as np
import pytest
import tvm
from tvm import te, tirx, topi
from tvm.target import Target

from tvmfuse.build.kernels.machine_code import llvm_module
from tvmfuse.build.kernels.wrapping_addresses import has_wrapping_addresses, without_vectorizer
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


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 3, 6])
def test_remainders_are_addresses_of_single_numbers(size: int) -> None:
    """LLVM 22 makes vectors of such a loop that read across the edge of a power of two."""
    kernel = tvm.script.from_source(f"""
@T.prim_func(s_tir=True)
def kernel(a: T.Buffer((576,), "float32"), b: T.Buffer((4096,), "float32"), y: T.Buffer((1728,), "float32")):
    T.func_attr({{"tirx.noalias": True}})
    for i, j in T.grid(18, 96):
        y[i * 96 + j] = a[i * {size} + j % {size}] * b[i * {size} + j // {size} * 72 + j % {size}]
""")
    module, rng = llvm_module({"k": kernel}, resolve("llvm")), np.random.default_rng(0)
    a, b = (rng.standard_normal(count, "float32") for count in (576, 4096))
    result = tvm.runtime.empty((1728,))
    module["k"](tvm.runtime.tensor(a), tvm.runtime.tensor(b), result)
    i, j = np.mgrid[:18, :96]
    expected = a[i * size + j % size] * b[i * size + j // size * 72 + j % size]
    np.testing.assert_array_equal(result.numpy(), expected.ravel())


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("y[i * 8 + j] = x[i * 8 + j % 4]", True),
        ("y[i * 8 + j] = x[i * 8 + (i + j) % 4]", True),
        ("y[i * 8 + j] = x[i * 8 + j % 3]", False),
        ("y[i * 8 + j] = x[i * 8 + T.Cast('int32', x[j]) % 4]", False),
        ("y[i * 8 + j] = x[i * 8 + n % 4]", False),
        ("y[i * 8 + j] = x[i * 8 + m % 4]", False),
        ("y[i * 8 + j] = x[i * 8 + (m + j) % 4]", True),
        ("y[i * 8 + j] = x[i * 8 + j // 4]", False),
    ],
)
@pytest.mark.parametrize("vectors", [False, True])
def test_where_llvm_is_kept_from_making_vectors(statement: str, found: bool, vectors: bool) -> None:
    lanes = "T.vectorized(8)" if vectors else "range(8)"
    function = tvm.script.from_source(f"""
@T.prim_func(s_tir=True)
def kernel(n: T.int32, x: T.Buffer(("m",), "float32"), y: T.Buffer((64,), "float32")):
    m = T.int32()
    for i in range(8):
        for j in {lanes}:
            {statement}
""")
    assert has_wrapping_addresses(function) == (found and not vectors)


@pytest.mark.parametrize("name", ["avx2", "avx512", "znver4"])
def test_a_target_for_which_no_vectors_are_made(name: str) -> None:
    target = without_vectorizer(resolve(name))
    assert int(target.attrs["opt-level"]) == 1
    assert target.attrs["mcpu"] == resolve(name).attrs["mcpu"]
    unoptimized = without_vectorizer(Target({"kind": "llvm", "opt-level": 0}))
    assert int(unoptimized.attrs["opt-level"]) == 0
