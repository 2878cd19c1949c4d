"""Casts to and from types of 8 bits and less, each value of them, and what moves their bytes."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tvmfuse
from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import InputError, UnsupportedModelError
from tvmfuse.narrow_types import EXPONENT_ONLY, MINIFLOATS, NARROW_INTEGERS

pytestmark = pytest.mark.sampled(5)

node = helper.make_node
INTEGERS = np.arange(-300, 300, dtype="float32")


def number(dtype: str) -> int:
    return helper.np_dtype_to_tensor_dtype(numpy_dtype(dtype))


def model(nodes: list[Any], inputs: dict[str, str], outputs: dict[str, str]) -> onnx.ModelProto:
    """Return a model whose inputs have one dimension each, with a name of its own."""

    def values(dtypes: dict[str, str]) -> list[onnx.ValueInfoProto]:
        return [
            helper.make_tensor_value_info(
                name, number(dtype), [f"n_{name}"] if dtypes is inputs else None
            )
            for name, dtype in dtypes.items()
        ]

    graph = helper.make_graph(nodes, "narrow", values(inputs), values(outputs))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 28)])


def floats() -> np.ndarray:
    """Return each float16, what is next to it, NaN and infinities, as float32."""
    halves = np.arange(1 << 16, dtype="uint16").view("float16").astype("float32")
    halves = halves[~np.isnan(halves)]
    with np.errstate(over="ignore"):
        near = [np.nextafter(halves, np.float32(end)) for end in (np.inf, -np.inf)]
    special = [np.nan, 1e9, -1e9, 1e-30, -1e-30, 3.4e38, 1e-44]
    return np.concatenate([halves, *near, special]).astype("float32")


def codes(dtype: str) -> np.ndarray:
    """Return each value of a float type."""
    bits = 8 if dtype == EXPONENT_ONLY else MINIFLOATS[dtype].sign + 1
    return np.arange(1 << bits, dtype="uint8").view(numpy_dtype(dtype))


def assert_same(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Compare values; of a zero its sign, too, but for that of what had been NaN."""
    assert ours.dtype == theirs.dtype
    wide, expected = ours.astype("float32"), theirs.astype("float32")
    np.testing.assert_array_equal(wide, expected)


@pytest.mark.parametrize("dtype", MINIFLOATS)
def test_each_value_and_what_is_next_to_it(dtype: str) -> None:
    """Against ml_dtypes, whose conversions onnx's own are."""
    nodes = [
        node("Cast", ["x"], ["saturated"], to=number(dtype)),
        node("Cast", ["x"], ["unbounded"], to=number(dtype), saturate=0),
        node("Cast", ["codes"], ["wide"], to=TensorProto.FLOAT),
        node("Cast", ["codes"], ["half"], to=TensorProto.FLOAT16),
    ]
    outputs = {"saturated": dtype, "unbounded": dtype, "wide": "float32", "half": "float16"}
    run = tvmfuse.compile(
        model(nodes, {"x": "float32", "codes": dtype}, outputs), level="none"
    ).load()
    x, each = floats(), codes(dtype)
    found = run(x=x, codes=each)
    with np.errstate(invalid="ignore", over="ignore"):
        assert_same(found["saturated"], numpy_helper.saturate_cast(x, numpy_dtype(dtype)))
        assert_same(found["unbounded"], x.astype(numpy_dtype(dtype)))
        np.testing.assert_array_equal(
            np.signbit(found["unbounded"].astype("float32"))[:-7],
            np.signbit(x.astype(numpy_dtype(dtype)).astype("float32"))[:-7],
        )
        assert_same(found["wide"], each.astype("float32"))
        assert_same(found["half"], each.astype("float32").astype("float16"))


def test_float64_is_rounded_once() -> None:
    """1.3125 lies between 1.25 and 1.375: what is a little more is not 1.25, as by way of float32."""
    nodes = [node("Cast", ["x"], ["y"], to=TensorProto.FLOAT8E4M3FN)]
    run = tvmfuse.compile(
        model(nodes, {"x": "float64"}, {"y": "float8_e4m3fn"}), level="all"
    ).load()
    x = np.array([1.3125, 1.3125 + 1e-12, 1.3125 - 1e-12, -1.3125 - 1e-12, 1e300, np.nan, -np.inf])
    found = run(x=x)["y"].astype("float32")
    np.testing.assert_array_equal(found, [1.25, 1.375, 1.25, -1.375, 448, np.nan, -448])


