"""Reductions, normalizations, products, quantized products, resizing."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model, ops, run
from onnx import helper
from onnx.reference import ReferenceEvaluator
from reference import reference
from together import Part, agree, together

import tvmfuse
from tvmfuse.frontend.onnx import import_model

pytestmark = pytest.mark.sampled(5)

RNG = np.random.default_rng(0)
X = RNG.uniform(0.5, 2, (2, 3, 4)).astype("float32")
KINDS = ["L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"]


def i64(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("axes", "keepdims"), [([1], 1), ([0, -1], 0), (None, 1)])
def test_reductions_of_old_and_new_opsets(
    node_agrees: Any, kind: str, axes: Any, keepdims: int
) -> None:
    old = {} if axes is None else {"axes": axes}
    node_agrees(f"Reduce{kind}", X, opset=11, keepdims=keepdims, **old)
    operands = [X] if axes is None else [X, i64(*axes)]
    node_agrees(
        f"Reduce{kind}", *operands, fixed=range(1, len(operands)), opset=18, keepdims=keepdims
    )


def test_no_axes_may_mean_no_reduction(node_agrees: Any) -> None:
    imported = node_agrees("ReduceSum", X, i64(), fixed=[1], noop_with_empty_axes=1)
    assert ops(imported.module) == ["identity"]
    node_agrees("ReduceSum", X, i64(), fixed=[1])


def test_what_is_reduced_over_no_axes() -> None:
    """Each element by itself, as a number of rank 0 is: its square, for instance."""
    parts = [
        Part(
            f"Reduce{kind}", [x], (str(x.dtype),), {"noop_with_empty_axes": 1}, symbolic=x.ndim > 0
        )
        for kind in KINDS
        for x in (-X, np.array(X[0, 0, 0]), np.array(5))
        if kind != "LogSum" or (x > 0).all()
    ]
    agree(*together(parts, version=18))


def test_integers_are_reduced_in_float64() -> None:
    x = np.array([[3, -4], [5, 12]])
    parts = [
        Part("ReduceL2", [x], ("int64",), {"axes": [1]}),
        Part("ReduceLogSum", [abs(x)], ("int64",)),
    ]
    agree(*together(parts))


@pytest.mark.parametrize("shape", [(3, 4), ("m", "n")], ids=["fixed", "symbolic"])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "uint64"])
def test_means_of_integers_are_cut_toward_zero(dtype: str, shape: Any) -> None:
    x = np.array([[3, -4, 5, 0], [-7, -4, 9, -1], [-1, -1, 0, 8]])
    x = (abs(x) if dtype.startswith("uint") else x).astype(dtype)
    nodes = [helper.make_node("ReduceMean", ["x"], ["y"], axes=[1], keepdims=0)]
    model = onnx_model(nodes, {"x": (dtype, shape)}, {"y": dtype})
    [y] = run(import_model(model).module, x)
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, np.trunc(x.mean(1)).astype(dtype))


@pytest.mark.parametrize(
    ("kind", "shape", "expected"),
    [("Mean", (2, 0), 0), ("Mean", (2, "n"), 0), ("LogSum", (2, 0), np.iinfo("int32").min)],
)
def test_means_and_logarithms_of_no_integers(kind: str, shape: Any, expected: int) -> None:
    """ONNX leaves open what they are; none fails, or ends the process by dividing by 0."""
    nodes = [helper.make_node(f"Reduce{kind}", ["x"], ["y"], axes=[1])]
    model = onnx_model(nodes, {"x": ("int32", shape)}, {"y": "int32"})
    [y] = run(import_model(model).module, np.zeros((2, 0), "int32"))
    assert y.tolist() == [[expected]] * 2


@pytest.mark.parametrize("kind", ["Sum", "Prod", "L1", "L2", "SumSquare"])
def test_reductions_of_nothing(node_agrees: Any, kind: str) -> None:
    node_agrees(f"Reduce{kind}", np.zeros((2, 0, 4), "float32"), i64(1), fixed=[1], opset=18)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4), (1, 3, 4, 4)])
def test_batch_norm(node_agrees: Any, shape: tuple[int, ...]) -> None:
    x, parameters = (
        RNG.standard_normal(shape).astype("float32"),
        [RNG.uniform(0.5, 2, 3).astype("float32") for _ in range(4)],
    )
    for opset in (9, 15):
        imported = node_agrees(
            "BatchNormalization", x, *parameters, fixed=[1, 2, 3, 4], opset=opset, epsilon=0.1
        )
        assert ops(imported.module) == ["batch_norm", "TupleGetItem"]


@pytest.mark.parametrize("axis", [-1, 1, -2])
@pytest.mark.parametrize("biased", [True, False])
def test_layer_norm(node_agrees: Any, axis: int, biased: bool) -> None:
    shape = X.shape[axis:]
    parameters = [RNG.standard_normal(shape).astype("float32") for _ in range(1 + biased)]
    node_agrees("LayerNormalization", X, *parameters, fixed=[1], axis=axis, epsilon=0.01)
    node_agrees("LayerNormalization", X, *parameters, outputs=["float32"] * 3, axis=axis)


def test_other_norms(node_agrees: Any) -> None:
    x, scale = (
        RNG.standard_normal((2, 4, 5)).astype("float32"),
        RNG.standard_normal(4).astype("float32"),
    )
    node_agrees("InstanceNormalization", x, scale, scale + 1, epsilon=0.01)
    node_agrees("GroupNormalization", x, scale, scale + 1, opset=21, num_groups=2)
    node_agrees("LpNormalization", x, axis=1, p=2)
    node_agrees("LpNormalization", x, axis=-1, p=1)
    node_agrees("RMSNormalization", x, RNG.standard_normal(5).astype("float32"), opset=23)


@pytest.mark.parametrize("opset", [7, 10, 13])
def test_dropout_in_inference(node_agrees: Any, opset: int) -> None:
    assert ops(node_agrees("Dropout", X, opset=opset).module) == ["dropout"]
    node_agrees("Dropout", X, opset=13, outputs=["float32", "bool"])


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((3, 4), (4, 5)),
        ((2, 3, 4), (4, 5)),
        ((2, 1, 3, 4), (5, 4, 2)),
        ((4,), (4,)),
        ((4,), (2, 4, 3)),
        ((2, 3, 4), (4,)),
    ],
)
def test_matmul(node_agrees: Any, a: tuple[int, ...], b: tuple[int, ...]) -> None:
    imported = node_agrees("MatMul", *(RNG.standard_normal(s).astype("float32") for s in (a, b)))
    assert ops(imported.module) == ["matmul"]


@pytest.mark.parametrize("c", [None, (), (5,), (3, 1), (3, 5), (1, 5)])
@pytest.mark.parametrize(("trans_a", "trans_b"), [(0, 0), (1, 1)])
def test_gemm(node_agrees: Any, c: Any, trans_a: int, trans_b: int) -> None:
    a, b = (
        RNG.standard_normal((3, 4)).astype("float32"),
        RNG.standard_normal((4, 5)).astype("float32"),
    )
    operands = [a.T if trans_a else a, b.T if trans_b else b]
    operands += [] if c is None else [np.asarray(RNG.standard_normal(c), "float32")]
    operands = [np.ascontiguousarray(o) if o.ndim else o for o in operands]
    imported = node_agrees("Gemm", *operands, transA=trans_a, transB=trans_b, alpha=0.5, beta=2.0)
    assert ops(imported.module)[-1] == "gemm"


@pytest.mark.parametrize("c", [(), (5,)])
def test_an_alpha_of_zero_keeps_what_is_no_number(node_agrees: Any, c: Any) -> None:
    a = np.array([[np.nan, 1], [np.inf, 2], [3, 4]], "float32")
    operands = [a, np.ones((2, 5), "float32"), *([np.ones(c, "float32")] if c else [])]
    node_agrees("Gemm", *operands, alpha=0.0, beta=2.0)


@pytest.mark.parametrize("equation", ["bij,bjk->bik", "bij->bji", "bij->", "bij,bij->b"])
def test_einsum(node_agrees: Any, equation: str) -> None:
    shapes = [(2, 3, 4), (2, 4, 3) if "jk" in equation else (2, 3, 4)][: equation.count(",") + 1]
    node_agrees(
        "Einsum", *(RNG.standard_normal(s).astype("float32") for s in shapes), equation=equation
    )


@pytest.mark.parametrize(
    ("equation", "dims"),
    [
        ("ij,jk,kl->il", {}),
        ("ij,jk,kl->il", {0: ("n", 3), 1: (3, "m"), 2: ("m", 2)}),
        ("i,ij,j->", {}),
        ("ii,jj,ij", {}),
        ("ij,jk,jk,k", {}),
    ],
)
def test_einsum_of_several(node_agrees: Any, equation: str, dims: Any) -> None:
    """Two at a time: no product has a dimension that neither its operands nor the result need."""
    sizes = {"i": 2, "j": 3, "k": 4, "l": 2}
    terms = equation.split("->")[0].split(",")
    operands = [RNG.standard_normal([sizes[n] for n in names]).astype("float32") for names in terms]
    if equation == "i,ij,j->":
        operands[0] = operands[0][:1]
    imported = node_agrees("Einsum", *operands, equation=equation, dims=dims)
    assert ops(imported.module).count("einsum") == len(terms) - 1


def bytes_of(*shape: int, dtype: str = "uint8") -> np.ndarray:
    """Draw 7 bits: of 8, onnxruntime's products saturate on some processors."""
    return RNG.integers(0 if dtype == "uint8" else -64, 64, shape).astype(dtype)


