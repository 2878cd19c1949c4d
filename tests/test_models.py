"""The models of bench/models: what they are made of, that they run, and that their numbers can fail."""

from __future__ import annotations

import importlib.metadata
import socket
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import numpy_helper
from reference import assert_agrees, reference
from zoo import EXPORTERS, EXPORTS, KINDS, save_external

from bench import export, models
from bench.light_models import FOLDER, LIGHT, light_inputs, light_model
from bench.models import MODELS, inputs, onnx_file

pytestmark = pytest.mark.sampled(5)

CONVOLUTIONAL = ("resnet18", "resnet50", "mobilenetv2")

# The operators of each export. The reduced size has to have them; so has, in the zoo, the full one.
_POOL = {"classic": {"Flatten", "GlobalAveragePool"}, "dynamo": {"ReduceMean", "Reshape"}}
_RESNET = {"Add", "Conv", "Gemm", "MaxPool", "Relu"}
_MOBILENET = {"Add", "Clip", "Conv", "Gemm"}
_PADS = {"Cast", "Concat", "Constant", "ConstantOfShape", "Pad", "Reshape", "Slice", "Transpose"}
_ATTENTION = {"Add", "Gather", "Gemm", "LayerNormalization", "MatMul", "Mul", "Reshape",
              "Softmax", "Transpose", "Where"}  # fmt: skip
_MASK = {"And", "Cast", "IsNaN", "Tanh"}
_SHAPES = {"Concat", "Constant", "ConstantOfShape", "Equal", "Expand", "Shape"}
_CAUSAL = {"Pow", "Split"}
OPERATORS = {
    ("resnet18", "classic"): _RESNET | _POOL["classic"],
    ("resnet18", "dynamo"): _RESNET | _POOL["dynamo"],
    ("resnet50", "classic"): _RESNET | _POOL["classic"],
    ("resnet50", "dynamo"): _RESNET | _POOL["dynamo"],
    ("mobilenetv2", "classic"): _MOBILENET | _PADS | _POOL["classic"],
    ("mobilenetv2", "dynamo"): _MOBILENET | _POOL["dynamo"],
    ("bert", "classic"): _ATTENTION | _MASK | _SHAPES | {"Div", "Erf", "Flatten", "GreaterOrEqual"},
    ("bert", "dynamo"): _ATTENTION | _MASK | {"GatherND", "Gelu"},
    ("gpt2", "classic"): _ATTENTION | _MASK | _SHAPES | _CAUSAL | {"Flatten", "LessOrEqual"},
    ("gpt2", "dynamo"): _ATTENTION | _MASK | _CAUSAL | {"GatherND"},
    ("vit", "classic"): _ATTENTION | _SHAPES | {"Conv", "Div", "Erf", "Slice"},
    ("vit", "dynamo"): _ATTENTION | {"Concat", "Conv", "Gelu", "IsNaN"},
}

# Nodes but for Constants of the full size, by the classic exporter from an untrained model.
NODES = {"resnet18": 65, "resnet50": 169, "mobilenetv2": 555, "bert": 619, "gpt2": 640, "vit": 556}

# Hundreds of megabytes to draw and to load: with the zoo.
HEAVY = ("bvlc_alexnet", "vgg19", "zfnet512")


def operators(model: Path | onnx.ModelProto) -> Counter[str]:
    model = onnx.load(model) if isinstance(model, Path) else model
    return Counter(node.op_type for node in model.graph.node)


def kinds_of_convolution(file: Path) -> set[tuple[object, ...]]:
    """Filter size, strides, pads, and whether depthwise."""
    graph = onnx.load(file).graph
    filters = {tensor.name: tensor.dims[0] for tensor in graph.initializer if tensor.dims}
    kinds = set()
    for node in graph.node:
        if node.op_type == "Conv":
            has = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            size = (tuple(has[key]) for key in ("kernel_shape", "strides", "pads"))
            kinds.add((*size, has["group"] == filters[node.input[1]]))
    return kinds


