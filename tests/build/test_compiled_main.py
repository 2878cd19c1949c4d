"""build.compiled_main: a model as two functions, which are given memory for all that they write."""

import functools
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import tvmfuse
from tvmfuse.arrays import located
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.failures import StoppedError
from tvmfuse.runtime.frame import Frame
from tvmfuse.runtime.results import maker

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
RNG = np.random.default_rng(0)
MODELS: dict[tvmfuse.Artifact, onnx.ModelProto] = {}


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: dict[str, Any],
    outputs: Sequence[str],
    weights: dict[str, np.ndarray] | None = None,
    **types: int,
) -> tvmfuse.Artifact:
    """Compile a graph; its inputs by name: the sizes, a text for one that is known later."""
    given = [
        helper.make_tensor_value_info(name, types.get(name, FLOAT), sizes)
        for name, sizes in inputs.items()
    ]
    results = [helper.make_tensor_value_info(n, types.get(n, FLOAT), None) for n in outputs]
    stored = [numpy_helper.from_array(w, name) for name, w in (weights or {}).items()]
    graph = helper.make_graph(nodes, "graph", given, results, stored)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    artifact = tvmfuse.compile(made)
    MODELS[artifact] = made
    return artifact


@functools.cache
def saved(artifact: tvmfuse.Artifact) -> Executable:
    """Return the model of the file that it would be saved to."""
    with tempfile.TemporaryDirectory() as folder:
        artifact.save(Path(folder) / "model.so")
        return tvmfuse.load(Path(folder) / "model.so")


def frame_of(artifact: tvmfuse.Artifact) -> Frame:
    on_cpu = saved(artifact).on_cpu
    return Frame(on_cpu.functions, artifact.manifest, on_cpu.weights, share=False)


def run(artifact: tvmfuse.Artifact, *feeds: np.ndarray) -> list[np.ndarray]:
    """Run both functions, in memory whose every byte is 255 before."""
    frame, make = frame_of(artifact), maker("numpy", artifact.manifest.outputs)
    held = [located(feed) for feed in feeds]  # copies of those that are not aligned
    made = frame.bind([(begin, array.shape) for array, begin in held], make)
    frame._between[frame._listed :] = 255
    saved(artifact).on_cpu._main._workers.use()
    return frame.run(made, make)


def told(artifact: tvmfuse.Artifact, *feeds: np.ndarray) -> list[int]:
    """Return what the first function tells."""
    frame = frame_of(artifact)
    shapes = [(0, feed.shape) for feed in feeds]
    frame.bind(shapes, maker("numpy", artifact.manifest.outputs))
    return [int(number) for number in frame._told]


