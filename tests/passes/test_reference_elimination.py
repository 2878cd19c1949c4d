"""The passes that let an operator disappear: every bullet of their specification.

What is tested elsewhere on a whole model (tests/passes/basic) is not repeated here.
"""

from __future__ import annotations

import numpy as np
import pytest
from tier_cases import Case, about, cases, check, check_refused

OUTPUTS = "no graph output becomes a graph input or another output"
N = np.array  # of int64

identity = about("EliminateIdentity")


@cases(
    identity("input to node", "(float[2,3] x) => (float[] y) {a = Identity(x) y = Exp(a)}", "exp"),
    identity("between nodes", "(float[2,3] x) => (float[] y) {a = Exp(x) b = Identity(a) y = Neg(b)}", "exp negative"),
    identity("producer to graph output", "(float[2,3] x) => (float[] y) {a = Exp(x) y = Identity(a)}", "exp"),
    identity("producer with another reader",
        "(float[2,3] x) => (float[] y, float[] z) {a = Exp(x) y = Identity(a) z = Neg(a)}",
             "exp negative"),
    identity("of a constant", "(float[2,3] x) => (float[] y) {a = Identity(k) y = Add(x, a)}", "add", k=(3,)),
    identity("integers, opset 1", "(int32[2,3] x) => (int32[] y) {a = Identity(x) y = Neg(a)}", "negative", opset=7),
    identity("opset 24", "(float[N,3] x) => (float[] y) {a = Identity(x) y = Neg(a)}", "negative", opset=24),
    identity("input to output", "(float[2,3] x) => (float[] y) {y = Identity(x)}", "identity", OUTPUTS),
    identity("its operand is an output, too", "(float[2,3] x) => (float[] a, float[] y) {a = Exp(x) y = Identity(a)}",
             "exp identity", OUTPUTS),
    identity("a producer of two output identities",
        "(float[2,3] x) => (float[] y, float[] z) {a = Exp(x) y = Identity(a) z = Identity(a)}",
             "exp identity identity", "a graph output is its operand's only identity"),
    identity("in a branch", "(float[2,3] x, bool c) => (float[] y) {y = If(c) <then_branch = t () => (float[] p) "
             "{a = Identity(x) p = Exp(a)}, else_branch = e () => (float[] q) {q = Neg(x)}>}", "exp negative"),
)  # fmt: skip
def test_eliminate_identity(case: Case) -> None:
    check(case)


slice_ = about("EliminateSlice")
SLICE = "(float[4,5] x) => (float[] y) {s = Slice(x, a, b, c, d) y = Exp(s)}"
WHOLE = "the slice is as long as the axis, on every axis"
END = 2**63 - 1


@cases(
    slice_("all starts 0, all ends INT64_MAX", SLICE, "exp", a=N([0, 0]), b=N([END, END]), c=N([0, 1]), d=N([1, 1])),
    slice_("end == dim", SLICE, "exp", a=N([0]), b=N([5]), c=N([-1]), d=N([1])),
    slice_("end beyond dim", SLICE, "exp", a=N([-9]), b=N([9]), c=N([1]), d=N([1])),
    slice_("end INT32_MAX, int32 bounds", SLICE, "exp", a=N([0], "int32"), b=N([2**31 - 1], "int32"), c=N([0], "int32"),
        d=N([1], "int32")),
    slice_("no axes", "(float[N,5] x) => (float[] y) {s = Slice(x, a, b) y = Exp(s)}", "exp", a=N([0, 0]),
        b=N([END, 5])),
    slice_("between nodes, opset 24", "(float[4,5] x) => (float[] y) {e = Exp(x) s = Slice(e, a, b) y = Neg(s)}",
        "exp negative",
           opset=24, a=N([0]), b=N([END])),
    slice_("step 2", SLICE, "strided_slice exp", "every step is 1", a=N([0]), b=N([END]), c=N([0]), d=N([2])),
    slice_("step -1", SLICE, "strided_slice exp", "every step is 1", a=N([END]), b=N([-END]), c=N([0]), d=N([-1])),
    slice_("a part", SLICE, "strided_slice exp", WHOLE, a=N([1]), b=N([END]), c=N([0]), d=N([1])),
    slice_("a part of a symbolic axis", "(float[N,5] x) => (float[] y) {s = Slice(x, a, b) y = Exp(s)}",
        "strided_slice exp", WHOLE,
           a=N([0]), b=N([1])),
    slice_("input to output", "(float[4,5] x) => (float[] y) {y = Slice(x, a, b)}", "strided_slice", OUTPUTS, a=N([0]),
        b=N([END])),
)  # fmt: skip
def test_eliminate_slice(case: Case) -> None:
    check(case)


