"""PyTorch modules through `tvmfuse.compile`: numbers, names, symbolic sizes, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch_modules import Calls, compiled_as_eager
from transformers import GPT2Config, GPT2LMHeadModel

import tvmfuse
from tvmfuse.errors import ConfigurationError, LimitExceededError, UnsupportedModelError
from tvmfuse.frontend.torch import graph

BATCH = torch.export.Dim("batch", min=2, max=64)
LENGTH = torch.export.Dim("length", min=2, max=128)


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def small_cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, groups=8, stride=2, padding=1), nn.SiLU(), nn.AdaptiveAvgPool2d(1),
        nn.Flatten(), nn.Linear(8, 5),
    )  # fmt: skip


@pytest.mark.parametrize("level", ["none", "all"])
def test_a_network_of_convolutions(level: str) -> None:
    artifact = compiled_as_eager(small_cnn(), torch.randn(2, 3, 9, 11), level=level)
    assert [i.name for i in artifact.manifest.inputs] == ["input"]
    assert [o.name for o in artifact.manifest.outputs] == ["output"]


def test_the_same_passes_run_as_on_onnx() -> None:
    artifact = compiled_as_eager(small_cnn(), torch.randn(1, 3, 8, 8))
    fired = {p.name for p in artifact.report.passes if p.fired}
    assert {"ConvBNFusion", "FuseOps"} <= fired
    without = compiled_as_eager(
        small_cnn(), torch.randn(1, 3, 8, 8), disabled_pass=["FuseOps", "ConvBNFusion"]
    )
    assert len(without.manifest.kernels) > len(artifact.manifest.kernels)


def test_an_encoder_of_any_batch_and_length() -> None:
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, activation="gelu")
    others = [(torch.randn(5, 13, 32),), (torch.randn(2, 2, 32),)]
    artifact = compiled_as_eager(
        layer, torch.randn(3, 7, 32), others=others, dynamic_shapes=({0: BATCH, 1: LENGTH},)
    )
    (spec,) = artifact.manifest.inputs
    assert spec.shape == ("batch", "length", 32)
    assert spec.max_sizes == (64, 128, None)
    fixed = tvmfuse.compile(
        layer, example_inputs=(torch.randn(3, 7, 32),), dims={"batch": 4},
        dynamic_shapes=({0: BATCH, 1: LENGTH},),
    )  # fmt: skip
    assert fixed.manifest.inputs[0].shape == (4, "length", 32)


def test_gpt2_with_names_and_a_mask() -> None:
    config = GPT2Config(n_layer=1, n_head=2, n_embd=16, vocab_size=50, n_positions=32)
    model: nn.Module = GPT2LMHeadModel(config)
    model.eval()
    ids = torch.randint(0, 50, (2, 6))
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}

    class Logits(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> dict[str, torch.Tensor]:
            made = self.model(input_ids, attention_mask=attention_mask, use_cache=False)
            return {"logits": made.logits}

    artifact = tvmfuse.compile(Logits().eval(), example_inputs=inputs, strict=True)
    found = artifact.load()({name: tensor.numpy() for name, tensor in inputs.items()})
    with torch.no_grad():
        wanted = model(**inputs).logits
    np.testing.assert_allclose(found["logits"], wanted.numpy(), rtol=1e-4, atol=1e-5)


def test_an_exported_program(tmp_path: Path) -> None:
    x = torch.randn(2, 3, 8, 8)
    module = small_cnn().eval()
    program = torch.export.export(module, (x,))
    tvmfuse.compile(program).save(tmp_path / "m.so")
    found = tvmfuse.load(tmp_path / "m.so")(input=x.numpy())["output"]
    with torch.no_grad():
        np.testing.assert_allclose(found, module(x).numpy(), rtol=1e-5, atol=1e-6)


def test_unnamed_results_have_numbers() -> None:
    artifact = compiled_as_eager(lambda x, y: (x + y, [x * y]), torch.ones(2), torch.ones(2))
    assert [o.name for o in artifact.manifest.outputs] == ["output_0", "output_1_0"]


def test_refused_operators_are_all_named() -> None:
    with pytest.raises(UnsupportedModelError, match="2 nodes cannot be compiled") as error:
        tvmfuse.compile(
            Calls(lambda x: torch.special.airy_ai(x) + torch.igamma(x, x)),
            example_inputs=(torch.eye(2),),
        )
    assert "aten.special_airy_ai.default ('special_airy_ai')" in str(error.value)
    assert "aten.igamma.default ('igamma')" in str(error.value)


def test_a_conversion_that_fails_is_said_to_be_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: Any) -> Any:
        raise ValueError("no answer\nat all")

    monkeypatch.setitem(vars(graph)["CONVERTERS"], torch.ops.aten.relu.default, fails)
    words = (
        r"aten.relu.default \('relu'\): its conversion of float32\[2\] failed, a defect of tvmfuse: "
        r"please report it with the model \(ValueError: no answer\)$"
    )
    with pytest.raises(UnsupportedModelError, match=words):
        tvmfuse.compile(nn.ReLU(), example_inputs=(torch.ones(2),))


def test_what_writes_is_refused() -> None:
    with pytest.raises(UnsupportedModelError, match="writes to 'tensors_0'"):
        tvmfuse.compile(Calls(lambda x: x.add_(1)), example_inputs=(torch.ones(2),))
    with pytest.raises(UnsupportedModelError, match=r"export the module in eval\(\)"):
        tvmfuse.compile(nn.BatchNorm2d(3), example_inputs=(torch.ones(2, 3, 4, 4),))


def test_what_torch_does_not_export() -> None:
    def branches(x: torch.Tensor) -> torch.Tensor:
        return x + 1 if x.sum() > 0 else x

    with pytest.raises(UnsupportedModelError, match=r"torch.export.export cannot export"):
        tvmfuse.compile(Calls(branches), example_inputs=(torch.ones(2),))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "a module takes example inputs"),
        ({"example_inputs": np.ones(2)}, r"takes the arguments in a tuple.*; found ndarray"),
        ({"example_inputs": (torch.ones(2),), "fallback": "onnxruntime"}, "is for ONNX models"),
        ({"example_inputs": (torch.ones(2),), "shapes": {"x": (2,)}}, "shapes= is for ONNX models"),
        ({"example_inputs": (torch.ones(2),), "dims": {"n": 2}}, "no symbolic dimension 'n'"),
        (
            {
                "example_inputs": (torch.ones(3, 2),),
                "dynamic_shapes": (({0: BATCH},),),
                "dims": {"batch": 100},
            },
            "'batch' is to be 100",
        ),
    ],
)
def test_wrong_requests(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        tvmfuse.compile(Calls(lambda x: x + 1), **options)


def test_example_inputs_are_for_modules(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="are for PyTorch modules"):
        tvmfuse.compile(str(tmp_path / "m.onnx"), example_inputs=(torch.ones(2),))
    program = torch.export.export(Calls(lambda x: x + 1), (torch.ones(2),))
    with pytest.raises(ConfigurationError, match="give them to torch.export.export"):
        tvmfuse.compile(program, example_inputs=(torch.ones(2),))


def test_limits_hold() -> None:
    with pytest.raises(LimitExceededError):
        tvmfuse.compile(
            Calls(lambda x: x + 1), example_inputs=(torch.ones(200),), limits={"elements": 100}
        )


def test_an_artifact_keeps_the_weights_that_it_was_compiled_with() -> None:
    class Scales(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.rand(1024))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.weight

    module, x = Scales(), torch.randn(1024)
    artifact = tvmfuse.compile(module.eval(), example_inputs=(x,))
    with torch.no_grad():
        wanted = module(x).numpy().copy()
        model = artifact.load()
        module.weight.zero_()
    np.testing.assert_allclose(model(x=x.numpy())["output"], wanted, rtol=1e-5, atol=1e-6)


def test_a_weight_that_is_transposed_does_not_count() -> None:
    """A linear layer's matrix is stored the other way round: eight times the weights are free."""
    linear = nn.Linear(16, 32)
    limits = {"constant_bytes": 1}
    compiled_as_eager(linear, torch.randn(3, 16), level="none", limits=limits)
    module, x = Calls(lambda x: x + torch.ones(64, 64)), torch.randn(3, 1, 1)
    with pytest.raises(LimitExceededError, match="constant_bytes=1"):
        tvmfuse.compile(module, example_inputs=(x,), limits=limits)


def test_a_constant_that_is_a_result_and_an_operand() -> None:
    """A pass may not read it by the name that it has as a result, which comes last."""

    class Biased(nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            bias = torch.arange(3.0) * torch.ones(2, 1)
            return (x + bias).softmax(-1), bias

    artifact = compiled_as_eager(Biased(), torch.randn(2, 3))
    assert len(artifact.manifest.kernels) == 1