def difference(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> float:
    """The smallest over the outputs of the largest difference, relative to the magnitude of `a`."""
    return min(float(np.abs(a[name] - b[name]).max() / np.abs(a[name]).max()) for name in a)


@pytest.mark.parametrize(("name", "exporter"), EXPORTS)
class TestExports:
    def test_has_the_operators_of_the_full_size(
        self, name: Any, exporter: Any, exported: Any
    ) -> None:
        assert set(operators(exported(name, exporter))) == OPERATORS[name, exporter]

    @pytest.mark.zoo
    def test_the_full_size_has_the_operators_of_the_reduced_one(
        self, name: Any, exporter: Any, exported: Any
    ) -> None:
        full = exported(name, exporter, "full")
        assert set(operators(full)) == OPERATORS[name, exporter]
        if name in CONVOLUTIONAL:
            assert kinds_of_convolution(full) == kinds_of_convolution(exported(name, exporter))

    def test_is_valid_and_states_its_opset(self, name: Any, exporter: Any, exported: Any) -> None:
        model = onnx.load(exported(name, exporter))
        onnx.checker.check_model(model, full_check=True)
        (opset,) = model.opset_import
        assert opset.domain == ""
        assert opset.version == 17 if exporter == "classic" else opset.version >= 18

    def test_outputs_are_finite_and_depend_on_the_input(
        self, name: Any, exporter: Any, exported: Any
    ) -> None:
        file = exported(name, exporter)
        first, second = (reference(file, inputs(name, seed=seed)) for seed in (0, 1))
        assert list(first) == list(MODELS[name].outputs)
        assert all(np.isfinite(array).all() for array in first.values())
        assert difference(first, second) > 0.1


@pytest.mark.parametrize("name", KINDS)
class TestModels:
    def test_both_exporters_write_the_same_function(self, name: Any, exported: Any) -> None:
        classic, dynamo = (reference(exported(name, each), inputs(name)) for each in EXPORTERS)
        assert_agrees(dynamo, classic)

    def test_equal_seeds_give_equal_files(self, name: Any, exported: Any, tmp_path: Path) -> None:
        file = tmp_path / "again.onnx"
        MODELS[name].export(file, size="reduced")
        assert file.read_bytes() == exported(name).read_bytes()

    def test_another_seed_gives_another_function(self, name: Any, exported: Any) -> None:
        first, second = (reference(exported(name, seed=s), inputs(name)) for s in (0, 1))
        assert difference(first, second) > 0.1

    def test_is_built_without_the_network(self, name: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: Any) -> None:
            pytest.fail("a model reached for the network")

        monkeypatch.setattr(socket.socket, "connect", refuse)
        MODELS[name].module("reduced")

    @pytest.mark.zoo
    def test_has_the_nodes_that_are_quoted(self, name: Any, exported: Any) -> None:
        count = operators(exported(name, size="full", weights="initial"))
        assert count.total() - count["Constant"] == NODES[name]


class TestInputs:
    @pytest.mark.parametrize("name", MODELS)
    def test_equal_seeds_give_equal_inputs(self, name: Any) -> None:
        first, same, other = (inputs(name, seed=seed) for seed in (0, 0, 1))
        assert all(np.array_equal(first[key], same[key]) for key in first)
        assert not all(np.array_equal(first[key], other[key]) for key in first)

    def test_a_text_has_ids_in_range_and_padding(self) -> None:
        feeds = MODELS["bert"].inputs("full", batch=3)
        assert {(array.dtype.name, array.shape) for array in feeds.values()} == {
            ("int64", (3, 128))
        }
        assert 0 <= feeds["input_ids"].min() <= feeds["input_ids"].max() < 30522
        assert feeds["attention_mask"].sum(axis=1).tolist() == [96, 96, 96]
        assert set(feeds["token_type_ids"].ravel()) == {0, 1}

    def test_an_image_is_float32(self) -> None:
        (image,) = MODELS["vit"].inputs("full", batch=2).values()
        assert (image.dtype.name, image.shape) == ("float32", (2, 3, 224, 224))


@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize(
    ("name", "symbols"), [("resnet18", ["batch"]), ("bert", ["batch", "sequence"])]
)
class TestDynamicExports:
    @pytest.mark.sampled(3)
    def test_have_symbols_and_the_same_numbers(
        self, name: Any, symbols: Any, exporter: Any, exported: Any
    ) -> None:
        dynamic, feeds = exported(name, exporter, dynamic=True), inputs(name)
        assert_agrees(reference(dynamic, feeds), reference(exported(name, exporter), feeds))
        for value in onnx.load(dynamic).graph.input:
            dims = value.type.tensor_type.shape.dim
            assert [dim.dim_param for dim in dims if dim.dim_param] == symbols

    def test_a_batch_is_its_items_one_by_one(
        self, name: Any, symbols: Any, exporter: Any, exported: Any
    ) -> None:
        file = exported(name, exporter, dynamic=True)
        extent = 9 if "sequence" in symbols else None
        feeds = MODELS[name].inputs("reduced", batch=7, extent=extent)
        each = [reference(file, {key: a[i : i + 1] for key, a in feeds.items()}) for i in range(7)]
        joined = {key: np.concatenate([one[key] for one in each]) for key in each[0]}
        assert_agrees(reference(file, feeds), joined)


@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("name", ["resnet18", "bert"])
@pytest.mark.sampled(3)
def test_a_fixed_batch_has_the_numbers_of_the_symbolic_one(
    name: str, exporter: Any, exported: Any
) -> None:
    fixed, feeds = exported(name, exporter, batch=3), MODELS[name].inputs("reduced", batch=3)
    assert_agrees(reference(fixed, feeds), reference(exported(name, exporter, dynamic=True), feeds))
    for value in onnx.load(fixed).graph.input:
        assert value.type.tensor_type.shape.dim[0].dim_value == 3


@pytest.mark.parametrize(
    ("name", "exporter"),
    [("resnet18", "classic"), ("resnet18", "dynamo"), ("mobilenetv2", "classic")],
)
@pytest.mark.sampled(4)
def test_unfolded_exports_keep_the_batch_norms_and_the_numbers(
    name: str, exporter: str, exported: Any
) -> None:
    unfolded = exported(name, exporter, folded=False)
    count = operators(unfolded)
    assert count["BatchNormalization"] == count["Conv"]
    feeds = inputs(name)
    assert_agrees(reference(unfolded, feeds), reference(exported(name, exporter), feeds))


def test_batch_norms_carry_statistics_and_scales_that_matter(exported: Any) -> None:
    graph = onnx.load(exported("resnet18", folded=False)).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    norms = [node for node in graph.node if node.op_type == "BatchNormalization"]
    for norm in norms:
        constants = [stored[name] for name in norm.input[1:]]
        assert all(np.ptp(array) > 0 for array in constants)
        assert constants[3].min() > 0, "a variance"


def test_the_upper_bound_of_relu6_is_reached(exported: Any) -> None:
    model = onnx.load(exported("mobilenetv2"))
    clipped = [node.output[0] for node in model.graph.node if node.op_type == "Clip"]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in clipped)
    found = reference(model, inputs("mobilenetv2"))
    assert sum((found[name] == 6.0).any() for name in clipped) > len(clipped) / 2


