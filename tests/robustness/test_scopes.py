"""Names and scopes: branches, nodes in any order, names that no language would allow."""

import keyword
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import TensorProto, helper, numpy_helper
from reference import assert_agrees, reference
from small_models import DATA, X, Y, agrees

import tvmfuse
from tvmfuse.errors import ModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node
value = helper.make_tensor_value_info


# Branches.


def choice(condition: str, *, deep: bool = False) -> list[onnx.NodeProto]:
    """An If whose branches read outer values, and use one name for two things."""

    def branch(*nodes: onnx.NodeProto, result: str) -> onnx.GraphProto:
        return helper.make_graph(
            list(nodes), "branch", [], [value(result, TensorProto.FLOAT, None)]
        )

    yes = branch(node("Neg", ["h"], ["t"]), node("Add", ["t", "x"], ["r"]), result="r")
    no = branch(node("Exp", ["x"], ["t"]), node("Mul", ["t", "h"], ["s"]), result="s")
    if deep:
        inner = node("If", [condition], ["i"], then_branch=yes, else_branch=no)
        yes = branch(inner, node("Abs", ["i"], ["j"]), result="j")
    return [
        node("Relu", ["x"], ["h"]),
        node("If", [condition], ["y"], then_branch=yes, else_branch=no),
    ]


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("taken", [False, True])
def test_a_branch_chosen_by_a_constant(taken: bool, deep: bool) -> None:
    agrees(onnx_model(choice("c", deep=deep), X, Y, {"c": np.array(taken)}), x=DATA)


@pytest.mark.parametrize("deep", [False, True])
def test_a_branch_chosen_at_run_time(deep: bool) -> None:
    model = onnx_model(choice("c", deep=deep), {**X, "c": ("bool", ())}, Y)
    run = tvmfuse.compile(model).load()
    for taken in (np.array(True), np.array(False)):
        assert_agrees(run(x=DATA, c=taken), reference(model, {"x": DATA, "c": taken}))


def test_branches_that_return_constants_and_outer_values() -> None:
    """The branches compute nothing at all."""

    def branch(result: str, *constants: np.ndarray) -> onnx.GraphProto:
        tensors = [numpy_helper.from_array(c, result) for c in constants]
        return helper.make_graph(
            [], "branch", [], [value(result, TensorProto.FLOAT, None)], tensors
        )

    one = branch("k", np.full((2, 3), 7, "float32"))
    copied = helper.make_graph(
        [node("Identity", ["x"], ["o"])], "b", [], [value("o", TensorProto.FLOAT, None)]
    )
    model = onnx_model(
        [node("If", ["c"], ["y"], then_branch=one, else_branch=copied)], {**X, "c": ("bool", ())}, Y
    )
    run = tvmfuse.compile(model).load()
    for taken in (True, False):
        feeds = {"x": DATA, "c": np.array(taken)}
        assert_agrees(run(feeds), reference(model, feeds))


# Order, constants, outputs.


def test_nodes_in_any_order() -> None:
    nodes = [
        node("Neg", ["x"], ["a"]),
        node("Exp", ["a"], ["b"]),
        node("Add", ["a", "b"], ["c"]),
        node("Mul", ["c", "x"], ["y"]),
    ]
    expected = reference(onnx_model(nodes, X, Y), {"x": DATA})
    for order in ((3, 2, 1, 0), (1, 3, 0, 2)):
        model = onnx_model([nodes[i] for i in order], X, Y)
        assert_agrees(tvmfuse.compile(model, level="none").load()(x=DATA), expected)


@pytest.mark.parametrize("ir", [3, 8])
def test_an_initializer_that_is_an_input_too_is_a_constant(ir: int) -> None:
    model = onnx_model(
        [node("Add", ["x", "w"], ["y"])],
        {**X, "w": ("float32", (3,))},
        Y,
        {"w": np.array([1, 2, 3], "float32")},
        opset=8,
    )
    model.ir_version = ir
    assert [i.name for i in import_model(model).inputs] == ["x"]
    agrees(model, x=DATA)


