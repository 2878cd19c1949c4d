"""Indices that are fed: of what there is, counted from the back below zero, or refused by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.runtime.executable import Executable
from tvmfuse.tensor_spec import IndexConstraint

TABLE = np.arange(40, dtype="float32").reshape(10, 4)
X = np.arange(15, dtype="float32").reshape(3, 5)


def embedding(rows: int = 10) -> Any:
    """Rows of a table by `i`, and of an input of any size by `j`."""
    nodes = [
        helper.make_node("Gather", ["table", "i"], ["a"], "words"),
        helper.make_node("Gather", ["x", "j"], ["b"], "pick"),
    ]
    inputs = {"i": ("int64", ("n",)), "x": ("float32", ("r", "c")), "j": ("int32", (2,))}
    return onnx_model(nodes, inputs, {"a": "float32", "b": "float32"}, {"table": TABLE[:rows]})


def fed(i: list[int], j: tuple[int, int] = (0, 1)) -> dict[str, np.ndarray]:
    return {"i": np.array(i, "int64"), "x": X, "j": np.array(j, "int32")}


WAYS: dict[str, Callable[[Executable, dict[str, np.ndarray]], Any]] = {
    "a call": lambda run, feeds: run(feeds),
    "arrays": lambda run, feeds: run.call(list(feeds.values())),
    "by name": lambda run, feeds: run.call(feeds),
    "torch": lambda run, feeds: run.call([torch.from_numpy(a.copy()) for a in feeds.values()]),
    "bound": lambda run, feeds: run.bound(feeds)(),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_index_of_nothing_is_refused(way: str, tmp_path: Path) -> None:
    model, call = embedding(), WAYS[way]
    artifact = tvmfuse.compile(model)
    artifact.save(tmp_path / "embedding.so")
    for run in (artifact.load(), tvmfuse.load(tmp_path / "embedding.so")):
        for _ in range(2):  # the second call is a quick one
            call(run, fed([0, 9, -10], (2, -3)))
            with pytest.raises(InputError, match=r"'i': .* from -10 to 9, .*'words'; found 10"):
                call(run, fed([0, 10, 3]))
            with pytest.raises(InputError, match=r"'i': .* from -10 to 9, .*'words'; found -11"):
                call(run, fed([0, -11, 3]))
            with pytest.raises(InputError, match=r"'j': .* from -3 to 2, .*'pick'; found 3"):
                call(run, fed([0], (3, 0)))


def test_indices_of_what_there_is_are_taken() -> None:
    model = embedding()
    run = tvmfuse.compile(model).load()
    for feeds in (fed([0, 9, -10, -1], (2, -3)), fed([5]), fed([])):
        assert_agrees(run(feeds), reference(model, feeds))


def test_what_is_computed_of_an_input_is_none_of_it() -> None:
    nodes = [
        helper.make_node("Div", ["i", "two"], ["half"]),
        helper.make_node("Gather", ["table", "half"], ["y"]),
    ]
    constants = {"table": TABLE, "two": np.array(2)}
    model = onnx_model(nodes, {"i": ("int64", ("n",))}, {"y": "float32"}, constants)
    artifact = tvmfuse.compile(model)
    assert artifact.manifest.inputs[0].index_constraints == ()
    feeds = {"i": np.array([0, 19, 10])}
    assert_agrees(artifact.load()(feeds), reference(model, feeds))


def test_a_branch_that_is_not_taken_asks_for_nothing() -> None:
    def rows(table: str, y: str) -> onnx.GraphProto:
        taken = helper.make_tensor_value_info(y, onnx.TensorProto.FLOAT, None)
        return helper.make_graph([helper.make_node("Gather", [table, "i"], [y])], y, [], [taken])

    branches = {"then_branch": rows("small", "t"), "else_branch": rows("table", "e")}
    nodes = [helper.make_node("If", ["b"], ["y"], **branches)]
    inputs = {"b": ("bool", ()), "i": ("int64", ("n",))}
    model = onnx_model(nodes, inputs, {"y": "float32"}, {"table": TABLE, "small": TABLE[:2]})
    run = tvmfuse.compile(model).load()
    feeds = {"b": np.array(False), "i": np.array([7, 2])}
    assert_agrees(run(feeds), reference(model, feeds))


def test_the_strictest_table_counts() -> None:
    nodes = [
        helper.make_node("Gather", ["small", "i"], ["a"], "few"),
        helper.make_node("Gather", ["table", "i"], ["b"], "many"),
        helper.make_node("Gather", ["table", "i"], ["c"], "again"),
    ]
    constants = {"table": TABLE, "small": TABLE[:3]}
    model = onnx_model(nodes, {"i": ("int64", (2,))}, dict.fromkeys("abc", "float32"), constants)
    artifact = tvmfuse.compile(model)
    expected = (IndexConstraint(3, "of 'few'"), IndexConstraint(10, "of 'many'"))
    assert artifact.manifest.inputs[0].index_constraints == expected
    with pytest.raises(InputError, match="'few'; found 3"):
        artifact.load()(i=np.array([0, 3]))


def test_random_indices_are_of_what_there_is() -> None:
    specs = tvmfuse.compile(embedding(rows=1)).manifest.inputs
    found = random_inputs(specs, dims={"n": 100, "r": 2, "c": 3})
    assert not found["i"].any()
    assert set(found["j"]) <= {0, 1}


def test_an_embedding_of_torch() -> None:
    module = torch.nn.Embedding(7, 3)
    tokens = torch.tensor([[0, 6], [2, 1]])
    run = tvmfuse.compile(torch.export.export(module, (tokens,))).load()
    (y,) = run.call([tokens])
    torch.testing.assert_close(y, module(tokens))
    with pytest.raises(InputError, match="indices of 7 elements, .*; found 7"):
        run.call([tokens + 1])
