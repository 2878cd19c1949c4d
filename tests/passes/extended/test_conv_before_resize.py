"""ConvBeforeResize: pointwise convolutions of enlarged images are computed on the small ones."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import ops
from tier_cases import Case, about, cases, check
from tvm import relax

import tvmfuse
from tvmfuse.ops import conv
from tvmfuse.ops.resample import Taps, resample
from tvmfuse.passes.extended.conv_before_resize import ConvBeforeResize
from tvmfuse.passes.trace import Trace

swapped = about("ConvBeforeResize")
X = "float[2,40,5,6] x"
TWICE = np.array([1, 1, 2, 2], "float32")
LINEAR = 'u = Resize<mode="linear">(x, , twice)'
NEAREST = 'u = Resize<mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor">(x, , twice)'
CONV = "y = Conv(u, w, b)"
JOINED = f"({X}, float[2,7,10,12] z) => (float[] y) {{{LINEAR} c = Concat<axis=1>(u, z) y = Conv(c, w, b)}}"
ALIKE = "nothing but such convolutions reads the enlarged image"
MORE = "the products that are saved are more than resizing the results takes"


def case(
    bullet: str, graph: str, left: str | None, because: str | None = None, **constants: object
) -> Case:
    given = {"twice": TWICE, "w": (32, 40, 1, 1), "b": (32,), **constants}
    used = {name: value for name, value in given.items() if name in graph}
    return swapped(bullet, graph, left, because, **used)


def alone(nodes: str, inputs: str = X, outputs: str = "float[] y") -> str:
    return f"({inputs}) => ({outputs}) {{{nodes}}}"


@cases(
    case("bilinear", alone(f"{LINEAR} {CONV}"), "conv resample"),
    case("nearest", alone(f"{NEAREST} {CONV}"), "conv take take"),
    case("cubic", alone(f'u = Resize<mode="cubic">(x, , twice) {CONV}'), "conv resample"),
    case("corners aligned",
        alone(f'u = Resize<mode="linear", coordinate_transformation_mode="align_corners">(x, , , s) {CONV}'),
        "conv resample", s=np.array([2, 40, 13, 17])),
    case("one axis grows and one shrinks", alone(f'u = Resize<mode="linear">(x, , f) {CONV}'), "conv resample",
        f=np.array([1, 1, 3, 0.5], "float32")),
    case("a batch that is not known", alone(f"{LINEAR} {CONV}", "float[n,40,5,6] x"), "conv resample"),
    case("without bias", alone(f"{LINEAR} y = Conv(u, w)"), "conv resample"),
    case("a line", alone(f'u = Resize<mode="linear">(x, , f) {CONV}', "float[2,40,9] x"), "conv resample",
        f=np.array([1, 1, 3], "float32"), w=(32, 40, 1)),
    case("a volume", alone(f'u = Resize<mode="linear">(x, , f) {CONV}', "float[1,40,2,3,4] x"), "conv resample",
        f=np.array([1, 1, 1, 2, 2], "float32"), w=(32, 40, 1, 1, 1)),
    case("beside what has the size", JOINED, "conv conv resample add", w=(32, 47, 1, 1)),
    case("between what has the size",
        f"({X}, float[2,7,10,12] z) => (float[] y) {{{LINEAR} c = Concat<axis=-3>(z, u, z) y = Conv(c, w, b)}}",
        "concat conv conv resample add", w=(32, 54, 1, 1)),
    case("of several sizes",
        f'({X}, float[2,48,2,3] v) => (float[] y) {{{LINEAR} q = Resize<mode="linear">(v, , , s) '
        "c = Concat<axis=1>(u, q) y = Conv(c, w, b)}",
        "conv resample conv resample add", s=np.array([2, 48, 10, 12]), w=(32, 88, 1, 1)),
    case("then activated", alone(f"{LINEAR} v = Conv(u, w, b) y = Relu(v)"), "conv resample relu"),
    case("two convolutions", alone(f"{LINEAR} {CONV} t = Conv(u, w2)", outputs="float[] y, float[] t"),
        "conv resample conv resample", w2=(8, 40, 1, 1)),
    case("enlarged twice", alone(f'{LINEAR} v = Resize<mode="linear">(u, , twice) y = Conv(v, w, b)'),
        "conv resample resample"),
    case("channels, too",
        alone(f'u = Resize<coordinate_transformation_mode="asymmetric">(x, , f) {CONV}', "float[1,20,5,6] x"),
        "take conv take take", f=np.array([1, 2, 2, 2], "float32")),
)  # fmt: skip
def test_before(case: Case) -> None:
    check(case)


@cases(
    case("weights that are fed", alone(f"{LINEAR} y = Conv(u, fed, b)", f"{X}, float[32,40,1,1] fed"),
        "resample conv", "its weights are constant"),
    case("groups", alone(f"{LINEAR} y = Conv<group=2>(u, w, b)"), "resample conv", "its channels are of one group",
        w=(32, 20, 1, 1)),
    case("the image is returned", alone(f"{LINEAR} {CONV}", outputs="float[] y, float[2,40,10,12] u"),
        "resample conv", ALIKE),
    case("another reads it", alone(f"{LINEAR} {CONV} t = Relu(u)", outputs="float[] y, float[] t"),
        "resample conv relu", ALIKE),
    case("another reads a part",
        JOINED.replace("(float[] y)", "(float[] y, float[] t)").replace("c =", "t = Relu(u) c ="),
        "resample relu concat conv", "nobody else reads the enlarged image", w=(32, 47, 1, 1)),
    case("results of many more channels", alone(f"{LINEAR} {CONV}"), "resample conv", MORE, w=(400, 40, 1, 1),
        b=(400,)),
    case("so few channels that adding takes longer",
        "(float[2,4,5,6] x, float[2,7,10,12] z) => (float[] y) "
        f"{{{LINEAR} c = Concat<axis=1>(u, z) y = Conv(c, w, b)}}",
        "resample concat conv", MORE, w=(4, 11, 1, 1), b=(4,)),
)  # fmt: skip
def test_declined(case: Case) -> None:
    check(case)


@cases(
    case("taps of 3 x 3", alone(f"{LINEAR} y = Conv<pads=[1,1,1,1]>(u, w, b)"), "resample conv", w=(32, 40, 3, 3)),
    case("a stride", alone(f"{LINEAR} y = Conv<strides=[2,2]>(u, w, b)"), "resample conv"),
    case("pads", alone(f"{LINEAR} y = Conv<pads=[1,0,0,0]>(u, w, b)"), "resample conv"),
    case("an image that shrinks", alone(f'u = Resize<mode="linear">(x, , f) {CONV}'), "resample conv",
        f=np.array([1, 1, 0.5, 0.5], "float32")),
    case("a size that is not known", alone(f"{LINEAR} {CONV}", "float[1,40,h,6] x"), None),
    case("pixels, not channels, are joined",
        f"({X}) => (float[] y) {{{LINEAR} c = Concat<axis=2>(u, u) y = Conv(c, w, b)}}", "resample concat conv"),
)  # fmt: skip
def test_of_another_kind(case: Case) -> None:
    check(Case(**{**vars(case), "fires": False}))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("resized", [LINEAR, NEAREST], ids=["linear", "nearest"])
def test_what_is_not_finite_spreads_as_before(bad: float, resized: str) -> None:
    x = np.random.default_rng(0).standard_normal((2, 40, 5, 6)).astype("float32")
    x[1, 3, 2, 4] = bad
    graph = alone(f"{resized} {CONV}")
    found = case("not finite", graph, "conv resample" if resized == LINEAR else "conv take take")
    check(Case(**{**vars(found), "feeds": {"x": x}}))


def test_weights_that_do_not_add_up() -> None:
    """A bias would be resized, too; no operator of ONNX's resizes so."""
    x = relax.Var("x", relax.TensorType([1, 24, 3], "float32"))
    places, halves = np.array([[0, 1, 2, 2]], "int32"), np.full([1, 4], 0.5, "float32")
    taps = Taps(2, relax.const(places), relax.const(halves))
    weights = relax.const(np.ones([24, 24, 1], "float32"))
    bb = relax.BlockBuilder()
    with bb.function("main", [x]):
        with bb.dataflow():
            u = bb.emit(resample(x, [taps], skips_zeros=False))
            y = bb.emit(conv(u, weights, strides=[1], padding=[0, 0], dilation=[1]))
            result = bb.emit_output(y)
        bb.emit_func_output(result)
    trace = Trace()
    after = ConvBeforeResize()(bb.get(), trace)
    assert ops(after) == ["resample", "conv"]
    assert [why for why, _ in trace.declined] == ["the weights of each pixel add up to 1"]


def test_a_reader_that_keeps_the_image_leaves_the_other_as_it_is() -> None:
    """The image would be resized all the same, and the results, too."""
    graph = alone(f"{LINEAR} {CONV} t = Conv<group=2>(u, half)", outputs="float[] y, float[] t")
    found = case("groups beside", graph, None, half=(8, 20, 1, 1))
    report = tvmfuse.explain(found.model(), target="avx2")["ConvBeforeResize"]
    assert report.fired == 0
    assert [d.reason for d in report.declined] == [ALIKE, "its channels are of one group"]