def assert_right(artifact: tvmfuse.Artifact, **feeds: np.ndarray) -> None:
    """Its results are those of ONNX's reference."""
    expected = ReferenceEvaluator(MODELS[artifact]).run(None, feeds)
    for ours, theirs in zip(run(artifact, *feeds.values()), expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def perceptron(rows: Any) -> tvmfuse.Artifact:
    """Four layers, between which there are tensors."""
    nodes = [
        node
        for layer in range(4)
        for node in (
            helper.make_node("MatMul", [f"x{layer}", f"w{layer}"], [f"s{layer}"]),
            helper.make_node("Softmax", [f"s{layer}"], [f"x{layer + 1}"], axis=0),
        )
    ]
    weights = {f"w{n}": RNG.standard_normal((16, 16)).astype("float32") for n in range(4)}
    return model(nodes, {"x0": [rows, 16]}, ["x4"], weights)


@pytest.mark.parametrize("rows", [0, 1, 7, 300])
def test_numbers(rows: int) -> None:
    x = RNG.standard_normal((rows, 16)).astype("float32")
    assert_right(perceptron("n"), x0=x)
    if rows:
        assert_right(perceptron(rows), x0=x)


def test_one_memory_serves_all_that_lies_between() -> None:
    artifact = perceptron(64)
    x = np.zeros((64, 16), "float32")
    assert told(artifact, x) == [2 * 64 * 16 * 4, 0, 1, 64, 16]


def test_results_that_are_an_input_or_another_result_are_copied() -> None:
    nodes = [
        helper.make_node("Identity", ["x"], ["same"]),
        helper.make_node("Relu", ["x"], ["y"]),
        helper.make_node("Identity", ["y"], ["again"]),
        helper.make_node("Reshape", ["y", "flat"], ["z"]),
    ]
    weights = {"flat": np.array([-1], "int64")}
    artifact = model(nodes, {"x": ["n", 5]}, ["same", "y", "again", "z"], weights)
    x = RNG.standard_normal((3, 5)).astype("float32")
    same, y, again, z = run(artifact, x)
    np.testing.assert_array_equal(same, x)
    for result in (y, again, z.reshape(3, 5)):
        np.testing.assert_array_equal(result, np.maximum(x, 0))


def test_sizes_of_results_follow_from_those_of_inputs() -> None:
    nodes = [
        helper.make_node("Concat", ["a", "b"], ["c"], axis=0),
        helper.make_node("Shape", ["c"], ["sizes"]),
        helper.make_node("ReduceSum", ["c"], ["sum"], keepdims=0),
    ]
    artifact = model(nodes, {"a": ["n", "k"], "b": ["m", "k"]}, ["c", "sizes", "sum"], sizes=INT64)
    a, b = (RNG.standard_normal((n, 4)).astype("float32") for n in (3, 8))
    c, sizes, total = run(artifact, a, b)
    np.testing.assert_array_equal(c, np.concatenate([a, b]))
    assert sizes.tolist() == [11, 4]
    np.testing.assert_allclose(total, c.sum(), rtol=1e-5)


def test_sizes_that_do_not_fit_each_other_are_refused() -> None:
    artifact = model([helper.make_node("Add", ["a", "b"], ["c"])], {"a": ["n"], "b": ["m"]}, ["c"])
    assert_right(artifact, a=np.ones(3, "float32"), b=np.ones(3, "float32"))
    with pytest.raises(Exception, match="the model takes only sizes with"):
        run(artifact, np.ones(3, "float32"), np.ones(4, "float32"))


def test_sizes_that_the_model_takes_for_equal_are_checked() -> None:
    """Rows that are repeated, as heads of keys are, have to be as many as the other input's."""
    nodes = [
        helper.make_node("Shape", ["x"], ["wanted"], start=0, end=1),
        helper.make_node("Shape", ["y"], ["there"], start=0, end=1),
        helper.make_node("Div", ["wanted", "there"], ["times"]),
        helper.make_node("Concat", ["one", "times", "one"], ["repeated"], axis=0),
        helper.make_node("Unsqueeze", ["y", "one"], ["apart"]),
        helper.make_node("Expand", ["apart", "repeated"], ["many"]),
        helper.make_node("Shape", ["x"], ["sizes"]),
        helper.make_node("Reshape", ["many", "sizes"], ["rows"]),
        helper.make_node("Add", ["rows", "x"], ["z"]),
    ]
    inputs = {"x": ["n", "k"], "y": ["m", "k"]}
    artifact = model(nodes, inputs, ["z"], {"one": np.array([1], "int64")})
    x, y = (RNG.standard_normal((rows, 4)).astype("float32") for rows in (6, 3))
    assert_right(artifact, x=x, y=y)
    with pytest.raises(Exception, match="fit|takes only"):
        run(artifact, x, np.ones((4, 4), "float32"))


def test_sizes_whose_product_no_number_holds_are_refused() -> None:
    """An input of 2**50 rows of no columns has no elements; of sums of rows there are 2**50."""
    nodes = [
        helper.make_node("ReduceSum", ["x", "axes"], ["s"], keepdims=1),
        helper.make_node("Expand", ["s", "shape"], ["wide"]),
        helper.make_node("Softmax", ["wide"], ["y"]),
    ]
    weights = {"axes": np.array([1], "int64"), "shape": np.array([1, 8], "int64")}
    artifact = model(nodes, {"x": ["n", "k"]}, ["y"], weights)
    assert_right(artifact, x=np.ones((3, 0), "float32"))
    with pytest.raises(StoppedError, match="of more elements than"):
        run(artifact, np.ones((1 << 50, 0), "float32"))


@pytest.mark.parametrize("index", [-4, 4])
def test_an_index_of_no_element_is_refused(index: int) -> None:
    nodes = [helper.make_node("Gather", ["table", "i"], ["y"])]
    table = RNG.standard_normal((3, 8)).astype("float32")
    artifact = model(nodes, {"i": ["n"]}, ["y"], {"table": table}, i=INT64)
    assert_right(artifact, i=np.array([-3, 0, 2]))
    with pytest.raises(Exception, match="indices of elements that there are"):
        run(artifact, np.array([0, index]))


def test_sizes_that_data_decide_are_told_as_unknown() -> None:
    artifact = model([helper.make_node("NonZero", ["x"], ["y"])], {"x": ["n"]}, ["y"], y=INT64)
    _between, blocks, _count, *sizes = told(artifact, np.ones(5, "float32"))
    assert (blocks, sizes) == (1, [1, -1])
