"""Wrong and hostile models: each is refused in words, none ends in a traceback or a signal."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import TensorProto, helper, numpy_helper
from relax_models import python, succeeds

from tvmfuse.errors import (
    ConfigurationError,
    MalformedModelError,
    ModelError,
    UnsupportedModelError,
)
from tvmfuse.frontend import import_model

node = helper.make_node
X = {"x": ("float32", (2, 3))}
Y = {"y": "float32"}


def small_model() -> onnx.ModelProto:
    """A classifier with what fuzzing wants to hit: weights, attributes, shape arithmetic, an If."""
    rng = np.random.default_rng(0)

    def branch(name: str, operator: str) -> onnx.GraphProto:
        return helper.make_graph(
            [node(operator, ["pooled"], [name])],
            name,
            [],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)],
        )

    return onnx_model(
        [
            node("Conv", ["image", "w", "b"], ["conv"], name="conv", pads=[1, 1, 1, 1]),
            node("BatchNormalization", ["conv", "b", "b", "b", "one"], ["norm"], name="norm"),
            node("Relu", ["norm"], ["relu"], name="relu"),
            node("MaxPool", ["relu"], ["pooled"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
            node("If", ["flag"], ["chosen"], name="choice", then_branch=branch("t", "Tanh"), else_branch=branch("e", "Exp")),
            node("Shape", ["chosen"], ["shape"], name="shape"),
            node("Slice", ["shape", "start", "end"], ["batch"], name="slice"),
            node("Concat", ["batch", "minus"], ["target"], name="concat", axis=0),
            node("Reshape", ["chosen", "target"], ["flat"], name="reshape"),
            node("Gemm", ["flat", "g"], ["logits"], name="gemm", transB=1, alpha=0.5),
            node("Softmax", ["logits"], ["y"], name="softmax", axis=-1),
        ],
        {"image": ("float32", ("batch", 3, 8, 8)), "flag": ("bool", ())},
        Y,
        {
            "w": rng.standard_normal((4, 3, 3, 3), dtype="float32"),
            "b": rng.standard_normal(4, dtype="float32"),
            "one": np.ones(4, "float32"),
            "start": np.array([0]),
            "end": np.array([1]),
            "minus": np.array([-1]),
            "g": rng.standard_normal((10, 64), dtype="float32"),
        },
    )  # fmt: skip


def refused(model: object, *words: str, kind: type[Exception] = MalformedModelError) -> str:
    """Import a model that is refused, and check what the error says."""
    with pytest.raises(kind) as error:
        import_model(model)
    said = str(error.value)
    for word in words:
        assert word in said
    return said


def changed(change: Callable[[onnx.ModelProto], object]) -> onnx.ModelProto:
    model = small_model()
    change(model)
    return model


# What is no model.


def test_the_small_model_is_right_to_begin_with() -> None:
    assert import_model(small_model()).outputs[0].shape == ("batch", 10)


def test_a_missing_file(tmp_path) -> None:
    refused(tmp_path / "no.onnx", "there is no file", "no.onnx", kind=ModelError)
    refused(str(tmp_path / "no" / "no.onnx"), "there is no file", kind=ModelError)


def test_a_folder(tmp_path) -> None:
    refused(tmp_path, "is a folder; expected an ONNX file", str(tmp_path), kind=ModelError)


def test_an_empty_file(tmp_path) -> None:
    (tmp_path / "m.onnx").touch()
    refused(tmp_path / "m.onnx", "m.onnx", "expected an ONNX model", "it is empty")
    refused(b"", "it is empty")


def test_an_unreadable_file(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    refused(tmp_path / "loop", "cannot be read", kind=ModelError)
    refused(tmp_path / ("m" * 300), "cannot be read: File name too long", kind=ModelError)


@pytest.mark.xfail(strict=True, reason="frontend/read.py: Path.is_dir raises ValueError for NUL")
def test_a_path_that_no_file_can_have() -> None:
    refused("a\0b", kind=ModelError)


@pytest.mark.parametrize(
    "data",
    [b"\0", b"\xff" * 64, b"PK\x03\x04 a zip file", b"<html>404</html>", b"\x08\x08" * 100, bytes(1000)],
    ids=["nul", "ff", "zip", "html", "only a version", "zeros"],
)
def test_garbage(data, tmp_path) -> None:
    refused(data, "these bytes", "no ONNX model")
    (tmp_path / "garbage").write_bytes(data)
    refused(tmp_path / "garbage", "garbage'", "no ONNX model")


def test_a_git_lfs_pointer() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 12345\n"
    refused(pointer, "no ONNX model")


def test_text_instead_of_a_model(tmp_path) -> None:
    (tmp_path / "m.onnx").write_text(onnx.printer.to_text(small_model()))
    refused(tmp_path / "m.onnx", "no ONNX model")


@pytest.mark.parametrize("model", [None, 3, 1.5, [], {}, object(), np.zeros(3), onnx.GraphProto()])
def test_what_is_no_path_and_no_model(model) -> None:
    said = refused(model, "a model is a path, bytes or an onnx.ModelProto", kind=ConfigurationError)
    assert type(model).__name__ in said


def test_a_string_that_is_no_path() -> None:
    refused("resnet18, please", "there is no file 'resnet18, please'", kind=ModelError)
    refused("", kind=ModelError)


# Versions.


def test_an_empty_model() -> None:
    refused(onnx.ModelProto(), "no graph")
    refused(onnx.ModelProto(ir_version=8), "no ONNX model")


def test_no_graph() -> None:
    refused(changed(lambda m: m.ClearField("graph")), "it holds no graph")


def test_an_empty_graph() -> None:
    refused(changed(lambda m: (m.ClearField("graph"), m.graph.SetInParent())), "has no output")


def test_no_operator_set() -> None:
    refused(changed(lambda m: m.ClearField("opset_import")), "imports no operator set")


def test_no_ir_version() -> None:
    refused(changed(lambda m: m.ClearField("ir_version")), "no IR version")


@pytest.mark.parametrize("version", [99, 2**40])
def test_a_later_opset_and_ir(version) -> None:
    def opset(model: onnx.ModelProto) -> None:
        model.opset_import[0].version = version

    def ir(model: onnx.ModelProto) -> None:
        model.ir_version = version

    refused(changed(opset), f"opset {version}", "upgrade onnx", kind=UnsupportedModelError)
    refused(changed(ir), f"IR version {version}", "upgrade onnx", kind=UnsupportedModelError)


@pytest.mark.parametrize("version", [0, -1, -(2**60)])
def test_versions_that_never_were(version) -> None:
    def opset(model: onnx.ModelProto) -> None:
        model.opset_import[0].version = version

    def ir(model: onnx.ModelProto) -> None:
        model.ir_version = version

    refused(changed(opset), kind=ModelError)
    refused(changed(ir), kind=ModelError)


def test_two_versions_of_one_domain() -> None:
    refused(changed(lambda m: m.opset_import.append(helper.make_opsetid("", 13))), kind=ModelError)


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
    twice = onnx_model([node("Relu", ["x"], ["y"], name="a"), node("Neg", ["x"], ["y"], name="b")], X, Y)
    refused(twice, "node 'b' (Neg) defines 'y', which is defined already")
    within = onnx_model([node("Split", ["x"], ["y", "y"], name="s", axis=0)], X, Y)
    refused(within, "node 's' (Split) defines 'y', which is defined already")


def test_a_node_that_defines_an_input_or_an_initializer() -> None:
    refused(onnx_model([node("Relu", ["x"], ["x"], name="n")], X, {"x": "float32"}), kind=ModelError)
    model = onnx_model([node("Relu", ["x"], ["y"], name="n")], X, Y, {"y": np.zeros(3, "float32")})
    refused(model, "node 'n' (Relu) defines 'y', which is defined already")


def test_two_initializers_of_one_name() -> None:
    refused(changed(lambda m: m.graph.initializer.append(m.graph.initializer[1])), "two initializers are called 'b'")


def test_two_inputs_of_one_name() -> None:
    refused(changed(lambda m: m.graph.input.append(m.graph.input[0])), "two graph inputs are called 'image'")


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
def test_an_unknown_domain(domain) -> None:
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
            node("Det", ["q"], ["d"], name="the determinant"),
            node("Multinomial", ["x"], ["m"], name="the sampling"),
            node("Foo", ["x"], ["f"], name="the stranger", domain="my.dom"),
            node("RandomNormal", [], ["r"], name="the noise", shape=[2]),
            node("Relu", ["d"], ["after"], name="innocent"),
        ],
        {"x": ("float32", (2, 3)), "q": ("float32", (3, 3))},
        {"after": "float32", "m": "int32", "f": "float32", "r": "float32"},
    )
    model.opset_import.append(helper.make_opsetid("my.dom", 1))
    said = refused(model, "4 nodes cannot be compiled", kind=UnsupportedModelError)
    for op, name in [("Det", "the determinant"), ("Multinomial", "the sampling"), ("Foo", "the stranger"), ("RandomNormal", "the noise")]:
        (line,) = [line for line in said.splitlines() if repr(name) in line]
        assert op in line
        assert "opset" in line
    assert "innocent" not in said


def test_types_that_clash() -> None:
    model = onnx_model([node("Add", ["x", "i"], ["y"], name="sum")], X | {"i": ("int64", (2, 3))}, Y)
    refused(model, "sum")
    refused(onnx_model([node("Not", ["x"], ["y"], name="nay")], X, {"y": "bool"}), "nay")
    refused(onnx_model([node("Relu", ["x"], ["y"], name="n")], X, {"y": "int64"}), "float")


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
def test_shapes_that_clash(operator, shapes) -> None:
    inputs = {f"x{i}": ("float32", shape) for i, shape in enumerate(shapes)}
    if operator == "Where":
        inputs["x0"] = ("bool", shapes[0])
    attributes = {"axis": 0} if operator == "Concat" else {}
    refused(onnx_model([node(operator, [*inputs], ["y"], name="culprit", **attributes)], inputs, Y), "culprit", kind=ModelError)


def test_an_attribute_of_the_wrong_type() -> None:
    refused(onnx_model([node("Softmax", ["x"], ["y"], name="n", axis="last")], X, Y), "axis", "'n'")
    refused(onnx_model([node("Transpose", ["x"], ["y"], name="n", perm=1)], X, Y), "perm", "'n'")


def test_an_attribute_that_the_operator_does_not_have() -> None:
    refused(onnx_model([node("Relu", ["x"], ["y"], name="n", slope=0.1)], X, Y), "slope", "'n'")


def test_missing_required_attributes() -> None:
    refused(onnx_model([node("Concat", ["x", "x"], ["y"], name="n")], X, Y), "axis", "'n'")
    refused(onnx_model([node("Cast", ["x"], ["y"], name="n")], X, Y), "to", "'n'")
    refused(onnx_model([node("If", ["x"], ["y"], name="n")], {"x": ("bool", ())}, Y), "'n'", "branch")
    refused(onnx_model([node("Constant", [], ["y"], name="n")], X, Y), "Constant")


def test_missing_and_surplus_operands() -> None:
    refused(onnx_model([node("Add", ["x"], ["y"], name="n")], X, Y), "'n'")
    refused(onnx_model([node("Relu", ["x", "x"], ["y"], name="n")], X, Y), "'n'")
    refused(onnx_model([node("Add", ["x", ""], ["y"], name="n")], X, Y), "n", kind=ModelError)
    refused(onnx_model([node("Relu", ["x"], ["y", "z"], name="n")], X, Y), "'n'")


@pytest.mark.parametrize(
    ("operator", "shape", "attributes"),
    [
        ("Softmax", (2, 3), {"axis": 5}),
        ("Transpose", (2, 3), {"perm": [0, 0]}),
        ("Transpose", (2, 3), {"perm": [0, 7]}),
        ("Transpose", (2, 3), {"perm": [0]}),
        ("Flatten", (2, 3), {"axis": 9}),
        ("Cast", (2, 3), {"to": 77}),
        ("Cast", (2, 3), {"to": 0}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [2]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [0, 0]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [-2, 2]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [2, 2], "strides": [0, 0]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [9, 9]}),
        ("MaxPool", (1, 1, 4, 4), {"kernel_shape": [2, 2], "auto_pad": "SOME"}),
        ("AveragePool", (1, 1, 4, 4), {"kernel_shape": [2, 2], "strides": [0, 1]}),
        ("DepthToSpace", (1, 3, 4, 4), {"blocksize": 2}),
        ("DepthToSpace", (1, 4, 4, 4), {"blocksize": 0}),
        ("SpaceToDepth", (1, 3, 5, 4), {"blocksize": 2}),
        ("ReduceMax", (2, 3), {"axes": [5]}),
        ("LRN", (1, 3, 4, 4), {"size": 0}),
    ],
)  # fmt: skip
def test_attributes_that_make_no_sense(operator, shape, attributes) -> None:
    model = onnx_model([node(operator, ["x"], ["y"], name="n", **attributes)], {"x": ("float32", shape)}, Y)
    model.graph.output[0].type.tensor_type.elem_type = int(attributes.get("to", 1))
    refused(model, kind=ModelError)


@pytest.mark.parametrize(
    "attributes",
    [
        {"strides": [0, 0]}, {"strides": [-1, 1]}, {"strides": [1]}, {"dilations": [0, 1]},
        {"group": 0}, {"group": 2}, {"group": -1}, {"pads": [1, 1]}, {"pads": [-9, -9, -9, -9]},
        {"kernel_shape": [5, 5]}, {"kernel_shape": [3]},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("operator", ["Conv", "ConvTranspose"])
def test_convolutions_that_make_no_sense(operator, attributes) -> None:
    model = onnx_model(
        [node(operator, ["x", "w"], ["y"], name="the conv", **attributes)],
        {"x": ("float32", (1, 3, 4, 4))}, Y, {"w": np.ones((3, 3, 3, 3), "float32")},
    )  # fmt: skip
    refused(model, kind=ModelError)


@pytest.mark.parametrize(
    ("operator", "operand"),
    [
        ("Reshape", [7, 7]), ("Reshape", [-1, -1]), ("Reshape", [-2, 3]), ("Reshape", [-1, 4]), ("Reshape", [2, 3, 0]),
        ("Expand", [5, 5]), ("Expand", [-2, 3]), ("Squeeze", [0]), ("Squeeze", [4]), ("Unsqueeze", [7]), ("Unsqueeze", [1, 1]),
        ("Tile", [1]), ("Tile", [-1, 2]), ("Split", [1, 3]), ("Split", [-1, 3]), ("Pad", [1]), ("Pad", [-5, 0, 0, 0]),
    ],
    ids=str,
)  # fmt: skip
def test_operands_that_make_no_sense(operator, operand) -> None:
    outputs = {"y": "float32", "z": "float32"} if operator == "Split" else Y
    model = onnx_model([node(operator, ["x", "c"], [*outputs], name="n")], X, outputs, {"c": np.array(operand)})
    refused(model, kind=ModelError)


# Types of inputs and weights.


def with_input(change: Callable[[onnx.ValueInfoProto], object]) -> onnx.ModelProto:
    model = onnx_model([node("Relu", ["x"], ["y"], name="n")], X, Y)
    change(model.graph.input[0])
    return model


def test_an_input_without_type_or_rank() -> None:
    refused(with_input(lambda i: i.ClearField("type")), kind=ModelError)
    refused(with_input(lambda i: i.type.tensor_type.ClearField("elem_type")), kind=ModelError)
    refused(with_input(lambda i: i.type.tensor_type.ClearField("shape")), "'x'", "shapes=", kind=ModelError)


@pytest.mark.parametrize("kind", [TensorProto.STRING, TensorProto.COMPLEX64, 99, -1])
def test_an_input_of_what_is_not_compiled(kind) -> None:
    model = onnx_model([node("Identity", ["x"], ["y"], name="n")], X, Y)
    for value in (model.graph.input[0], model.graph.output[0]):
        value.type.tensor_type.elem_type = kind
    refused(model, kind=ModelError)


def test_an_input_that_is_no_tensor() -> None:
    model = onnx_model([node("SequenceAt", ["x", "i"], ["y"], name="n")], X, Y, {"i": np.array(0)})
    model.graph.input[0].CopyFrom(helper.make_tensor_sequence_value_info("x", TensorProto.FLOAT, (2, 3)))
    refused(model, "input 'x' is a sequence; only tensors are compiled", kind=UnsupportedModelError)


def test_negative_dimensions() -> None:
    def negative(info: onnx.ValueInfoProto) -> None:
        info.type.tensor_type.shape.dim[1].dim_value = -3

    refused(with_input(negative), "'x'", "-3")


@pytest.mark.parametrize("size", [2**31, 2**62, 2**63 - 1])
def test_huge_dimensions_do_not_crash(size) -> None:
    model = onnx_model([node("Relu", ["x"], ["y"], name="n")], {"x": ("float32", (size, 4))}, Y)
    try:
        import_model(model)
    except ModelError:
        pass


def weights(**fields: object) -> onnx.ModelProto:
    model = onnx_model([node("Add", ["x", "w"], ["y"], name="n")], X, Y)
    model.graph.initializer.append(TensorProto(**{"name": "w", "dims": [3], "data_type": 1, "raw_data": bytes(12), **fields}))
    return model


@pytest.mark.parametrize(
    "fields",
    [
        {"raw_data": bytes(8)}, {"raw_data": bytes(11)}, {"raw_data": bytes(16)}, {"dims": [-3]}, {"dims": [2**40, 2**40]},
        {"dims": [4]}, {"dims": [2, 4]}, {"data_type": 0}, {"data_type": 99}, {"data_type": 7}, {"float_data": [1, 2, 3]},
        {"raw_data": b"", "float_data": [1, 2]}, {"raw_data": b""},
    ],
    ids=str,
)  # fmt: skip
def test_weights_that_are_no_tensor(fields) -> None:
    refused(weights(**fields), kind=ModelError)


def test_large_weights_that_are_no_tensor() -> None:
    refused(weights(dims=[1000, 3], raw_data=bytes(4000)), "'w'")


# Weights in other files.


def external(folder: Path, location: str, **more: object) -> Path:
    """Write a model whose weights lie elsewhere."""
    model = onnx_model([node("Add", ["x", "w"], ["y"], name="n")], X, Y)
    entries = {"location": location, **more}
    tensor = TensorProto(name="w", dims=[3], data_type=1, data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=str(value))
    model.graph.initializer.append(tensor)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    return folder / "m.onnx"


@pytest.fixture
def folder(tmp_path) -> Path:
    """A model's folder, a file in it and one outside of it."""
    (tmp_path / "model" / "data").mkdir(parents=True)
    numbers = np.arange(3, dtype="float32").tobytes()
    for name in ("secret", "model/w.bin", "model/data/w.bin"):
        (tmp_path / name).write_bytes(numbers)
    return tmp_path / "model"


