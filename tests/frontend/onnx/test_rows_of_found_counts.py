"""A Scan over as many elements as a run finds writes its rows into memory of its own.

The body reads none of them: nothing inside tells how many there are.
"""

from __future__ import annotations

import numpy as np
import onnxruntime
from onnx import parser

import tvmfuse
from tvmfuse.runtime.compiled_main import FixedWeights
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.on_cpu import OnCpu
from tvmfuse.runtime.threads import Workers

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (uint64[1] x, float[n] after) => (float[a] s, uint64[b, c] rows, float[n] z)
    <float[9] w = {1, -1, -1, -1, -1, -1, 2, 3, -1}, float zero = {0}, float[4] last = {1, 2, 3, 4}> {
    total = ReduceSum <keepdims = 0> (after)
    positive = Greater(total, zero)
    chosen = If (positive) <
        then_branch = as_it_is () => (float[m] a1) { a1 = Identity(w) },
        else_branch = negated () => (float[m] a2) { a2 = Neg(w) }
    >
    more = Greater(chosen, zero)
    kept = Compress <axis = 0> (chosen, more)
    s, rows = Scan <num_scan_inputs = 1,
        body = step (float[p] before, float element) => (float[p] then, uint64[1] row) {
            then = Tanh(before) row = Identity(x)
        }> (last, kept)
    sum = ReduceSum <keepdims = 0> (last)
    z = Add(after, sum)
}"""


def test_no_weight_is_written_to() -> None:
    """The rows begin as a constant of none, behind which there is no room."""
    model = parser.parse_model(MODEL)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    artifact = tvmfuse.compile(model)
    given = artifact.load().on_cpu
    behind = [np.full(256, 165, "uint8") for _ in given.weights.arrays]
    pairs = zip(given.weights.arrays, behind, strict=True)
    arrays = [w if w.size else b[:0].view(w.dtype).reshape(w.shape) for w, b in pairs]
    assert any(not array.size for array in arrays)

    def guarded(workers: Workers) -> OnCpu:
        fixed = FixedWeights(arrays)
        return OnCpu(artifact.manifest, given.functions, fixed, (), workers)

    run = Executable(artifact.manifest, guarded)
    for sign in (1, -1):
        feeds = {"x": np.array([7], "uint64"), "after": sign * np.ones(2, "float32")}
        for ours, theirs in zip(run(feeds).values(), session.run(None, feeds), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    assert all((guard == 165).all() for guard in behind)
