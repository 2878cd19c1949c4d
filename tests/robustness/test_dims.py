"""shapes= and dims=: which dimensions stay symbolic, and what is said of those that do not fit."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import ConfigurationError, InputError, ModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node


def two_inputs() -> onnx.ModelProto:
    """y = x @ w + b: one symbol in two inputs, another in one, one dimension fixed."""
    nodes = [
        node("MatMul", ["x", "w"], ["h"], name="product"),
        node("Add", ["h", "b"], ["y"], name="sum"),
    ]
    inputs = {"x": ("float32", ("batch", "depth")), "b": ("float32", ("batch", 1))}
    return onnx_model(nodes, inputs | {"w": ("float32", ("depth", 4))}, {"y": "float32"})


def feeds(batch: int, depth: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(batch)
    shapes = {"x": (batch, depth), "b": (batch, 1), "w": (depth, 4)}
    return {name: rng.standard_normal(shape, dtype="float32") for name, shape in shapes.items()}


@pytest.mark.parametrize("level", ["none", "all"])
def test_one_artifact_for_all_sizes(level: str) -> None:
    model = two_inputs()
    run = tvmfuse.compile(model, level=level).load()
    assert run.outputs[0].shape == ("batch", 4)
    for batch, depth in ((1, 3), (7, 3), (7, 16), (0, 5), (3, 0), (33, 65)):
        assert_agrees(run(feeds(batch, depth)), reference(model, feeds(batch, depth)))


@pytest.mark.parametrize(
    ("options", "shapes"),
    [
        ({"dims": {"batch": 2}}, [(2, "depth"), (2, 1), ("depth", 4)]),
        ({"shapes": {"x": (2, None)}}, [(2, "depth"), (2, 1), ("depth", 4)]),
        ({"shapes": {"x": (2, 3)}}, [(2, 3), (2, 1), (3, 4)]),
        ({"shapes": {"x": (None, 3), "w": (3, 4)}}, [("batch", 3), ("batch", 1), (3, 4)]),
        ({"shapes": {"x": (2, None)}, "dims": {"batch": 2, "depth": 5}}, [(2, 5), (2, 1), (5, 4)]),
        ({"shapes": {"x": ("batch", "depth")}}, [("batch", "depth"), ("batch", 1), ("depth", 4)]),
        ({"dims": {"batch": 0}}, [(0, "depth"), (0, 1), ("depth", 4)]),
        ({"shapes": {}, "dims": {}}, [("batch", "depth"), ("batch", 1), ("depth", 4)]),
    ],
    ids=str,
)
def test_a_dimension_is_fixed_wherever_it_stands(options: Any, shapes: Any) -> None:
    assert [i.shape for i in import_model(two_inputs(), **options).inputs] == shapes


def test_numpys_integers_are_integers() -> None:
    options: dict[str, Any] = {"shapes": {"x": np.array([2, 3])}, "dims": {"batch": np.int64(2)}}
    fixed = import_model(two_inputs(), **options)
    assert [i.shape for i in fixed.inputs] == [(2, 3), (2, 1), (3, 4)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dims": {"bacth": 2}}, ["no symbolic dimension 'bacth'", "did you mean batch?"]),
        ({"dims": {"zzz": 2}}, ["no symbolic dimension 'zzz'", "known: batch, depth"]),
        ({"shapes": {"xx": (1, 2)}}, ["no input 'xx'"]),
        ({"shapes": {"h": (1, 2)}}, ["no input 'h'"]),
        ({"shapes": {"x": (2,)}}, ["'x' has 2 dimensions", "[2]"]),
        ({"shapes": {"x": (2, 3, 4)}}, ["'x' has 2 dimensions", "[2, 3, 4]"]),
        ({"shapes": {"w": (3, 5)}}, ["dimension 1 of 'w' is fixed to 4; found 5"]),
        ({"shapes": {"w": (3, "n")}}, ["dimension 1 of 'w' is fixed to 4; found 'n'"]),
        ({"shapes": {"x": (2, 3), "b": (5, 1)}}, ["'batch' is to be 2 and 5"]),
        ({"shapes": {"x": (2, 3)}, "dims": {"batch": 5}}, ["'batch' is to be 5 and 2"]),
        ({"dims": {"batch": -1}}, ["'batch' is to be -1; expected a number >= 0"]),
        ({"dims": {"batch": 2**63}}, [f"'batch' is to be {2**63}; expected 63 bits at most"]),
        ({"dims": {"batch": 2.0}}, ["'batch' is to be 2.0"]),
        ({"dims": {"batch": "2"}}, ["'batch' is to be '2'"]),
        ({"dims": {"batch": True}}, ["'batch' is to be True"]),
        ({"dims": {"batch": None}}, ["'batch' is to be None"]),
        ({"shapes": {"x": (-1, 3)}}, ["'batch'", "-1"]),
        ({"shapes": {"x": (2.5, 3)}}, ["2.5"]),
        ({"shapes": {"x": 3}}, ["'x'"]),
        ({"shapes": {"x": None}}, ["'x'"]),
        ({"shapes": {"x": "batch"}}, ["'x'"]),
        ({"shapes": [("x", (2, 3))]}, ["shapes"]),
        ({"dims": ["batch"]}, ["dims"]),
    ],
    ids=str,
)
def test_what_does_not_fit_is_told(options: Any, words: list[str]) -> None:
    with pytest.raises(ConfigurationError) as error:
        import_model(two_inputs(), **options)
    for word in words:
        assert word in str(error.value)


def test_sizes_that_the_operators_contradict() -> None:
    model = onnx_model(
        [node("Add", ["x", "c"], ["y"], name="sum")],
        {"x": ("float32", ("n",))},
        {"y": "float32"},
        {"c": np.ones(4, "float32")},
    )
    with pytest.raises(ModelError, match="sum"):
        import_model(model, dims={"n": 3})


def test_sizes_that_the_operators_contradict_at_run_time() -> None:
    """Nothing else than 4 (or 1) fits; found out when it runs, and said in words."""
    model = onnx_model(
        [node("Add", ["x", "c"], ["y"], name="sum")],
        {"x": ("float32", ("n",))},
        {"y": "float32"},
        {"c": np.ones(4, "float32")},
    )
    try:
        run = tvmfuse.compile(model).load()
    except ModelError:
        return
    np.testing.assert_array_equal(run(x=np.zeros(4, "float32"))["y"], np.ones(4))
    with pytest.raises(tvmfuse.TvmfuseError):
        run(x=np.zeros(3, "float32"))


def test_dimensions_without_a_name_are_distinct() -> None:
    model = onnx_model(
        [node("Relu", ["x"], ["y"]), node("Exp", ["w"], ["z"])],
        {"x": ("float32", (None, None)), "w": ("float32", (None,))},
        {"y": "float32", "z": "float32"},
    )
    run = tvmfuse.compile(model).load()
    names = [d for i in run.inputs for d in i.shape]
    assert len(set(names)) == 3
    sizes = {"x": np.ones((2, 5), "float32"), "w": np.ones(7, "float32")}
    assert_agrees(run(sizes), reference(model, sizes))
    fixed = import_model(model, dims={str(names[0]): 2})
    assert fixed.inputs[0].shape == (2, names[1])


def test_one_symbol_twice_in_one_input() -> None:
    model = onnx_model(
        [node("Transpose", ["x"], ["t"]), node("Add", ["x", "t"], ["y"])],
        {"x": ("float32", ("n", "n"))},
        {"y": "float32"},
    )
    run = tvmfuse.compile(model).load()
    for size in (1, 6):
        x = {"x": np.arange(size * size, dtype="float32").reshape(size, size)}
        assert_agrees(run(x), reference(model, x))
    with pytest.raises(InputError, match="disagree on the dimension 'n'"):
        run(x=np.zeros((2, 3), "float32"))


@pytest.mark.parametrize("size", [0, 1, 2, 9])
def test_windows_that_depend_on_a_symbolic_size(size: int) -> None:
    """A pooled image of any size that the window fits; a smaller one is an error in words."""
    model = onnx_model(
        [node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2])],
        {"x": ("float32", (1, 1, "h", "w"))},
        {"y": "float32"},
    )
    run = tvmfuse.compile(model).load()
    x = np.arange(size * size, dtype="float32").reshape(1, 1, size, size)
    if size < 1:
        with pytest.raises(tvmfuse.TvmfuseError):
            run(x=x)
    else:
        assert run(x=x)["y"].shape == (1, 1, size - 1, size - 1)