@pytest.mark.parametrize("location", ["w.bin", "data/w.bin", "./w.bin", "data/../w.bin"])
def test_external_data_is_read(folder, location) -> None:
    assert import_model(external(folder, location)).outputs[0].shape == (2, 3)


def test_external_data_in_a_subfolder_with_offset(folder) -> None:
    (folder / "w.bin").write_bytes(bytes(100))
    import_model(external(folder, "w.bin", offset=88, length=12))
    for offset, length in ((96, 12), (200, 12), (0, 101), (88, 8), (0, "")):
        refused(external(folder, "w.bin", offset=offset, length=length), "tensor 'w'")
    for wrong in ("-4", "1e3", "0x10", "many", "٣"):
        refused(external(folder, "w.bin", offset=wrong), "tensor 'w'", "offset", "is no number of bytes")


@pytest.mark.parametrize("location", ["../secret", "data/../../secret", "/etc/passwd", "../model2/w.bin"])
def test_external_data_outside_of_the_folder(folder, location) -> None:
    refused(external(folder, location), "tensor 'w' lies in", location, "which leaves the model's folder")


def test_external_data_by_its_absolute_path(folder) -> None:
    refused(external(folder, str(folder / "w.bin")), "leaves the model's folder")


def test_external_data_behind_a_link(folder) -> None:
    (folder / "link").symlink_to("../secret")
    (folder / "out").symlink_to("..")
    refused(external(folder, "link"), "which leaves the model's folder")
    refused(external(folder, "out/secret"), "which leaves the model's folder")
    (folder / "loop").symlink_to("loop")
    refused(external(folder, "loop"), "'w'")


