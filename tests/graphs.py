"""Small graphs for the tests of passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import tvm
from onnx import helper, numpy_helper
from tvm import IRModule, relax
from tvm.ir import Call, Expr, TupleGetItem

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.testing import QUICK


def tensor(*shape: int | Expr, dtype: str = "float32") -> relax.TensorType:
    """Return the type of an input."""
    return relax.TensorType(shape, dtype)


def graph(compute: Callable[..., Expr | Sequence[Expr]], *inputs: relax.TensorType) -> IRModule:
    """Return a module whose `main` returns the tuple of what ``compute(*inputs, emit)`` returns.

    ``emit(expr)`` binds a value that is read more than once, ``emit(expr, output=True)`` one that
    is an output as well.
    """
    params = [relax.Var(f"x{i}", ty) for i, ty in enumerate(inputs)]
    builder = relax.BlockBuilder()

    def emit(expr: Expr, *, output: bool = False) -> relax.Var:
        return builder.emit_output(expr) if output else builder.emit(expr)

    with builder.function("main", params):
        with builder.dataflow():
            result = compute(*params, emit)
            outputs = [
                emit(o, output=True)
                if isinstance(o, Call | TupleGetItem | relax.DataflowVar)
                else o
                for o in ([result] if isinstance(result, Expr) else result)
            ]
        builder.emit_func_output(relax.Tuple(outputs))
    return builder.get()


def in_two_blocks(
    first: Callable[..., Expr], second: Callable[..., Expr], *inputs: relax.TensorType
) -> IRModule:
    """Return a module that computes ``second(first(*inputs), *inputs)`` after another dataflow block.

    Between them stands a cast, as where a size is known only while the model runs.
    """
    params = [relax.Var(f"x{i}", ty) for i, ty in enumerate(inputs)]
    builder = relax.BlockBuilder()
    with builder.function("main", params):
        with builder.dataflow():
            early = builder.emit_output(first(*params))
        between = builder.match_cast(early, early.ty)
        with builder.dataflow():
            late = builder.emit_output(second(early, *params))
        builder.emit_func_output(relax.Tuple([early, between, late]))
    return builder.get()


def onnx_model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, tuple[str, Sequence[object]]],
    outputs: Mapping[str, str],
    constants: Mapping[str, np.ndarray] | None = None,
    *,
    opset: int = 17,
    domains: Sequence[str] = (),
) -> onnx.ModelProto:
    """Return a model.

    Args:
        nodes: In order.
        inputs: Name -> dtype and shape.
        outputs: Name -> dtype; the shapes are the importer's to find.
        constants: Initializers.
        opset: Of the ONNX domain.
        domains: Others, of version 1.
    """

    def value(name: str, dtype: str, shape: Any) -> onnx.ValueInfoProto:
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return helper.make_tensor_value_info(name, kind, shape)

    made = helper.make_graph(
        nodes,
        "graph",
        [value(name, dtype, shape) for name, (dtype, shape) in inputs.items()],
        [value(name, dtype, None) for name, dtype in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
    )
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in domains)]
    return helper.make_model(made, opset_imports=opsets, ir_version=8)


def ops(module: IRModule) -> list[str]:
    """Return the operators that `main` calls, in order, without their namespaces."""
    values = (value for _, value in Dataflow.of(module["main"]).bindings)
    return [name.rpartition(".")[2] for value in values if (name := op_name(value))]


def run(module: IRModule, *inputs: np.ndarray) -> list[np.ndarray]:
    """Compute a module's outputs by our own lowering, which keeps NaN."""
    machine = relax.VirtualMachine(tvm.compile(lower(module).module, QUICK), tvm.cpu())
    return [o.numpy() for o in machine["main"](*map(tvm.runtime.tensor, inputs))]
