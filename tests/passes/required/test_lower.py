"""Lower: every operator becomes a kernel that knows its ONNX nodes."""

from typing import Any

from tvm import relax

from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.passes.required.lower import Lower
from tvmfuse.passes.trace import Trace


def module(call: Any) -> Any:
    bb = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((1, 2, 8, 8), "float32"))
    with bb.function("main", [x]):
        with bb.dataflow():
            y = bb.emit_output(with_nodes(call(x), ["node"]))
        bb.emit_func_output(y)
    return bb.get()


def test_an_operator_is_one_kernel() -> None:
    trace = Trace()
    ((_, nodes),) = kernel_calls(Lower()(module(relax.op.exp), trace))
    assert nodes == ("node",)
    assert trace.fired == []
