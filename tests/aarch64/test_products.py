"""Products by the instructions of newer CPUs: bytes to the last bit, bfloat16 to its precision."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from aarch64.agreement import assert_close
from aarch64.emulated import Emulator
from graphs import onnx_model
from onnx import helper
from onnx.reference import ReferenceEvaluator
from reference import reference

import tvmfuse
from bench.models import MODELS

N1 = "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1"

#: By what multiplies bytes: a target.
TARGETS = {"sdot": "neoverse-n1", "usdot": f"{N1} -mattr=+i8mm", "smlal": "cortex-a57"}

BFLOAT16 = 2e-2
"""How far precision="bf16" may be from float32, of an output's largest magnitude."""

FROM_X86 = 1e-5
ROUNDED = 2e-2
"""How far products with activations of 8 bits may be from those that onnxruntime rounds."""

Case = tuple[onnx.ModelProto, np.ndarray]

#: Operator, types of its operands, zero point of the first, attributes.
INTEGERS: list[tuple[str, str, str, int, dict[str, Any]]] = [
    ("ConvInteger", "uint8", "int8", 0, {"pads": [1, 1, 1, 1]}),
    ("ConvInteger", "uint8", "int8", 7, {"strides": [2, 1], "group": 2}),
    ("ConvInteger", "int8", "int8", -128, {"dilations": [2, 2], "pads": [2, 0, 1, 3]}),
    ("ConvInteger", "uint8", "uint8", 255, {"group": 4, "pads": [0, 1, 0, 1]}),
    ("MatMulInteger", "uint8", "int8", 0, {}),
    ("MatMulInteger", "int8", "int8", -128, {}),
    ("MatMulInteger", "int8", "int8", 3, {}),
    ("MatMulInteger", "uint8", "uint8", 5, {}),
]


def of_integers(operator: str, x: str, w: str, zero: int, said: dict[str, Any]) -> Case:
    """Return a model of symbolic sizes, and what it is fed: all bytes, the extreme ones often."""
    rng, conv = np.random.default_rng(0), operator == "ConvInteger"
    limits, stored = np.iinfo(x), np.iinfo(w)
    weights = rng.integers(stored.min, stored.max + 1, (48, 20 // said.get("group", 1), 3, 3))
    weights[rng.random(weights.shape) < 0.2] = stored.min
    if not conv:
        weights = weights[:, :, 0, 0].T
    constants = {
        "w": weights.astype(w),
        "zero": np.array(zero, x),
        "none": np.array(100 if w == "uint8" else 0, w),
    }
    node = helper.make_node(operator, ["x", "w", "zero", "none"], ["y"], **said)
    inputs = {"x": (x, (1, 20, "h", "w")) if conv else (x, ("n", 20))}
    given = rng.integers(limits.min, limits.max + 1, (1, 20, 13, 19) if conv else (37, 20))
    given[rng.random(given.shape) < 0.2] = limits.max
    return onnx_model([node], inputs, {"y": "int32"}, constants), given.astype(x)


@pytest.mark.parametrize(
    "target",
    [pytest.param(TARGETS[name], marks=[pytest.mark.long] * (name == "smlal")) for name in TARGETS],
    ids=TARGETS,
)
def test_products_of_bytes_are_exact(emulator: Emulator, tmp_path: Path, target: str) -> None:
    """ONNX's own evaluator is the reference."""
    cases = {tmp_path / str(place): of_integers(*case) for place, case in enumerate(INTEGERS)}
    for folder, (model, _) in cases.items():
        folder.mkdir()
        tvmfuse.compile(model, target=target).save(folder / "model.so")
    found = emulator.run({folder: [x] for folder, (_, x) in cases.items()})
    for folder, (model, x) in cases.items():
        (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
        assert not isinstance(found[folder], str), found[folder]
        np.testing.assert_array_equal(found[folder][0], expected)


@pytest.mark.parametrize("name", ["sdot", "usdot"])
def test_products_with_few_bits_are_exact_within_a_block(
    ran: Callable[..., dict[str, np.ndarray]], name: str
) -> None:
    """MatMulNBits that rounds activations to bytes; AVX2 multiplies these exactly, too."""
    depth, columns, block, domain = 96, 40, 32, "com.microsoft"
    rng, blocks = np.random.default_rng(0), depth // block
    said: dict[str, Any] = {"K": depth, "N": columns, "block_size": block}
    said |= {"bits": 4, "accuracy_level": 4}
    node = helper.make_node("MatMulNBits", ["x", "B", "s"], ["y"], domain=domain, **said)
    constants: dict[str, np.ndarray] = {
        "B": rng.integers(0, 256, (columns, blocks, block // 2)).astype(np.uint8),
        "s": rng.random(columns * blocks).astype(np.float32),
    }
    inputs = {"x": ("float32", ("n", depth))}
    model = onnx_model([node], inputs, {"y": "float32"}, constants, domains=[domain])
    feeds = {"x": rng.standard_normal((7, depth)).astype(np.float32)}
    found = ran(model, feeds, TARGETS[name])
    assert_close(found, dict(tvmfuse.compile(model, target="avx2").load()(feeds)), FROM_X86)
    assert_close(found, reference(model, feeds), ROUNDED)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["resnet18", "bert", "vit"])
def test_products_of_bfloat16_are_near_those_of_float32(
    ran: Callable[..., dict[str, np.ndarray]], exported: Callable[..., Path], name: str
) -> None:
    model, feeds = exported(name), MODELS[name].inputs("reduced")
    found = ran(model, feeds, f"{N1} -mattr=+bf16", precision="bf16")
    assert_close(found, reference(model, feeds), BFLOAT16)
