"""ReshapeFusion: every bullet of its specification.

ONNX Runtime turns a shape that `Shape`, `Gather` and `Concat` compute into a constant with a 0 for
a dimension to copy and one -1. Here the importer computes it, with symbols for what is not known:
what is left is one reshape, and the pass fires where it meets another one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from tier_cases import Case, about, cases, check

N = np.array  # of int64

reshape = about("ReshapeFusion")

# Dimension i of x, as a list of one.
DIM = "s{i} = Shape(x) g{i} = Gather(s{i}, i{i}) d{i} = Unsqueeze(g{i}, first) "
D0, D1, D2 = (DIM.format(i=i) for i in range(3))
KNOWN: dict[str, Any] = {"i0": N(0), "i1": N(1), "i2": N(2), "first": N([0])}
X3 = "(float[B,T,24] x)"


def computed(bullet: str, nodes: str, left: str = "reshape relu", *, inputs: str = X3, fires: bool = False,
             outputs: str = "(float[] y)", opset: int = 17, feeds: Any=None, **constants: Any) -> Case:  # fmt: skip
    """A reshape of x to a computed shape `to`, then a relu."""
    nodes = f"{nodes} r = Reshape(x, to) y = Relu(r)"
    graph = f"{inputs} => {outputs} {{{nodes}}}"
    return reshape(
        bullet, graph, left, fires=fires, opset=opset, feeds=feeds, **{**KNOWN, **constants}
    )


HALF_BY_SLICE = ("s = Shape(x) l = Slice(s, two, three) q = Squeeze(l, first) h = {op} "
                 "u = Unsqueeze(h, first) ")  # fmt: skip
POSITIONS: dict[str, Any] = {"two": N([2]), "three": N([3])}


@cases(
    computed("[0,0,12,64]", D0 + D1 + "to = Concat<axis=0>(d0, d1, k, l)", k=N([4]), l=N([6])),
    computed("one constant", D0 + D1 + "to = Concat<axis=0>(d0, d1, k)", k=N([4, 6])),
    computed("one -1", D0 + D1 + "to = Concat<axis=0>(d0, d1, k)", k=N([4, -1])),
    computed("[0,-1,2,4] of DistilBERT", D0 + "to = Concat<axis=0>(d0, a, k)", a=N([-1]), k=N([4, 6])),
    computed("Slice, Squeeze, Div",
        HALF_BY_SLICE.format(op="Div(q, n)") + D0 + D1 + "to = Concat<axis=0>(d0, d1, u, a)",
             n=N(2), a=N([-1]), **POSITIONS),
    computed("Slice, Squeeze, Mul", HALF_BY_SLICE.format(op="Mul(q, n)") + D0 + "to = Concat<axis=0>(a, u)", n=N(2),
        a=N([-1]), **POSITIONS,
             feeds={"x": np.ones((2, 4, 24), "float32")}),
    computed("the Concat is an output, too", D0 + "to = Concat<axis=0>(d0, a)", "reshape relu shape_to_tensor",
        fires=True, outputs="(float[] y, int64[] to)", a=N([-1])),
    computed("the Concat is read twice", D0 + "to = Concat<axis=0>(d0, a) z = Reshape(x, to)", "reshape relu",
        outputs="(float[] y, float[] z)", a=N([-1])),
    computed("part of it is an output", D0 + D1 + "to = Concat<axis=0>(d0, d1, k)", "reshape relu shape_to_tensor",
        fires=True, outputs="(float[] y, int64[] s1)", k=N([4, 6])),
    computed("an equal dim_param of another tensor",
        "s = Shape(z) g = Gather(s, i0) d = Unsqueeze(g, first) to = Concat<axis=0>(d, a)",
             inputs="(float[B,T,24] x, float[B,3] z)", a=N([-1])),
    computed("Shape(start=0)",
        "s = Shape<start=0>(x) g = Gather(s, i0) d = Unsqueeze(g, first) to = Concat<axis=0>(d, a)", a=N([-1])),
    computed("Shape(start=1,end=2)", "d = Shape<start=1,end=2>(x) to = Concat<axis=0>(a, d, k)", a=N([-1]), k=N([12])),
    *[computed(f"opset {n}", D0 + "to = Concat<axis=0>(d0, a)", opset=n, a=N([-1])) for n in (13, 14, 18, 19, 21, 23,
    24)],
    computed("opset 11", D0.replace("Unsqueeze(g0, first)", "Unsqueeze<axes=[0]>(g0)") + "to = Concat<axis=0>(d0, a)",
        opset=11, a=N([-1])),
    computed("a piece of several elements", "s = Shape(x) l = Slice(s, first, two) to = Concat<axis=0>(l, k)",
        two=N([2]), k=N([4, -1])),
    computed("two dimensions that are not known",
        "s = Shape(x) m = Mul(s, n) l = Slice(m, two, three) to = Concat<axis=0>(a, l)",
             n=N([1, 1, 2]), a=N([-1]), feeds={"x": np.ones((2, 4, 24), "float32")}, **POSITIONS),
    computed("an initializer that is an input, too", D0 + "to = Concat<axis=0>(d0, k)",
        inputs="(float[B,T,24] x, int64[1] k)", k=N([-1])),
    reshape("allowzero=1", "(float[0,T,4] x) => (float[] y) {e = Exp(x) y = Reshape<allowzero=1>(e, k)}", "",
        fires=False, k=N([3, 0, 5])),
    reshape("a dimension that is 0", "(float[0,T,4] x) => (float[] y) {e = Exp(x) y = Reshape(e, k)}", "zeros",
        fires=False, k=N([0, 0, 2, 2])),
    reshape("after GlobalAveragePool",
        "(float[B,4,6,6] x) => (float[] y) {p = GlobalAveragePool(x) " + D0.replace("Shape(x)", "Shape(p)") +
            "to = Concat<axis=0>(d0, a) y = Reshape(p, to)}", "mean reshape", fires=False, a=N([-1]), **KNOWN),
)  # fmt: skip
def test_a_shape_that_the_model_computes(case: Case) -> None:
    check(case)


def test_a_shape_that_is_fed() -> None:
    check(
        reshape(
            "",
            "(float[2,3] x, int64[2] k) => (float[] y) {y = Reshape(x, k)}",
            None,
            fires=False,
            feeds={"k": N([3, 2])},
        )
    )


READER = "the inner reshape has no other reader"


@cases(
    reshape("Reshape, Reshape", "(float[2,12] x) => (float[] y) {a = Reshape(x, k) b = Reshape(a, l) y = Relu(b)}",
        "reshape relu",
            k=N([2, 3, 4]), l=N([6, -1])),
    reshape("Squeeze, Reshape, Unsqueeze",
        "(float[1,2,12] x) => (float[] y) {a = Squeeze(x, k) b = Reshape(a, l) c = Unsqueeze(b, k) y = Relu(c)}",
            "reshape relu", k=N([0]), l=N([4, 6])),
    reshape("Flatten, Reshape", "(float[2,3,4] x) => (float[] y) {a = Flatten(x) b = Reshape(a, l) y = Relu(b)}",
        "reshape relu", l=N([3, 8])),
    reshape("there and back", "(float[2,12] x) => (float[] y) {a = Reshape(x, k) b = Reshape(a, l) y = Relu(b)}",
        "relu", k=N([24]), l=N([2, 12])),
    reshape("a symbolic batch", "(float[N,12] x) => (float[] y) {a = Reshape(x, k) b = Reshape(a, l) y = Relu(b)}",
        "reshape relu",
            k=N([0, 3, 4]), l=N([0, 6, 2])),
    reshape("allowzero=1 in a chain",
        "(float[2,0] x) => (float[] y) {a = Reshape<allowzero=1>(x, k) b = Reshape<allowzero=1>(a, l) y = Relu(b)}",
            "", fires=False, k=N([0, 5]), l=N([3, 0])),
    reshape("the inner one is read, too",
        "(float[2,12] x) => (float[] y, float[] z) {a = Reshape(x, k) b = Reshape(a, l) y = Relu(b) z = Relu(a)}",
            "reshape reshape relu relu", READER, k=N([24]), l=N([3, 8])),
    reshape("the inner one is an output",
        "(float[2,12] x) => (float[] y, float[] a) {a = Reshape(x, k) b = Reshape(a, l) y = Relu(b)}",
            "reshape reshape relu", READER, k=N([24]), l=N([3, 8])),
)  # fmt: skip
def test_a_chain_of_reshapes(case: Case) -> None:
    check(case)