def test_a_link_within_the_folder_is_followed(folder) -> None:
    (folder / "link").symlink_to("data/w.bin")
    import_model(external(folder, "link"))


def test_missing_external_data(folder) -> None:
    refused(external(folder, "none.bin"), "tensor 'w' lies in 'none.bin'", "no such file")
    refused(external(folder, "data"), "tensor 'w'", "no such file")
    refused(external(folder, ""), "tensor 'w'", "none is named")
    refused(external(folder, "a\0b"), "tensor 'w'", "no file can be called")
    refused(external(folder, "n" * 300), "tensor 'w'")


@pytest.mark.parametrize("size", [0, 8, 11])
def test_external_data_that_is_too_short(folder, size) -> None:
    (folder / "w.bin").write_bytes(bytes(size))
    refused(external(folder, "w.bin"), "'w'")
    refused(external(folder, "w.bin", length=12), "tensor 'w'", f"which has {size}")


def test_external_data_of_a_model_without_a_folder(folder) -> None:
    model = onnx.load(external(folder, "w.bin"), load_external_data=False)
    refused(model, "'w'", "lie in another file", "load it with onnx.load", kind=ModelError)
    refused(model.SerializeToString(), "'w'", "pass the path", kind=ModelError)


def test_external_data_of_an_attribute(folder) -> None:
    tensor = TensorProto(name="w", dims=[3], data_type=1, data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="../secret")
    model = onnx_model([node("Constant", [], ["c"], name="k", value=tensor), node("Add", ["x", "c"], ["y"])], X, Y)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    refused(folder / "m.onnx", "leaves the model's folder")


