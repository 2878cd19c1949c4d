"""A module's `main` as plain data: which operators there are, and who reads whom."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst, GlobalVar, Type
from tvm.relax import Var

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import CALL_TIR, kernel_calls
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.types import shape_of
from tvmfuse.measure.results.graph_diff import Operator, OperatorGraph


def graph_of(module: IRModule) -> OperatorGraph:
    """Read `main`; tuples, their elements and casts of shapes are no operators."""
    main = module["main"]
    sources: dict[Var, tuple[int | str, ...]] = {p: (str(p.name),) for p in main.params}
    operators: list[Operator] = []
    for block in main.body.blocks:
        for binding in block.bindings:
            value = binding.value
            read = _sources(value, sources)
            if _renames(value):
                sources[binding.var] = read
                continue
            sources[binding.var] = (len(operators),)
            operators.append(_operator(value, binding.var.ty, read))
    outputs = _sources(main.body.body, sources)
    return OperatorGraph(tuple(operators), outputs, len(kernel_calls(module)))


def _operator(value: Expr, ty: Type, reads: tuple[int | str, ...]) -> Operator:
    name, attributes = _name(value), getattr(value, "attrs", None)
    words = "" if attributes is None else re.sub(r"^[\w.]+\(|\)$", "", str(attributes))
    return Operator(name, nodes_of(value), words, _words(ty), reads)


def _name(value: Expr) -> str:
    """Return the name without its namespace; TVM numbers kernels of the same name."""
    callee = value.args[0] if op_name(value) == CALL_TIR else getattr(value, "op", None)
    if isinstance(callee, GlobalVar):
        return re.sub(r"\d+(?=_|$)", "", str(callee.name_hint))
    return (op_name(value) or type(value).__name__).rpartition(".")[2]


def _renames(value: Expr) -> bool:
    """Whether a binding computes nothing: it names, gathers or takes apart what is there."""
    return isinstance(value, Var | relax.Tuple | relax.TupleGetItem | GenericConst)


def _sources(expr: Expr, sources: Mapping[Var, tuple[int | str, ...]]) -> tuple[int | str, ...]:
    """Return what computes the tensors that an expression reads; its sizes are no tensors."""
    read = (s for var in relax.analysis.free_vars(expr) for s in sources.get(var, ()))
    return tuple(dict.fromkeys(read))


def _words(ty: Type) -> str:
    """Return a type in few words.

    >>> _words(relax.TensorType((1, 3), "float32"))
    'float32[1, 3]'
    """
    if isinstance(ty, relax.TupleType):
        return f"({', '.join(map(_words, ty.fields))})"
    shape = shape_of(relax.Var("_", ty))
    dtype = str(getattr(ty, "dtype", None) or type(ty).__name__)
    return f"{dtype}[{', '.join(map(str, shape))}]" if shape is not None else dtype
