"""Calls that know their ONNX nodes, for tests of what becomes of the names."""

from typing import Any

import numpy as np
from tvm import relax

from tvmfuse.ir.provenance import with_nodes
from tvmfuse.ops import conv

IMAGE = np.ones((1, 4, 4, 4), "float32")


def module(build: Any, *inputs: Any) -> Any:
    """Return a module whose `main` takes arrays like these and returns ``build(builder, *params)``."""
    bb = relax.BlockBuilder()
    params = [
        relax.Var(f"x{i}", relax.TensorType(a.shape, str(a.dtype))) for i, a in enumerate(inputs)
    ]
    with bb.function("main", params):
        with bb.dataflow():
            outputs = bb.emit_output(relax.Tuple(build(bb, *params)))
        bb.emit_func_output(outputs)
    return bb.get()


def emit(bb: Any, call: Any, node: Any) -> Any:
    """Bind a call that computes this node."""
    return bb.emit(with_nodes(call, [node]))


def conv_relu_twice(bb: Any, x: Any) -> Any:
    """Two convolutions with relu, all alike, and a reshape."""
    w, b = relax.const(np.ones((4, 4, 3, 3), "float32")), relax.const(np.ones(4, "float32"))
    for i in range(2):
        x = emit(bb, conv(x, w, b, strides=[1, 1], padding=[1] * 4, dilation=[1, 1]), f"conv{i}")
        x = emit(bb, relax.op.nn.relu(x), f"relu{i}")
    return [emit(bb, relax.op.reshape(x, (4, 16)), "reshape")]
