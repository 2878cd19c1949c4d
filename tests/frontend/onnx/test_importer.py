"""The module's form: parameters, outputs, names, and what is refused."""

from contextlib import suppress
from typing import Any, cast

import numpy as np
import pytest
from graphs import onnx_model, ops, run
from onnx import helper, numpy_helper
from tvm import relax

from tvmfuse.errors import MalformedModelError, ModelError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.convert.table import CONVERTERS
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of

node = helper.make_node
X: dict[str, Any] = {"x": ("float32", [2, 3])}
Y: dict[str, Any] = {"y": "float32"}
FEED = np.arange(6, dtype="float32").reshape(2, 3)


def test_parameters_are_the_inputs_in_order_under_their_names() -> None:
    inputs = {"a/b.c": ("float32", [2]), "0": ("float32", [2]), "x y": ("float32", [2])}
    model = onnx_model([node("Sum", list(inputs), ["out:0"])], inputs, {"out:0": "float32"})
    imported = import_model(model)
    assert [p.name for p in imported.module["main"].params] == list(inputs)
    assert [i.name for i in imported.inputs] == list(inputs)
    assert [o.name for o in imported.outputs] == ["out:0"]


@pytest.mark.parametrize(("ir_version", "overridable"), [(3, []), (4, ["w"]), (8, ["w"])])
def test_initializers_that_are_inputs_too_are_parameters_from_ir_version_4_on(
    ir_version: int, overridable: Any
) -> None:
    """After the others, whatever the model's order."""
    model = onnx_model(
        [node("Add", ["x", "w"], ["y"])], {"w": ("float32", [3]), **X}, Y, {"w": FEED[1]}
    )
    model.ir_version = ir_version
    imported = import_model(model)
    assert [i.name for i in imported.inputs] == ["x"]
    assert [i.name for i in imported.overridable] == overridable
    assert [p.name for p in imported.module["main"].params] == ["x", *overridable]
    np.testing.assert_array_equal([*imported.defaults], [FEED[1]] * len(overridable))


@pytest.mark.parametrize("stated", [("float32", [4]), ("float32", [1, 3]), ("int64", [3])])
def test_initializers_that_are_no_such_inputs_are_constants(stated: Any) -> None:
    """Small ones are refused, for ONNX's checker looks at them."""
    model = onnx_model([node("Add", ["x", "w"], ["y"])], {**X, "w": stated}, Y, {"w": FEED[1]})
    try:
        imported = import_model(model)
    except MalformedModelError:
        return
    assert imported.overridable == ()


def test_initializers_that_a_branch_has_to_know_are_constants() -> None:
    branches = [
        helper.make_graph([node("Reshape", ["x", shape], [shape + "d"])], shape, [],
                          [helper.make_tensor_value_info(shape + "d", 1, None)])
        for shape in ("s", "t")
    ]  # fmt: skip
    nodes = [node("If", ["c"], ["r"], then_branch=branches[0], else_branch=branches[1]),
             node("Exp", ["r"], ["y"])]  # fmt: skip
    inputs = {**X, "c": ("bool", []), "s": ("int64", [1]), "t": ("int64", [1])}
    model = onnx_model(nodes, inputs, Y, {"s": np.array([6]), "t": np.array([-1])})
    imported = import_model(model)
    assert imported.overridable == ()
    assert [i.name for i in imported.inputs] == ["x", "c"]


def test_outputs_are_always_a_tuple(agrees: Any) -> None:
    """An output may be an input, a constant, a value that is read on, or the same as another."""
    nodes = [node("Exp", ["x"], ["y"]), node("Neg", ["y"], ["z"]), node("Identity", ["w"], ["v"])]
    outputs = dict.fromkeys(["z", "x", "w", "y", "v"], "float32")
    model = onnx_model(nodes, X, outputs, {"w": FEED[0]})
    imported = agrees(model, {"x": FEED})
    assert isinstance(imported.module["main"].body.body, relax.Tuple)
    single = import_model(onnx_model([node("Exp", ["x"], ["y"])], X, Y))
    assert isinstance(single.module["main"].body.body, relax.Tuple)


