"""manifest: what it holds comes through JSON, and no TVM is imported for it."""

import dataclasses
import json
from typing import Any

import pytest
from relax_models import python, succeeds

from tvmfuse.manifest import Kernel, Manifest, Part, PartNode, Work
from tvmfuse.tensor_spec import TensorSpec

FULL = Manifest(
    name="größe",
    inputs=(TensorSpec("x", "float32", ("batch", 3), (2, 0)), TensorSpec("scalar", "int64", ())),
    outputs=(TensorSpec("y", "bfloat16", (0, 7)),),
    overridable=(TensorSpec("k", "float16", (3,)),),
    level="extended",
    passes_ran=("ConstantFolding", "FuseOps"),
    passes_disabled=("ConvBNFusion",),
    steps_disabled=("Prefetch",),
    specialized=({"batch": 4},),
    kernels=(
        Kernel(
            "fused_conv2d",
            ("conv_1", "relu_1"),
            "direct",
            Work(("*", "batch", 8), ("+", 4, ("*", "batch", 2))),
            {"schedule": "conv", "steps": ["Threads"], "nests": []},
            "0123456789abcdef",
        ),
        Kernel("sort", ("sort",), "as_written", Work(None, 16)),
        Kernel("older", ("old",), "direct"),
    ),
    shared={"y": "x"},
    opset=17,
    metadata={"producer_name": "pytorch", "custom": {"a": "b"}},
    target='{"kind":"llvm"}',
    targets=('{"kind":"llvm"}',),
    machine={"name": "zen3", "isa": "avx2", "l2_bytes": 524288},
    calibration={"fma_ns": 0.15},
    cpu_features=("avx2", "fma"),
    versions={"apache-tvm": "0.27.0"},
    sha256="ab" * 32,
    parts=(
        Part("onnxruntime", (PartNode("det", "Det", "no converter"),), ("x",), ("d",)),
        Part("tvmfuse", (PartNode("relu", "Relu"),), ("d",), ("y",)),
    ),
)


@pytest.mark.parametrize("manifest", [FULL, Manifest("m", (), ())], ids=["full", "smallest"])
def test_comes_back_from_json(manifest: Any) -> None:
    assert Manifest.from_json(json.loads(json.dumps(manifest.to_json()))) == manifest


def test_kernels_written_before_their_work_was_counted_have_none() -> None:
    fields = json.loads(json.dumps(FULL.to_json()))
    for kernel in fields["kernels"]:
        del kernel["work"]
    assert [(k.symbol, k.work) for k in Manifest.from_json(fields).kernels] == [
        ("fused_conv2d", None), ("sort", None), ("older", None),
    ]  # fmt: skip


def test_what_another_engine_computes_is_handed_over() -> None:
    assert FULL.handed_over == (PartNode("det", "Det", "no converter"),)


def test_every_field_of_the_example_is_set() -> None:
    for field in dataclasses.fields(Manifest):
        assert getattr(FULL, field.name), field.name


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"name": 3}, "Expected `str`, got `int` - at `$.name`"),
        ({"inputs": None}, "Expected `array`, got `null`"),
        ({"inputs": [{"name": "x", "dtype": "float32", "shape": [True]}]}, "got `bool`"),
        ({"opset": 17.5}, "got `float` - at `$.opset`"),
        ({"kernels": [{"symbol": "f", "nodes": ["n"]}]}, "missing required field `schedule`"),
        ({"versions": {"tvmfuse": 1}}, "Expected `str`, got `int`"),
    ],
)
def test_fields_of_other_types_are_refused(changed: Any, words: str) -> None:
    with pytest.raises(ValueError, match="not a manifest") as error:
        Manifest.from_json({**FULL.to_json(), **changed})
    assert words in str(error.value)


@pytest.mark.parametrize("fields", [{}, [1], None, "manifest"], ids=str)
def test_what_is_no_manifest_is_refused(fields: Any) -> None:
    with pytest.raises(ValueError, match="not a manifest"):
        Manifest.from_json(fields)


def test_needs_neither_tvm_nor_numpy() -> None:
    code = (
        "import tvmfuse.format.file\n"
        "assert not {'tvm', 'tvm_ffi', 'numpy', 'onnx'} & sys.modules.keys()"
    )
    succeeds(python(code))
