"""Resize and Upsample of images whose height and width are known as the model runs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper, parser
from onnx.reference import ReferenceEvaluator
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError
from tvmfuse.frontend.onnx.convert.resize import ratio

RNG = np.random.default_rng(0)
SIZES = [(2, 6, 5), (1, 2, 9), (3, 17, 16)]


def image(batch: int, height: int, width: int, dtype: str = "float32") -> np.ndarray:
    return (RNG.standard_normal((batch, 2, height, width)) * 50).astype(dtype)


def resizing(scales: Sequence[float], dtype: str = "float32", **way: Any) -> onnx.ModelProto:
    """Return a model that resizes an image by scales for its height and its width."""
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], **way)
    inputs = {"x": (dtype, ("N", 2, "H", "W"))}
    by = {"s": np.array([1, 1, *scales], "float32")}
    return onnx_model([node], inputs, {"y": dtype}, by, opset=19)


SYMMETRIC = "half_pixel_symmetric"


@pytest.mark.parametrize(
    ("scales", "way"),
    [
        ((1.5, 0.7), {"mode": "nearest"}),
        ((1, 0.7), {"mode": "nearest", "nearest_mode": "round_prefer_ceil"}),
        ((1.5, 1), {"mode": "linear", "coordinate_transformation_mode": SYMMETRIC}),
        ((1.5, 0.7), {"mode": "linear"}),
        ((1, 1.5), {"mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1}),
    ],
    ids="nearest ceil symmetric linear cubic".split(),
)
@pytest.mark.sampled(3)
def test_by_scales(scales: Sequence[float], way: Mapping[str, Any]) -> None:
    model = resizing(scales, **way)
    run = tvmfuse.compile(model, strict=True).load()
    for size in SIZES:
        feeds = {"x": image(*size)}
        assert_agrees(run(feeds), reference(model, feeds))


def test_corners_that_are_aligned() -> None:
    """Which size counts is clear where the scale makes a whole one; else the run says so."""
    model = resizing((1, 1.5), mode="linear", coordinate_transformation_mode="align_corners")
    run = tvmfuse.compile(model, strict=True).load()
    for size in ((1, 1, 6), (2, 5, 8)):
        feeds = {"x": image(*size)}
        assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError):
        run(x=image(1, 4, 7))


def test_antialias() -> None:
    model = resizing((1, 0.3), mode="linear", antialias=1)
    run = tvmfuse.compile(model, strict=True).load()
    fixed = tvmfuse.compile(model, dims={"N": 3, "H": 5, "W": 20}).load()
    x = image(3, 5, 20)
    assert_agrees(run(x=x), fixed(x=x))


def test_integers() -> None:
    model = resizing((1, 1.5), "uint8", mode="linear")
    run = tvmfuse.compile(model, strict=True).load()
    x = RNG.integers(0, 200, (2, 2, 4, 6)).astype("uint8")
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x.astype("float64")})
    assert np.abs(run(x=x)["y"].astype("float64") - expected).max() < 1.01


COMPUTED = {
    # A decoder's step up to the size of what it is joined with.
    "of another": "(float[N,2,H,W] x, float[M,3,P,Q] z) => (float[A,B,C,D] y)"
    "{ a = Shape<end=2>(x) b = Shape<start=2>(z) s = Concat<axis=0>(a, b)"
    '  y = Resize<mode="linear">(x, , , s) }',
    "doubled": "(float[N,2,H,W] x) => (float[A,B,C,D] y) <int64[2] two = {2, 2}>"
    "{ a = Shape<end=2>(x) b = Shape<start=2>(x) c = Mul(b, two) s = Concat<axis=0>(a, c)"
    '  y = Resize<mode="cubic", coordinate_transformation_mode="pytorch_half_pixel">(x, , , s) }',
    "to numbers": "(float[N,2,H,W] x) => (float[A,B,C,D] y) <int64[2] c = {7, 4}>"
    "{ a = Shape<end=2>(x) s = Concat<axis=0>(a, c)"
    '  y = Resize<mode="linear", coordinate_transformation_mode="align_corners">(x, , , s) }',
    "some axes": "(float16[N,2,H,W] x) => (float16[A,B,C,D] y) <int64[2] c = {7, 4}>"
    '{ y = Resize<mode="nearest", axes=[2, 3]>(x, , , c) }',
    "of a fixed image": "(float[1,2,5,6] x, float[M,3,P,Q] z) => (float[A,B,C,D] y)"
    "{ a = Shape<end=2>(x) b = Shape<start=2>(z) s = Concat<axis=0>(a, b)"
    '  y = Resize<mode="linear">(x, , , s) }',
}


@pytest.mark.parametrize("name", COMPUTED)
@pytest.mark.sampled(3)
def test_to_sizes_that_are_computed_of_sizes(name: str) -> None:
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["":18]> g {COMPUTED[name]}')
    run = tvmfuse.compile(model, strict=True).load()
    inputs = {spec.name: spec for spec in run.inputs}
    for size in SIZES:
        x = image(*((1, 5, 6) if name == "of a fixed image" else size), inputs["x"].dtype)
        z = RNG.standard_normal((size[0], 3, size[2] + 3, size[1])).astype("float32")
        feeds = {name: {"x": x, "z": z}[name] for name in inputs}
        assert_agrees(run(feeds), reference(model, feeds), tolerance=1e-4)
    if name == "to numbers":
        with pytest.raises(InputError, match="H == max"):
            run(x=image(1, 0, 3))


def test_upsample() -> None:
    model = parser.parse_model(
        '<ir_version: 5, opset_import: ["":9]> g (float[N,2,H,W] x) => (float[A,B,C,D] y)'
        '<float[4] s = {1, 1, 2, 3}> { y = Upsample<mode="nearest">(x, s) }'
    )
    run = tvmfuse.compile(model, strict=True).load()
    feeds = {"x": image(2, 3, 5)}
    assert_agrees(run(feeds), reference(model, feeds))


def in_proportion(policy: str, wanted: str, **way: str) -> onnx.ModelProto:
    said = "".join(f', {name} = "{value}"' for name, value in way.items())
    return parser.parse_model(
        '<ir_version: 9, opset_import: ["":18]> g (float[N,2,H,W] x, float[N,1,P,Q] z) =>'
        f"(float[A,B,C,D] y) <int64[2] numbers = {{7, 4}}> {{ of_another = Shape<start = 2>(z)"
        f'  y = Resize<axes = [2, 3], keep_aspect_ratio_policy = "{policy}"{said}>(x, , , {wanted}) }}'
    )


@pytest.mark.parametrize("policy", ["not_larger", "not_smaller"])
@pytest.mark.parametrize("wanted", ["numbers", "of_another"])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.sampled(4)
def test_in_proportion(policy: str, wanted: str, mode: str) -> None:
    model = in_proportion(policy, wanted, mode=mode)
    run = tvmfuse.compile(model, strict=True).load()
    for size in (*SIZES, (1, 7, 4), (1, 14, 8), (1, 1, 1)):
        feeds = {"x": image(*size), "z": np.zeros((size[0], 1, 6, 9), "float32")}
        assert_agrees(run(feeds), reference(model, feeds), tolerance=1e-4)
    with pytest.raises(InputError, match="no axis is empty"):
        run(x=image(1, 0, 3), z=np.zeros((1, 1, 6, 9), "float32"))


def test_in_proportion_from_corner_to_corner() -> None:
    """ONNX's implementations agree where the one scale gives whole sizes."""
    way = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
    model = in_proportion("not_larger", "numbers", **way)
    run = tvmfuse.compile(model, strict=True).load()
    feeds = {"x": image(1, 14, 8), "z": np.zeros((1, 1, 1, 1), "float32")}
    assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match="its scales give whole sizes"):
        run({**feeds, "x": image(1, 6, 5)})


@pytest.mark.parametrize("of", [(2, 1), (1, 2), (4, 3), (7, 10), (224, 517)])
def test_the_ratio_that_a_scale_stands_for(of: tuple[int, int]) -> None:
    found = ratio(float(np.float32(of[0] / of[1])))
    assert (found.numerator, found.denominator) == of
    for size in range(1, 2000, 7):
        exact = np.float32(of[0] / of[1]) * np.float32(size)
        assert size * found.numerator // found.denominator == int(exact)
