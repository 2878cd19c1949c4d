"""Which ONNX values calls are, as far as other calls say so: that of what only lies differently.

Where `y` is a transpose or a reshape of `x`, whoever computes `x` holds `y` as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from tvm import relax
from tvm.ir import Call, Expr
from tvm.relax import Var

from tvmfuse.ir.dataflow import TUPLE_GET_ITEM, Dataflow, op_name
from tvmfuse.ir.provenance import values_of, with_values
from tvmfuse.ir.replace import replace as rebind
from tvmfuse.manifest import StoredValue


def with_values_of_views(function: relax.Function) -> relax.Function:
    """Let each call say that it is what its transposes and reshapes are."""
    flow = Dataflow.of(function)
    gained: dict[Var, list[StoredValue]] = defaultdict(list)
    for var, value in reversed(flow.bindings):
        if isinstance(value, Call) and value.args and value.args[0] in flow.values:
            held = (*values_of(value), *gained[var])
            gained[value.args[0]] += [found for v in held for found in _before(value, v)]
    plan = {v: with_values(flow.values[v], stored) for v, stored in gained.items() if stored}
    return rebind(function, plan) if plan else function


def _before(view: Call, stored: StoredValue) -> Iterator[StoredValue]:
    """Yield how the operand of a transpose or reshape holds what its result holds."""
    if stored.blocked or stored.part is not None:
        return
    if op_name(view) == "relax.permute_dims":
        rank = view.args[0].ty.ndim
        axes = view.attrs.axes
        p = [*reversed(range(rank))] if axes is None else [int(a) % rank for a in axes]
        yield replace(stored, axes=tuple(p[a] for a in stored.axes or range(rank)))
    elif op_name(view) == "relax.reshape" and not stored.axes:
        yield replace(stored, reshaped=True)


def with_values_of_results(function: relax.Function) -> relax.Function:
    """Let each call of several results say which ONNX values they are, as who takes them says."""
    flow = Dataflow.of(function)
    plan: dict[Var, Expr] = {}
    for access in flow.calls(TUPLE_GET_ITEM):
        value = flow.values[access]
        call = plan.get(value.tuple_value, flow.values.get(value.tuple_value))
        if call is not None and (found := values_of(value)):
            results = (replace(stored, result=value.index) for stored in found)
            plan[value.tuple_value] = with_values(call, results)
    return rebind(function, plan) if plan else function
