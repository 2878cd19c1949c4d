"""A compiled model next to another engine: errors, where they begin, and in how much memory."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx.reference import ReferenceEvaluator
from rich.console import Console
from tvm import relax

from tvmfuse.errors import ConfigurationError, UnsupportedModelError
from tvmfuse.measure import accuracy
from tvmfuse.passes.basic.eliminate_identity import EliminateIdentity
from tvmfuse.views.terminal.accuracy import SHOWN

node = onnx.helper.make_node
RNG = np.random.default_rng(0)


def weights(*shape: Any) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def two_layers() -> Any:
    """Return products around activations, with brackets in a name."""
    nodes = [
        node("MatMul", ["x", "w"], ["p"], name="first"),
        node("Relu", ["p"], ["r"], name="relu"),
        node("Identity", ["r"], ["i"], name="same"),
        node("MatMul", ["i", "v"], ["q[red]"], name="second"),
        node("Exp", ["q[red]"], ["y"], name="exp"),
    ]
    constants = {"w": weights(16, 32), "v": weights(32, 8) / 32}
    return onnx_model(nodes, {"x": ("float32", (4, 16))}, {"y": "float32"}, constants)


@pytest.mark.parametrize("against", ["onnxruntime", "reference", "none"])
def test_outputs_agree_with_each_engine(against: str) -> None:
    found = accuracy(two_layers(), against=against, threads=1)
    (row,) = found.outputs
    assert (row.name, row.node, row.op, row.dtype, row.shape) == (
        "y",
        "exp",
        "Exp",
        "float32",
        (4, 8),
    )
    assert row.distance.within(1e-6)
    assert found.agrees
    assert (found.tensors, found.fused) == ((), ())
    assert f"level all and {against} agree" in found.sentence


def test_errors_are_those_of_the_arrays() -> None:
    model, x = two_layers(), weights(4, 16)
    found = accuracy(model, against="reference", inputs={"x": x}, threads=1)
    import tvmfuse

    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    error = np.abs(tvmfuse.compile(model).load(num_threads=1)(x=x)["y"].astype(float) - expected)
    assert found.outputs[0].distance.max_abs == error.max()
    assert found.outputs[0].distance.max_rel == error.max() / np.abs(expected).max()


@pytest.mark.parametrize("against", ["onnxruntime", "reference", "none"])
def test_without_passes_every_tensor_is_compared(against: str) -> None:
    found = accuracy(two_layers(), against=against, level="none", intermediates=True, threads=1)
    assert [row.name for row in found.tensors] == ["p", "r", "q[red]"]
    assert all(row.distance.within(1e-6) for row in found.tensors)
    assert (found.fused, found.nowhere) == ((), ("i",))  # an identity is a view
    assert not found.skipped


@pytest.mark.parametrize("against", ["onnxruntime", "reference", "none"])
@pytest.mark.parametrize("level", ["none", "all"])
def test_a_node_with_two_results(against: str, level: str) -> None:
    nodes = [
        node("TopK", ["x", "k"], ["best", "where"], name="top"),
        node("Exp", ["best"], ["y"], name="exp"),
        node("Cast", ["where"], ["z"], name="cast", to=1),
    ]
    outputs = {"y": "float32", "z": "float32"}
    model = onnx_model(nodes, {"x": ("float32", (3, 8))}, outputs, {"k": np.array([4])})
    found = accuracy(model, against=against, level=level, intermediates=True, threads=1)
    assert [(row.name, row.dtype) for row in found.tensors] == [
        ("best", "float32"),
        ("where", "int64"),
    ]
    assert all(row.distance.within(0) for row in found.tensors)
    assert (found.fused, found.skipped) == ((), {})


def test_fused_and_removed_tensors_are_listed() -> None:
    found = accuracy(two_layers(), intermediates=True, threads=1)
    assert [row.name for row in found.tensors] == ["r", "i"]  # one kernel writes what is both
    assert set(found.fused) == {"p", "q[red]"}
    assert found.nowhere == ()
    assert "tensors inside: 2 compared, 2 fused away, 0 folded" in found.notes[0]


def test_the_share_of_tensors_that_is_compared_rises_to_one() -> None:
    steps: list[Any] = []
    accuracy(two_layers(), intermediates=True, against="reference", progress=steps.append)
    shares = [step.share for step in steps if step == "comparing tensors inside"]
    assert shares == sorted(shares)
    assert shares[0] == 0 < shares[1] < shares[-1] == 1


def test_looking_inside_changes_no_kernel() -> None:
    import tvmfuse

    found = accuracy(two_layers(), intermediates=True, threads=1)
    kernels = {kernel.symbol for kernel in tvmfuse.compile(two_layers()).manifest.kernels}
    assert {row.kernel for row in found.tensors} < kernels


def test_a_wrong_pass_is_found_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def negated(_self: Any, match: Any, _found: Any) -> Any:
        return relax.op.negative(match["x"])

    monkeypatch.setattr(EliminateIdentity, "rewrite", negated)
    found = accuracy(two_layers(), level="basic", intermediates=True, threads=1)
    assert not found.agrees
    assert "differ: output 'y': the largest error is" in found.sentence
    worst = max(found.tensors, key=lambda row: row.growth or 0)
    assert (worst.name, worst.distance.max_rel, worst.incoming < 1e-6) == ("i", 2, True)
    (after,) = (row for row in found.tensors if row.name == "q[red]")
    assert after.incoming == 2
    shown = text_of(found.table())
    assert shown.index("Identity same") < shown.index("MatMul second")


def test_blocks_of_channels_are_undone() -> None:
    nodes = [
        node("Conv", ["x", "w"], ["a"], name="one", pads=[1, 1, 1, 1]),
        node("Conv", ["a", "v"], ["b"], name="two", pads=[1, 1, 1, 1]),
        node("Conv", ["b", "v"], ["y"], name="three", pads=[1, 1, 1, 1]),
    ]
    constants = {"w": weights(32, 16, 3, 3), "v": weights(32, 32, 3, 3)}
    model = onnx_model(nodes, {"x": ("float32", (1, 16, 14, 14))}, {"y": "float32"}, constants)
    found = accuracy(model, intermediates=True, threads=1)
    assert {row.name: row.order for row in found.tensors} == dict.fromkeys(
        "ab", "channels in blocks of 16"
    )
    assert all(row.distance.within(1e-5) for row in found.tensors)


def test_a_symbolic_batch() -> None:
    model = two_layers()
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    for rows, feeds in ((1, None), (3, {"x": weights(3, 16)})):
        found = accuracy(model, intermediates=True, inputs=feeds, threads=1)
        assert found.agrees
        assert [(row.name, row.shape) for row in found.tensors] == [
            ("r", (rows, 32)), ("i", (rows, 32)),
        ]  # fmt: skip


def chain(length: int = 24, side: int = 512) -> Any:
    nodes = [node("Sin", [f"t{i}"], [f"t{i + 1}"], name=f"n{i}") for i in range(length)]
    return onnx_model(nodes, {"t0": ("float32", (side, side))}, {f"t{length}": "float32"})


@pytest.mark.parametrize(("budget", "least", "most"), [(3, 3, 9), (100, 23, 32)])
def test_memory_is_what_the_budget_says(budget: int, least: int, most: int) -> None:
    """23 tensors of 1 MiB wait in 3 MiB; live bytes are counted from where they are compared."""

    def count(step: Any) -> None:
        if step == "comparing tensors inside":
            tracemalloc.start()

    try:
        found = accuracy(
            chain(), against="reference", level="none", intermediates=True, threads=1,
            budget=budget * 2**20, progress=count,
        )  # fmt: skip
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.tensors) == 23
    assert least < peak / 2**20 < most


def test_the_largest_tensor_waits_though_it_is_above_the_budget() -> None:
    found = accuracy(chain(3, 64), level="none", intermediates=True, threads=1, budget=1)
    assert [row.name for row in found.tensors] == ["t1", "t2"]


def test_ctrl_c_keeps_what_was_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    from tvmfuse.runtime.executable import Executable

    real = Executable.watch
    runs: list[int] = []

    def watch(self: Any, feeds: Any, seen: Any) -> Any:
        def once(place: Any, arrays: Any) -> None:
            seen(place, arrays)
            if len(runs) == 3:
                raise KeyboardInterrupt

        runs.append(1)
        return real(self, feeds, once)

    monkeypatch.setattr(Executable, "watch", watch)
    found = accuracy(chain(8, 64), level="none", intermediates=True, threads=1, budget=1)
    assert found.interrupted
    assert [row.name for row in found.tensors] == ["t1", "t2"]
    assert found.fused == ()
    assert "interrupted: these are the tensors that were compared until then" in found.notes


def text_of(table: Any) -> Any:
    file = io.StringIO()
    Console(width=100, file=file).print(table)
    return file.getvalue()


def test_table_json_and_html() -> None:
    found = accuracy(two_layers(), level="none", intermediates=True, threads=1)
    text = text_of(found.table())
    assert max(map(len, text.splitlines())) <= 100
    assert "q[red]" in text
    assert text.index("Exp exp") < text.index("MatMul first")  # outputs first
    record = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert [row["name"] for row in record["tensors"]] == ["p", "r", "q[red]"]
    assert record["tensors"][0]["distance"]["max_rel"] == found.tensors[0].distance.max_rel
    assert record["agrees"] is True
    assert "q[red]" in found.to_html()


def test_a_table_has_the_worst_unless_asked_for_all() -> None:
    found = accuracy(chain(20, 16), level="none", intermediates=True, threads=1)
    counts = [text_of(found.table(everything=e)).count("Sin n") for e in (False, True)]
    assert counts == [1 + SHOWN, 1 + 19]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"against": "onnxrt"}, "cannot compare with 'onnxrt'; did you mean onnxruntime"),
        ({"tolerance": -1}, "expected tolerance >= 0"),
        ({"tolerance": float("nan")}, "expected tolerance >= 0"),
        ({"budget": 0}, "budget > 0, found 0.0001 and 0"),
    ],
)
def test_what_makes_no_sense_is_refused(options: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        accuracy(two_layers(), **options)


def test_an_engine_that_cannot_run_the_model_says_so() -> None:
    model = onnx_model([node("Exp", ["x"], ["y"])], {"x": ("float32", (2,))}, {"y": "float32"})
    model.graph.input[0].type.tensor_type.elem_type = onnx.TensorProto.BFLOAT16
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.BFLOAT16
    with pytest.raises(
        UnsupportedModelError,
        match="onnxruntime cannot run this model: .*compare with another: reference, none",
    ):
        accuracy(model, threads=1)


def test_so_does_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onnx.reference.ReferenceEvaluator", lambda _model: 1 // 0)
    words = "^reference cannot run this model: integer division .*compare with another: onnxruntime, none$"
    with pytest.raises(UnsupportedModelError, match=words):
        accuracy(two_layers(), against="reference", threads=1)


@pytest.mark.parametrize("against", ["onnxruntime", "none"])
def test_outputs_are_no_tensors_inside(against: str) -> None:
    nodes = [
        node("Exp", ["x"], ["e"], name="exp"),
        node("Softmax", ["e"], ["s"], name="softmax"),
        node("Reshape", ["s", "to"], ["y"], name="shape"),
    ]
    outputs = {"e": "float32", "y": "float32"}
    model = onnx_model(nodes, {"x": ("float32", (3, 8))}, outputs, {"to": np.array([24])})
    found = accuracy(model, against=against, intermediates=True, level="none", threads=1)
    assert [row.name for row in found.outputs] == ["e", "y"]
    assert [row.name for row in found.tensors] == ["s"]
    assert (found.fused, found.nowhere, found.skipped) == ((), (), {})
