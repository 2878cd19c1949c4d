"""What real exports failed on, reduced to the nodes that it takes."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper, numpy_helper, parser
from onnx.reference import ReferenceEvaluator
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError, UnsupportedModelError

RNG = np.random.default_rng(0)
LEVELS = "none", "all"


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype("float32")


@pytest.mark.parametrize("level", LEVELS)
def test_a_rest_that_is_a_number(level: Any) -> None:
    """Heads of keys behind a learned prefix: (32 p + 192) elements by (8 p + 48) are 4."""
    nodes = [
        helper.make_node("Concat", ["x", "prefix"], ["k"], axis=1),
        helper.make_node("Shape", ["k"], ["begin"], end=2),
        helper.make_node("Concat", ["begin", "rest", "eight"], ["shape"], axis=0),
        helper.make_node("Reshape", ["k", "shape"], ["y"]),
    ]
    numbers = {"prefix": drawn(1, 6, 32), "rest": np.array([-1]), "eight": np.array([8])}
    model = onnx_model(nodes, {"x": ("float32", (1, "p", 32))}, {"y": "float32"}, numbers)
    run = tvmfuse.compile(model, level=level, strict=True).load()
    assert run.outputs[0].shape[2:] == (4, 8)
    for size in (1, 5):
        feeds = {"x": drawn(1, size, 32)}
        assert_agrees(run(feeds), reference(model, feeds))


@pytest.mark.parametrize("level", LEVELS)
def test_frames_of_a_speech_encoder(level: Any) -> None:
    """The number of frames is a quotient of a difference, which TVM cannot tell from 0."""
    model = parser.parse_model(
        """<ir_version: 9, opset_import: ["":20]>
        g (float[b,h,w,16] x, float[b,16,s] wave) => (float[b,f,r,16] y)
        <int64[1] hop = {20}, int64[1] three = {3}, int64[1] two = {2}, int64[1] one = {1},
         int64[2] rest = {-1, 16}> {
            batch = Shape<end=1>(wave) size = Shape<start=2>(wave) hops = Div(size, hop)
            less = Sub(hops, three) half = Div(less, two) frames = Add(half, one)
            shape = Concat<axis=0>(batch, frames, rest) y = Reshape(x, shape)
        }"""
    )
    run = tvmfuse.compile(model, level=level, strict=True).load()
    for height, samples in ((2, 100), (3, 140)):
        feeds = {"x": drawn(2, height, 6, 16), "wave": drawn(2, 16, samples)}
        assert_agrees(run(feeds), reference(model, feeds))


@pytest.mark.parametrize(("image", "grid"), [("float32", "float64"), ("float64", "float32")])
def test_a_grid_of_another_dtype(image: str, grid: str) -> None:
    node = helper.make_node("GridSample", ["x", "g"], ["y"])
    inputs = {"x": (image, (1, 2, 4, 5)), "g": (grid, (1, 3, 3, 2))}
    model = onnx_model([node], inputs, {"y": image}, opset=20)
    feeds = {
        "x": drawn(1, 2, 4, 5).astype(image),
        "g": RNG.uniform(-1, 1, (1, 3, 3, 2)).astype(grid),
    }
    (expected,) = map(np.asarray, ReferenceEvaluator(model).run(None, feeds))
    found = tvmfuse.compile(model, strict=True).load()(feeds)["y"]
    assert found.dtype == image
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("axis", ["", "<axis=1>"])
def test_what_is_unique_in_a_matrix(axis: str) -> None:
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["":20]> g (float[3,4] x) => '
        f"(float[] y, int64[a] i, int64[b] j, int64[c] n) {{ y, i, j, n = Unique{axis}(x) }}"
    )
    feeds = {"x": np.round(drawn(3, 4))}
    assert_agrees(tvmfuse.compile(model, strict=True).load()(feeds), reference(model, feeds))


def test_only_the_cause_is_named() -> None:
    """The shape of what was refused is not known; that is no reason of its own."""
    nodes = [
        helper.make_node("Multinomial", ["x"], ["drawn"], name="cause", sample_size=0),
        helper.make_node("Shape", ["drawn"], ["shape"], name="shape"),
        helper.make_node("Reshape", ["x", "shape"], ["y"], name="reshape"),
    ]
    model = onnx_model(nodes, {"x": ("float32", (2, "n"))}, {"y": "float32"})
    with pytest.raises(UnsupportedModelError, match="1 node cannot be compiled:\n.*'cause'"):
        tvmfuse.compile(model)


@pytest.mark.parametrize("mode", ["constant", "edge"])
def test_windows_of_an_image_of_any_size(mode: str) -> None:
    """Rows are padded to a multiple of four, and parted into windows of four."""
    model = parser.parse_model(
        f"""<ir_version: 9, opset_import: ["":20]> g (float[B,H,4,2] x) => (float[B,R,W,E] y)
        <int64[1] four = {{4}}, int64[1] minus = {{-4}}, int64[1] sign = {{-1}}, int64[1] eight = {{8}},
         int64[5] before = {{0, 0, 0, 0, 0}}, int64[2] behind = {{0, 0}}, float number = {{1.5}}> {{
            batch = Shape<end=1>(x) size = Shape<start=1, end=2>(x) rest = Mod(size, minus)
            width = Mul(rest, sign) pads = Concat<axis=0>(before, width, behind)
            padded = Pad<mode="{mode}">(x, pads, number) rows = Add(size, width)
            count = Div(rows, four) shape = Concat<axis=0>(batch, count, four, eight)
            y = Reshape(padded, shape)
        }}"""
    )
    run = tvmfuse.compile(model, strict=True).load()
    for size in (4, 5, 11):
        feeds = {"x": drawn(2, size, 4, 2)}
        assert_agrees(run(feeds), reference(model, feeds))


@pytest.mark.parametrize(("length", "level"), [("s", "none"), ("s", "all"), (7, "all")])
def test_what_comes_before_and_behind_each_row(length: Any, level: Any) -> None:
    """Each of the three has as many rows only where there is one."""
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["":17]> g (float[b,{length},4] x) => (float[b,t,2] y)
        <int64[1] zero = {{0}}, int64[1] one = {{1}}, int64[1] last = {{-1}}, int64[1] end = {{{2**63 - 1}}},
         int64[6] behind = {{0, 0, 0, 0, 1, 0}}, int64[6] before = {{0, 1, 0, 0, 0, 0}}> {{
            next = Slice(x, one, end, one) next_row = Pad(next, behind)
            given = Slice(x, zero, last, one) row_before = Pad(given, before)
            rows = Concat<axis=2>(next_row, x, row_before) product = MatMul(rows, weight)
            y = Add(product, bias)
        }}"""
    )
    numbers = {"weight": drawn(12, 2), "bias": drawn(2)}
    model.graph.initializer.extend(numpy_helper.from_array(n, name) for name, n in numbers.items())
    run = tvmfuse.compile(model, level=level, strict=True).load()
    for batch, rows in ((2, 7), (0, 7)) if length == 7 else ((2, 1), (0, 3), (3, 5)):
        feeds = {"x": drawn(batch, rows, 4)}
        assert_agrees(run(feeds), reference(model, feeds))


