"""Loop and Scan: iterations whose number is known, against onnxruntime."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, ops
from onnx import TensorProto, helper, numpy_helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import builder, import_model

node = helper.make_node
X = np.random.default_rng(0).standard_normal((4, 3)).astype("float32")
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def body(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, tuple[int, Any]],
    outputs: Mapping[str, tuple[int, Any]],
    constants: Mapping[str, np.ndarray] | None = None,
) -> onnx.GraphProto:
    def values(said: Mapping[str, tuple[int, Any]]) -> list[onnx.ValueInfoProto]:
        return [helper.make_tensor_value_info(n, kind, shape) for n, (kind, shape) in said.items()]

    initializers = [numpy_helper.from_array(a, n) for n, a in (constants or {}).items()]
    return helper.make_graph(nodes, "body", values(inputs), values(outputs), initializers)


COUNTING: Mapping[str, tuple[int, Any]] = {"i": (INT64, []), "go": (BOOL, [])}


def model(
    *nodes: onnx.NodeProto,
    outputs: Sequence[str] = ("y",),
    shape: Sequence[object] = (4, 3),
    opset: int = 17,
    **constants: np.ndarray,
) -> onnx.ModelProto:
    return onnx_model(
        list(nodes),
        {"x": ("float32", shape)},
        dict.fromkeys(outputs, "float32"),
        constants,
        opset=opset,
    )


def power(trips: Any = 3, **attributes: Any) -> onnx.ModelProto:
    """Return x times w, again and again; what it was is kept."""
    inner = body(
        [
            node("Cast", ["i"], ["f"], to=FLOAT),
            node("Mul", ["v", "w"], ["p"]),
            node("Add", ["p", "f"], ["u"]),
            node("Identity", ["go"], ["on"]),
            node("ReduceSum", ["u"], ["s"], keepdims=0),
        ],
        {**COUNTING, "v": (FLOAT, [4, 3])},
        {"on": (BOOL, []), "u": (FLOAT, [4, 3]), "s": (FLOAT, [])},
    )
    return model(
        node("Loop", ["m", "", "x"], ["y", "sums"], "loop", body=inner),
        outputs=("y", "sums"),
        m=np.array(trips),
        w=np.array([1, 2, -1], "float32"),
    )


@pytest.mark.parametrize("trips", [0, 1, 3])
def test_a_number_of_trips(trips: int, agrees: Any) -> None:
    """A value from outside, a counter that is computed with, a scan output."""
    agrees(power(trips), {"x": X})


def test_a_condition_that_counts(agrees: Any) -> None:
    """It ends before the number of trips; a constant that grows with it stays a constant."""
    inner = body(
        [
            node("Add", ["n", "two"], ["n2"]),
            node("Less", ["n2", "seven"], ["on"]),
            node("Mul", ["v", "n2"], ["u"]),
        ],
        {**COUNTING, "v": (FLOAT, [4, 3]), "n": (FLOAT, [])},
        {"on": (BOOL, []), "u": (FLOAT, [4, 3]), "n2": (FLOAT, [])},
        {"two": np.array(2, "float32"), "seven": np.array(7, "float32")},
    )
    imported = agrees(
        model(
            node("Loop", ["m", "c", "x", "n"], ["y", "last"], body=inner),
            outputs=("y", "last"),
            m=np.array(100),
            c=np.array(True),
            n=np.array(1, "float32"),
        ),
        {"x": X},
    )
    assert ops(imported.module).count("multiply") == 3


def test_a_state_that_grows_and_a_loop_with_a_branch(agrees: Any) -> None:
    longer = body([node("Concat", ["v", "x"], ["r"], axis=0)], {}, {"r": (FLOAT, None)})
    same = body([node("Concat", ["v", "v"], ["r"], axis=0)], {}, {"r": (FLOAT, None)})
    inner = body(
        [
            node("ReduceSum", ["v"], ["total"], keepdims=0),
            node("Greater", ["total", "limit"], ["large"]),
            node("If", ["large"], ["u"], then_branch=longer, else_branch=same),
            node("Identity", ["go"], ["on"]),
        ],
        {**COUNTING, "v": (FLOAT, None)},
        {"on": (BOOL, []), "u": (FLOAT, None)},
    )
    once = model(
        node("Loop", ["m", "", "x"], ["y"], body=inner),
        m=np.array(1),
        limit=np.array(1, "float32"),
    )
    agrees(once, {"x": X}, {"x": abs(X)})


def scanned(opset: int = 17, **attributes: Any) -> onnx.ModelProto:
    inner = body(
        [
            node("Add", ["s", "e"], ["s2"]),
            node("Mul", ["s2", "e"], ["o"]),
        ],
        {"s": (FLOAT, [4]), "e": (FLOAT, [4])},
        {"s2": (FLOAT, [4]), "o": (FLOAT, [4])},
    )
    names = ["", "z", "x"] if opset < 9 else ["z", "x"]
    start = np.arange(8 if opset < 9 else 4, dtype="float32")
    return model(
        node("Scan", names, ["last", "y"], "scan", body=inner, num_scan_inputs=1, **attributes),
        outputs=("last", "y"),
        shape=(2, 3, 4) if opset < 9 else (4, 3),
        opset=opset,
        z=start.reshape(2, 4) if opset < 9 else start,
    )


@pytest.mark.parametrize("backwards", [0, 1])
@pytest.mark.parametrize("axis", [0, -1])
def test_axes_and_directions_of_a_scan(backwards: int, axis: int, agrees: Any) -> None:
    scan = scanned(
        scan_input_axes=[1],
        scan_output_axes=[axis],
        scan_input_directions=[backwards],
        scan_output_directions=[1 - backwards],
    )
    agrees(scan, {"x": X})


@pytest.mark.parametrize("backwards", [0, 1])
def test_a_scan_of_batches(backwards: int, agrees: Any) -> None:
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype("float32")
    agrees(scanned(8, directions=[backwards]), {"x": x})


@pytest.mark.parametrize("steps", [333, 334])
@pytest.mark.parametrize("backwards", [0, 1])
def test_a_long_scan_of_known_length_is_a_loop(backwards: int, steps: int) -> None:
    """As skl2onnx writes the neighbours among some hundred rows."""
    rows = np.random.default_rng(1).standard_normal((steps, 4)).astype("float32")
    inner = body(
        [
            node("Identity", ["s"], ["s2"]),
            node("Sub", ["s", "e"], ["d"]),
            node("ReduceSumSquare", ["d"], ["o"], keepdims=0),
        ],
        {"s": (FLOAT, [4]), "e": (FLOAT, [4])},
        {"s2": (FLOAT, [4]), "o": (FLOAT, [])},
    )
    distances = node(
        "Scan", ["x", "rows"], ["last", "y"], body=inner, num_scan_inputs=1,
        scan_output_directions=[backwards],
    )  # fmt: skip
    scan = model(distances, outputs=("last", "y"), shape=(4,), rows=rows)
    assert ("loop" in ops(import_model(scan).module)) == (steps > 333)
    if steps > 333:
        assert_agrees(tvmfuse.compile(scan).load()({"x": X[:, 0]}), reference(scan, {"x": X[:, 0]}))


def test_what_depends_on_what_is_fed_stays_a_loop() -> None:
    inner = power().graph.node[0].attribute[0].g
    fed = onnx_model(
        [node("Loop", ["m", "", "x"], ["y", "sums"], "loop", body=inner)],
        {"x": ("float32", (4, 3)), "m": ("int64", [])},
        {"y": "float32", "sums": "float32"},
        {"w": np.ones(3, "float32")},
    )
    symbolic = scanned(scan_input_axes=[1])
    symbolic.graph.input[0].type.tensor_type.shape.dim[1].dim_param = "t"
    for loop in (fed, symbolic):
        assert "loop" in ops(import_model(loop).module)


def test_a_condition_of_the_data() -> None:
    inner = body(
        [
            node("ReduceMax", ["v"], ["most"], keepdims=0),
            node("Less", ["most", "limit"], ["on"]),
            node("Add", ["v", "v"], ["u"]),
        ],
        {**COUNTING, "v": (FLOAT, [4, 3])},
        {"on": (BOOL, []), "u": (FLOAT, [4, 3])},
    )
    looped = node("Loop", ["m", "", "x"], ["y"], "loop", body=inner)
    found = ops(import_model(model(looped, m=np.array(9), limit=np.array(9, "float32"))).module)
    assert "loop" in found
    assert "add" not in found


def test_too_many_iterations_stay_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "MAX_UNROLLED", 50)
    assert "loop" in ops(import_model(power(10**12)).module)
    nothing = body([], {**COUNTING, "v": (FLOAT, None)}, {"go": (BOOL, []), "v": (FLOAT, None)})
    endless = node("Loop", ["", "", "x"], ["y"], body=nothing)
    assert "loop" in ops(import_model(model(endless)).module)
    monkeypatch.setattr(builder, "MAX_UNROLLED", 5)
    assert "loop" in ops(import_model(scanned(scan_input_axes=[1])).module)


def test_sequences_stay_no_loop() -> None:
    inner = body(
        [node("Identity", ["go"], ["on"]), node("SequenceInsert", ["s", "x", "front"], ["t"])],
        COUNTING,
        {"on": (BOOL, [])},
    )
    kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None))
    inner.input.append(helper.make_value_info("s", kind))
    inner.output.append(helper.make_value_info("t", kind))
    fed = onnx_model(
        [
            node("SequenceEmpty", [], ["none"]),
            node("Loop", ["m", "", "none"], ["all"], "loop", body=inner),
            node("ConcatFromSequence", ["all"], ["y"], axis=0),
        ],
        {"x": ("float32", (4, 3)), "m": ("int64", [])},
        {"y": "float32"},
        {"front": np.array(0)},
    )
    with pytest.raises(UnsupportedModelError, match="its state 0 is a sequence of 0 before an"):
        import_model(fed)
