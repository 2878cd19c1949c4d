"""Initializers that are graph inputs, too: from IR version 4 on, a caller may replace them."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from graphs import onnx_model
from onnx import helper, numpy_helper

import tvmfuse
from tvmfuse.errors import InputError, UnsupportedModelError
from tvmfuse.frontend.onnx import graph, import_model, importer
from tvmfuse.frontend.onnx.graph import array_of

node = helper.make_node
RNG = np.random.default_rng(0)
LEVELS = ("none", "basic", "extended", "all")


def drawn(*shape: Any) -> Any:
    return RNG.standard_normal(shape).astype("float32")


def scaled(ir_version: int = 8, rows: int = 3) -> Any:
    """y = x * exp(k): a constant k would be folded."""
    model = onnx_model(
        [node("Exp", ["k"], ["c"]), node("Mul", ["c", "x"], ["y"])],
        {"k": ("float32", [rows]), "x": ("float32", [rows])},
        {"y": "float32"},
        {"k": drawn(rows)},
    )
    model.ir_version = ir_version
    return model


def convolved(channels: int = 4) -> Any:
    """A convolution, scaled: a constant scale would be ConvMulFusion's."""
    x, s = [1, 3, 8, 8], [1, channels, 1, 1]
    return onnx_model(
        [node("Conv", ["x", "w"], ["c"]), node("Mul", ["c", "s"], ["y"])],
        {"x": ("float32", x), "s": ("float32", s)},
        {"y": "float32"},
        {"w": drawn(channels, 3, 3, 3), "s": drawn(*s)},
    )


def sessions(model: Any) -> Any:
    theirs = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return theirs, tvmfuse.InferenceSession(model.SerializeToString())


def described(arguments: Any) -> Any:
    return [(a.name, a.type, a.shape) for a in arguments]