def test_the_same_value_twice() -> None:
    model = onnx_model([node("Exp", ["x"], ["y"])], X, Y)
    model.graph.output.append(model.graph.output[0])
    first, second = run(import_model(model).module, FEED)
    np.testing.assert_array_equal(first, second)


def test_the_body_is_one_dataflow_block_without_aliases() -> None:
    nodes = [node("Exp", ["x"], ["h"]), node("Split", ["h"], ["y", "z"], axis=0)]
    main = import_model(onnx_model(nodes, X, {**Y, "z": "float32"})).module["main"]
    [block] = main.body.blocks
    assert isinstance(block, relax.DataflowBlock)
    assert not [b for b in block.bindings if isinstance(b.value, relax.Var)]


def test_nobodys_nodes_are_left_out() -> None:
    nodes = [node("Exp", ["x"], ["y"]), node("Unheard", ["x"], ["unread"], domain="my.domain")]
    model = onnx_model(nodes, {"x": ("float32", [3, 3])}, Y, domains=["my.domain"])
    assert ops(import_model(model).module) == ["exp"]


def test_every_call_knows_its_node() -> None:
    nodes = [
        node("Elu", ["x"], ["a"], "elu"),
        node("CumSum", ["a", "axis"], ["b"], "sums", reverse=1),
        node("Neg", ["b"], ["c"]),
        node("Neg", ["c"], ["y"]),
    ]
    main = import_model(onnx_model(nodes, X, Y, {"axis": np.array(1)})).module["main"]
    named = [nodes_of(value) for _, value in Dataflow.of(main).bindings]
    assert list(dict.fromkeys(named)) == [("elu",), ("sums",), ("Neg_2",), ("Neg_3",)]


def test_node_names_are_made_unique() -> None:
    nodes = [
        node("Neg", ["x"], ["a"], "n"),
        node("Neg", ["a"], ["b"], "n"),
        node("Neg", ["b"], ["y"], "n_1"),
    ]
    main = import_model(onnx_model(nodes, X, Y)).module["main"]
    assert len({nodes_of(value) for _, value in Dataflow.of(main).bindings}) == 3


def test_nodes_of_one_name_are_numbered_with_what_is_free() -> None:
    names, values = ["n", "n", "n_1", "n", "n_3", "n"], ["x", *"abcde", "y"]
    nodes = [node("Neg", [values[i]], [values[i + 1]], name) for i, name in enumerate(names)]
    main = import_model(onnx_model(nodes, X, Y)).module["main"]
    named = [nodes_of(value) for _, value in Dataflow.of(main).bindings]
    assert named == [("n",), ("n_2",), ("n_1",), ("n_4",), ("n_3",), ("n_5",)]


def test_all_nodes_that_cannot_be_compiled_are_listed_at_once() -> None:
    nodes = [
        node("Custom", ["x"], ["a"], "first", domain="my.domain"),
        node("Relu", ["a"], ["unreached"]),
        node("Other", ["x"], ["b"], "second", domain="my.domain"),
        node("Dropout", ["x", "ratio", "yes"], ["c"], "third"),
        node("Sum", ["unreached", "b", "c"], ["y"]),
    ]
    constants = {"ratio": np.array(1.5, "float32"), "yes": np.array(True)}
    model = onnx_model(nodes, {"x": ("float32", [3, 3])}, Y, constants)
    model.opset_import.append(helper.make_opsetid("my.domain", 2))
    with pytest.raises(UnsupportedModelError) as refused:
        import_model(model)
    assert str(refused.value).splitlines() == [
        "3 nodes cannot be compiled:",
        "  my.domain::Custom (opset 2, node 'first'): tvmfuse has no converter for this operator",
        "  my.domain::Other (opset 2, node 'second'): tvmfuse has no converter for this operator",
        "  Dropout (opset 17, node 'third'): its ratio is 1.5; expected 0 or more, and less than 1",
    ]
    assert refused.value.__cause__ is not None


