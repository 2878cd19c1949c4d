"""Elementwise operators and activations give onnxruntime's numbers."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model, ops, run
from onnx import TensorProto, helper
from together import Part, agree, together

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

pytestmark = pytest.mark.sampled(5)

node = helper.make_node
RNG = np.random.default_rng(0)
X = (
    np.concatenate([RNG.standard_normal(20) * 3, [0.0, -0.0, 50.0, -50.0]])
    .astype("float32")
    .reshape(4, 6)
)
Y = {"y": "float32"}


def one(
    op: str, *arrays: np.ndarray, opset: int = 17, out: str = "float32", **attributes: Any
) -> Any:
    """Return a model of one node, all of whose operands are inputs, and what to feed it."""
    feeds = {f"x{i}": np.asarray(a) for i, a in enumerate(arrays)}
    inputs = {name: (str(a.dtype), a.shape) for name, a in feeds.items()}
    return onnx_model(
        [node(op, list(feeds), ["y"], **attributes)], inputs, {"y": out}, opset=opset
    ), feeds


def test_functions_of_one_operand(agrees: Any) -> None:
    names = ["Abs", "Ceil", "Cos", "Erf", "Exp", "Floor", "HardSwish", "Identity", "Neg", "Reciprocal",
             "Relu", "Round", "Sigmoid", "Sign", "Sin", "Softplus", "Softsign", "Tan", "Tanh"]  # fmt: skip
    nodes = [node(n, ["x"], [n]) for n in names]
    agrees(
        onnx_model(nodes, {"x": ("float32", X.shape)}, dict.fromkeys(names, "float32")), {"x": X}
    )


def test_round_goes_to_even(agrees: Any) -> None:
    agrees(*one("Round", np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.4999], "float32")))


@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("LeakyRelu", {"alpha": 0.3}), ("Elu", {"alpha": 0.7}), ("Selu", {}), ("HardSigmoid", {"alpha": 0.3}),
        ("ThresholdedRelu", {"alpha": 0.5}), ("Shrink", {"lambd": 0.5, "bias": 0.2}),
        ("Shrink", {"lambd": -1.0, "bias": 0.2}),
    ],
)  # fmt: skip
def test_activations_with_attributes(agrees: Any, op: str, attributes: dict[str, Any]) -> None:
    agrees(*one(op, X, **attributes))


def test_hardmax_of_any_number_of_classes() -> None:
    agree(*together([Part("Hardmax", [np.round(X)], attributes={"axis": a}) for a in (0, 1)]))


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_is_one_call(agrees: Any, approximate: str) -> None:
    imported = agrees(*one("Gelu", X, opset=20, approximate=approximate))
    assert ops(imported.module) == ["gelu" if approximate == "none" else "gelu_tanh"]


@pytest.mark.parametrize("slope", [(1,), (6,), (4, 1), (4, 6)])
def test_prelu_broadcasts_from_the_right(agrees: Any, slope: tuple[int, ...]) -> None:
    agrees(*one("PRelu", X, RNG.standard_normal(slope).astype("float32")))


def test_prelu_of_channels_before_opset_7() -> None:
    x, slope = RNG.standard_normal((2, 3, 4)), np.array([0.5, 2, -1])
    model, feeds = one("PRelu", x.astype("float32"), slope.astype("float32"), opset=6)
    [found] = run(import_model(model).module, *feeds.values())
    np.testing.assert_allclose(found, np.where(x < 0, x * slope[:, None], x), rtol=1e-6)


@pytest.mark.parametrize(
    "shapes", [((4, 6), (4, 6)), ((4, 1), (6,)), ((), (4, 6)), ((2, 1, 3), (4, 1))]
)
def test_binary_operators_broadcast(agrees: Any, shapes: Any) -> None:
    a, b = (np.asarray(RNG.uniform(1, 5, s), "float32") for s in shapes)
    names = ["Add", "Sub", "Mul", "Div", "Pow"]
    nodes = [node(n, ["a", "b"], [n]) for n in names]
    inputs = {"a": ("float32", a.shape), "b": ("float32", b.shape)}
    agrees(onnx_model(nodes, inputs, dict.fromkeys(names, "float32")), {"a": a, "b": b})


@pytest.mark.parametrize("op", ["Min", "Max", "Sum", "Mean"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_operators_of_many_operands(agrees: Any, op: str, count: int) -> None:
    shapes = [(4, 6), (6,), (1,), (4, 1)][:count]
    agrees(*one(op, *(RNG.standard_normal(s).astype("float32") for s in shapes)))


def test_nan_and_infinity_come_through(agrees: Any) -> None:
    x = np.array([np.nan, np.inf, -np.inf, 1.0, -1.0], "float32")
    names = ["Relu", "LeakyRelu", "Sigmoid", "Tanh", "Clip", "Softmax", "Elu"]
    nodes = [node(n, ["x"] if n != "Clip" else ["x", "low"], [n]) for n in names]
    constants = {"low": np.array(0.0, "float32")}
    model = onnx_model(nodes, {"x": ("float32", [5])}, dict.fromkeys(names, "float32"), constants)
    agrees(model, {"x": x})
    agrees(*one("LeakyRelu", x, alpha=0.0))
    for op in ("Min", "Max"):
        agrees(*one(op, x, np.zeros(5, "float32")))


def test_integer_division_rounds_toward_zero(agrees: Any) -> None:
    a, b = np.array([7, -7, 7, -7, 0], "int64"), np.array([2, 2, -2, -2, 5], "int64")
    agrees(*one("Div", a, b, out="int64"))
    agrees(*one("Div", a.astype("int32"), b.astype("int32"), out="int32"))
    agrees(*one("Mod", a, b, out="int64"))
    agrees(*one("Mod", a, b, out="int64", fmod=1))


def test_a_constant_divisor_of_zero_is_refused() -> None:
    by_zero = onnx_model(
        [node("Div", ["x", "z"], ["y"])],
        {"x": ("int64", [2])},
        {"y": "int64"},
        {"z": np.array([0])},
    )
    with pytest.raises(UnsupportedModelError, match="it divides integers by 0"):
        import_model(by_zero)


@pytest.mark.parametrize("fmod", [0, 1])
def test_remainders_of_floats(agrees: Any, fmod: int) -> None:
    a = np.array([7.5, -7.5, 7.5, -7.5, 3.0], "float32")
    b = np.array([2.0, 2.0, -2.0, -2.0, np.inf], "float32")
    model, feeds = one("Mod", a, b, fmod=1)
    if fmod:
        agrees(model, feeds)
        return
    from graphs import run

    floored, _ = one("Mod", a, b, opset=28)
    floored.ir_version = 13
    np.testing.assert_allclose(run(import_model(floored).module, a, b)[0], np.mod(a, b))


@pytest.mark.parametrize(
    ("base", "exponent"),
    [("float32", "int64"), ("int64", "float32"), ("int32", "int32"), ("float32", "float64")],
)
def test_powers_of_mixed_dtypes(agrees: Any, base: str, exponent: str) -> None:
    agrees(*one("Pow", np.array([1, 2, 3, 4], base), np.array([0, 1, 2, 3], exponent), out=base))


def test_comparisons_and_logic(agrees: Any) -> None:
    a, b = np.array([1.0, 2.0, np.nan], "float32"), np.array([1.0, 1.0, np.nan], "float32")
    names = ["Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"]
    nodes = [node(n, ["a", "b"], [n]) for n in names]
    nodes += [node(n, ["Equal", "Greater"], [n]) for n in ("And", "Or", "Xor")]
    nodes += [node("Not", ["Equal"], ["Not"]), node("IsNaN", ["a"], ["IsNaN"])]
    outputs = dict.fromkeys([n.output[0] for n in nodes], "bool")
    agrees(onnx_model(nodes, {n: ("float32", [3]) for n in "ab"}, outputs), {"a": a, "b": b})


@pytest.mark.parametrize(("positive", "negative"), [(1, 1), (1, 0), (0, 1), (0, 0)])
def test_infinities_of_one_sign(agrees: Any, positive: int, negative: int) -> None:
    x = np.array([np.inf, -np.inf, np.nan, 1.0], "float32")
    agrees(*one("IsInf", x, out="bool", detect_positive=positive, detect_negative=negative))


@pytest.mark.parametrize("to", ["float32", "float16", "float64", "int32", "int64", "uint8", "bool"])
@pytest.mark.parametrize("source", ["float32", "int64", "bool", "uint8"])
def test_casts(agrees: Any, source: str, to: str) -> None:
    x = np.array([0, 1, 2, 100], source)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(to))
    imported = agrees(*one("Cast", x, out=to, to=kind))
    assert ops(imported.module) == ["astype"]


def test_casts_between_truth_and_fractions(agrees: Any) -> None:
    agrees(
        *one("Cast", np.array([0.5, 0.0, -0.0, np.nan], "float32"), out="bool", to=TensorProto.BOOL)
    )


@pytest.mark.parametrize(
    ("low", "high"),
    [(-1.0, 1.0), (None, 1.0), (-1.0, None), (None, None), (1.0, -1.0), (0.0, np.inf)],
)
@pytest.mark.parametrize("fixed", [True, False])
def test_clip(agrees: Any, low: float | None, high: float | None, fixed: bool) -> None:
    bounds = {n: np.array(v, "float32") for n, v in (("low", low), ("high", high)) if v is not None}
    nodes = [node("Clip", ["x", *(n if n in bounds else "" for n in ("low", "high"))], ["y"])]
    inputs: dict[str, Any] = {"x": ("float32", X.shape)} | (
        {} if fixed else {n: ("float32", []) for n in bounds}
    )
    imported = agrees(
        onnx_model(nodes, inputs, Y, bounds if fixed else {}), {"x": X} | ({} if fixed else bounds)
    )
    if fixed:
        assert ops(imported.module) == ["clip"]


def test_clip_by_attributes_and_of_integers(agrees: Any) -> None:
    agrees(*one("Clip", X, opset=6, min=-1.0, max=2.0))
    agrees(*one("Clip", X, opset=6, max=2.0))
    i = {"low": np.array(-3), "high": np.array(3)}
    nodes = [node("Clip", ["x", "low", "high"], ["y"])]
    agrees(onnx_model(nodes, {"x": ("int64", [3])}, {"y": "int64"}, i), {"x": np.array([-9, 0, 9])})


@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax"])
@pytest.mark.parametrize(
    ("opset", "axis"), [(17, -1), (17, 1), (17, 0), (11, 1), (11, 2), (11, 0), (11, -1), (11, None)]
)
def test_softmax_of_every_opset(agrees: Any, op: str, opset: int, axis: int | None) -> None:
    attributes: dict[str, Any] = {} if axis is None else {"axis": axis}
    agrees(*one(op, X.reshape(2, 3, 4), opset=opset, **attributes))


@pytest.mark.parametrize(
    ("left", "right"),
    [("uint8", "LEFT"), ("uint8", "RIGHT"), ("uint32", "LEFT"), ("uint64", "RIGHT")],
)
def test_shifts(agrees: Any, left: str, right: str) -> None:
    agrees(
        *one(
            "BitShift",
            np.array([1, 7, 200], left),
            np.array([1, 3, 7], left),
            out=left,
            direction=right,
        )
    )


def test_a_legacy_axis_aligns_the_second_operand() -> None:
    from graphs import run

    a, b = (
        RNG.standard_normal((2, 3, 4)).astype("float32"),
        RNG.standard_normal(3).astype("float32"),
    )
    model, _ = one("Add", a, b, opset=6, broadcast=1, axis=1)
    np.testing.assert_allclose(run(import_model(model).module, a, b)[0], a + b[:, None])


@pytest.mark.parametrize("fixed", [(), (1,)], ids=["fed", "constant"])
def test_truths_are_compared(node_agrees: Any, fixed: Any) -> None:
    node_agrees(
        "Equal",
        np.array([True, False, True]),
        np.array([True, True, False]),
        fixed=fixed,
        outputs=["bool"],
    )


def test_sums_of_exponentials_of_infinities(node_agrees: Any) -> None:
    x = np.array([[1, 2, np.inf], [-np.inf, 0, 1], [np.nan, 1, np.inf], [1, 2, 3]], "float32")
    node_agrees("ReduceLogSumExp", x, axes=[1])


@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_softplus_keeps_small_results_and_does_not_overflow(level: str) -> None:
    x = np.append(np.linspace(-87, 88, 3999), [-np.inf, np.inf, np.nan, 3e38, -3e38]).astype(
        "float32"
    )
    model, _ = one("Softplus", x)
    found = tvmfuse.compile(model, level=level).load()(x0=x)["y"]
    exact = np.logaddexp(x.astype("float64"), 0)
    np.testing.assert_allclose(found, exact.astype("float32"), rtol=3 * 2**-23)
