"""Wrong and hostile models: each is refused in words, none ends in a traceback or a signal."""

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from malformed import (
    X,
    Y,
    changed,
    node,
    refused,
    small_model,
    with_input,
)
from onnx import TensorProto, helper

from tvmfuse.errors import (
    ConfigurationError,
    ModelError,
    UnsupportedModelError,
)
from tvmfuse.frontend.onnx import import_model

# What is no model.


def test_the_small_model_is_right_to_begin_with() -> None:
    assert import_model(small_model()).outputs[0].shape == ("batch", 10)


def test_a_missing_file(tmp_path: Path) -> None:
    refused(tmp_path / "no.onnx", "there is no file", "no.onnx", kind=ModelError)
    refused(str(tmp_path / "no" / "no.onnx"), "there is no file", kind=ModelError)


def test_a_folder(tmp_path: Path) -> None:
    refused(tmp_path, "is a folder; expected an ONNX file", str(tmp_path), kind=ModelError)


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").touch()
    refused(tmp_path / "m.onnx", "m.onnx", "expected an ONNX model", "it is empty")
    refused(b"", "it is empty")


def test_an_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    refused(tmp_path / "loop", "cannot be read", kind=ModelError)


@pytest.mark.parametrize(
    "name",
    ["m" * 300, "a\0b", "m" * 300 + "/m", "\udcff"],
    ids=["long", "nul", "long folder", "surrogate"],
)
def test_a_path_that_no_file_can_have(name: Any) -> None:
    refused(name, kind=ModelError)


@pytest.mark.parametrize(
    "data",
    [
        b"\0",
        b"\xff" * 64,
        b"PK\x03\x04 a zip file",
        b"<html>404</html>",
        b"\x08\x08" * 100,
        bytes(1000),
    ],
    ids=["nul", "ff", "zip", "html", "only a version", "zeros"],
)
def test_garbage(data: Any, tmp_path: Path) -> None:
    refused(data, "these bytes", "not a valid ONNX file")
    (tmp_path / "garbage").write_bytes(data)
    refused(tmp_path / "garbage", "garbage'", "not a valid ONNX file")


def test_a_git_lfs_pointer() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 12345\n"
    refused(pointer, "not a valid ONNX file")


