"""RoundOnce: an ONNX node of several calls rounds to half precision in the end."""

import numpy as np
from tvm import IRModule, relax

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.passes.required.round_once import RoundOnce
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import evaluate


def norm(nodes: tuple[str, str, str]) -> IRModule:
    """Return sqrt(sum(x * x)) in float16, the calls of these ONNX nodes."""
    bb = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((700,), "float16"))
    with bb.function("main", [x]):
        with bb.dataflow():
            square = bb.emit(with_nodes(relax.op.multiply(x, x), [nodes[0]]))
            total = bb.emit(with_nodes(relax.op.sum(square), [nodes[1]]))
            y = bb.emit_output(with_nodes(relax.op.sqrt(total), [nodes[2]]))
        bb.emit_func_output(y)
    return bb.get()


def ops(module: IRModule) -> list[str | None]:
    return [op_name(value) for _, value in Dataflow.of(module["main"]).bindings]


def test_one_node_is_computed_in_float32() -> None:
    before = norm(("ReduceL2",) * 3)
    after = RoundOnce()(before)
    casts = ["relax.astype", "relax.astype"]
    assert [op for op in ops(after) if op == "relax.astype"] == casts
    twenties = [np.full(700, 20, "float16")]
    assert np.isinf(evaluate(before, twenties)[0])
    np.testing.assert_allclose(evaluate(after, twenties)[0], 529, rtol=1e-3)


def test_three_nodes_round_three_times() -> None:
    before, trace = norm(("Mul", "ReduceSum", "Sqrt")), Trace()
    assert RoundOnce()(before, trace) is before
    assert trace.fired == []
