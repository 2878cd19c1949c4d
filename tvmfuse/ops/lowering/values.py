"""Which ONNX values calls are, as far as other calls say so: that of what only lies differently.

Where `y` is a transpose or a reshape of `x`, who holds one of them holds the other as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tvm import relax
from tvm.ir import Call, Expr
from tvm.relax import Var

from tvmfuse.ir.dataflow import TUPLE_GET_ITEM, Dataflow, op_name
from tvmfuse.ir.provenance import values_of, with_values
from tvmfuse.ir.replace import replace as rebind
from tvmfuse.manifest import StoredValue
from tvmfuse.ops.traits import Kind, traits_of

PERMUTE: Final = "relax.permute_dims"


def with_values_of_views(function: relax.Function) -> relax.Function:
    """Let each call say that it is what its transposes and reshapes are, and they what it is."""
    flow = Dataflow.of(function)
    held = {var: [*values_of(value)] for var, value in flow.bindings}
    views = [(var, view) for var, view in flow.bindings if _is_view(view, flow)]
    for var, view in reversed(views):
        held[view.args[0]] += [found for v in held[var] for found in _moved(v, _axes(view))]
    for var, view in views:
        axes = _axes(view)
        undone = axes and tuple(axes.index(a) for a in range(len(axes)))
        if not held[var]:
            held[var] += [found for v in held[view.args[0]] for found in _moved(v, undone)]
    plan = {
        v: with_values(e, held[v]) for v, e in flow.bindings if len(held[v]) > len(values_of(e))
    }
    return rebind(function, plan) if plan else function


def _is_view(value: Expr, flow: Dataflow) -> bool:
    moves = op_name(value) == PERMUTE or traits_of(value).kind is Kind.RESHAPE
    return moves and value.args[0] in flow.values


def _axes(view: Call) -> tuple[int, ...] | None:
    """Return the axes of a transpose; None of a reshape."""
    if op_name(view) != PERMUTE:
        return None
    rank, axes = view.args[0].ty.ndim, view.attrs.axes
    return tuple(reversed(range(rank))) if axes is None else tuple(int(a) % rank for a in axes)


def _moved(stored: StoredValue, axes: tuple[int, ...] | None) -> Iterator[StoredValue]:
    """Yield how a tensor holds a value that is held by its transpose, or by its reshape."""
    if stored.blocked or stored.part is not None:
        return
    if axes is not None:
        yield replace(stored, axes=tuple(axes[a] for a in stored.axes or range(len(axes))))
    elif not stored.axes:
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