def test_an_operator_of_another_domain_is_never_taken_for_onnxs() -> None:
    nodes = [node("Attention", ["x"], ["y"], domain="com.microsoft", num_heads=2)]
    model = onnx_model(nodes, X, Y)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    with pytest.raises(UnsupportedModelError, match="com.microsoft::Attention"):
        import_model(model)


def test_what_the_model_says_about_itself() -> None:
    model = onnx_model([node("Relu", ["x"], ["y"])], X, Y)
    model.producer_name, model.producer_version, model.domain = "pytest", "9", "org.example"
    model.doc_string, model.model_version, model.graph.name = "A test.", 3, "tiny"
    own = {"license": "Apache-2.0", "domain": "ours", "model_version": "v7"}
    helper.set_model_props(model, own)
    imported = import_model(model)
    assert imported.metadata == {
        "producer_name": "pytest", "producer_version": "9", "domain": "org.example",
        "description": "A test.", "graph_name": "tiny", "graph_description": "", "model_version": "3",
        "custom": own,
    }  # fmt: skip
    assert (imported.opset, imported.nodes) == (17, 1)


def test_an_output_that_is_named_again_with_a_type_that_is_none() -> None:
    model = onnx_model([node("Relu", ["x"], ["y"])], X, Y)
    again = model.graph.output.add()
    again.CopyFrom(model.graph.output[0])
    again.type.tensor_type.elem_type = 42
    with suppress(ModelError):  # and nothing else
        import_model(model)


def test_every_form_of_constant(agrees: Any) -> None:
    sparse = helper.make_sparse_tensor(
        numpy_helper.from_array(np.array([5, 7], "float32"), "values"),
        numpy_helper.from_array(np.array([0, 2]), "indices"), [3],
    )  # fmt: skip
    nodes = [
        node("Constant", [], ["a"], value=numpy_helper.from_array(FEED[0])),
        node("Constant", [], ["b"], value_float=2.0),
        node("Constant", [], ["c"], value_floats=[1.0, 2.0, 3.0]),
        node("Constant", [], ["d"], sparse_value=sparse),
        node("Constant", [], ["e"], value_int=1),
        node("Constant", [], ["f"], value_ints=[2, 3]),
        node("Sum", ["x", "a", "b", "c"], ["y"]),
        node("Reshape", ["x", "f"], ["z"]),
        node("Identity", ["e"], ["i"]),
    ]
    outputs = {**Y, "z": "float32", "i": "int64"}
    agrees(onnx_model(nodes, X, outputs), {"x": FEED})
    imported = import_model(
        onnx_model([*nodes, node("Add", ["x", "d"], ["s"])], X, {"s": "float32"})
    )
    np.testing.assert_array_equal(run(imported.module, FEED)[0], np.add(FEED, [5, 0, 7]))


def test_a_model_of_many_nodes_in_a_row() -> None:
    """Deeper than Python's stack."""
    nodes = [node("Neg", [f"v{i}" if i else "x"], [f"v{i + 1}"]) for i in range(3000)]
    shape = [node("Add", [f"s{i}" if i else "zero", "zero"], [f"s{i + 1}"]) for i in range(3000)]
    reshape = [node("Add", ["s3000", "six"], ["s"]), node("Reshape", ["v3000", "s"], ["y"])]
    constants = {"zero": np.array([0]), "six": np.array([6])}
    imported = import_model(onnx_model([*nodes, *shape, *reshape], X, Y, constants))
    assert ops(imported.module) == ["negative"] * 3000 + ["reshape"]


def test_a_conversion_that_fails_is_said_to_be_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: Any) -> Any:
        raise ValueError("no answer\nat all")

    monkeypatch.setitem(cast("dict[str, Any]", CONVERTERS), "Relu", fails)
    words = (
        r"Relu \(opset \d+, node 'here'\): its conversion of float32\[n, 3\] failed, a defect of "
        r"tvmfuse: please report it with the model \(ValueError: no answer\)$"
    )
    nodes = [node("Neg", ["x"], ["a"]), node("Relu", ["a"], ["y"], "here")]
    with pytest.raises(UnsupportedModelError, match=words):
        import_model(onnx_model(nodes, {"x": ("float32", ["n", 3])}, Y))