def test_quantized_products(node_agrees: Any) -> None:
    a, b, zero = bytes_of(3, 4), bytes_of(4, 5, dtype="int8"), np.array(7, "uint8")
    node_agrees("MatMulInteger", a, b, zero, outputs=["int32"])
    node_agrees(
        "ConvInteger",
        bytes_of(1, 2, 5, 5),
        bytes_of(3, 2, 3, 3),
        zero,
        outputs=["int32"],
        pads=[1] * 4,
    )
    scale, signed = np.array(0.02, "float32"), np.array(3, "int8")
    node_agrees(
        "QLinearMatMul", a, scale, zero, b, scale, signed, scale * 60, zero, outputs=["uint8"]
    )
    channels, zeros = np.array([0.01, 0.02, 0.03], "float32"), np.zeros(3, "int8")
    node_agrees(
        "QLinearConv", bytes_of(1, 2, 5, 5), scale, zero, bytes_of(3, 2, 3, 3, dtype="int8"), channels, zeros,
        scale * 90, zero, np.array([5, 6, 7], "int32"), fixed=[3, 4, 5], outputs=["uint8"], strides=[2, 2],
    )  # fmt: skip


def test_quantizing(node_agrees: Any) -> None:
    scale, zero = np.array(0.05, "float32"), np.array(100, "uint8")
    node_agrees("QuantizeLinear", X * 10 - 8, scale, zero, outputs=["uint8"])
    node_agrees("DequantizeLinear", bytes_of(3, 4), scale, zero)