def agree(model: Any, feeds: Any, run: Any) -> None:
    (expected,) = sessions(model)[0].run(None, feeds)
    np.testing.assert_allclose(run(feeds)["y"], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("rows", [1, 3, 300])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.sampled(4)
def test_the_default_is_taken_where_nothing_is_fed(level: str, rows: int) -> None:
    model = scaled(rows=rows)
    run = tvmfuse.compile(model, level=level).load()
    x = drawn(rows)
    for feeds in (
        {"x": x},
        {"x": x, "k": drawn(rows)},
        {"k": np.zeros(rows, "float32"), "x": x},
        {"x": x},
    ):
        agree(model, feeds, run)


@pytest.mark.parametrize("level", LEVELS)
def test_a_scale_that_may_be_replaced_is_not_folded_into_the_weights(level: str) -> None:
    model = convolved()
    artifact = tvmfuse.compile(model, level=level)
    assert not artifact.report.fired().keys() & {"ConvMulFusion", "ConstantFolding"}
    x = drawn(1, 3, 8, 8)
    for feeds in ({"x": x}, {"x": x, "s": drawn(1, 4, 1, 1)}):
        agree(model, feeds, artifact.load())


def test_nothing_is_folded() -> None:
    assert tvmfuse.explain(scaled()).fired().keys().isdisjoint({"ConstantFolding"})
    assert "ConstantFolding" in tvmfuse.explain(scaled(ir_version=3)).fired()


@pytest.mark.parametrize(
    "model", [scaled(), scaled(3), convolved()], ids=["scaled", "IR 3", "conv"]
)
def test_sessions_describe_them_as_onnx_runtime_does(model: Any) -> None:
    theirs, ours = sessions(model)
    assert described(ours.get_inputs()) == described(theirs.get_inputs())
    assert described(ours.get_overridable_initializers()) == described(
        theirs.get_overridable_initializers()
    )


def test_before_ir_version_4_they_are_constants() -> None:
    model, x = scaled(3), drawn(3)
    run = tvmfuse.compile(model).load()
    agree(model, {"x": x}, run)
    assert run.overridable == ()
    with pytest.raises(InputError, match="the model has no input 'k'"):
        run(x=x, k=x)


@pytest.mark.parametrize("route", ["saved", "offline", "offline and saved"])
def test_defaults_are_in_every_file(tmp_path: Path, route: str) -> None:
    model, graph, library = convolved(70), tmp_path / "m.graph", tmp_path / "m.so"
    artifact = tvmfuse.compile(model, save_optimized=graph)
    if "offline" in route:
        artifact = tvmfuse.compile(graph)
    if "saved" in route:
        artifact.save(library)
        assert [s.name for s in tvmfuse.inspect(library).overridable] == ["s"]
    run = tvmfuse.load(library) if "saved" in route else artifact.load()
    x = drawn(1, 3, 8, 8)
    for feeds in ({"x": x}, {"x": x, "s": drawn(1, 70, 1, 1)}, {"x": x}):
        agree(model, feeds, run)


def test_what_is_fed_is_checked() -> None:
    run = tvmfuse.compile(scaled()).load()
    x = drawn(3)
    with pytest.raises(InputError, match=r"input 'k': expected float32\[3\], found .*\(4,\)"):
        run(x=x, k=drawn(4))
    with pytest.raises(InputError, match="input 'k': expected .*, found dtype float64"):
        run(x=x, k=np.zeros(3))
    with pytest.raises(InputError, match="missing input 'x'"):
        run(k=x)
    with pytest.raises(InputError, match="no input 'j'"):
        run(x=x, j=x)


def test_the_caller_cannot_change_the_default() -> None:
    model = onnx_model(
        [node("Identity", ["k"], ["y"])], {"k": ("float32", [3])}, {"y": "float32"}, {"k": drawn(3)}
    )
    run = tvmfuse.compile(model).load()
    first = run()["y"]
    kept = first.copy()
    first += 1
    np.testing.assert_array_equal(run()["y"], kept)


@pytest.mark.parametrize("sums", [False, True], ids=["as it is", "computed"])
def test_a_shape_is_a_constant_for_kernels_are_made_for_it(sums: bool) -> None:
    nodes = [node("Mul", ["s", "one"], ["t"])] if sums else [node("Identity", ["s"], ["t"])]
    nodes += [node("Reshape", ["x", "t"], ["r"]), node("Mul", ["r", "k"], ["y"])]
    inputs = {"x": ("float32", [2, 3]), "s": ("int64", [1]), "k": ("float32", [6])}
    constants = {"s": np.array([6]), "one": np.array([1]), "k": drawn(6)}
    model = onnx_model(nodes, inputs, {"y": "float32"}, constants)
    run = tvmfuse.compile(model).load()
    assert [spec.name for spec in run.overridable] == ["k"]
    agree(model, {"x": drawn(2, 3), "k": drawn(6)}, run)
    with pytest.raises(InputError, match="the model has no input 's'"):
        run(x=drawn(2, 3), s=np.array([6]))


def test_bounds_may_be_replaced() -> None:
    nodes = [node("Clip", ["x", "low", "high"], ["y"])]
    inputs = {"x": ("float32", [5]), "low": ("float32", []), "high": ("float32", [])}
    constants = {"low": np.array(-0.5, "float32"), "high": np.array(0.5, "float32")}
    model = onnx_model(nodes, inputs, {"y": "float32"}, constants)
    run = tvmfuse.compile(model).load()
    for feeds in ({}, {"low": np.array(-2, "float32")}, {"high": np.array(0, "float32")}):
        agree(model, {"x": drawn(5), **feeds}, run)


def test_tensors_in_order_may_leave_out_what_has_a_default() -> None:
    model = scaled()
    run = tvmfuse.compile(model, target="avx2").load()
    (k,) = [numpy_helper.to_array(t) for t in model.graph.initializer]
    x, other = drawn(3), drawn(3)
    expected = run(x=x)["y"]
    for tensors in ([x], [x, k], {"x": x}, {"x": x, "k": k}):
        np.testing.assert_array_equal(run.call(tensors)[0], expected)
    np.testing.assert_array_equal(run.call([x, other])[0], run(x=x, k=other)["y"])
    for wrong in ([], [x, k, k]):
        with pytest.raises(InputError, match=r"expected 1 to 2 tensors \('x', 'k'\), found"):
            run.call(wrong)


class RefusingOnce:
    """Emits a model, and refuses it the first time: a kernel has to know one of its defaults."""

    def __init__(self, emit: Any) -> None:
        self.emit, self.calls = emit, 0

    def __call__(self, *args: Any, **options: Any) -> Any:
        self.calls += 1
        if self.calls == 1:
            raise UnsupportedModelError("a kernel has to know it")
        return self.emit(*args, **options)


def test_weights_are_read_once_where_a_default_has_to_be_a_constant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = []

    def reading(tensor: Any) -> Any:
        read.append(tensor.name)
        return array_of(tensor)

    monkeypatch.setattr(graph, "array_of", reading)
    monkeypatch.setattr(importer, "main_function", RefusingOnce(vars(importer)["main_function"]))
    imported = import_model(convolved())
    assert imported.overridable == ()
    assert [spec.name for spec in imported.inputs] == ["x"]
    assert sorted(read) == ["s", "w"]
