"""TransposeOptimizer on a model."""

import numpy as np
from graphs import onnx_model, ops, run
from onnx import helper

from tvmfuse.frontend.onnx.importer import import_model
from tvmfuse.passes.basic.dead_code_elimination import DeadCodeElimination
from tvmfuse.passes.basic.transpose_optimizer import TransposeOptimizer


def test_a_model_with_channels_last_between_convolutions() -> None:
    rng = np.random.default_rng(0)
    w = rng.standard_normal((3, 3, 3, 3)).astype("float32")
    nodes = [
        helper.make_node("Transpose", ["x"], ["x1"], perm=[0, 3, 1, 2]),
        helper.make_node("Conv", ["x1", "w"], ["c1"], pads=[1, 1, 1, 1]),
        helper.make_node("Transpose", ["c1"], ["c2"], perm=[0, 2, 3, 1]),
        helper.make_node("Add", ["c2", "b"], ["a1"]),
        helper.make_node("Relu", ["a1"], ["r1"]),
        helper.make_node("Transpose", ["r1"], ["r2"], perm=[0, 3, 1, 2]),
        helper.make_node("Conv", ["r2", "w"], ["d1"], pads=[1, 1, 1, 1]),
        helper.make_node("Transpose", ["d1"], ["d2"], perm=[0, 2, 3, 1]),
        helper.make_node("Add", ["d2", "r1"], ["s"]),
        helper.make_node("Relu", ["s"], ["t"]),
        helper.make_node("ReduceMean", ["t"], ["m"], axes=[1, 2], keepdims=0),
    ]
    constants = {"w": w, "b": np.array([1, 2, 4], "float32")}
    model = onnx_model(nodes, {"x": ("float32", ("n", 6, 6, 3))}, {"m": "float32"}, constants)
    before = import_model(model).module
    after = DeadCodeElimination()(TransposeOptimizer()(before))
    assert ops(before).count("permute_dims") == 4
    assert ops(after).count("permute_dims") == 1  # of the input
    x = rng.standard_normal((2, 6, 6, 3)).astype("float32")
    np.testing.assert_allclose(run(after, x)[0], run(before, x)[0], rtol=1e-5, atol=1e-5)
