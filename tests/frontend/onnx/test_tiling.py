"""Tile, as often as numbers, sizes or the model itself say."""

import numpy as np
import pytest
from onnx import parser
from reference import assert_agrees, reference

import tvmfuse

RNG = np.random.default_rng(0)
REPEATS = {
    "of sizes": "(float[N,3,M] x) => (float[a,b,c] y) { r = Shape(x) y = Tile(x, r) }",
    "known, of symbolic dimensions": "(float[N,3,M] x) => (float[a,b,c] y)"
    "<int64[3] r = {2, 1, 3}> { y = Tile(x, r) }",
    "some of sizes": "(float[N,3,M] x) => (float[a,b,c] y) <int64[2] one = {1, 2}>"
    "{ s = Shape<end=1>(x) r = Concat<axis=0>(s, one) y = Tile(x, r) }",
    "of a dimension of 1": "(float[1,3,1] x, float[N,3,M] z) => (float[a,b,c] y)"
    "<int64[1] one = {1}> { s = Shape<end=1>(z) t = Shape<start=2>(z)"
    " r = Concat<axis=0>(s, one, t) y = Tile(x, r) }",
}


@pytest.mark.parametrize("name", REPEATS)
def test_symbolic_repeats(name: str) -> None:
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["":17]> g {REPEATS[name]}')
    run = tvmfuse.compile(model, strict=True).load()
    for rows, columns in ((2, 5), (1, 1), (3, 4)):
        z = RNG.standard_normal((rows, 3, columns)).astype("float32")
        feeds = {"x": z[:1, :, :1], "z": z} if "z" in {i.name for i in run.inputs} else {"x": z}
        assert_agrees(run(feeds), reference(model, feeds))


def test_four_axes_with_repeats_that_are_fed() -> None:
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["":17]> '
        "g (float[2,3,4,5] x, int64[4] r) => (float[a,b,c,d] y) { y = Tile(x, r) }"
    )
    run = tvmfuse.compile(model, strict=True).load()
    x = RNG.standard_normal((2, 3, 4, 5)).astype("float32")
    for repeats in ([1, 2, 3, 1], [2, 1, 1, 4], [0, 2, 2, 2]):
        np.testing.assert_array_equal(run(x=x, r=np.array(repeats))["y"], np.tile(x, repeats))
