"""LSTM, GRU and RNN: what a node may say, against onnxruntime and ONNX's own definition."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, run
from onnx import helper, numpy_helper
from operator_case import Case, K, case
from operator_models import model_of
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ops.lowering.recurrent_activations import ACTIVATIONS

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
NAMES = (
    *("Affine", "Elu", "HardSigmoid", "LeakyRelu", "Relu", "ScaledTanh"),
    *("Sigmoid", "Softplus", "Softsign", "Tanh", "ThresholdedRelu"),
)
STEPS, BATCH, INPUTS, HIDDEN = 4, 3, 5, 9
LENGTHS = np.array([4, 0, 2], "int32")


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).uniform(-0.8, 0.8, shape).astype("float32")


def recurrent(
    op: str,
    note: str = "",
    *,
    directions: int = 1,
    bias: bool = True,
    lengths: np.ndarray | None = None,
    states: bool = False,
    peepholes: bool = False,
    hidden: int = HIDDEN,
    batch: int = BATCH,
    fixed: bool = True,
    steps: int = STEPS,
    **attributes: Any,
) -> Case:
    rows = GATES[op] * hidden
    given = K if fixed else np.array
    state = numbers(directions, batch, hidden, seed=1) if states else None
    operands = [
        numbers(steps, batch, INPUTS),
        given(numbers(directions, rows, INPUTS)),
        given(numbers(directions, rows, hidden)),
        given(numbers(directions, 2 * rows)) if bias else None,
        lengths,
        state,
    ]
    if op == "LSTM":
        operands += [None if state is None else -state]
        operands += [K(numbers(directions, 3 * hidden)) if peepholes else None]
    outputs = ("float32",) * (3 if op == "LSTM" else 2)
    if directions == 2:
        attributes["direction"] = "bidirectional"
    return case(op, *operands, to=outputs, note=note, hidden_size=hidden, **attributes)


def cases() -> Iterator[Case]:
    for op in GATES:
        yield recurrent(op)
        yield recurrent(op, "both", directions=2, states=True)
        yield recurrent(op, "lengths", directions=2, states=True, lengths=LENGTHS)
        yield recurrent(op, "backwards", lengths=LENGTHS, direction="reverse")
        yield recurrent(op, "one", batch=1, steps=1, bias=False)
        yield recurrent(op, "whole vectors", hidden=32, batch=1, states=True)
        yield recurrent(op, "ragged panels", hidden=131, batch=1)
        yield recurrent(op, "rows of ragged panels", hidden=131, batch=3)
        yield recurrent(op, clip=0.25, states=True)
        yield recurrent(op, "fed weights", fixed=False, directions=2)
    yield recurrent("LSTM", "peepholes", peepholes=True, states=True, directions=2)
    yield recurrent("LSTM", "peepholes", peepholes=True, clip=0.3)
    yield recurrent("LSTM", input_forget=1, peepholes=True)
    for bias in (True, False):
        yield recurrent("GRU", f"bias {bias}", linear_before_reset=1, bias=bias, directions=2)
    assert {name.lower() for name in NAMES} == set(ACTIVATIONS)
    for name in NAMES:
        yield recurrent("RNN", activations=[name], activation_alpha=[0.7], activation_beta=[0.3])
    yield recurrent("RNN", activations=["HardSigmoid"])
    yield recurrent("GRU", activations=["Elu", "LeakyRelu"])
    some = ["HardSigmoid", "LeakyRelu", "ScaledTanh"]
    alphas, betas = [0.3, 0.2, 1.1], [0.4, 0.9]
    yield recurrent("LSTM", activations=some, activation_alpha=alphas, activation_beta=betas)


@pytest.mark.parametrize(("level", "every"), [("none", 4), ("all", 1)])
@pytest.mark.sampled(3)
def test_against_onnxruntime(level: str, every: int) -> None:
    """A node is one operator at each level; what stands around it is not."""
    model, feeds, owner = model_of([*cases()][::every])
    found, expected = tvmfuse.compile(model, level=level).load()(feeds), reference(model, feeds)
    for name, theirs in expected.items():
        try:
            assert_agrees({name: found[name]}, {name: theirs}, tolerance=1e-5)
        except AssertionError as error:
            raise AssertionError(f"{owner[name]}: {error}") from error


def layer(
    op: str, x: tuple[object, ...], outputs: tuple[str, ...], **attributes: Any
) -> onnx.ModelProto:
    rows = GATES[op] * HIDDEN
    weights = {"w": numbers(1, rows, INPUTS), "r": numbers(1, rows, HIDDEN)}
    node = helper.make_node(
        op, ["x", *weights], [*outputs], "node", **{"hidden_size": HIDDEN, **attributes}
    )
    return onnx_model([node], {"x": ("float32", x)}, {o: "float32" for o in outputs if o}, weights)


@pytest.mark.parametrize("op", GATES)
def test_symbolic_sizes(op: str) -> None:
    """One module for all lengths and batches; of nothing onnxruntime aborts the process."""
    model = layer(op, ("t", "b", INPUTS), ("y", "last"))
    compiled = tvmfuse.compile(model).load()
    for steps, batch in ((5, 2), (1, 1), (3, 17)):
        feeds = {"x": numbers(steps, batch, INPUTS)}
        assert_agrees(compiled(feeds), reference(model, feeds), tolerance=1e-5)
    nobody, nothing = (compiled({"x": numbers(*n, INPUTS)}) for n in ((2, 0), (0, 2)))
    assert (nobody["y"].shape, nobody["last"].shape) == ((2, 1, 0, HIDDEN), (1, 0, HIDDEN))
    assert nothing["y"].shape == (0, 1, 2, HIDDEN)
    assert not nothing["last"].any()


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize(("weight", "products"), [(1.0, 0), (np.inf, {"GRU": 2})])
def test_a_state_of_zeros_is_not_multiplied(op: str, weight: float, products: Any) -> None:
    """But by infinity: that is NaN."""
    model = layer(op, (1, 2, INPUTS), ("y",))
    weights = numpy_helper.to_array(model.graph.initializer[1]).copy()
    weights[0, 0, 0] = weight
    model.graph.initializer[1].CopyFrom(numpy_helper.from_array(weights, "r"))
    artifact = tvmfuse.compile(model, strict=True)
    plans = [str(k.plan) for k in artifact.manifest.kernels if "repeating" in str(k.plan)]
    expected = products.get(op, 1) if products else 0
    assert [plan.count("'contraction'") for plan in plans] == [expected]
    found = artifact.load()({"x": numbers(1, 2, INPUTS)})["y"]
    assert np.isnan(found).any() == np.isinf(weight)


@pytest.mark.parametrize("op", GATES)
def test_batches_first(op: str) -> None:
    """onnxruntime has steps first only: layout 1 is that, transposed."""
    x = numbers(STEPS, BATCH, INPUTS)
    expected = reference(layer(op, x.shape, ("y", "last")), {"x": x})
    turned = np.ascontiguousarray(x.transpose(1, 0, 2))
    imported = import_model(layer(op, turned.shape, ("y", "last"), layout=1))
    y, last = run(imported.module, turned)
    np.testing.assert_allclose(y, expected["y"].transpose(2, 0, 1, 3), atol=1e-5)
    np.testing.assert_allclose(last, expected["last"].transpose(1, 0, 2), atol=1e-5)


@pytest.mark.parametrize("outputs", [("y",), ("", "last"), ("", "", "cell")])
def test_each_output_alone(outputs: tuple[str, ...], agrees: Any) -> None:
    agrees(layer("LSTM", (2, 3, INPUTS), outputs), {"x": numbers(2, 3, INPUTS)})


def test_nan_stays_in_its_sequence(agrees: Any) -> None:
    x = numbers(STEPS, BATCH, INPUTS)
    x[1, 1, 0], x[2, 2, 1] = np.nan, np.inf
    agrees(layer("LSTM", x.shape, ("y", "last", "cell")), {"x": x})


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"direction": "bidirectional"}, r"recurrent weights have the shape \[1, 36, 9\]"),
        ({"hidden_size": 7}, r"hidden_size is 7, and its recurrent weights have 9"),
        ({"activations": ["Tanh"]}, r"lists 1 activations, not 3"),
        ({"activations": ["Affine", "Tanh", "Tanh"]}, r"'Affine' has no activation_alpha"),
        ({"activations": ["Sigmoid", "Gelu", "Tanh"]}, r"activation 'Gelu' is none of ONNX's"),
    ],
)
def test_what_is_refused(attributes: dict[str, Any], words: str) -> None:
    with pytest.raises(UnsupportedModelError, match=words):
        import_model(layer("LSTM", (2, 3, INPUTS), ("y",), **attributes))


def test_weights_of_another_rank() -> None:
    model = layer("LSTM", (2, 3, INPUTS), ("y",))
    del model.graph.initializer[1].dims[0]
    with pytest.raises(UnsupportedModelError, match=r"have the ranks \[3, 3, 2\], not 3"):
        import_model(model)