def test_text_instead_of_a_model(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_text(onnx.printer.to_text(small_model()))
    refused(tmp_path / "m.onnx", "not a valid ONNX file")


@pytest.mark.parametrize("model", [None, 3, 1.5, [], {}, object(), np.zeros(3), onnx.GraphProto()])
def test_what_is_no_path_and_no_model(model: Any) -> None:
    said = refused(model, "a model is a path, bytes or an onnx.ModelProto", kind=ConfigurationError)
    assert type(model).__name__ in said


def test_a_string_that_is_no_path() -> None:
    refused("resnet18, please", "there is no file 'resnet18, please'", kind=ModelError)
    refused("", kind=ModelError)


# Versions.


def test_an_empty_model() -> None:
    refused(onnx.ModelProto(), "no graph")
    refused(onnx.ModelProto(ir_version=8), "not a valid ONNX file")


def test_no_graph() -> None:
    refused(changed(lambda m: m.ClearField("graph")), "it holds no graph")


def test_an_empty_graph() -> None:
    refused(changed(lambda m: (m.ClearField("graph"), m.graph.SetInParent())), "has no output")


def test_no_operator_set() -> None:
    refused(changed(lambda m: m.ClearField("opset_import")), "imports no operator set")


def test_no_ir_version() -> None:
    refused(changed(lambda m: m.ClearField("ir_version")), "no IR version")


@pytest.mark.parametrize("version", [99, 2**40])
def test_a_later_opset_and_ir(version: Any) -> None:
    def opset(model: onnx.ModelProto) -> None:
        model.opset_import[0].version = version

    def ir(model: onnx.ModelProto) -> None:
        model.ir_version = version

    refused(changed(opset), f"opset {version}", "upgrade onnx", kind=UnsupportedModelError)
    refused(changed(ir), f"IR version {version}", "upgrade onnx", kind=UnsupportedModelError)


@pytest.mark.parametrize("version", [0, -1, -(2**60)])
def test_versions_that_never_were(version: Any) -> None:
    def opset(model: onnx.ModelProto) -> None:
        model.opset_import[0].version = version

    def ir(model: onnx.ModelProto) -> None:
        model.ir_version = version

    refused(changed(opset), kind=ModelError)
    refused(changed(ir), kind=ModelError)


# Names.


def test_a_cycle() -> None:
    cyclic = onnx_model(
        [node("Add", ["x", "c"], ["a"], name="first"), node("Relu", ["a"], ["b"], name="second"),
         node("Exp", ["b"], ["c"], name="third"), node("Neg", ["c"], ["y"], name="last")], X, Y,
    )  # fmt: skip
    said = refused(cyclic, "the graph has a cycle", "'first'", "'second'", "'third'")
    assert "'last'" not in said
    refused(onnx_model([node("Add", ["x", "y"], ["y"], name="own")], X, Y), "cycle", "'own'")


def test_a_value_that_nobody_computes() -> None:
    refused(
        onnx_model([node("Add", ["x", "nowhere"], ["y"], name="sum")], X, Y),
        "node 'sum' (Add) reads 'nowhere', which is no graph input, no initializer",
    )


def test_a_value_that_nobody_computes_read_in_a_branch() -> None:
    def rename(model: onnx.ModelProto) -> None:
        model.graph.node[4].attribute[0].g.node[0].input[0] = "nowhere"

    refused(changed(rename), "reads 'nowhere'")


def test_two_nodes_that_define_one_value() -> None:
    twice = onnx_model(
        [node("Relu", ["x"], ["y"], name="a"), node("Neg", ["x"], ["y"], name="b")], X, Y
    )
    refused(twice, "node 'b' (Neg) defines 'y', which is defined already")
    within = onnx_model([node("Split", ["x"], ["y", "y"], name="s", axis=0)], X, Y)
    refused(within, "node 's' (Split) defines 'y', which is defined already")


def test_a_node_that_defines_an_input_or_an_initializer() -> None:
    refused(
        onnx_model([node("Relu", ["x"], ["x"], name="n")], X, {"x": "float32"}), kind=ModelError
    )
    model = onnx_model([node("Relu", ["x"], ["y"], name="n")], X, Y, {"y": np.zeros(3, "float32")})
    refused(model, "node 'n' (Relu) defines 'y', which is defined already")


def test_two_initializers_of_one_name() -> None:
    refused(
        changed(lambda m: m.graph.initializer.append(m.graph.initializer[1])),
        "two initializers are called 'b'",
    )


def test_two_inputs_of_one_name() -> None:
    refused(
        changed(lambda m: m.graph.input.append(m.graph.input[0])),
        "two graph inputs are called 'image'",
    )


def test_an_input_and_an_initializer_without_a_name() -> None:
    refused(changed(lambda m: m.graph.input.add()), "a graph input has no name")
    refused(changed(lambda m: m.graph.initializer.add()), "an initializer has no name")


def test_an_output_that_nobody_computes() -> None:
    def rename(model: onnx.ModelProto) -> None:
        model.graph.output[0].name = "z"

    refused(changed(rename), "the graph has the output 'z', and nothing computes it")


def test_an_output_of_a_branch_that_nobody_computes() -> None:
    def rename(model: onnx.ModelProto) -> None:
        model.graph.node[4].attribute[0].g.output[0].name = "z"

    refused(changed(rename), "'choice'", "has the output 'z', and nothing computes it")


def test_nodes_without_outputs() -> None:
    nodes = [node("Relu", ["x"], [], name="silent"), node("Relu", ["x"], ["y"])]
    refused(onnx_model(nodes, X, Y), "node 'silent' (Relu) has no output")
    nodes[0].output.append("")
    refused(onnx_model(nodes, X, Y), "node 'silent' (Relu) has no output")


def test_a_graph_without_outputs() -> None:
    refused(changed(lambda m: m.graph.ClearField("output")), "the graph has no output")


# Operators.


@pytest.mark.parametrize("domain", ["com.microsoft", "my.dom"])
def test_an_unknown_domain(domain: str) -> None:
    model = onnx_model([node("Foo", ["x"], ["y"], name="n", domain=domain)], X, Y)
    refused(model, f"node 'n' (Foo) is of the domain {domain!r}, which the model does not import")
    model.opset_import.append(helper.make_opsetid(domain, 1))
    refused(model, "'n'", "Foo", kind=UnsupportedModelError)


def test_an_unknown_operator() -> None:
    model = onnx_model([node("Rleu", ["x"], ["y"], name="n")], X, Y)
    refused(model, "node 'n' (Rleu): ONNX opset 17 has no such operator")
    refused(onnx_model([node("", ["x"], ["y"], name="n")], X, Y), "node 'n' names no operator")


def test_an_operator_of_a_later_opset() -> None:
    model = onnx_model([node("Gelu", ["x"], ["y"], name="n")], X, Y, opset=17)
    refused(model, "node 'n' (Gelu): ONNX opset 17 has no such operator")


def test_all_operators_that_cannot_be_compiled_are_listed() -> None:
    model = onnx_model(
        [
            node("Det", ["q"], ["d"], name="the determinant", domain="my.dom"),
            node("Multinomial", ["x"], ["m"], name="the sampling", sample_size=0),
            node("Foo", ["x"], ["f"], name="the stranger", domain="my.dom"),
            node("RandomNormal", [], ["r"], name="the noise", domain="my.dom"),
            node("Relu", ["d"], ["after"], name="innocent"),
        ],
        {"x": ("float32", (2, 3)), "q": ("float32", (3, 3))},
        {"after": "float32", "m": "int32", "f": "float32", "r": "float32"},
    )
    model.opset_import.append(helper.make_opsetid("my.dom", 1))
    said = refused(model, "4 nodes cannot be compiled", kind=UnsupportedModelError)
    for op, name in [
        ("Det", "the determinant"),
        ("Multinomial", "the sampling"),
        ("Foo", "the stranger"),
        ("RandomNormal", "the noise"),
    ]:
        (line,) = [line for line in said.splitlines() if repr(name) in line]
        assert op in line
        assert "opset" in line
    assert "innocent" not in said


def test_types_that_clash() -> None:
    model = onnx_model(
        [node("Add", ["x", "i"], ["y"], name="sum")], X | {"i": ("int64", (2, 3))}, Y
    )
    refused(model, "sum")
    refused(onnx_model([node("Not", ["x"], ["y"], name="nay")], X, {"y": "bool"}), "nay")


def test_types_that_clash_are_told_in_words() -> None:
    model = onnx_model([node("Relu", ["x"], ["y"], name="n")], X, {"y": "int64"})
    refused(model, "node 'n' (Relu)", "float", "int64")


@pytest.mark.parametrize(
    ("operator", "shapes"),
    [
        ("Add", [(2, 3), (4, 3)]),
        ("MatMul", [(2, 3), (4, 5)]),
        ("Gemm", [(2, 3), (4, 5)]),
        ("Conv", [(1, 3, 8, 8), (4, 5, 3, 3)]),
        ("Conv", [(1, 3, 8, 8), (4, 3, 3)]),
        ("Conv", [(3, 8, 8), (4, 3, 3, 3)]),
        ("Concat", [(2, 3), (2, 4)]),
        ("Where", [(2, 3), (4,), (5,)]),
        ("BatchNormalization", [(1, 3, 4, 4), (5,), (5,), (5,), (5,)]),
        ("LayerNormalization", [(2, 3), (5,)]),
    ],
)
def test_shapes_that_clash(operator: str, shapes: list[tuple[int, ...]]) -> None:
    inputs = {f"x{i}": ("float32", shape) for i, shape in enumerate(shapes)}
    if operator == "Where":
        inputs["x0"] = ("bool", shapes[0])
    attributes: dict[str, Any] = {"axis": 0} if operator == "Concat" else {}
    refused(
        onnx_model([node(operator, [*inputs], ["y"], name="culprit", **attributes)], inputs, Y),
        "culprit",
        kind=ModelError,
    )


def test_an_input_without_type_or_rank() -> None:
    refused(with_input(lambda i: i.ClearField("type")), kind=ModelError)
    refused(with_input(lambda i: i.type.tensor_type.ClearField("elem_type")), kind=ModelError)
    refused(
        with_input(lambda i: i.type.tensor_type.ClearField("shape")),
        "'x'",
        "shapes=",
        kind=ModelError,
    )


@pytest.mark.parametrize("kind", [TensorProto.STRING, TensorProto.COMPLEX64, 99, -1])
def test_an_input_of_what_is_not_compiled(kind: Any) -> None:
    model = onnx_model([node("Identity", ["x"], ["y"], name="n")], X, Y)
    for value in (model.graph.input[0], model.graph.output[0]):
        value.type.tensor_type.elem_type = kind
    refused(model, kind=ModelError)


def test_an_input_that_is_no_tensor() -> None:
    model = onnx_model([node("SequenceAt", ["x", "i"], ["y"], name="n")], X, Y, {"i": np.array(0)})
    model.graph.input[0].CopyFrom(
        helper.make_tensor_sequence_value_info("x", TensorProto.FLOAT, (2, 3))
    )
    refused(model, "input 'x'", "sequence; only tensors are compiled", kind=UnsupportedModelError)


def test_a_negative_dimension_of_a_weight() -> None:
    """One of an input is a size that is not known; see tests/frontend/onnx/test_dims.py."""
    model = onnx_model(
        [node("Add", ["x", "w"], ["y"])],
        {"x": ("float32", (2, 3))}, Y, {"w": np.ones(3, "float32")},
    )  # fmt: skip
    model.graph.initializer[0].dims[0] = -3
    refused(model, "'w'", "-3")


@pytest.mark.parametrize("size", [2**31, 2**62, 2**63 - 1])
def test_huge_dimensions_do_not_crash(size: Any) -> None:
    model = onnx_model([node("Relu", ["x"], ["y"], name="n")], {"x": ("float32", (size, 4))}, Y)
    with contextlib.suppress(ModelError):
        import_model(model)


def test_a_filter_larger_than_the_image() -> None:
    model = onnx_model(
        [node("Conv", ["x", "w"], ["y"], name="the conv")],
        {"x": ("float32", (1, 1, 4, 4))}, Y, {"w": np.ones((1, 1, 9, 9), "float32")},
    )  # fmt: skip
    refused(model, "the conv", kind=ModelError)


def test_a_model_proto_is_left_as_it_was() -> None:
    model = small_model()
    before = model.SerializeToString(deterministic=True)
    import_model(model)
    assert model.SerializeToString(deterministic=True) == before
