"""passes.neighbours: where only signed bytes are multiplied, sums are the same of bytes less 128."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from graphs import graph, ops, run, tensor
from tvm import IRModule
from tvm.ir import Expr

from tvmfuse.ir.types import constant
from tvmfuse.ops import conv, gemm
from tvmfuse.passes.layout.nchwc_transformer import NchwcTransformer
from tvmfuse.passes.layout.prepack_weights import PrepackWeights
from tvmfuse.target.machine import NEOVERSE_N1

RNG = np.random.default_rng(0)


def integers(*shape: int, dtype: str = "int8") -> np.ndarray:
    limits = np.iinfo(dtype)
    return RNG.integers(limits.min, limits.max + 1, shape).astype(dtype)


def assert_same_sums(before: IRModule, after: IRModule, *inputs: np.ndarray) -> None:
    """Compare what is computed here, by loops as they are written."""
    assert ops(after) != ops(before)
    (expected,), (found,) = run(before, *inputs), run(after, *inputs)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("fed", [True, False], ids=["bias fed", "bias known"])
@pytest.mark.parametrize(
    "said",
    [
        {"pad_value": 0},
        {"pad_value": 200, "strides": [2, 1]},
        {"pad_value": 255, "dilation": [1, 2], "groups": 2},
    ],
    ids=str,
)
def test_a_convolution(said: dict[str, Any], fed: bool) -> None:
    channels = 16 // said.get("groups", 1)
    weights, bias = constant(integers(32, channels, 3, 3)), integers(32, dtype="int16")
    one = {"strides": [1, 1], "dilation": [1, 1], "padding": [1, 2, 0, 1]}

    def compute(x: Expr, b: Expr, _: Any) -> Expr:
        return conv(x, weights, b if fed else constant(bias.astype("int32")), **{**one, **said})

    before = graph(compute, tensor(2, 16, 9, 7, dtype="uint8"), tensor(*bias.shape, dtype="int32"))
    after = NchwcTransformer().configured(NEOVERSE_N1)(before)
    image = integers(2, 16, 9, 7, dtype="uint8")
    assert_same_sums(before, after, image, bias.astype("int32"))


@pytest.mark.parametrize("shape", [(7, 10, 48), (1, 12, 40), (5, 33, 20)], ids=str)
def test_a_product_of_matrices(shape: Sequence[int]) -> None:
    rows, terms, columns = shape
    weights = constant(integers(terms, columns))
    before = graph(lambda x, _: gemm(x, weights), tensor(rows, terms, dtype="uint8"))
    after = PrepackWeights(NEOVERSE_N1)(before)
    assert_same_sums(before, after, integers(rows, terms, dtype="uint8"))
