"""CompileLoops: a loop whose tensors keep their sizes is one kernel."""

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.fixed_loops import is_compiled
from tvmfuse.ir.loops import BODY
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.passes.extended.compile_loops import CompileLoops
from tvmfuse.passes.trace import Trace


def model(text: str, **constants: Any) -> onnx.ModelProto:
    made = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {text}')
    constants = {"true": True, **constants}
    made.graph.initializer.extend(
        onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()
    )
    return made


def loop(body: str, states: str = "float[n] v", results: str = "float[n] u") -> onnx.ModelProto:
    return model(
        f"""(float[n] x, int64 m) => (float[] y) {{
            y = Loop <body = b (int64 i, bool go, {states}) => (bool on, {results}) {{
                {body}
                on = Identity(go)
            }}> (m, true, x)
        }}"""
    )


def trace_of(model: onnx.ModelProto, limit: int | None = None) -> Trace:
    trace = Trace(limit)
    after = CompileLoops()(lower(import_model(model).module).module, trace)
    bodies = [f for f in after.functions.values() if BODY in (f.attrs or {})]
    assert sum(map(is_compiled, bodies)) == len(trace.fired)
    return trace


def test_it_marks_a_loop_until_it_is_told_to_stop() -> None:
    assert len(trace_of(loop("u = Add(v, x)")).fired) == 1
    stopped = trace_of(loop("u = Add(v, x)"), limit=0)
    assert not stopped.fired
    assert not stopped.declined
    nested = loop(INNER.format("q = Add(p, x)"))
    assert [len(trace_of(nested, limit).fired) for limit in (None, 1)] == [2, 1]


INNER = (
    "u = Loop <body = c (int64 j, bool a, float[k] p) => (bool z, float[k] q) "
    "{{ {} z = Identity(a) }}> (i, go, v)"
)
GROWS = INNER.format("q = Concat<axis=0>(p, x)") + " "
SIZED = "w = NonZero(v) s = ReduceSum<keepdims=0>(w) f = Cast<to=1>(s) u = Add(v, f)"
ADDED = " ".join(f"w{k + 1} = Add(w{k}, x)" for k in range(256))
CHAIN = f"w0 = Add(v, x) {ADDED} u = Neg(w256)"


@pytest.mark.parametrize(
    ("made", "reasons"),
    [
        (loop("u = Concat<axis=0>(v, x)"), ["a tensor that it hands on may change its shape"]),
        (
            loop(GROWS.replace("u =", "w =") + "s = ReduceSum<keepdims=0>(w) u = Add(s, v)"),
            [
                "a tensor that it hands on may change its shape",
                "a loop inside is run by the virtual machine",
            ],
        ),
        (loop(SIZED), ["sizes of an iteration show as it runs"]),
        (loop(CHAIN), ["an iteration runs more than 256 kernels"]),
    ],
)
def test_it_says_why_the_virtual_machine_runs_a_loop(made: onnx.ModelProto, reasons: Any) -> None:
    trace = trace_of(made)
    assert [reason for reason, _ in trace.declined] == reasons
    assert not trace.fired


def test_a_size_that_a_condition_chooses_leaves_loops_to_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tvmfuse.passes.extended.compile_loops.can_be_copied", lambda _: False)
    trace = trace_of(loop("u = Add(v, x)"))
    assert [reason for reason, _ in trace.declined] == ["a condition chooses a size of the model"]