INF, NAN = np.inf, np.nan
ROWS = [
    [NAN, NAN, NAN], [1, NAN, 2], [-INF, -INF, -INF], [NAN, 1, 2], [1, 2, NAN], [INF, NAN, INF],
    [INF, INF, 1], [-INF, 1, 1], [0.0, -0.0, 0.0],
]  # fmt: skip


@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.parametrize("operator", ["ArgMax", "ArgMin"])
def test_places_of_infinities_and_nan(operator: str, level: Any) -> None:
    """They are numpy's; onnxruntime's answer to NaN depends on where it stands."""
    sign = {"ArgMax": 1, "ArgMin": -1}[operator]
    x = sign * np.array(ROWS, "float32")
    nodes = [
        helper.make_node(operator, ["x"], [y], axis=1, keepdims=0, select_last_index=last)
        for last, y in enumerate(["first", "last"])
    ]
    results = dict.fromkeys(["first", "last"], "int64")
    model = onnx_model(nodes, {"x": ("float32", ["n", 3])}, results, opset=17)
    found = tvmfuse.compile(model, level=level).load()(x=x)
    np.testing.assert_array_equal(found["first"], np.argmax(sign * x, 1))
    np.testing.assert_array_equal(found["last"], 2 - np.argmax(sign * x[:, ::-1], 1))


@pytest.mark.parametrize("opset", [13, 21])
@pytest.mark.parametrize("zero", [(), (1,), None], ids=str)
@pytest.mark.parametrize("scale", [(), (1,)], ids=str)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (1, 4), (3, 4)], ids=str)
def test_one_scale_comes_in_two_forms(
    node_agrees: Any, shape: Any, scale: Any, zero: Any, opset: int
) -> None:
    """The bias of a layer that onnxruntime quantized has a scale of shape (1,) and a zero point ()."""
    by, biases = np.full(scale, 0.02, "float32"), RNG.integers(-999, 999, shape, "int32")
    at = None if zero is None else np.zeros(zero, "int32")
    node_agrees(
        "DequantizeLinear", biases, by, at, fixed=[1] if at is None else [1, 2], opset=opset
    )
    x = RNG.standard_normal(shape).astype("float32")
    at = None if zero is None else np.full(zero, 7, "uint8")
    fixed = [1] if at is None else [1, 2]
    node_agrees("QuantizeLinear", x, by, at, fixed=fixed, outputs=["uint8"], opset=opset)


@pytest.mark.parametrize("x", [X, -X, X - 1, 0 * X, X[0, 0, 0]], ids=str)
def test_quantizing_by_what_is_there(node_agrees: Any, x: np.ndarray) -> None:
    node_agrees("DynamicQuantizeLinear", x, outputs=["uint8", "float32", "uint8"])