# Many wrong models, in one process: a crash is a signal, and shows.

FUZZ = """
import collections, json, resource, traceback
from pathlib import Path
from tvmfuse.errors import TvmfuseError
from tvmfuse.frontend import import_model

resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))  # a MemoryError, not the whole machine
seen = collections.Counter()
for path in sorted(Path(sys.argv[1]).iterdir()):
    print(path.name, flush=True, file=sys.stderr)
    try:
        import_model(path.read_bytes())
    except TvmfuseError as error:
        said = str(error)
        assert said and "Traceback" not in said and "InternalError" not in said, said
        seen[type(error).__name__] += 1
    except BaseException:
        traceback.print_exc()
        seen["escaped"] += 1
    else:
        seen["imported"] += 1
print(json.dumps(seen))
"""


def survives(models: list[bytes], folder: Path) -> dict[str, int]:
    """Import models one after the other; return how many ended how."""
    for i, model in enumerate(models):
        (folder / f"{i:03}").write_bytes(model)
    process = python(FUZZ, folder)
    counts = json.loads(succeeds(process).splitlines()[-1])
    assert sum(counts.values()) == len(models)
    assert "escaped" not in counts, process.stderr
    return counts


def test_truncated_models(tmp_path) -> None:
    data = small_model().SerializeToString()
    rng = np.random.default_rng(0)
    lengths = sorted({*range(1, 40), *rng.integers(40, len(data), 60).tolist()})
    counts = survives([data[:length] for length in lengths], tmp_path)
    assert counts["MalformedModelError"] >= len(lengths) - 5  # only opset and metadata come last


