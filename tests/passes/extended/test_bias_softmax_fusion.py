"""BiasSoftmaxFusion: a softmax adds what it reads."""

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse

fused = about("BiasSoftmaxFusion")


def model(
    x: str, b: str, body: str = "s = Add(x, b) y = Softmax<axis=-1>(s)", outputs: str = "float[] y"
) -> str:
    return f"({x} x, {b} b) => ({outputs}) {{{body}}}"


@cases(
    fused("leading dimensions", model("float[2,3,5,7]", "float[5,7]"), "bias_softmax"),
    fused("inner dimensions", model("float[2,3,5,7]", "float[2,1,1,7]"), "bias_softmax"),
    fused("one number for each row", model("float[2,3,5,7]", "float[2,3,5,1]"), "bias_softmax"),
    fused("one number", model("float[5,7]", "float"), "bias_softmax"),
    fused("the same shape", model("float[5,7]", "float[5,7]"), "bias_softmax"),
    fused("the bias first", model("float[2,1,1,7]", "float[2,3,5,7]"), "bias_softmax"),
    fused("another axis", model("float[2,3,5,7]", "float[3,1,7]", "s = Add(x, b) y = Softmax<axis=1>(s)"),
        "bias_softmax"),
    fused("symbolic sizes", model("float[n,3,s,t]", "float[n,1,1,t]"), "bias_softmax"),
    fused("double precision", model("double[5,7]", "double[7]", outputs="double[] y"), "bias_softmax"),
    fused("half precision", model("float16[5,7]", "float16[7]", outputs="float16[] y"), "bias_softmax", tolerance=2e-3),
    fused("masks", model("float[2,3]", "float[2,3]"), "bias_softmax",
        feeds={"b": np.array([[0, -np.inf, 0], [-np.inf, np.nan, 1]], "float32")}),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


ONLY = "the softmax is the sum's only reader"


@cases(
    fused("a sum that is an output", model("float[5,7]", "float[7]", outputs="float[] y, float[] s"), "add softmax",
        ONLY),
    fused("a sum that is read again",
        model("float[5,7]", "float[7]", "s = Add(x, b) y = Softmax<axis=-1>(s) z = Exp(s)", "float[] y, float[] z"),
        "add softmax exp", ONLY),
    fused("terms that both broadcast", model("float[5,1]", "float[7]"), "add softmax", "one term has the sum's shape"),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@cases(
    fused(
        "a difference",
        model("float[5,7]", "float[7]", "s = Sub(x, b) y = Softmax<axis=-1>(s)"),
        "subtract softmax",
        fires=False,
    )
)
def test_ignores(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("bias", [(2, 3, 33, 50), (33, 50), (2, 1, 1, 50), (2, 3, 33, 1)])
@pytest.mark.parametrize("scaled", [False, True])
def test_one_kernel_with_a_schedule(bias: tuple[int, ...], scaled: bool) -> None:
    nodes = [
        helper.make_node(
            "Mul" if scaled else "Identity", ["x", "c"] if scaled else ["x"], ["t"], name="scale"
        )
    ]
    nodes += [
        helper.make_node("Add", ["t", "b"], ["s"], name="sum"),
        helper.make_node("Softmax", ["s"], ["y"], name="softmax"),
    ]
    made = onnx_model(
        nodes,
        {"x": ("float32", (2, 3, 33, 50)), "b": ("float32", bias)},
        {"y": "float32"},
        {"c": np.array(3, "float32")},
    )
    rng = np.random.default_rng(0)
    feeds = {
        "x": rng.standard_normal((2, 3, 33, 50), "float32"),
        "b": rng.standard_normal(bias, "float32"),
    }
    feeds["x"][0, 1, 2, 3], feeds["x"][1, 1, 2] = np.nan, -np.inf
    artifact = tvmfuse.compile(made)
    assert [k.schedule for k in artifact.manifest.kernels] == ["reduction"]
    assert_agrees(artifact.load()(feeds), reference(made, feeds))
    apart = tvmfuse.compile(made, disabled_pass=["BiasSoftmaxFusion"])
    assert len(apart.manifest.kernels) == 2
