"""GatherSliceToSplitFusion: slices that together are the whole tensor become one split."""

from typing import Any

import numpy as np
from graphs import in_two_blocks, onnx_model, tensor
from onnx import helper
from tier_cases import Case, about, cases, check
from tvm.relax.op import strided_slice

import tvmfuse
from tvmfuse.passes.extended.gather_slice_to_split_fusion import GatherSliceToSplitFusion
from tvmfuse.testing import assert_declines

fused = about("GatherSliceToSplitFusion")

BOUNDS = {f"i{n}": np.array([n], "int64") for n in (0, 1, 3, 4, 8, 9, 10)} | {
    "last": np.array([-1], "int64"),
    "many": np.array([2**40], "int64"),
}
INDICES = {f"j{n}": np.int64(n) for n in (0, 1, 2, -1)}
WEIGHTS: dict[str, Any] = {"w": (4, 3), "v": (5, 3), "u": (1, 3)}
THREE = "float[] a, float[] b, float[] c"
TWO = "split TupleGetItem TupleGetItem"
THREE_PRODUCTS = f"{TWO} TupleGetItem matmul matmul matmul"
THREE_INDICES = "split TupleGetItem squeeze TupleGetItem squeeze TupleGetItem squeeze"


def model(body: str, x: str = "float[6,10]", outputs: str = THREE) -> str:
    return f"({x} x) => ({outputs}) {{{body}}}"


HOLED = np.random.default_rng(1).standard_normal((6, 10), dtype="float32")
HOLED[1, 2], HOLED[2, 6], HOLED[3, 1] = np.nan, np.inf, -np.inf
SLICED = "p = Slice(x, i0, i4, i1) q = Slice(x, i4, i9, i1) r = Slice(x, i9, i10, i1)"
PRODUCTS = "a = MatMul(p, w) b = MatMul(q, v) c = MatMul(r, u)"
GATHERED = "a = Gather<axis=1>(x, j0) b = Gather<axis=1>(x, j1) c = Gather<axis=1>(x, j2)"