IMAGE = RNG.standard_normal((1, 2, 5, 6)).astype("float32")
MODES = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric"]


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("coordinates", MODES)
@pytest.mark.parametrize("scales", [(2.0, 2.0), (0.6, 1.7), (0.2, 1.5)])
def test_resize_by_scales(
    node_agrees: Any, mode: str, coordinates: str, scales: tuple[float, ...]
) -> None:
    if coordinates == "align_corners":
        scales = (0.6, 1.5)  # those that give whole sizes
    by = np.array([1, 1, *scales], "float32")
    node_agrees(
        "Resize",
        IMAGE,
        None,
        by,
        fixed=[2],
        opset=19,
        mode=mode,
        coordinate_transformation_mode=coordinates,
    )


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("size", [(10, 12), (3, 7), (1, 1)])
def test_resize_to_sizes(node_agrees: Any, mode: str, size: tuple[int, ...]) -> None:
    node_agrees("Resize", IMAGE, None, None, i64(1, 2, *size), fixed=[3], opset=13, mode=mode)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32"])
@pytest.mark.parametrize("scales", [(2, 1.5), (0.5, 0.6), (3, 3)])
def test_integers_are_resized_in_float32(node_agrees: Any, dtype: str, scales: Any) -> None:
    by = np.array([1, 1, *scales], "float32")
    bounds = np.iinfo(dtype) if dtype != "int32" else np.iinfo("int16")
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode="linear")
    for x in (
        RNG.integers(bounds.min, bounds.max, (1, 2, 6, 5), dtype, endpoint=True),
        np.full((1, 2, 6, 5), 100, dtype),
    ):
        model, wide = (
            onnx_model([node], {"x": (d, x.shape)}, {"y": d}, {"s": by}, opset=19)
            for d in (dtype, "float64")
        )
        (exact,) = ReferenceEvaluator(wide).run(None, {"x": x.astype("float64")})
        (found,) = run(import_model(model).module, x)
        clear = np.abs(exact - np.rint(exact)) > 0.01  # others may be truncated either way
        np.testing.assert_array_equal(found[clear], reference(model, {"x": x})["y"][clear])
        assert np.abs(found - exact).max() < 1.01
    np.testing.assert_array_equal(found, 100)


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize(("mode", "antialias"), [("cubic", 0), ("cubic", 1), ("linear", 1)])
def test_integers_that_onnxruntime_does_not_resize_are_rounded(
    dtype: str, mode: str, antialias: int
) -> None:
    """It raises for cubic ones, and antialias disagrees with the specification by up to 90."""
    bounds = np.iinfo(dtype)
    x = RNG.integers(bounds.min, bounds.max, (1, 2, 8, 6), dtype, endpoint=True)
    by = {"s": np.array([1, 1, 0.5, 0.75], "float32")}
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode=mode, antialias=antialias)
    model = onnx_model([node], {"x": (dtype, x.shape)}, {"y": dtype}, by, opset=19)
    (expected,) = map(np.asarray, ReferenceEvaluator(model).run(None, {"x": x}))
    (found,) = run(import_model(model).module, x)
    assert np.abs(found.astype(int) - expected.astype(int)).max() <= 1
    assert (found != expected).mean() < 0.05


@pytest.mark.parametrize("rounding", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
def test_nearest_rounds_as_asked(node_agrees: Any, rounding: str) -> None:
    by = np.array([1, 1, 1.5, 3], "float32")
    node_agrees("Resize", IMAGE, None, by, fixed=[2], mode="nearest", nearest_mode=rounding)


def test_antialias_says_nothing_of_images_that_grow() -> None:
    by = {"s": np.array([1, 1, 2, 2], "float32")}
    inputs = {"x": ("float32", IMAGE.shape)}
    grown = []
    for antialias in (0, 1):
        node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode="linear", antialias=antialias)
        model = onnx_model([node], inputs, {"y": "float32"}, by, opset=18)
        module = import_model(model).module
        assert "tvmfuse.resample" in str(module["main"])
        grown += run(module, IMAGE)
    np.testing.assert_array_equal(grown[0], grown[1])


def test_other_resizes(node_agrees: Any) -> None:
    node_agrees(
        "Resize",
        IMAGE,
        None,
        np.array([1, 1, 0.5, 0.4], "float32"),
        fixed=[2],
        opset=18,
        mode="linear",
        antialias=1,
    )
    node_agrees(
        "Resize", IMAGE[0], None, np.array([1, 2, 3], "float32"), fixed=[2], opset=18, mode="linear"
    )
    node_agrees(
        "Resize", IMAGE, None, None, i64(9, 13), fixed=[3], opset=18, mode="nearest", axes=[2, 3]
    )
    node_agrees(
        "Upsample", IMAGE, np.array([1, 1, 2, 3], "float32"), fixed=[1], opset=9, mode="nearest"
    )
    node_agrees(
        "Upsample", IMAGE, np.array([1, 1, 2, 2], "float32"), fixed=[1], opset=9, mode="linear"
    )
