"""A model that breaks the specification is refused in the names of its own nodes and values."""

import time
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, run
from onnx import TensorProto, helper, numpy_helper

from tvmfuse.errors import MalformedModelError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.without_weights import sort_nodes

node = helper.make_node
X: dict[str, Any] = {"x": ("float32", [2, 3])}
Y = {"y": "float32"}


def refused(
    nodes: Any,
    words: str,
    *,
    inputs: Any = X,
    outputs: Any = Y,
    constants: Any = None,
    change: Any = lambda _: None,
) -> None:
    model = onnx_model(nodes, inputs, outputs, constants)
    change(model)
    with pytest.raises(MalformedModelError, match=words):
        import_model(model)


def test_cycle() -> None:
    nodes = [
        node("Add", ["x", "b"], ["a"], "A"),
        node("Relu", ["a"], ["b"], "B"),
        node("Relu", ["b"], ["y"]),
    ]
    refused(nodes, "the graph has a cycle: 'A' -> 'B' -> 'A'")
    refused([node("Add", ["x", "y"], ["y"], "A")], "the graph has a cycle: 'A' -> 'A'")


def test_nodes_out_of_order_are_sorted() -> None:
    nodes = [node("Neg", ["a"], ["y"]), node("Exp", ["x"], ["a"])]
    x = np.ones((2, 3), "float32")
    np.testing.assert_allclose(
        run(import_model(onnx_model(nodes, X, Y)).module, x)[0], -np.exp(x), rtol=1e-6
    )


def test_dangling_input() -> None:
    refused(
        [node("Add", ["x", "q"], ["y"], "sum")],
        r"node 'sum' \(Add\) reads 'q', which is no graph input",
    )


def test_output_that_nobody_computes() -> None:
    refused([node("Relu", ["x"], ["z"])], "the graph has the output 'y', and nothing computes it")


def test_no_outputs_at_all() -> None:
    refused([node("Relu", ["x"], ["y"])], "the graph has no output", outputs={})
    refused(
        [node("Relu", ["x"], []), node("Relu", ["x"], ["y"])],
        r"node 'Relu_0' \(Relu\) has no output",
    )


@pytest.mark.parametrize(
    "nodes",
    [
        [node("Relu", ["x"], ["y"]), node("Abs", ["x"], ["y"])],
        [node("Split", ["x"], ["y", "y"])],
        [node("Relu", ["x"], ["x"]), node("Relu", ["x"], ["y"])],
        [node("Relu", ["x"], ["w"]), node("Relu", ["w"], ["y"])],
    ],
)
def test_values_defined_twice(nodes: Any) -> None:
    refused(
        nodes,
        "is defined already; a value has one definition",
        constants={"w": np.ones((2, 3), "float32")},
    )


def test_duplicate_inputs_and_initializers() -> None:
    relu = [node("Relu", ["x"], ["y"])]
    refused(
        relu,
        "two graph inputs are called 'x'",
        change=lambda m: m.graph.input.append(m.graph.input[0]),
    )
    tensor = numpy_helper.from_array(np.ones(2, "float32"), "w")
    refused(
        relu,
        "two initializers are called 'w'",
        change=lambda m: m.graph.initializer.extend([tensor, tensor]),
    )


def test_unknown_operator_and_domain() -> None:
    refused(
        [node("Reluu", ["x"], ["y"], "r")],
        r"node 'r' \(Reluu\): ONNX opset 17 has no such operator",
    )
    refused([node("Gelu", ["x"], ["y"])], "ONNX opset 17 has no such operator")
    refused(
        [node("Foo", ["x"], ["y"], domain="my")],
        "of the domain 'my', which the model does not import",
    )


def test_wrong_dtypes() -> None:
    refused(
        [node("Add", ["x", "i"], ["y"], "sum")],
        r"node 'sum' \(Add\): B has inconsistent type tensor\(int64\)",
        inputs={**X, "i": ("int64", [2, 3])},
    )
    refused([node("Relu", ["x"], ["y"], "r")], "node 'r'.*elem type", outputs={"y": "int64"})
    refused(
        [node("MatMul", ["x", "x"], ["y"])],
        "unsupported type",
        inputs={"x": ("bool", [2, 2])},
        outputs={"y": "bool"},
    )


def test_attributes_and_operands() -> None:
    refused(
        [node("Relu", ["x"], ["y"], "r", slope=1)],
        r"node 'r' \(Relu\): Unrecognized attribute: slope",
    )
    refused(
        [node("Concat", ["x", "x"], ["y"], "c")],
        r"node 'c' \(Concat\): Required attribute 'axis' is missing",
    )
    refused([node("Add", ["x"], ["y"], "a")], "node 'a'.*input size 1")


@pytest.mark.parametrize("size", [5, 500])
def test_shapes_that_do_not_fit_also_those_of_weights(size: int) -> None:
    weight = {"w": np.ones((size, 4), "float32")}
    refused(
        [node("MatMul", ["x", "w"], ["y"], "m")],
        r"node 'm' \(MatMul\): Incompatible dimensions",
        constants=weight,
    )


@pytest.mark.parametrize("size", [6, 6000])
def test_initializers_with_too_few_numbers(size: int) -> None:
    def cut(model: onnx.ModelProto) -> None:
        model.graph.initializer[0].raw_data = b"1234"

    refused(
        [node("Add", ["x", "w"], ["y"])], "w", inputs={"x": ("float32", [size])},
        constants={"w": np.ones(size, "float32")}, change=cut,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (helper.make_tensor_type_proto(TensorProto.STRING, [2]), "input 'x' holds string"),
        (
            helper.make_tensor_type_proto(TensorProto.COMPLEX64, [2]),
            "input 'x' holds complex64",
        ),
        (
            helper.make_sequence_type_proto(helper.make_tensor_type_proto(1, [2])),
            "input 'x' is of type sequence",
        ),
        (
            helper.make_optional_type_proto(helper.make_tensor_type_proto(1, [2])),
            "input 'x' is of type optional",
        ),
    ],
)
def test_inputs_that_are_no_tensors_of_numbers(kind: Any, words: str) -> None:
    graph = helper.make_graph(
        [node("Identity", ["x"], ["y"])],
        "g",
        [helper.make_value_info("x", kind)],
        [helper.make_value_info("y", kind)],
    )
    with pytest.raises(UnsupportedModelError, match=words):
        import_model(
            helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
        )


def test_nodes_are_sorted_in_linear_time() -> None:
    length = 20_000
    nodes = [node("Relu", [f"v{i}"], [f"v{i + 1}"], f"n{i}") for i in reversed(range(length))]
    graph = onnx.helper.make_graph(nodes, "chain", [], [])
    start = time.process_time()
    sort_nodes(graph)
    assert [n.name for n in graph.node] == [f"n{i}" for i in range(length)]
    assert time.process_time() - start < 5  # seconds; a quadratic sort takes minutes