@pytest.mark.parametrize("mode", ["up", "down", "nearest"])
def test_powers_of_two(mode: str) -> None:
    """Against the specification's table, and between powers by their exponents."""
    to: dict[str, Any] = {"to": TensorProto.FLOAT8E8M0, "round_mode": mode}
    nodes = [
        node("Cast", ["x"], ["s"], **to),
        node("Cast", ["x"], ["u"], saturate=0, **to),
        node("Cast", ["codes"], ["wide"], to=TensorProto.FLOAT),
    ]
    outputs = {"s": EXPONENT_ONLY, "u": EXPONENT_ONLY, "wide": "float32"}
    run = tvmfuse.compile(model(nodes, {"x": "float32", "codes": EXPONENT_ONLY}, outputs)).load()
    inside = np.ldexp(np.array([1, 1.25, 1.5, 1.75], "float32"), np.arange(-127, 127)[:, None])
    x = np.concatenate([inside.reshape(-1), [0, 1e-40, 3.4e38, np.inf, np.nan]]).astype("float32")
    found = run(x=x, codes=codes(EXPONENT_ONLY))
    ups = {"up": [0, 1, 1, 1], "down": [0, 0, 0, 0], "nearest": [0, 0, 1, 1]}[mode]
    between = (np.arange(0, 254)[:, None] + ups).reshape(-1)
    beyond = 254 if mode == "down" else 255
    np.testing.assert_array_equal(found["s"].view("uint8"), [*between, 0, 0, 254, 254, 255])
    np.testing.assert_array_equal(found["u"].view("uint8"), [*between, 255, 255, beyond, 255, 255])
    np.testing.assert_array_equal(found["wide"], codes(EXPONENT_ONLY).astype("float32"))


@pytest.mark.parametrize("dtype", NARROW_INTEGERS)
def test_integers_keep_their_lowest_bits(dtype: str) -> None:
    kind, bits = numpy_dtype(dtype), NARROW_INTEGERS[dtype]
    each = np.arange(1 << bits, dtype="uint8").astype(kind)
    nodes = [
        node("Cast", ["i"], ["of_integers"], to=number(dtype)),
        node("Cast", ["x"], ["of_floats"], to=number(dtype)),
        node("CastLike", ["each", "x"], ["wide"]),
        node("CastLike", ["i", "each"], ["like"]),
        node("Cast", ["each"], ["float8"], to=TensorProto.FLOAT8E5M2),
    ]
    inputs = {"i": "int64", "x": "float32", "each": dtype}
    outputs = dict.fromkeys(["of_integers", "of_floats", "like"], dtype)
    outputs |= {"wide": "float32", "float8": "float8_e5m2"}
    run = tvmfuse.compile(model(nodes, inputs, outputs), level="all").load()
    found = run(i=INTEGERS.astype("int64"), x=INTEGERS, each=each)
    for name in ("of_integers", "of_floats", "like"):
        assert_same(found[name], INTEGERS.astype("int64").astype(kind))
    assert_same(found["wide"], each.astype("float32"))
    assert_same(found["float8"], each.astype("float32").astype(ml_dtypes.float8_e5m2))


@pytest.mark.parametrize("dtype", ["float8_e4m3fnuz", "float4_e2m1fn", "int4", "uint2"])
def test_bytes_are_moved_and_saved(dtype: str, tmp_path: Any) -> None:
    nodes = [
        node("Reshape", ["x", "shape"], ["square"]),
        node("Transpose", ["square"], ["turned"]),
        node("Identity", ["w"], ["v"]),
    ]
    made = model(nodes, {"x": dtype}, {"turned": dtype, "v": dtype})
    w = np.array([0, 1, 1, 0]).astype(numpy_dtype(dtype))
    made.graph.initializer.append(numpy_helper.from_array(np.array([2, -1]), "shape"))
    made.graph.initializer.append(numpy_helper.from_array(w, "w"))
    tvmfuse.compile(made).save(tmp_path / "m.so")
    run = tvmfuse.load(tmp_path / "m.so")
    found = run(x=w)
    assert [spec.dtype for spec in (*run.inputs, *run.outputs)] == [dtype] * 3
    assert_same(found["turned"], w.reshape(2, 2).T)
    assert_same(found["v"], w)
    assert_same(run.call([w])[0], w.reshape(2, 2).T)
    with pytest.raises(InputError, match=f"expected {dtype}"):
        run(x=w.astype("float32"))


def test_what_a_branch_gives_is_read_as_what_it_is() -> None:
    """What reads bytes of a branch is compiled in the branch, where it is known what they are."""

    def branch(saturate: int) -> onnx.GraphProto:
        cast = node("Cast", ["x"], ["b"], to=TensorProto.FLOAT8E5M2, saturate=saturate)
        output = helper.make_tensor_value_info("b", TensorProto.FLOAT8E5M2, None)
        return helper.make_graph([cast], "branch", [], [output])

    nodes = [
        node("If", ["c"], ["y"], name="if", then_branch=branch(0), else_branch=branch(1)),
        node("Cast", ["y"], ["z"], to=TensorProto.FLOAT),
    ]
    made = model(nodes, {"x": "float32", "c": "bool"}, {"z": "float32"})
    del made.graph.input[1].type.tensor_type.shape.dim[:]
    run, x = tvmfuse.compile(made).load(), np.array([1.25, -3, 1e6], "float32")
    for chosen, last in ((True, np.inf), (False, 57344)):
        found = run(x=x, c=np.array(chosen))["z"]
        np.testing.assert_array_equal(found, np.array([1.25, -3, last], "float32"))


def test_what_would_compute_with_bytes_is_refused() -> None:
    nodes = [node("IsNaN", ["x"], ["y"], name="n")]
    with pytest.raises(UnsupportedModelError, match=r"IsNaN .*reads float8_e5m2, with which Cast"):
        tvmfuse.compile(model(nodes, {"x": "float8_e5m2"}, {"y": "bool"}))
