"""Kernels that only reshape are views of their operand's memory.

An output is one where a kernel wrote that memory and no other output lies in it. So training keeps
activations as matrices, for the gradients of weights, without a copy::

    y = gelu(x)             # (batch, length, width)
    z = matmul(y, W)
    return z, view(y, (batch * length, width))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tvm import IRModule, relax, tirx
from tvm.error import InternalError
from tvm.ir import BaseFunc, Call, Expr, GlobalVar, TupleGetItem
from tvm.relax import DataflowVar, Var
from tvm.tirx import PrimFunc

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.kernels import (
    CALL_TIR,
    RESHAPE,
    call_like,
    calls_of,
    change_calls,
    is_relax_reshape,
    is_reshape,
)
from tvmfuse.ir.reshape import in_shape


def viewed(module: IRModule) -> IRModule:
    """Make views of the kernels that only reshape, and drop those that nobody calls any more.

    TVM's pass asks for a proof that the elements are as many, which those of `relax.reshape` need
    not have, and leaves outputs alone: both are replaced before.
    """
    kernels = {s: f for s, f in module.functions_items() if isinstance(f, PrimFunc)}
    reshapes = {symbol for symbol, kernel in kernels.items() if is_reshape(kernel)}
    always = {symbol for symbol in reshapes if is_relax_reshape(kernels[symbol])}
    returned = {*_views_returned(module, reshapes)}

    def change(var: Var, call: Call) -> Call:
        among = always if isinstance(var, DataflowVar) else reshapes if var in returned else ()
        if op_name(call) != CALL_TIR or call.args[0] not in among:
            return call
        return call_like(in_shape(call.args[1].fields[0], var.ty.shape), span=call.span)

    functions = _with_views(change_calls(module, change))
    for symbol in _called(dict(module.functions_items())) - _called(functions):
        functions.pop(symbol, None)
    return IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)


def _called(functions: Mapping[GlobalVar, BaseFunc]) -> set[GlobalVar]:
    callers = [f for f in functions.values() if isinstance(f, relax.Function)]
    return {callee for caller in callers for _, _, callee in calls_of(caller)}


def _views_returned(module: IRModule, reshapes: set[GlobalVar]) -> Iterator[Var]:
    """Yield the outputs of `main` that can be views: in memory that is theirs alone."""
    main = next((f for s, f in module.functions_items() if s.name_hint == "main"), None)
    if not isinstance(main, relax.Function):
        return
    flow = Dataflow.of(main)
    reads = {
        var: operand
        for var, value in flow.bindings
        if (operand := _other_name(value, reshapes)) is not None
    }
    taken = {_source(output, {}, flow) for output in flow.outputs if output not in reads}
    for output in flow.outputs:
        source = _source(output, reads, flow)
        if output in reads and source not in taken and _is_written(source, flow):
            yield output
        taken.add(source)


def _other_name(value: Expr, reshapes: set[GlobalVar]) -> Expr | None:
    """Return what an expression is a view or another name of, or None."""
    if op_name(value) == CALL_TIR and value.args[0] in reshapes:
        return value.args[1].fields[0]
    if op_name(value) == RESHAPE:
        return value.args[0]
    return value if isinstance(value, Var) else None


def _source(expr: Expr, reads: Mapping[Expr, Expr], flow: Dataflow) -> Expr | tuple[Expr, int]:
    """Return whose memory a tensor lies in; of a kernel of several results, which of these."""
    while expr in reads:
        expr = reads[expr]
    value = flow.values.get(expr)
    if isinstance(value, TupleGetItem):
        return value.tuple_value, int(value.index)
    return expr


def _is_written(source: Expr | tuple[Expr, int], flow: Dataflow) -> bool:
    var = source[0] if isinstance(source, tuple) else source
    return op_name(flow.values.get(var)) == CALL_TIR


def _with_views(module: IRModule) -> dict[GlobalVar, BaseFunc]:
    """Return the functions as TVM's pass leaves them, which fails as `is_reshape` says.

    Where it does, it is shown nothing of the kernels that are none.
    """
    functions = dict(module.functions_items())
    try:
        return dict(relax.transform.RewriteDataflowReshape()(module).functions_items())
    except InternalError:
        hidden = {
            s: f for s, f in functions.items() if isinstance(f, PrimFunc) and not is_reshape(f)
        }
        empty = {s: f.with_body(tirx.Evaluate(0)) for s, f in hidden.items()}
        shown = IRModule({**functions, **empty}, module.attrs, module.global_infos)
        viewed = relax.transform.RewriteDataflowReshape()(shown)
        return {s: hidden.get(s, f) for s, f in viewed.functions_items()}
