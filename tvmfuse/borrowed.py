"""Which outputs of a module may share memory with something that outlives or precedes the call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tvm import relax
from tvm.ir import Call, Expr, Op

from tvmfuse.errors import CompilationError

CALL_TIR = Op.get("relax.call_tir")


def borrowed_outputs(main: relax.Function) -> tuple[int, ...]:
    """Return the indices of the outputs whose memory is not fresh at each call.

    An output that a kernel writes is fresh. One that is an input, a weight, a reshape of something
    or an output already listed may share memory, and has to be copied before a caller gets it.

    Raises:
        CompilationError: `main` does not return a tuple.
    """
    values = dict(_bindings(main.body))
    result = _resolved(main.body.body, values)
    if not isinstance(result, relax.Tuple):
        raise CompilationError(f"main returns a tuple of its outputs, found {result}")
    uses = Counter(result.fields)
    return tuple(
        i
        for i, output in enumerate(result.fields)
        if uses[output] > 1 or not _is_written_by_a_kernel(output, values)
    )


def _bindings(body: relax.SeqExpr) -> Iterator[tuple[relax.Var, Expr]]:
    for block in body.blocks:
        for binding in block.bindings:
            if isinstance(binding, relax.VarBinding):
                yield binding.var, binding.value


def _resolved(expr: Expr, values: dict[relax.Var, Expr]) -> Expr:
    """Follow a variable to what it is bound to, through other names of it."""
    while isinstance(expr, relax.Var) and expr in values:
        expr = values[expr]
    return expr


def _is_written_by_a_kernel(output: Expr, values: dict[relax.Var, Expr]) -> bool:
    value = values.get(output) if isinstance(output, relax.Var) else None
    if isinstance(value, relax.TupleGetItem):
        value = values.get(value.tuple_value)
    return isinstance(value, Call) and value.op == CALL_TIR