def constants() -> dict[str, onnx.NodeProto]:
    array = np.array([[1, 2, 3]], "float32")
    sparse = helper.make_sparse_tensor(
        numpy_helper.from_array(np.array([5, 7], "float32"), "v"),
        numpy_helper.from_array(np.array([0, 2]), "i"),
        [3],
    )
    return {
        "value": node("Constant", [], ["k"], value=numpy_helper.from_array(array)),
        "value_float": node("Constant", [], ["k"], value_float=2.5),
        "value_floats": node("Constant", [], ["k"], value_floats=[1.0, 2.0, 3.0]),
        "sparse_value": node("Constant", [], ["k"], sparse_value=sparse),
    }


@pytest.mark.parametrize("kind", constants())
def test_constant_nodes(kind: Any) -> None:
    model = onnx_model([constants()[kind], node("Add", ["x", "k"], ["y"])], X, Y)
    expected = {
        "value": [[1, 2, 3]],
        "value_float": 2.5,
        "value_floats": [1, 2, 3],
        "sparse_value": [5, 0, 7],
    }
    found = tvmfuse.compile(model, level="none").load()(x=DATA)["y"]
    np.testing.assert_array_equal(found, DATA + np.array(expected[kind], "float32"))


@pytest.mark.parametrize(
    "places",
    [np.array([0, 5, 7]), np.array([[0, 0], [1, 1], [3, 1]]), np.array([], np.int64)],
    ids=["places", "rows and columns", "none"],
)
def test_a_sparse_initializer_is_a_weight_with_its_zeros(places: np.ndarray) -> None:
    numbers = np.arange(1, 1 + len(places), dtype="float32")
    model = onnx_model([node("MatMul", ["x", "w"], ["y"])], {"x": ("float32", ("n", 4))}, Y)
    model.graph.sparse_initializer.append(
        helper.make_sparse_tensor(
            numpy_helper.from_array(numbers, "w"), numpy_helper.from_array(places), [4, 2]
        )
    )
    agrees(model, x=np.arange(12, dtype="float32").reshape(3, 4))


@pytest.mark.parametrize(("form", "numbers"), [("value_int", 3), ("value_ints", [3, 2])])
def test_constant_nodes_of_integers(form: str, numbers: Any) -> None:
    model = onnx_model(
        [node("Constant", [], ["k"], **{form: numbers}), node("Mul", ["n", "k"], ["y"])],
        {"n": ("int64", (2,))},
        {"y": "int64"},
    )
    agrees(model, n=np.array([5, -1]))


@pytest.mark.parametrize(("form", "text"), [("value_string", "a"), ("value_strings", ["a", "b"])])
def test_constant_nodes_of_strings_are_refused(form: str, text: Any) -> None:
    model = onnx_model(
        [node("Constant", [], ["k"], **{form: text}), node("Identity", ["k"], ["y"])], X, Y
    )
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.STRING
    with pytest.raises(ModelError):
        import_model(model)


def test_outputs_that_nobody_computes_anew() -> None:
    """An input, an initializer, a constant, the same value under two names."""
    model = onnx_model(
        [node("Constant", [], ["k"], value_floats=[1.0, 2.0]), node("Relu", ["x"], ["r"]), node("Identity", ["r"], [
        "s"])],
        X, {"x": "float32", "w": "float32", "k": "float32", "r": "float32", "s": "float32"},
        {"w": np.array([9, 8], "float32")},
    )  # fmt: skip
    outputs = agrees(model, x=DATA)
    run = tvmfuse.compile(model).load()
    first = run(x=DATA)
    for array in first.values():
        array[...] = 0  # they are the caller's own
    assert_agrees(run(x=DATA), outputs)


def test_a_graph_without_nodes() -> None:
    agrees(onnx_model([], X, {"x": "float32"}), x=DATA)


def test_a_graph_without_inputs() -> None:
    agrees(onnx_model([node("Neg", ["w"], ["y"])], {}, Y, {"w": np.array([1, -2], "float32")}))