def test_a_slice_whose_bounds_and_axes_disagree_is_refused() -> None:
    check_refused(
        slice_(
            "",
            SLICE.replace("s =", "[slice_1] s ="),
            "",
            a=N([0, 0]),
            b=N([END]),
            c=N([0]),
            d=N([1]),
        ),
        "slice_1",
    )


unsqueeze = about("UnsqueezeElimination")


def unsqueezed(axes: list[int], of: str = "k", *, shape: str = "float[2,3,4]") -> str:
    return f"({shape} x) => (float[] y) {{u = Unsqueeze<axes={axes}>({of}) y = Add(x, u)}}"


@cases(
    unsqueeze("single", unsqueezed([0]), "add", opset=11, k=(3, 4)),
    unsqueeze("multiple", unsqueezed([0, 2]), "add", opset=11, k=(3,)),
    unsqueeze("negative", unsqueezed([-1]), "add", opset=11, k=(2, 3)),
    unsqueeze("boundary", unsqueezed([-3, 2]), "add", opset=11, k=(3,)),
    unsqueeze("all negative", unsqueezed([-1, -3]), "add", opset=11, k=(3,)),
    unsqueeze("scalar", unsqueezed([0]), "add", opset=11, k=()),
    unsqueeze("opset 1", unsqueezed([0, 2]), "add", opset=7, k=(3,)),
    unsqueeze("int32", "(int32[2,3] x) => (int32[] y) {u = Unsqueeze<axes=[0]>(k) y = Add(x, u)}", "add", opset=11,
        k=N([1, 2, 3], "int32")),
    *[unsqueeze(f"axes as an operand, opset {n}", "(float[2,3,4] x) => (float[] y) {u = Unsqueeze(k, a) y = Add(x, u)}",
    "add",
                opset=n, k=(3,), a=N([0, 2])) for n in (13, 21, 24)],
    unsqueeze("not constant", "(float[2,3] x) => (float[] y) {u = Unsqueeze<axes=[0]>(x) y = Exp(u)}",
        "expand_dims exp",
              "the operand is a constant", opset=11),
    unsqueeze("a graph output: ConstantFolding does it",
        "(float[2,3] x) => (float[] y, float[] u) {u = Unsqueeze<axes=[0]>(k) y = Add(x, u)}",
              "add", fires=False, opset=11, k=(3,)),
    unsqueeze("mixed",
        "(float[2,3] x) => (float[] y) {u = Unsqueeze<axes=[0]>(x) v = Unsqueeze<axes=[0]>(k) y = Add(u, v)}",
              "expand_dims add", "the operand is a constant", fires=True, opset=11, k=(2, 3)),
)  # fmt: skip
def test_unsqueeze_elimination(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("axes", [[0, 0], [4], [-5]], ids=str)
def test_axes_that_are_none_are_refused(axes: list[int]) -> None:
    check_refused(
        unsqueeze("", unsqueezed(axes).replace("u =", "[unsqueeze_1] u ="), "", opset=11, k=(3,))
    )


dropout = about("EliminateDropout")
DROPOUT = "(float[2,3] x) => (float[] y) {d = Dropout(x%s) y = Neg(d)}"


@cases(
    *[dropout(f"opset {n}", DROPOUT % "", "negative", opset=n) for n in (7, 10, 12, 13, 22, 24)],
    dropout("ratio as an operand of a graph input", DROPOUT % ", r", "negative", r=N(0.3, "float32")),
    dropout("ratio and training mode said", DROPOUT % ", r, t", "negative", r=N(0.3, "float32"), t=N(False)),
    dropout("mask is unused", "(float[2,3] x) => (float[] y) {d, m = Dropout(x) y = Neg(d)}", "negative"),
    dropout("of a constant", "(float[2,3] x) => (float[] y) {d = Dropout(k) y = Add(x, d)}", "add", k=(3,)),
    dropout("is a graph output", "(float[2,3] x) => (float[] y) {e = Exp(x) y = Dropout(e)}", "exp dropout",
        "the result is no graph output"),
    dropout("is a graph output, from a graph input", "(float[2,3] x) => (float[] y) {y = Dropout(x)}", "dropout",
        "the result is no graph output"),
)  # fmt: skip
def test_eliminate_dropout(case: Case) -> None:
    check(case)


expand = about("ExpandElimination")
EXPAND = "(float[N,5] x) => (float[] y) {e = Expand(x, k) y = Exp(e)}"


@cases(
    *[expand(f"opset {n}", EXPAND, "exp", opset=n, k=N([1, 5])) for n in (8, 13, 24)],
    expand("to its own shape", "(float[N,5] x) => (float[] y) {s = Shape(x) e = Expand(x, s) y = Exp(e)}", "exp"),
    expand("to more", EXPAND, "broadcast_to exp", "the shape stays the same", k=N([3, 1, 5])),
    expand("input to output", "(float[2,5] x) => (float[] y) {y = Expand(x, k)}", "broadcast_to", OUTPUTS, k=N([2, 5])),
)  # fmt: skip
def test_expand_elimination(case: Case) -> None:
    check(case)


cast = about("CastElimination")


@cases(
    *[cast(f"opset {n}", "(float[2,3] x) => (float[] y) {c = Cast<to=1>(x) y = Exp(c)}", "exp", opset=n) for n in (7, 9,
    13, 19, 21, 24)],
    cast("integers", "(int64[2,3] x) => (int64[] y) {c = Cast<to=7>(x) y = Neg(c)}", "negative"),
    cast("CastLike", "(float[2,3] x) => (float[] y) {c = CastLike(x, x) y = Exp(c)}", "exp"),
    cast("before an output", "(float[2,3] x) => (float[] y) {e = Exp(x) y = Cast<to=1>(e)}", "exp"),
    cast("to another type", "(float[2,3] x) => (double[] y) {c = Cast<to=11>(x) y = Exp(c)}", "astype exp",
        "the dtype stays the same"),
    cast("input to output", "(float[2,3] x) => (float[] y) {y = Cast<to=1>(x)}", "astype", OUTPUTS),
)  # fmt: skip
def test_cast_elimination(case: Case) -> None:
    check(case)


chain = about("CastChainElimination", enabled=True)


@cases(
    chain("there and back", "(float[2,3] x) => (float[] y) {a = Cast<to=11>(x) b = Cast<to=1>(a) y = Exp(b)}", "exp"),
    chain("three",
        "(float16[2,3] x) => (float[] y) {a = Cast<to=1>(x) b = Cast<to=11>(a) c = Cast<to=1>(b) y = Exp(c)}",
        "astype exp"),
    chain("a loss in the middle", "(float[2,3] x) => (float[] y) {a = Cast<to=6>(x) b = Cast<to=1>(a) y = Exp(b)}",
        "astype astype exp",
          "the first cast keeps every number"),
)  # fmt: skip
def test_cast_chain_elimination(case: Case) -> None:
    check(case)


noop = about("NoopElimination")
ZERO, ONE = np.zeros((), "float32"), np.ones(1, "float32")


@cases(
    noop("x + 0", "(float[2,3] x) => (float[] y) {a = Add(x, k) y = Exp(a)}", "exp", k=ZERO),
    noop("0 + x", "(float[2,3] x) => (float[] y) {a = Add(k, x) y = Exp(a)}", "exp", k=ZERO),
    noop("x - 0", "(float[2,3] x) => (float[] y) {a = Sub(x, k) y = Exp(a)}", "exp", k=ZERO),
    noop("x * 1", "(float[2,3] x) => (float[] y) {a = Mul(x, k) y = Exp(a)}", "exp", k=ONE),
    noop("x / 1", "(float[2,3] x) => (float[] y) {a = Div(x, k) y = Exp(a)}", "exp", k=ONE),
    noop("opset 24", "(float[N,3] x) => (float[] y) {e = Exp(x) y = Mul(e, k)}", "exp", opset=24, k=ONE),
    noop("integers by 1", "(int32[2,3] x) => (int32[] y) {a = Div(x, k) y = Neg(a)}", "negative", k=N(1, "int32")),
    noop("0 - x", "(float[2,3] x) => (float[] y) {a = Sub(k, x) y = Exp(a)}", "subtract exp", fires=False, k=ZERO),
    noop("1 / x", "(float[2,3] x) => (float[] y) {a = Div(k, x) y = Exp(a)}", "divide exp", fires=False, k=ONE),
    noop("x * 0", "(float[2,3] x) => (float[] y) {a = Mul(x, k) y = Exp(a)}", "multiply exp", fires=False, k=ZERO),
    noop("a zero that broadcasts", "(float[1,3] x) => (float[] y) {a = Add(x, k) y = Exp(a)}", "add exp",
         "the constant does not broadcast the operand", k=np.zeros((2, 3), "float32")),
    noop("input to output", "(float[2,3] x) => (float[] y) {y = Add(x, k)}", "add", OUTPUTS, k=ZERO),
)  # fmt: skip
def test_noop_elimination(case: Case) -> None:
    check(case)


before_shape = about("PreShapeNodeElimination")


@cases(
    before_shape("the importer reads the shape, and drops the cast",
                 "(float[N,3] x) => (int64[] y) {c = Cast<to=11>(x) y = Shape(c)}", "shape_to_tensor", fires=False),
    before_shape("a static shape", "(float[2,3] x) => (int64[] y) {c = Cast<to=11>(x) y = Shape(c)}", "", fires=False),
    before_shape("the cast is read, too",
        "(float[N,3] x) => (int64[] s, double[] y) {c = Cast<to=11>(x) s = Shape(c) y = Exp(c)}",
                 "astype exp shape_to_tensor", fires=False),
)  # fmt: skip
def test_pre_shape_node_elimination(case: Case) -> None:
    check(case)