@pytest.mark.parametrize("length", ["n", 2])
def test_rows_that_a_mask_picks_and_puts_back(length: Any) -> None:
    """A mask of ones tells how many there are; what is computed of that number is known, too."""
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["":17]> g (float[{length},3,4] x) => (float[{length},3,4] y)
        <int64[1] zero = {{0}}, int64[1] one = {{1}}, int64[1] rest = {{-1}}, bool[1] true = {{1}}> {{
            shape = Shape(x) count = Slice(shape, zero, one)
            mask = ConstantOfShape<value = bool[1] {{1}}>(count)
            where = NonZero(mask) rows = Transpose(where) picked = GatherND(x, rows)
            changed = Neg(picked) flat = Reshape(changed, rest)
            everywhere = Expand(true, shape) places = NonZero(everywhere) index = Transpose(places)
            found = Shape(index) end = Slice(found, zero, one)
            numbers = Slice(flat, zero, end) y = ScatterND(x, index, numbers)
        }}"""
    )
    run = tvmfuse.compile(model, strict=True).load()
    for size in (2,) if length == 2 else (1, 5):
        feeds = {"x": drawn(size, 3, 4)}
        assert_agrees(run(feeds), reference(model, feeds))


def test_numbers_that_count_by_a_symbolic_size() -> None:
    """XLNet's relative positions count down, and its mask has a diagonal."""
    model = parser.parse_model(
        """<ir_version: 8, opset_import: ["":17]>
        g (float[n,m] x) => (int64[a] down, int32[b] up, float[n,m] ones)
        <int64 zero = {0}, int64 back = {-2}, int32 three = {3}> {
            shape = Shape(x) n = Gather(shape, zero) minus = Neg(n) down = Range(n, minus, back)
            narrow = Cast<to = 6>(n) begin = Neg(narrow) up = Range(begin, narrow, three)
            ones = EyeLike<k = -1>(x)
        }"""
    )
    run = tvmfuse.compile(model, strict=True).load()
    for size in ((0, 2), (1, 1), (4, 3)):
        feeds = {"x": drawn(*size)}
        assert_agrees(run(feeds), reference(model, feeds))


def test_a_symbolic_dimension_is_expanded_by_a_fed_size() -> None:
    """Whether it is 1, and grows, shows as the model runs; what is not 1 keeps its size."""
    model = parser.parse_model(
        """<ir_version: 8, opset_import: ["":17]>
        g (float[n,2,k] x, int64[4] s) => (float[] y) { y = Expand(x, s) }"""
    )
    run = tvmfuse.compile(model, strict=True).load()
    for size, asked in (((3, 4), (2, 1, 2, 4)), ((1, 1), (1, 3, 1, 5)), ((1, 4), (1, 0, 2, 1))):
        feeds = {"x": drawn(size[0], 2, size[1]), "s": np.array(asked)}
        assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match="asks for a shape that it cannot have"):
        run({"x": drawn(3, 2, 4), "s": np.array([1, 2, 2, 4])})


def test_half_as_many_frames_in_heads() -> None:
    """SEW's frames are quotients rounded toward 0, there are some, and what remains are 4 heads."""
    model = parser.parse_model(
        """<ir_version: 9, opset_import: ["":20]> g (float[b,s] wave, float[b,f,32] x) => (float[] y)
        <int64[1] ten = {10}, int64[1] two = {2}, int64[1] one = {1}, int64[1] minus = {-1},
         int64[1] three = {-3}, int64[1] zero = {0}, int64[2] rest = {-1, 8}> {
            batch = Shape<end=1>(wave) size = Shape<start=1>(wave) frames = Div(size, ten)
            less = Add(frames, minus) half = Div(less, two) lesser = Add(frames, three)
            below = Div(lesser, two) another = Add(below, one) least = Min(half, another)
            cut = Slice(x, zero, least, one) shape = Concat<axis=0>(batch, least, rest)
            y = Reshape<allowzero=1>(cut, shape)
        }"""
    )
    run = tvmfuse.compile(model, strict=True).load()
    for samples, frames in ((30, 5), (77, 9)):
        feeds = {"wave": drawn(2, samples), "x": drawn(2, frames, 32)}
        assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError, match="only sizes with"):
        run({"wave": drawn(2, 29), "x": drawn(2, 9, 32)})