def test_an_output_named_twice() -> None:
    model = onnx_model([node("Relu", ["x"], ["y"])], X, Y)
    model.graph.output.append(model.graph.output[0])
    first, second = tvmfuse.compile(model).load().run(None, {"x": DATA})
    np.testing.assert_array_equal(first, second)


def test_unread_inputs_are_still_asked_for() -> None:
    model = onnx_model([node("Relu", ["x"], ["y"])], {**X, "unread": ("int64", ("n",))}, Y)
    run = tvmfuse.compile(model).load()
    assert [i.name for i in run.inputs] == ["x", "unread"]
    run(x=DATA, unread=np.arange(4))
    with pytest.raises(tvmfuse.errors.InputError, match="unread"):
        run(x=DATA)


def test_zero_dimensional_and_empty_tensors() -> None:
    model = onnx_model(
        [node("Add", ["x", "s"], ["y"])], {"x": ("float32", ("n", 3)), "s": ("float32", ())}, Y
    )
    run = tvmfuse.compile(model).load()
    for rows in (0, 1, 5):
        feeds = {"x": np.ones((rows, 3), "float32"), "s": np.array(2, "float32")}
        assert_agrees(run(feeds), reference(model, feeds))


# Names.

ODD_NAMES = [
    "a/b.c", "1", "a b", "größe", "数据", "🙂", "a:0", "%x", 'q"uote', "back\\slash", "new\nline", "main", "x" * 500,
    "_", "v1", "lv", *keyword.kwlist[:4], "class", "self", "n",
]  # fmt: skip


def test_odd_names_of_values() -> None:
    """Every odd name is an input's, a hidden value's and an output's."""
    inputs = {f"{name}": ("float32", (2,)) for name in ODD_NAMES}
    nodes = [node("Neg", [name], [f"{name}'"], name=name) for name in ODD_NAMES]
    nodes += [node("Exp", [f"{name}'"], [f"{name}''"], name=f"{name} node") for name in ODD_NAMES]
    model = onnx_model(nodes, inputs, {f"{name}''": "float32" for name in ODD_NAMES})
    rng = np.random.default_rng(0)
    agrees(model, **{name: rng.standard_normal(2, dtype="float32") for name in ODD_NAMES})


@pytest.mark.parametrize(
    "name", ["a/b.c", "1", "größe", "class", "a b", "n*", "2*n", "n-1", "None", "unk__1", "?"]
)
def test_odd_names_of_dimensions(name: str) -> None:
    """Relu and a concatenation with itself: the result's size is an expression of the dimension."""
    nodes = [node("Relu", ["x"], ["h"]), node("Concat", ["h", "x"], ["y"], axis=0)]
    model = onnx_model(nodes, {"x": ("float32", (name, 3))}, Y)
    run = tvmfuse.compile(model).load()
    for rows in (2, 4):
        feeds = {"x": np.resize(DATA, (rows, 3))}
        assert_agrees(run(feeds), reference(model, feeds))


def test_odd_names_survive_saving(tmp_path: Path) -> None:
    model = onnx_model(
        [node("Relu", ["größe/1"], ["class"], name="a\nb")],
        {"größe/1": ("float32", ("n n", 3))},
        {"class": "float32"},
    )
    tvmfuse.compile(model).save(tmp_path / "m.so")
    run = tvmfuse.load(tmp_path / "m.so")
    assert (run.inputs[0].name, run.inputs[0].shape) == ("größe/1", ("n n", 3))
    np.testing.assert_array_equal(run({"größe/1": DATA})["class"], np.maximum(DATA, 0))


def test_nodes_without_names_and_with_one_name() -> None:
    def model(*names: str) -> onnx.ModelProto:
        operators = zip(("Neg", "Exp", "Abs", "Neg"), names, strict=True)
        return onnx_model(
            [node(op, ["xabc"[i]], ["abcy"[i]], name=n) for i, (op, n) in enumerate(operators)],
            X,
            Y,
        )

    expected = reference(model("a", "b", "c", "d"), {"x": DATA})  # onnxruntime refuses equal names
    assert_agrees(tvmfuse.compile(model("", "n", "n", "n_1")).load()(x=DATA), expected)
