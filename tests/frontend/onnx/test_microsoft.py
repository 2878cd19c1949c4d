"""Operators of `com.microsoft` against onnxruntime, which defines them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from microsoft_cases import SECTIONS, SYMBOLS, WITH_SYMBOLS, X
from onnx import helper
from operator_case import Case, K, case
from operator_models import model_of
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

CASES = [one for section in SECTIONS for one in section()]


def with_symbols(model: onnx.ModelProto) -> None:
    """Give inputs symbols for sizes."""
    for given in model.graph.input:
        for dim in given.type.tensor_type.shape.dim:
            if dim.dim_value in SYMBOLS:
                dim.dim_param = SYMBOLS[dim.dim_value]


def check(cases: Sequence[Case], level: Any, *, symbolic: bool) -> None:
    model, feeds, owner = model_of(cases)
    expected = reference(model, feeds)
    if symbolic:
        with_symbols(model)
    found = tvmfuse.compile(model, level=level).load()(feeds)
    for name, one in owner.items():
        try:
            assert_agrees({name: found[name]}, {name: expected[name]})
        except AssertionError as error:
            raise AssertionError(f"{one}: {error}") from error


def test_onnxruntime_agrees() -> None:
    check(CASES, "all", symbolic=False)


@pytest.mark.parametrize("section", WITH_SYMBOLS)
@pytest.mark.sampled(3)
def test_symbolic_sizes_agree(section: Callable[[], Iterator[Case]]) -> None:
    # Whether a mask has a number for each sequence or two, its size has to tell. A third of
    # them: what one case asks of symbols is asked again for each that follows.
    cases = [one for one in section() if one.note != "starts"]
    check(cases[::3], "none", symbolic=True)


def test_a_cache_without_rows_whose_halves_are_a_symbol() -> None:
    draw = np.random.default_rng(0).standard_normal
    feeds = {"x": draw((2, 1, 4), "float32"), "past": np.zeros((2, 2, 1, 0, 8), "float32")}
    constants = {"w": draw((4, 24), "float32"), "b": draw(24, "float32")}
    operands, said = ["x", "w", "b", "", "past"], {"num_heads": 1, "unidirectional": 1}
    node = onnx.NodeProto(op_type="Attention", input=operands, output=["y", "z"])
    node.domain = "com.microsoft"
    node.attribute.extend(helper.make_attribute(name, value) for name, value in said.items())
    inputs = {"x": ("float32", ("n", 1, 4)), "past": ("float32", ("both", 2, 1, 0, 8))}
    outputs = dict.fromkeys(node.output, "float32")
    model = onnx_model([node], inputs, outputs, constants, domains=["com.microsoft"])
    assert_agrees(tvmfuse.compile(model, level="none").load()(feeds), reference(model, feeds))


@pytest.mark.parametrize(("level", "kernels"), [(0, 1), (4, 2)], ids=["floats", "bytes"])
def test_a_matrix_of_few_bits_stays_one(level: int, kernels: int) -> None:
    depth, columns = 1024, 2048
    stored = np.random.default_rng(0).integers(0, 256, (columns, depth // 32, 16)).astype("uint8")
    said = {"K": depth, "N": columns, "bits": 4, "block_size": 32, "accuracy_level": level}
    node = case(
        "com.microsoft::MatMulNBits",
        np.ones((1, depth), "float32"),
        K(stored),
        K(np.ones(columns * depth // 32, "float32")),
        attributes=said,
    )
    artifact = tvmfuse.compile(model_of([node])[0])
    packed = depth * columns // 2 + depth * columns // 32 * 4
    assert artifact.nbytes
    assert packed < artifact.nbytes < 1.15 * packed
    assert len(artifact.manifest.kernels) == kernels


@pytest.mark.parametrize("op", ["LayerNormalization", "SimplifiedLayerNormalization"])
def test_norms_without_their_domain_are_what_onnxruntime_means(op: str) -> None:
    row = np.ones(X.shape[-1], "float32")
    model, feeds, _ = model_of([case(op, X, K(2 * row), to=("float32",), opset=14, epsilon=0.1)])
    expected = reference(model, feeds)
    assert_agrees(tvmfuse.compile(model).load()(feeds), expected)


def node_of(op: str, operands: Sequence[str], domain: str = "com.microsoft", **more: Any) -> Any:
    node = helper.make_node(op, operands, ["y"], "node", domain=domain, **more)
    inputs = {name: ("float32", X.shape) for name in operands if name}
    return onnx_model([node], inputs, {"y": "float32"}, domains=[domain])


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (node_of("Gelu", ["x"], loudness=3), "its attribute 'loudness' is not known"),
        (node_of("Gelu", ["x", "b"]), "its operand 1 is not known"),
        (node_of("BiasGelu", ["x"]), "its operand 1 is absent"),
        (node_of("FusedMatMulActivation", ["x", "x"]), "no converter"),
        (node_of("Conv", ["x", "x"], "com.microsoft.nchwc"), "save it with ORT_ENABLE_EXTENDED"),
        (
            node_of("MultiHeadAttention", ["x", "x", "x", "", "", "", "x"], num_heads=3),
            "it has past keys, or past values, but not both",
        ),
        (node_of("MultiHeadAttention", ["x", "x", "x"], num_heads=5), "no 5 heads"),
        (node_of("Attention", ["x", "x"], num_heads=3, do_rotary=1), "do_rotary is not compiled"),
    ],
)
def test_what_is_not_known_is_refused_by_name(model: onnx.ModelProto, words: str) -> None:
    with pytest.raises(UnsupportedModelError, match=words):
        import_model(model)