@cases(
    fused("slices", model(f"{SLICED} {PRODUCTS}"), THREE_PRODUCTS, **BOUNDS, **WEIGHTS),
    fused("that running sums read", model(f"{SLICED} a = CumSum(p, one) b = CumSum(q, one) c = CumSum(r, one)"),
        f"{TWO} TupleGetItem cumsum cumsum cumsum",
          feeds={"x": HOLED}, one=np.int64(1), **BOUNDS),
    fused("that logarithms of shares read", model(f"{SLICED} a = LogSoftmax(p) b = LogSoftmax(q) c = LogSoftmax(r)"),
        f"{TWO} TupleGetItem log_softmax log_softmax log_softmax", **BOUNDS),
    fused("of which the greatest are read",
        model(f"{SLICED} a = ArgMax<axis=1>(p) b = ArgMax<axis=1>(q) c = ArgMax<axis=1>(r)", outputs=
        "int64[] a, int64[] b, int64[] c"), f"{TWO} TupleGetItem argmax argmax argmax", **BOUNDS),
    fused("in any order",
        model(f"r = Slice(x, last, many, i1) q = Slice(x, i4, i9, i1) p = Slice(x, i0, i4, i1) {PRODUCTS}"),
        THREE_PRODUCTS, **BOUNDS, **WEIGHTS),
    fused("that are outputs",
        model("a = Slice(x, i0, i4, i1) b = Slice(x, i4, i10, i1)", outputs="float[] a, float[] b"), TWO, **BOUNDS),
    fused("gathers of one index", model(GATHERED, "float[6,3,5]"), THREE_INDICES, **INDICES),
    fused("the last one counted from the end", model(GATHERED.replace("j2", "k"), "float[6,3,5]"), THREE_INDICES,
        **INDICES, k=np.int64(-1)),
    fused("gathers of several",
        model("a = Gather<axis=1>(x, k) b = Gather<axis=1>(x, l)", outputs="float[] a, float[] b"), TWO, k=np.arange(4),
        l=np.arange(4, 10)),
    fused("gathers and slices",
        model("a = Slice(x, i0, i9, i1) b = Gather<axis=1>(x, j)", outputs="float[] a, float[] b"), f"{TWO} squeeze",
        j=np.int64(9), **BOUNDS),
    fused("a symbolic batch", model(f"{SLICED} {PRODUCTS}", "float[n,10]"), THREE_PRODUCTS, **BOUNDS, **WEIGHTS),
    fused("integers",
        model("a = Slice(x, i0, i4, i1) b = Slice(x, i4, i10, i1)", "int64[6,10]", "int64[] a, int64[] b"), TWO,
        **BOUNDS),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


WHOLE = "the slices are the whole tensor, and none of it twice"


@cases(
    fused("a gap", model("a = Slice(x, i0, i3, i1) b = Slice(x, i4, i10, i1)", outputs="float[] a, float[] b"), None,
        WHOLE, **BOUNDS),
    fused("an overlap", model("a = Slice(x, i0, i4, i1) b = Slice(x, i3, i10, i1)", outputs="float[] a, float[] b"),
        None, WHOLE, **BOUNDS),
    fused("a missing end", model("a = Slice(x, i0, i4, i1) b = Slice(x, i4, i9, i1)", outputs="float[] a, float[] b"),
        None, WHOLE, **BOUNDS),
    fused("an elementwise reader", model(f"{SLICED} a = MatMul(p, w) b = Exp(q) c = MatMul(r, u)"), None,
        "no reader computes its slice as it reads it", **BOUNDS, **WEIGHTS),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused("one slice", model("a = Slice(x, i0, i4, i1)", outputs="float[] a"), "strided_slice", fires=False, **BOUNDS),
    fused("several axes", model("a = Slice(x, s, e) b = Slice(x, e, f)", outputs="float[] a, float[] b"), None,
        fires=False, s=np.array([0, 0]), e=np.array([3, 4]), f=np.array([6, 10])),
    fused("steps", model("a = Slice(x, i0, i10, i1, k) b = Slice(x, i1, i10, i1, k)", outputs="float[] a, float[] b"),
        None, fires=False, k=np.array([2]), **BOUNDS),
    fused("an axis of any size",
        model("a = Slice(x, i0, i4, i1) b = Slice(x, i4, many, i1)", "float[6,n]", "float[] a, float[] b"), None,
        fires=False, feeds={"x": np.ones((6, 10), "float32")}, **BOUNDS),
    fused("indices that are no neighbours",
        model("a = Gather<axis=1>(x, k) b = Gather<axis=1>(x, l)", outputs="float[] a, float[] b"), None, fires=False,
        k=np.array([0, 3, 1]), l=np.array([2, 9, 4])),
)  # fmt: skip
def test_ignores(case: Case) -> None:
    check(case)


def test_one_kernel() -> None:
    nodes = [
        helper.make_node("Slice", ["x", f"i{4 * i}", f"i{4 * i + 4}", "axis"], [f"y{i}"])
        for i in range(3)
    ]
    constants = {f"i{4 * i}": np.array([4 * i]) for i in range(4)} | {"axis": np.array([1])}
    made = onnx_model(
        nodes, {"x": ("float32", (5, 12))}, {f"y{i}": "float32" for i in range(3)}, constants
    )
    assert len(tvmfuse.compile(made).manifest.kernels) == 1
    assert (
        len(tvmfuse.compile(made, disabled_pass=["GatherSliceToSplitFusion"]).manifest.kernels) == 3
    )


def test_declines_slices_of_two_blocks() -> None:
    module = in_two_blocks(
        lambda x: strided_slice(x, [1], [0], [4]),
        lambda _, x: strided_slice(x, [1], [4], [10]),
        tensor(6, 10),
    )
    assert_declines(GatherSliceToSplitFusion(), module, because="the slices are in one block")