@pytest.mark.parametrize("seed", range(2))
def test_models_with_flipped_bits(tmp_path, seed) -> None:
    rng = np.random.default_rng(seed)
    data = np.frombuffer(small_model().SerializeToString(), np.uint8)
    weights = numpy_helper.to_array(small_model().graph.initializer[-1]).tobytes()
    start = data.tobytes().find(weights)
    places = np.r_[0:start, start + len(weights) : len(data)]  # bits of weights are only numbers
    models = []
    for _ in range(150):
        wrong = data.copy()
        for place in rng.choice(places, rng.integers(1, 4)):
            wrong[place] ^= 1 << rng.integers(8)
        models.append(wrong.tobytes())
    counts = survives(models, tmp_path)
    assert len(counts) > 1


def test_models_with_shuffled_fields(tmp_path) -> None:
    """Fields that are each well-formed, and do not belong together."""
    rng = np.random.default_rng(2)
    models = []
    for _ in range(150):
        model = small_model()
        for _ in range(rng.integers(1, 3)):
            _mutate(model, rng)
        models.append(model.SerializeToString())
    survives(models, tmp_path)


def _mutate(model: onnx.ModelProto, rng: np.random.Generator) -> None:
    graph = model.graph
    nodes, other = graph.node, graph.node[rng.integers(len(graph.node))]
    chosen = nodes[rng.integers(len(nodes))]
    names = [name for n in nodes for name in (*n.input, *n.output)]
    match rng.integers(9):
        case 0:
            chosen.op_type = other.op_type
        case 1:
            chosen.input[rng.integers(len(chosen.input))] = rng.choice(names)
        case 2:
            chosen.output[0] = str(rng.choice(names))
        case 3:
            chosen.attribute.extend(other.attribute)
        case 4:
            del chosen.input[-1]
        case 5:
            nodes.remove(chosen)
        case 6:
            tensor = graph.initializer[rng.integers(len(graph.initializer))]
            tensor.CopyFrom(numpy_helper.from_array(rng.integers(-9, 9, rng.integers(0, 5)), tensor.name))
        case 7:
            graph.input[0].type.tensor_type.shape.dim[rng.integers(4)].dim_value = int(rng.integers(-2, 9))
        case 8:
            graph.input[0].type.tensor_type.elem_type = int(rng.integers(0, 24))


def test_a_deep_model_does_not_exhaust_the_stack(tmp_path) -> None:
    nodes = [node("Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(3000)]
    model = onnx_model(nodes, {"v0": ("float32", (2,))}, {"v3000": "float32"})
    survives([model.SerializeToString()], tmp_path)


def test_deeply_nested_branches_do_not_exhaust_the_stack(tmp_path) -> None:
    def nested(depth: int) -> onnx.NodeProto:
        inner = nested(depth - 1) if depth else node("Relu", ["x"], ["o0"])
        out = [helper.make_tensor_value_info(f"o{depth}", TensorProto.FLOAT, None)]
        graph = helper.make_graph([inner], f"g{depth}", [], out)
        return node("If", ["c"], [f"o{depth + 1}"], then_branch=graph, else_branch=graph)

    model = onnx_model([nested(8)], X | {"c": ("bool", ())}, {"o9": "float32"})
    survives([model.SerializeToString()], tmp_path)


def test_a_model_proto_is_left_as_it_was() -> None:
    model = small_model()
    before = model.SerializeToString(deterministic=True)
    import_model(model)
    assert model.SerializeToString(deterministic=True) == before
