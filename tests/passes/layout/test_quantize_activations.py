"""QuantizeActivations: products with few bits in integers, where the model says that they may be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, tensor
from onnx import helper
from tvm.ir import Expr

import tvmfuse
from tvmfuse.ir.types import constant
from tvmfuse.ops import matmul_nbits
from tvmfuse.passes.layout.quantize_activations import QuantizeActivations
from tvmfuse.passes.trace import Trace
from tvmfuse.target.machine import AVX2, NEOVERSE_N1, SSE2, ZEN4, Machine

BLOCK, BLOCKS, COLUMNS = 32, 2, 21
RNG = np.random.default_rng(0)


def rewritten(
    *,
    machine: Machine = AVX2,
    bits: int = 4,
    block: int = BLOCK,
    level: int = 4,
    zeros: str = "",
    fed: bool = False,
) -> tuple[list[str], list[str]]:
    """Return what operators a product becomes, and why it does not."""
    words = RNG.integers(0, 2**32, (BLOCKS, block * bits // 32, COLUMNS), "uint32")
    scales = RNG.random((BLOCKS, COLUMNS), "float32")
    given = {
        "": [],
        "uint8": [RNG.integers(0, 256, (-(-BLOCKS * bits // 8), COLUMNS), "uint8")],
        "float32": [scales],
    }[zeros]

    def product(x: Expr, s: Expr, _: Any) -> Expr:
        stored = [constant(words), s if fed else constant(scales), *map(constant, given)]
        return matmul_nbits(x, *stored, bits=bits, block_size=block, accuracy_level=level)

    trace, x = Trace(), tensor(7, BLOCKS * block)
    after = QuantizeActivations(machine)(graph(product, x, tensor(*scales.shape)), trace)
    again = QuantizeActivations(machine)(after)
    assert ops(again) == ops(after)
    return ops(after), [reason for reason, _ in trace.declined]


@pytest.mark.parametrize("bits", [2, 4])
@pytest.mark.parametrize("zeros", ["", "uint8"])
def test_a_product_is_in_integers(bits: int, zeros: str) -> None:
    after, declined = rewritten(bits=bits, zeros=zeros)
    assert after == ["quantize_blocks", "integer_matmul_nbits"]
    assert not declined


def test_fields_of_few_bits_are_signed_bytes_too() -> None:
    after, _ = rewritten(machine=NEOVERSE_N1)
    assert after == ["quantize_blocks", "integer_matmul_nbits"]


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ({"level": 0}, None),
        ({"level": 1}, None),
        ({"fed": True}, "its scales and its zero points are constant"),
        ({"zeros": "float32"}, "its zero points are integers"),
        ({"machine": SSE2}, "the machine has a dot product of bytes that is exact for it"),
        (
            {"bits": 8, "block": 2**17, "machine": ZEN4},
            "no block's sum can be more than an int32 holds",
        ),
        (
            {"bits": 8, "machine": NEOVERSE_N1},
            "the machine has a dot product of bytes that is exact for it",
        ),
        ({"bits": 8}, "the machine has a dot product of bytes that is exact for it"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_others_stay(case: dict[str, Any], why: str | None) -> None:
    after, declined = rewritten(**case)
    assert after == ["matmul_nbits"]
    assert declined == ([why] if why else [])


@pytest.mark.parametrize("target", ["avx2", "llvm"])
@pytest.mark.parametrize("rows", [1, "n"])
def test_numbers_are_those_of_rounded_activations(rows: Any, target: str) -> None:
    """The specification's, of activations that are rounded to 127 steps of a block's largest."""
    depth, block, columns, n = 70, 16, 37, 1 if rows == 1 else 6
    blocks = -(-depth // block)
    stored = RNG.integers(0, 256, (columns, blocks, block // 2), "uint8")
    scales = RNG.random(columns * blocks, "float32")
    zeros = RNG.integers(0, 256, columns * -(-blocks // 2), "uint8")
    said: dict[str, Any] = {
        "K": depth,
        "N": columns,
        "bits": 4,
        "block_size": block,
        "accuracy_level": 4,
    }
    names, domain = ["x", "B", "s", "z"], "com.microsoft"
    model = onnx_model(
        [helper.make_node("MatMulNBits", names, ["y"], domain=domain, **said)],
        {"x": ("float32", (rows, depth))},
        {"y": "float32"},
        {"B": stored, "s": scales, "z": zeros},
        domains=[domain],
    )
    x = RNG.standard_normal((n, depth), "float32")
    artifact = tvmfuse.compile(model, target=target)
    assert [k.schedule for k in artifact.manifest.kernels] == ["reduction", "block_dots"]
    found = artifact.load()(x=x)["y"]

    def halves(packed: np.ndarray, count: int) -> np.ndarray:
        both = np.stack([packed & 15, packed >> 4], -1)
        return both.reshape(columns, -1)[:, :count].astype("float64")

    weights = halves(stored, blocks * block).reshape(columns, blocks, block)
    weights -= halves(zeros.reshape(columns, -1), blocks)[..., None]
    weights *= scales.reshape(columns, blocks, 1)
    padded = np.pad(x, [(0, 0), (0, blocks * block - depth)]).reshape(n, blocks, block)
    step = np.abs(padded).max(-1, keepdims=True) / 127
    rounded = np.rint(padded / step).astype("float64") * step
    expected = np.einsum("rbk,nbk->rn", rounded, weights)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())