def test_an_untrained_model_shares_its_zeros_through_identity_nodes(exported: Any) -> None:
    assert operators(exported("resnet18", weights="initial"))["Identity"] > 0
    assert operators(exported("resnet18"))["Identity"] == 0


class TestCache:
    def test_makes_a_file_once_and_leaves_nothing_else(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = onnx_file("resnet18", cache_dir=tmp_path)
        assert list(tmp_path.iterdir()) == [first]
        monkeypatch.setattr(models.Model, "export", lambda *_, **__: pytest.fail("made again"))
        assert onnx_file("resnet18", cache_dir=tmp_path) == first

    def test_tells_arguments_and_versions_apart(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(models.Model, "export", lambda _, path, *__, **___: path.touch())
        asked: tuple[dict[str, Any], ...] = (
            {}, {"exporter": "dynamo"}, {"size": "full"}, {"dynamic": True}, {"folded": False},
            {"batch": 2}, {"weights": "initial"}, {"seed": 1},
        )  # fmt: skip
        files = {onnx_file("resnet18", cache_dir=tmp_path, **options) for options in asked}
        monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.0")
        files.add(onnx_file("resnet18", cache_dir=tmp_path))
        assert len(files) == len(asked) + 1

    def test_holds_nothing_of_a_failed_export(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(_: Any, path: Any, *__: Any, **___: Any) -> None:
            path.write_bytes(b"half")
            raise RuntimeError("interrupted")

        monkeypatch.setattr(models.Model, "export", fail)
        with pytest.raises(RuntimeError, match="interrupted"):
            onnx_file("resnet18", cache_dir=tmp_path)
        assert list(tmp_path.iterdir()) == []


def test_external_data_keeps_the_numbers(exported: Any, tmp_path: Path) -> None:
    file = save_external(exported("resnet18"), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {file.name, "weights.bin"}
    assert file.stat().st_size < 64_000 < (tmp_path / "weights.bin").stat().st_size
    feeds = inputs("resnet18")
    assert assert_agrees(reference(file, feeds), reference(exported("resnet18"), feeds)) == 0


def test_exports_print_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    MODELS["mobilenetv2"].export(tmp_path / "model.onnx", size="reduced")
    assert capfd.readouterr() == ("", "")


def test_the_command_line_lists_and_writes(exported: Any, tmp_path: Path) -> None:
    listing = CliRunner().invoke(export.main, ["--list"])
    assert listing.exit_code == 0
    assert [line.split()[0] for line in listing.output.splitlines()] == list(MODELS)
    file = tmp_path / "model.onnx"
    written = CliRunner().invoke(export.main, ["vit", "--size", "reduced", "-o", str(file)])
    assert written.exit_code == 0, written.output
    assert file.read_bytes() == exported("vit").read_bytes()


class TestLightModels:
    def test_are_all_that_the_onnx_package_ships(self) -> None:
        assert {file.stem for file in FOLDER.glob("*.onnx")} == {f"light_{name}" for name in LIGHT}

    @pytest.mark.parametrize(
        "name", [pytest.param(n, marks=[pytest.mark.zoo] if n in HEAVY else []) for n in LIGHT]
    )
    def test_outputs_are_spread_and_depend_on_the_input(self, name: Any) -> None:
        model = light_model(name)
        count = operators(model)
        assert count["ConstantOfShape"] == 0
        first, second = (reference(model, light_inputs(model, seed)) for seed in (0, 1))
        (scores,) = first.values()
        assert np.isfinite(scores).all()
        assert difference(first, second) > 0.02
        if count["Softmax"]:
            assert 2 / scores.size < scores.max() < 0.9

    def test_equal_seeds_give_equal_models(self) -> None:
        one, same, other = (light_model("squeezenet", seed) for seed in (0, 0, 1))
        assert one == same
        assert one != other
        onnx.checker.check_model(one, full_check=True)
