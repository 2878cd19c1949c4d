"""QuantizeLinear and DequantizeLinear in every form, against onnx's reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from onnx.reference import ReferenceEvaluator
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.narrow_types import limits_of

RNG = np.random.default_rng(0)
X = np.concatenate(
    [RNG.standard_normal((5, 12), "float32") * 9, np.array([[1e9, -1e9, 0] * 4], "float32")]
)
SCALE = np.array(0.37, "float32")
ROWS = np.linspace(0.1, 0.9, 6, dtype="float32")
COLUMNS = np.linspace(0.1, 2, 12, dtype="float32")
BLOCKS = RNG.random((6, 3), "float32") + np.float32(0.1)
SHORT = RNG.random((6, 3), "float32") + np.float32(0.1)
INTEGERS = ("int8", "uint8", "int16", "uint16", "int4", "uint4", "int2", "uint2")
FLOATS = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float4_e2m1fn")

FORMS: dict[str, tuple[np.ndarray, dict[str, Any]]] = {
    "scalar": (SCALE, {}),
    "one": (SCALE.reshape(1), {}),
    "rows": (ROWS, {"axis": 0}),
    "columns": (COLUMNS, {}),
    "last": (COLUMNS, {"axis": -1}),
    "blocks": (BLOCKS, {"axis": 1, "block_size": 4}),
    "short": (SHORT, {"axis": 1, "block_size": 5}),
}


def model(
    operator: str,
    operands: Sequence[np.ndarray],
    result: str,
    *,
    symbolic: bool = False,
    **more: Any,
) -> onnx.ModelProto:
    names = ["x", "scale", "zero"][: len(operands)]
    kinds: list[Any] = [helper.np_dtype_to_tensor_dtype(a.dtype) for a in operands]
    shapes: list[Any] = [list(a.shape) for a in operands]
    if symbolic:
        shapes[0] = ["n", *shapes[0][1:]]
    graph = helper.make_graph(
        [helper.make_node(operator, names, ["y"], **more)],
        "quantization",
        [*map(helper.make_tensor_value_info, names, kinds, shapes)],
        [
            helper.make_tensor_value_info(
                "y", helper.np_dtype_to_tensor_dtype(numpy_dtype(result)), None
            )
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])


def assert_is_the_references(
    operator: str, operands: Sequence[np.ndarray], result: str, level: str = "none", **more: Any
) -> None:
    made = model(operator, operands, result, **more)
    feeds = dict(zip(["x", "scale", "zero"], operands, strict=False))
    more.pop("symbolic", None)
    found = tvmfuse.compile(made, level=level).load()(feeds)["y"]
    with np.errstate(all="ignore"):
        results: Any = ReferenceEvaluator(made).run(None, feeds)
    expected = results[0]
    assert found.dtype == expected.dtype == numpy_dtype(result)
    rtol = {"float16": 1e-3, "bfloat16": 1e-2}.get(result, 1e-6)
    np.testing.assert_allclose(found.astype("float32"), expected.astype("float32"), rtol=rtol)


def zeros_of(scale: np.ndarray, dtype: str) -> np.ndarray:
    """Return a zero point that is none, where there may be one."""
    low, high = limits_of(dtype) if "int" in dtype else (0, 0)
    return RNG.integers(low, high + 1, scale.shape).astype(numpy_dtype(dtype))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("dtype", "form"),
    [
        *(("uint8", form) for form in FORMS),
        *(("int4", form) for form in ("columns", "blocks", "short")),
        *(("float8_e4m3fn", form) for form in ("one", "rows")),
    ],
)
def test_forms(dtype: str, form: str) -> None:
    scale, attributes = FORMS[form]
    zero = zeros_of(scale, dtype)
    x = X.clip(-30000, 30000)
    assert_is_the_references("QuantizeLinear", [x, scale, zero], dtype, **attributes)
    codes = zeros_of(X, dtype) if "int" in dtype else X.astype(numpy_dtype(dtype))
    assert_is_the_references("DequantizeLinear", [codes, scale, zero], "float32", **attributes)


def test_blocks_of_any_number() -> None:
    made = onnx_model(
        [helper.make_node("QuantizeLinear", ["x", "s"], ["y"], axis=0, block_size=4)],
        {"x": ("float32", ("n", 3)), "s": ("float32", ("m", 3))}, {"y": "uint8"}, opset=21,
    )  # fmt: skip
    loaded = tvmfuse.compile(made, level="none").load()
    for count in (1, 3):
        x, scale = RNG.random((4 * count, 3), "float32"), RNG.random((count, 3), "float32") + 0.1
        exact = np.clip(np.rint(x / np.repeat(scale, 4, 0)), 0, 255)
        np.testing.assert_array_equal(loaded(x=x, s=scale)["y"], exact)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_types_without_a_zero_point(dtype: str) -> None:
    kind = helper.np_dtype_to_tensor_dtype(numpy_dtype(dtype))
    x = X.clip(-30000, 30000)
    assert_is_the_references("QuantizeLinear", [x, SCALE], dtype, "all", output_dtype=kind)
    codes = zeros_of(X, dtype) if "int" in dtype else x.astype(numpy_dtype(dtype))
    assert_is_the_references("DequantizeLinear", [codes, SCALE], "float32", "all", symbolic=True)


@pytest.mark.parametrize("half", ["float16", "bfloat16"])
def test_half_precision(half: str) -> None:
    scale = np.asarray(0.25, numpy_dtype(half))
    x = X[:5].astype(numpy_dtype(half))
    assert_is_the_references("QuantizeLinear", [x, scale, np.asarray(3, "int8")], "int8")
    codes = zeros_of(X, "int8")
    assert_is_the_references("DequantizeLinear", [codes, scale, np.asarray(3, "int8")], half)
    to = helper.np_dtype_to_tensor_dtype(numpy_dtype(half))
    assert_is_the_references("DequantizeLinear", [codes, COLUMNS], half, output_dtype=to)


def test_what_is_quantized_is_int32_or_divided_in_another_precision() -> None:
    assert_is_the_references(
        "DequantizeLinear", [np.arange(-9, 9, dtype="int32"), SCALE], "float32"
    )
    assert_is_the_references(
        "QuantizeLinear", [np.arange(-900, 900, dtype="int32"), SCALE], "uint8"
    )
    half = onnx.TensorProto.FLOAT16
    made = model("QuantizeLinear", [X[:5], SCALE], "uint8", precision=half)
    found = tvmfuse.compile(made, level="none").load()({"x": X[:5], "scale": SCALE})["y"]
    exact = np.clip(np.rint(X[:5] / np.float32(np.float16(SCALE))), 0, 255)
    assert np.abs(found.astype("int32") - exact).max() <= 1


def test_scales_that_are_powers_of_two() -> None:
    scale = np.array([0.5, 2, 4], ml_dtypes.float8_e8m0fnu)
    codes = X[:, :3].clip(-6, 6).astype(ml_dtypes.float4_e2m1fn)
    to: dict[str, Any] = {"output_dtype": onnx.TensorProto.FLOAT}
    made = model("DequantizeLinear", [codes, scale], "float32", **to)
    made.opset_import[0].version = 28
    found = tvmfuse.compile(made, level="none").load()({"x": codes, "scale": scale})["y"]
    np.testing.assert_array_equal(found, codes.astype("float32") * scale.astype("float32"))


def test_blocks_have_to_fit() -> None:
    for scale, block, words in (
        (BLOCKS, 3, "3 blocks of 3 do not make 12 elements of axis 1"),
        (BLOCKS, 6, "3 blocks of 6 do not make 12 elements of axis 1"),
        (ROWS, 4, "scale or zero point of blocks has 1 dimensions; expected 2"),
        (BLOCKS, 0, "has 2 dimensions; expected one number"),
    ):
        made = model("QuantizeLinear", [X, scale], "uint8", block_size=block)
        with pytest.raises(UnsupportedModelError, match=words):
            tvmfuse.compile(made, level="none")


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16"])
def test_a_scale_of_zero_saturates(dtype: str) -> None:
    x = np.array([[1, -1, 0, 3.5, np.inf, -np.inf, np.nan]], "float32")
    constants = {"s": np.array(0, "float32"), "z": np.array(3, dtype)}
    node = helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"])
    made = onnx_model([node], {"x": ("float32", ("n", 7))}, {"y": dtype}, constants, opset=21)
    assert_agrees(tvmfuse.compile(made).load()(x=x), reference(made, {"x": x}))
