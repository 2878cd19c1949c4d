"""NonMaxSuppression: how many boxes are kept is what a run finds, for whatever reads the result."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import parser

import tvmfuse

GRAPH = """<ir_version: 8, opset_import: ["": 17]>
g (float[{images}, {count}, 4] boxes, float[{images}, 2, {count}] scores)
    => (int64[r] sizes, int64 size, int64[t] numbers, float[q] kept, float[v, 4] corners)
<int64[1] most = {{20}}, float[1] overlap = {{0.4}}, float[1] least = {{0.5}}, int64 zero = {{0}}, int64 one = {{1}},
 int64[2] places = {{0, 2}}> {{
    found = NonMaxSuppression(boxes, scores, most, overlap, least)
    sizes = Shape(found)
    size = Size(found)
    rows = Gather(sizes, zero)
    numbers = Range(zero, rows, one)
    kept = GatherND(scores, found)
    box = Gather <axis = 1> (found, places)
    corners = GatherND(boxes, box)
}}"""


@pytest.mark.parametrize("sizes", ["fixed", "symbolic"])
@pytest.mark.parametrize(("images", "count"), [(1, 6), (2, 30), (1, 1)])
def test_who_asks_for_the_size_is_told_what_there_is(
    tmp_path: Path, images: int, count: int, sizes: str
) -> None:
    stated = (images, count) if sizes == "fixed" else ("b", "n")
    model = parser.parse_model(GRAPH.format(images=stated[0], count=stated[1]))
    rng = np.random.default_rng(0)
    corners = np.sort(rng.random((images, count, 4), "float32"), -1)
    feeds = {"boxes": corners, "scores": rng.random((images, 2, count), "float32")}
    session = onnxruntime.InferenceSession(model.SerializeToString())
    expected = session.run(None, feeds)
    artifact = tvmfuse.compile(model)
    assert not [spec for spec in artifact.manifest.outputs if "*" in str(spec)]
    artifact.save(tmp_path / "m.so")
    for run in (artifact.load(), tvmfuse.load(tmp_path / "m.so")):
        for found, right in zip(run(feeds).values(), expected, strict=True):
            np.testing.assert_array_equal(found, right)
