"""Decision trees against onnxruntime: every comparison, missing features, aggregates and labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import libraries
import numpy as np
import onnx
import pytest
from graphs import graph, onnx_model, run, tensor as tensor_type
from onnx import helper, numpy_helper
from reference import assert_agrees, reference
from together import Part, agree, together
from tvm.tirx import PrimFunc

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.convert.ml.forest import EQ, LT, MEMBER, Forest, Node, forest
from tvmfuse.ops import tree_scores
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512

DOMAIN = "ai.onnx.ml"
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
VALUES = np.array([-1.0, 0, 0.5, 2], "float32")


def trees(
    kind: str,
    depths: Sequence[int],
    *,
    modes: Sequence[str] = MODES[:1],
    targets: Sequence[int] = (0,),
    missing: bool = False,
    seed: int = 0,
) -> dict[str, Any]:
    """Return the attributes of random trees of these depths, on three features."""
    rng = np.random.default_rng(seed)
    nodes: list[tuple[int, ...]] = []
    leaves: list[tuple[int, int]] = []

    def grow(tree: int, number: int, left: int) -> int:
        """Add a node and what is below it; return the next free number."""
        if left == 0 or (left < max(depths) and rng.random() < 0.2):
            nodes.append((tree, number, 0, len(modes), 0, 0, 0))
            leaves.append((tree, number))
            return number + 1
        place = len(nodes)
        nodes.append(())
        yes, no = number + 1, grow(tree, number + 1, left - 1)
        after = grow(tree, no, left - 1)
        feature, mode, value = rng.integers(3), rng.integers(len(modes)), rng.integers(len(VALUES))
        nodes[place] = (tree, number, int(feature), int(mode), int(value), yes, no)
        return after

    for tree, depth in enumerate(depths):
        grow(tree, 0, depth)
    owned = [(tree, number, target) for tree, number in leaves for target in targets]
    words = [*modes, "LEAF"]
    attributes: dict[str, Any] = {
        "nodes_treeids": [n[0] for n in nodes],
        "nodes_nodeids": [n[1] for n in nodes],
        "nodes_featureids": [n[2] for n in nodes],
        "nodes_modes": [words[n[3]] for n in nodes],
        "nodes_values": [float(VALUES[n[4]]) for n in nodes],
        "nodes_truenodeids": [n[5] for n in nodes],
        "nodes_falsenodeids": [n[6] for n in nodes],
        f"{kind}_treeids": [o[0] for o in owned],
        f"{kind}_nodeids": [o[1] for o in owned],
        f"{kind}_ids": [o[2] for o in owned],
        **({"n_targets": 1} if kind == "target" else {}),
        f"{kind}_weights": rng.standard_normal(len(owned)).astype("float32").tolist(),
    }
    if missing:
        attributes["nodes_missing_value_tracks_true"] = rng.integers(0, 2, len(nodes)).tolist()
    return attributes


def rows(count: int, dtype: str = "float32", *, holes: bool = False) -> np.ndarray:
    """Return features that are often just what they are compared with."""
    rng = np.random.default_rng(1)
    x = rng.choice(np.concatenate([VALUES, np.array([-2, 0.25, 1, 3])]), (count, 3))
    if holes:
        x[rng.random(x.shape) < 0.2] = np.nan
    return x.astype(dtype)


def model_of(
    op: str, x: np.ndarray, *outputs: str, opset: int = 3, **attributes: Any
) -> onnx.ModelProto:
    names = [f"y{i}" for i in range(len(outputs))]
    node = helper.make_node(op, ["x"], names, "node", domain=DOMAIN, **attributes)
    results = dict(zip(names, outputs, strict=True))
    model = onnx_model([node], {"x": (x.dtype.name, ("n", 3))}, results)
    model.opset_import.append(helper.make_opsetid(DOMAIN, opset))
    return model


def part(op: str, x: np.ndarray, said: dict[str, Any]) -> Part:
    outputs = ("float32",) if op.endswith("Regressor") else ("int64", "float32")
    return Part(op, [x], outputs, said)


def agrees(parts: list[Part]) -> None:
    agree(*together(parts, domain=DOMAIN, version=3))


def test_comparisons() -> None:
    agrees([
        part("TreeEnsembleRegressor", rows(40, holes=missing),
             trees("target", [3, 1, 4], modes=[mode], missing=missing))
        for mode in MODES for missing in (False, True)
    ])  # fmt: skip


def test_targets() -> None:
    """With base values each target is one of a leaf's; without them, one is nobody's."""
    parts = []
    for aggregate in ("SUM", "AVERAGE", "MIN", "MAX"):
        for dtype in ("float32", "float64"):
            said = trees("target", [4] * 5 + [0, 2], modes=MODES, targets=(0, 2), seed=2)
            said |= {"aggregate_function": aggregate, "n_targets": 3}
            if dtype == "float32":
                said["target_ids"] = [place % 3 for place in range(len(said["target_ids"]))]
                said["base_values"] = [0.5, -1.0, 2.0]
            parts.append(part("TreeEnsembleRegressor", rows(21, dtype), said))
    agrees(parts)


def test_many_trees_and_rows_of_any_number() -> None:
    """More trees than lanes, and more rows than walk together."""
    said = trees("target", [5] * 19 + [9, 1, 0], modes=MODES[:2])
    x = rows(37, holes=True)
    model = model_of("TreeEnsembleRegressor", x, "float32", base_values=[3.0], **said)
    loaded = tvmfuse.compile(model, strict=True).load()
    for count in (1, 16, 37):
        assert_agrees(loaded(x=x[:count]), reference(model, {"x": x[:count]}))
    assert loaded(x=x[:0])["y0"].shape == (0, 1)


def test_classes() -> None:
    said = trees("class", [3, 2, 4], targets=(0, 1, 2), seed=4)
    said["classlabels_int64s"] = [5, -3, 8]
    bases: list[dict[str, Any]] = [{}, {"base_values": [0.1, -0.3, 0.2]}]
    ways = [
        {**base, "post_transform": t} for t in ("NONE", "SOFTMAX", "LOGISTIC") for base in bases
    ]
    parts = [part("TreeEnsembleClassifier", rows(30), {**said, **way}) for way in ways]
    agrees([*parts, part("TreeEnsembleClassifier", rows(30, "int64"), said)])


def test_two_classes_of_which_one_is_rated() -> None:
    said = trees("class", [3, 2, 4], seed=6)
    said["classlabels_int64s"] = [0, 1]
    positive = {"class_weights": [abs(w) / 3 for w in said["class_weights"]]}
    bases: list[dict[str, Any]] = [{}, {"base_values": [0.3]}]
    parts = [
        part("TreeEnsembleClassifier", rows(30), {**said, **base, **more, "post_transform": transform})
        for base in bases for more in ({}, positive) for transform in ("NONE", "LOGISTIC")
    ]  # fmt: skip
    second = {**said, "class_ids": [1] * len(said["class_ids"])}
    parts += [
        part("TreeEnsembleClassifier", rows(30), {**second, **more, "post_transform": transform})
        for more in ({}, positive) for transform in ("NONE", "LOGISTIC", "SOFTMAX")
    ]  # fmt: skip
    agrees(parts)


def test_two_classes_that_are_both_rated() -> None:
    """The label is that of the higher score; onnxruntime's is the second where that is above 0."""
    said = trees("class", [3, 2, 4], targets=(0, 1), seed=8)
    said["class_weights"] = [abs(w) for w in said["class_weights"]]
    x = rows(30)
    model = model_of(
        "TreeEnsembleClassifier", x, "int64", "float32", classlabels_int64s=[0, 1], **said
    )
    labels, scores = run(import_model(model).module, x)
    np.testing.assert_allclose(scores, reference(model, {"x": x})["y1"], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(labels, scores.argmax(1))


def tensor(array: Any, dtype: str) -> onnx.TensorProto:
    return numpy_helper.from_array(np.array(array, dtype), "t")


@pytest.mark.parametrize(
    ("dtype", "aggregate"), [("float64", 0), *(("float32", n) for n in (1, 2, 3))]
)
def test_the_newest_operator(dtype: str, aggregate: int) -> None:
    """Two trees: sets of members, NaN, and a tree that is a leaf."""
    x = np.array([[1.2, 3, 0], [9, 5, 0], [np.nan, 4, 1], [12, 4, 1], [7, np.nan, 2]], dtype)
    model = model_of(
        "TreeEnsemble", x, dtype, opset=5,
        n_targets=2, aggregate_function=aggregate, tree_roots=[0, 3],
        nodes_modes=tensor([0, 6, 6, 3], "uint8"),
        nodes_splits=tensor([11, 0, 0, 4], dtype),
        nodes_featureids=[0, 0, 0, 1],
        nodes_trueleafs=[0, 1, 1, 1], nodes_truenodeids=[1, 0, 1, 4],
        nodes_falseleafs=[0, 1, 1, 1], nodes_falsenodeids=[2, 2, 3, 4],
        nodes_missing_value_tracks_true=[1, 0, 0, 0],
        leaf_targetids=[0, 1, 0, 1, 0], leaf_weights=tensor([1, 10, 9, 3, 0.5], dtype),
        membership_values=tensor([1.2, 8, 9, np.nan, 12, 7, np.nan], dtype),
        post_transform=3 if dtype == "float64" else 0,
    )  # fmt: skip
    [found] = run(import_model(model).module, x)
    np.testing.assert_allclose(found, reference(model, {"x": x})["y0"], rtol=1e-6)


def limits_of(made: Forest) -> np.ndarray:
    return (made.places[:, 1] >> 32).astype("int32").view("float32")


def test_arrays() -> None:
    """``x == 2`` is two comparisons, and ``x < 2`` one with the number below 2."""
    made = forest([Node(EQ, 1, [2.0], ~0, 1), Node(LT, 0, [2.0], ~1, ~0)], [0, ~1], 2, "float32")
    below = np.nextafter(np.float32(2), np.float32(0))
    assert made.depths.tolist() == [3]
    assert made.roots.tolist() == [0, 1]
    assert made.features == 2
    assert not made.tells_missing
    nan = np.nan
    np.testing.assert_array_equal(limits_of(made), [2, nan, below, below, nan, below, nan, nan])
    firsts, seconds = made.places[:, 0], made.places[:, 1]
    assert (firsts >> 32).tolist() == [2, 1, 6, 4, 4, 6, 6, 7]
    assert (firsts & (2**32 - 1)).tolist() == [1, 0, 0, 1, 0, 0, 0, 0]
    leaves = [1, 4, 6, 7]
    assert (seconds[leaves] & (2**32 - 1)).tolist() == [1, 0, 0, 1]


def test_arrays_of_more() -> None:
    plain = forest([Node(LT, 0, [2.0], ~1, ~0, missing=True)], [0], 2, "float64")
    assert plain.tells_missing
    assert plain.places[0, 0] == 1 << 32 | 1 << 31
    assert plain.places[0, 1:].view("float64") == np.nextafter(2, 0)
    members = forest([Node(MEMBER, 0, [3.0, 1.0], ~0, ~1)], [0] * 3, 2, "float32")
    assert limits_of(members)[[0, 4]].tolist() == [1, 3]
    assert len(members.roots) == 4


def test_trees_are_walked_by_scalars() -> None:
    """Vectors put together of scalars, and taken apart again, take longer."""
    made = forest([Node(LT, 0, [2.0], ~1, ~0)], [0] * 9, 2, "float32")
    arrays = (made.roots, made.depths, made.places, np.zeros((3, 1), "float32"))
    types = [tensor_type(*a.shape, dtype=str(a.dtype)) for a in arrays]
    module = graph(
        lambda x, *given: tree_scores(x, *given[:4], aggregate="SUM", tells_missing=False),
        tensor_type(64, 3),
        *types,
    )
    for target in (AVX2.target, AVX512.target):
        scheduled = schedule(lower(module).module, target).module
        [function] = [f for f in scheduled.functions.values() if isinstance(f, PrimFunc)]
        assembly = libraries.assembly(function, target)
        assert re.search(r"v(ucomi|cmp\w*)ss", assembly)
        assert not re.search(r"vp?gather|vcmp\w*ps", assembly)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"nodes_truenodeids": [0, 0, 0]}, "a tree goes in a circle"),
        ({"nodes_falsenodeids": [7, 0, 0]}, "tree 0 has no node 7"),
        ({"nodes_modes": ["BRANCH_XY", "LEAF", "LEAF"]}, "mode 'BRANCH_XY'"),
        ({"nodes_nodeids": [0, 1, 1]}, "have the same number"),
        ({"target_nodeids": [1, 0]}, "a weight to what is no leaf"),
        ({"target_ids": [0, 4]}, "another target than the 1"),
        ({"target_weights": [1.0]}, "target_weights has 1 entries"),
        ({"nodes_featureids": [3, 0, 0]}, "3 and 4 have to be equal"),
        ({"base_values": [1.0, 2.0]}, "2 base_values"),
        ({"aggregate_function": "MEDIAN"}, "expected AVERAGE, SUM, MIN, MAX"),
    ],
)
def test_trees_that_are_none(change: dict[str, Any], why: str) -> None:
    said = {**trees("target", [1]), **change}
    with pytest.raises(UnsupportedModelError, match=why):
        import_model(model_of("TreeEnsembleRegressor", rows(1), "float32", **said))
