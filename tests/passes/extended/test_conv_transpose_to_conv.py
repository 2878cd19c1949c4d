"""ConvTransposeToConv: strides of 1 are a convolution with the taps in the other order."""

import numpy as np
from tier_cases import Case, about, cases, check

turned = about("ConvTransposeToConv")
X = "float[2,3,5,6] x"
ONES = "its strides are 1"


@cases(
    turned("plain", f"({X}) => (float[] y) {{y = ConvTranspose(x, w)}}", "conv", w=(3, 4, 3, 2)),
    turned("a bias", f"({X}) => (float[] y) {{y = ConvTranspose(x, w, b)}}", "conv", w=(3, 4, 3, 3),
        b=(4,)),
    turned("pads and dilations", f"({X}) => (float[] y) {{y = ConvTranspose<pads=[1,0,3,2], dilations=[2,1]>(x, w)}}",
        "conv", w=(3, 4, 3, 3)),
    turned("groups", "(float[2,4,7] x) => (float[] y) {y = ConvTranspose<group=2>(x, w)}", "conv", w=(4, 3, 3)),
    turned("three dimensions", "(float[1,2,3,4,5] x) => (float[] y) {y = ConvTranspose(x, w)}", "conv",
        w=(2, 3, 2, 1, 3)),
    turned("symbolic sizes", "(float[n,3,h,6] x) => (float[] y) {y = ConvTranspose<pads=[1,1,1,1]>(x, w)}", "conv",
        w=(3, 4, 3, 3), feeds={"x": np.ones((2, 3, 5, 6), "float32")}),
    turned("a stride", f"({X}) => (float[] y) {{y = ConvTranspose<strides=[1,2]>(x, w)}}", "conv_transpose", ONES,
        w=(3, 4, 3, 3)),
    turned("weights that are fed", f"({X}, float[3,4,3,1] w) => (float[] y) {{y = ConvTranspose(x, w)}}",
        "flip reshape permute_dims reshape conv", feeds={"x": np.ones((2, 3, 5, 6), "float32")}),
    turned("weights of groups that are fed",
        "(float[2,4,37] x, float[4,3,3] w) => (float[] y) {y = ConvTranspose<group=2>(x, w)}",
        "flip reshape permute_dims reshape conv"),
    turned("weights that are fed and read seldom",
        "(float[1,3,6,6] x, float[3,4,3,3] w) => (float[] y) {y = ConvTranspose(x, w)}",
        "conv_transpose", "its weights are constant, or each is used often"),
    turned("results that are cut off", f"({X}) => (float[] y) {{y = ConvTranspose<pads=[0,2,0,0]>(x, w)}}",
        "conv_transpose", "it cuts off no more than its taps reach", w=(3, 4, 2, 2)),
)  # fmt: skip
def test_turned(case: Case) -> None:
    check(case)


def test_results_behind_the_reach() -> None:
    """onnxruntime takes no such node: the result of one is checked nowhere."""
    padded = "y = ConvTranspose<dilations=[2,1], output_padding=[1,0]>(x, w)"
    why = "it adds no results behind its taps' reach"
    model = f"({X}) => (float[] y) {{{padded}}}"
    check(turned("padded", model, "conv_transpose", why, w=(3, 4, 3, 3)), numbers=False)
