"""Indices that are computed: an error names the node where onnxruntime refuses one, nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import IndexOutOfRangeError, InputError

node = helper.make_node
X = np.arange(1, 61, dtype="float32").reshape(3, 4, 5)
IMAGES = np.arange(1, 33, dtype="float32").reshape(2, 1, 4, 4)
CORNERS = np.tile(np.array([1, 1, 2, 2], "float32"), (3, 1))
MICROSOFT, ML = "com.microsoft", "ai.onnx.ml"
TABLE = np.linspace(-1, 1, 20, dtype="float32").reshape(5, 4)

#: Operator, with what is apart from it -> its operands in order ("i" stands for the indices), the
#: shape of the indices, how many elements they point into, and attributes.
CASES: dict[str, tuple[list[Any], tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "Gather": ([X, "i"], (3,), (4,), {"axis": 1}),
    "GatherElements": ([X, "i"], (3, 2, 5), (4,), {"axis": 1}),
    "GatherND of rows": ([X, "i"], (3, 1), (3,), {}),
    "GatherND of elements": ([X, "i"], (2, 3), (3, 4, 5), {}),
    "GatherND in a batch": ([X, "i"], (3, 2, 1), (4,), {"batch_dims": 1}),
    "ScatterElements": ([X, "i", -X[:, :2]], (3, 2, 5), (4,), {"axis": 1}),
    "ScatterElements added": ([X, "i", X[:2]], (2, 4, 5), (3,), {"reduction": "add"}),
    "ScatterND": ([X, "i", -X[:2]], (2, 1), (3,), {}),
    "ScatterND of columns": ([X, "i", -X[:2, 0]], (2, 2), (3, 4), {}),
    "ScatterND added": ([X, "i", X[:2]], (2, 1), (3,), {"reduction": "add"}),
    "MaxUnpool": ([X[:1, None, :2, :2], "i"], (1, 1, 2, 2), (16,), {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "RoiAlign": ([IMAGES, CORNERS, "i"], (3,), (2,), {"output_height": 1, "output_width": 1}),
    "NegativeLogLikelihoodLoss": ([X[0], "i"], (4,), (5,), {"reduction": "none"}),
    "NegativeLogLikelihoodLoss masked": ([X[0], "i"], (4,), (5,), {"reduction": "sum", "ignore_index": -1}),
    "SoftmaxCrossEntropyLoss": ([X[0], "i"], (4,), (5,), {"reduction": "mean"}),
    "OneHot": (["i", np.array(5), np.array([0, 1], "float32")], (4,), (5,), {}),
    "ReverseSequence": ([X[0], "i"], (5,), (5,), {}),
    "ArrayFeatureExtractor": ([X[0], "i"], (3,), (5,), {"domain": ML}),
    "EmbedLayerNormalization": (
        ["i", "", TABLE, TABLE, "", TABLE[0], TABLE[1]], (1, 3), (5,), {"domain": MICROSOFT}
    ),
    "RotaryEmbedding": ([np.resize(X, (1, 3, 8)), "i", TABLE, TABLE], (1, 3), (5,), {"domain": MICROSOFT}),
}  # fmt: skip


def model_of(name: str, *, symbolic: bool, computed: bool = True) -> Any:
    """Return a model with one such operator; its indices are computed of those that it is fed."""
    operands, shape, _, attributes = CASES[name]
    named = [o if isinstance(o, str) else f"o{place}" for place, o in enumerate(operands)]
    arrays = {n: o for n, o in zip(named, operands, strict=True) if not isinstance(o, str)}
    domain = attributes.get("domain", "")
    dtype = "int32" if name == "EmbedLayerNormalization" else "int64"
    first = next(n for n in named if n != "i" and n)
    fixed = domain or name in ("OneHot", "RoiAlign")
    held = {n: a for n, a in arrays.items() if n != first or fixed}
    inputs: dict[str, Any] = {"i": (dtype, shape)}
    if first not in held:
        sizes = [*arrays[first].shape]
        inputs[first] = ("float32", [f"d{n}" for n, _ in enumerate(sizes)] if symbolic else sizes)
    nodes = [node("Neg", ["i"], ["minus"]), node("Neg", ["minus"], ["j"])] if computed else []
    taken = ["j" if n == "i" and computed else n for n in named]
    results = ["y", "lengths"] if name == "EmbedLayerNormalization" else ["y"]
    nodes.append(node(name.split()[0], taken, results, name="the node", **attributes))
    model = onnx_model(nodes, inputs, {"y": "float32"}, held)
    model.opset_import.extend([helper.make_opsetid(d, v) for d, v in ((MICROSOFT, 1), (ML, 3))])
    return model, {k: arrays[k] for k in inputs if k != "i"}


def drawn(name: str, dtype: str = "int64") -> Iterator[np.ndarray]:
    """Yield indices in range, at its ends, beyond them by little and by much."""
    _, shape, sizes, _ = CASES[name]
    good = np.arange(np.prod(shape)).reshape(shape) % np.array(sizes)
    yield good.astype(dtype)
    for column, size in enumerate(sizes):
        for wrong in (size - 1, size, -1, -size, -size - 1, 2**31 - 1, -(2**31)):
            index = good.copy()
            index.reshape(-1, len(sizes))[-1, column] = wrong
            yield index.astype(dtype)


def onnxruntime_refuses(session: Any, feeds: dict[str, np.ndarray]) -> bool:
    with suppress(Exception):  # pybind's, of no one class
        session.run(None, feeds)
        return False
    return True


@pytest.mark.parametrize("symbolic", [False, True], ids=["fixed", "symbolic"])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.sampled(3)
def test_what_onnxruntime_refuses_is_refused(name: str, *, symbolic: bool) -> None:
    model, feeds = model_of(name, symbolic=symbolic)
    dtype = "int32" if name == "EmbedLayerNormalization" else "int64"
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    content = model.SerializeToString()
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    run = tvmfuse.compile(model).load()
    for index in drawn(name, dtype):
        given = {**feeds, "i": index}
        if onnxruntime_refuses(session, given):
            with pytest.raises(InputError, match="the[ _]node"):
                print(run(given), index)
        else:
            assert_agrees(run(given), reference(model, given))


@pytest.mark.parametrize("name", ["Gather", "GatherElements", "GatherND of elements", "ScatterND"])
def test_what_is_fed_is_refused_likewise(name: str) -> None:
    model, feeds = model_of(name, symbolic=True, computed=False)
    run = tvmfuse.compile(model).load()
    wrong = next(i for i in drawn(name) if i.max() == CASES[name][2][0])
    with pytest.raises(IndexOutOfRangeError, match="'the node'; found"):
        run({**feeds, "i": wrong})


def kernels(nodes: list[Any], inputs: dict[str, Any]) -> list[str]:
    model = onnx_model(
        nodes, inputs, {"y": "float32"}, {"two": np.array([2]), "axes": np.array([1])}
    )
    return [kernel.symbol for kernel in tvmfuse.compile(model).manifest.kernels]


@pytest.mark.parametrize(
    "nodes",
    [
        [node("TopK", ["x", "two"], ["_", "j"]), node("GatherElements", ["x", "j"], ["y"], axis=1)],
        [node("ArgMax", ["x"], ["j"], axis=0), node("Gather", ["x", "j"], ["y"])],
    ],
    ids=["TopK", "ArgMax"],
)  # fmt: skip
def test_what_is_in_range_anyhow_is_not_looked_at(nodes: list[Any]) -> None:
    found = kernels(nodes, {"x": ("float32", ("n", 5))})
    assert not any("checked" in kernel for kernel in found)


def test_an_empty_tensor_has_no_index_and_needs_none() -> None:
    nodes = [node("Neg", ["i"], ["j"]), node("Gather", ["x", "j"], ["y"], name="the node")]
    inputs = {"x": ("float32", ("n", 2)), "i": ("int64", ("m",))}
    model = onnx_model(nodes, inputs, {"y": "float32"})
    run = tvmfuse.compile(model).load()
    nothing = {"x": np.ones((0, 2), "float32"), "i": np.zeros(0, "int64")}
    assert run(nothing)["y"].shape == (0, 2)
    with pytest.raises(IndexOutOfRangeError, match="indices of 0 elements, of 'the node'; found 0"):
        run({**nothing, "i": np.zeros(1, "int64")})


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("fed", [False, True], ids=["computed", "fed"])
def test_an_axis_of_no_elements_is_compiled_for_no_index(axis: int, fed: bool) -> None:
    """How many elements are not zero shows as the model runs: where all are, there is no index."""
    gather = node("Gather", ["x", "z" if fed else "j"], ["y"], "the node", axis=axis)
    nodes = [gather] if fed else [node("NonZero", ["z"], ["j"]), gather]
    shape = [3, 2]
    shape[axis] = 0
    inputs = {"x": ("float32", ("n", 0) if axis else (0, "n")), "z": ("int64", ("m",))}
    model = onnx_model(nodes, inputs, {"y": "float32"})
    run = tvmfuse.compile(model).load()
    feeds = {"x": np.ones(shape, "float32"), "z": np.zeros(0 if fed else 4, "int64")}
    assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(IndexOutOfRangeError, match="indices of 0 elements, of 'the node'; found"):
        run({**feeds, "z": np.ones(4, "int64")})


def test_a_branch_that_is_not_taken_refuses_nothing() -> None:
    def picked(name: str, axis: int) -> onnx.GraphProto:
        nodes = [node("Gather", ["x", "j"], [name], f"the {name} node", axis=axis)]
        out = helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
        return helper.make_graph(nodes, name, [], [out])

    branches = {"then_branch": picked("first", 0), "else_branch": picked("second", 1)}
    nodes = [node("Neg", ["i"], ["j"]), node("If", ["b"], ["y"], **branches)]
    inputs = {"x": ("float32", (2, 2)), "i": ("int64", (2,)), "b": ("bool", ())}
    model = onnx_model(nodes, inputs, {"y": "float32"})
    model.graph.node[1].attribute[0].g.node[0].input[0] = "x"
    run = tvmfuse.compile(model).load()
    x = np.arange(4, dtype="float32").reshape(2, 2)
    feeds = {"x": x, "i": np.array([0, 1]), "b": np.array(True)}
    assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(IndexOutOfRangeError, match="'the first node'; found -3"):
        run({**feeds, "i": np.array([0, 3])})


def test_an_iteration_names_its_node() -> None:
    """A loop that picks one element more in each iteration, until there is none."""
    body = helper.make_graph(
        [
            node("Add", ["at", "one"], ["next"]),
            node("Gather", ["x", "at"], ["element"], "the node"),
            node("Add", ["sum", "element"], ["total"]),
            node("Identity", ["going"], ["goes"]),
        ],
        "body",
        [
            helper.make_tensor_value_info(n, t, ())
            for n, t in (("n", 7), ("going", 9), ("at", 7), ("sum", 1))
        ],
        [
            helper.make_tensor_value_info(n, t, ())
            for n, t in (("goes", 9), ("next", 7), ("total", 1))
        ],
    )
    nodes = [node("Loop", ["count", "", "first", "zero"], ["_", "y"], body=body)]
    constants = {"one": np.array(1), "zero": np.array(0, "float32")}
    inputs = {"x": ("float32", (4,)), "count": ("int64", ()), "first": ("int64", ())}
    run = tvmfuse.compile(onnx_model(nodes, inputs, {"y": "float32"}, constants)).load()
    feeds = {"x": np.arange(4, dtype="float32"), "first": np.array(1)}
    assert run({**feeds, "count": np.array(3)})["y"] == 6
    with pytest.raises(IndexOutOfRangeError, match="of '.*the node.*'; found 4"):
        run({**feeds, "count": np.array(4)})


def test_the_first_of_many_wrong_ones_is_named() -> None:
    nodes = [node("Neg", ["i"], ["j"]), node("Gather", ["x", "j"], ["y"], name="the node")]
    inputs = {"x": ("float32", (5,)), "i": ("int64", ("n",))}
    run = tvmfuse.compile(onnx_model(nodes, inputs, {"y": "float32"})).load()
    index = np.zeros(100_000, "int64")
    feeds = {"x": np.arange(5, dtype="float32"), "i": index}
    assert run(feeds)["y"].shape == index.shape
    index[70_000:] = -6
    index[60_000] = 9
    with pytest.raises(IndexOutOfRangeError, match="found -9"):
        run(feeds)
