"""DecoderMaskedMultiHeadAttention with its cache: the row that is written, and what is attended to."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.errors import InputError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

RNG = np.random.default_rng(9)
B, N, H, ROWS = 2, 3, 8, 6
OPERANDS = ("q", "k", "v", "", "", "keys", "values", "length", "", "", "bias")


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, dtype="float32")


def model_of(*, share: int = 1, beams: bool = False) -> onnx.ModelProto:
    names = [*OPERANDS[:8], "length" if beams else "", *OPERANDS[9:]]
    node = helper.make_node(
        "DecoderMaskedMultiHeadAttention", names, ["y", "present_k", "present_v"], "node",
        domain="com.microsoft", num_heads=N, past_present_share_buffer=share,
    )  # fmt: skip
    inputs: dict[str, tuple[str, tuple[int | str, ...]]] = {
        **dict.fromkeys("qkv", ("float32", ("batch", 1, N * H))),
        **dict.fromkeys(("keys", "values"), ("float32", ("batch", N, "rows", H))),
        "length": ("int32", (1,)),
        "bias": ("float32", (3 * N * H,)),
    }
    outputs = dict.fromkeys(("y", "present_k", "present_v"), "float32")
    return onnx_model([node], inputs, outputs, domains=["com.microsoft"])


def feeds(past: int) -> dict[str, np.ndarray]:
    return {
        **{name: floats(B, 1, N * H) for name in "qkv"},
        **{name: floats(B, N, ROWS, H) for name in ("keys", "values")},
        "length": np.array([past], "int32"),
        "bias": floats(3 * N * H),
    }


def expected(given: dict[str, np.ndarray], past: int) -> dict[str, np.ndarray]:
    parts = np.split(given["bias"], 3)
    q, k, v = ((given[n] + b).reshape(B, N, H) for n, b in zip("qkv", parts, strict=True))
    keys, values = given["keys"].copy(), given["values"].copy()
    keys[:, :, past], values[:, :, past] = k, v
    scores = np.einsum("bnh,bnth->bnt", q, keys[:, :, : past + 1]) / np.sqrt(H)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    y = np.einsum("bnt,bnth->bnh", weights, values[:, :, : past + 1])
    return {"y": y.reshape(B, 1, N * H), "present_k": keys, "present_v": values}


def test_a_step_with_a_cache() -> None:
    loaded = tvmfuse.compile(model_of(), strict=True).load()
    for past in (0, 3, ROWS - 1):
        given = feeds(past)
        for name, wanted in expected(given, past).items():
            np.testing.assert_allclose(loaded(given)[name], wanted, rtol=1e-4, atol=1e-5)
    with pytest.raises(InputError, match="asks for a shape that it cannot have"):
        loaded(feeds(ROWS))


@pytest.mark.parametrize(
    ("model", "why"),
    [(model_of(share=0), "past_present_share_buffer"), (model_of(beams=True), "a number of beams")],
)
def test_what_is_refused(model: onnx.ModelProto, why: str) -> None:
    with pytest.raises(UnsupportedModelError, match=why):
        import_model(model)
