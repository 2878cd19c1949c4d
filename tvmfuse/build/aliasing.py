"""Which outputs of a module may share memory with something that outlives or precedes the call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tvm import relax
from tvm.ir import Call, Expr, GenericConst, Op

from tvmfuse.errors import CompilationError

CALL_TIR = Op.get("relax.call_tir")
RESHAPE = Op.get("relax.reshape")


def aliased_outputs(main: relax.Function) -> tuple[int, ...]:
    """Return the indices of the outputs whose memory is not theirs alone.

    What a kernel writes is fresh at each call, also when it is reshaped then. An output that comes
    from an input or a weight, or from where another output does, has to be copied before a caller
    gets it.

    Args:
        main: Reshapes are views: `relax.reshape`, and no kernels.

    Raises:
        CompilationError: It does not return a tuple.
    """
    values = dict(_bindings(main.body))
    result = main.body.body
    while isinstance(result, relax.Var) and result in values:
        result = values[result]
    if not isinstance(result, relax.Tuple):
        raise CompilationError(f"main returns a tuple of its outputs, found {result}")
    sources = [_source(output, values) for output in result.fields]
    places = [_place(source, values) for source in sources]
    uses = Counter(places)
    return tuple(
        i
        for i, (source, place) in enumerate(zip(sources, places, strict=True))
        if uses[place] > 1 or not _is_written_by_a_kernel(source, values)
    )


def _bindings(body: relax.SeqExpr) -> Iterator[tuple[relax.Var, Expr]]:
    for block in body.blocks:
        for binding in block.bindings:
            if isinstance(binding, relax.VarBinding):
                yield binding.var, binding.value


def _source(expr: Expr, values: Mapping[relax.Var, Expr]) -> Expr:
    """Follow a variable through other names and reshapes of it."""
    while isinstance(expr, relax.Var) and expr in values:
        value = values[expr]
        if isinstance(value, Call) and value.op == RESHAPE:
            value = value.args[0]
        if not isinstance(value, (relax.Var, GenericConst)):
            break
        expr = value
    return expr


def _place(source: Expr, values: Mapping[relax.Var, Expr]) -> tuple[Expr, int]:
    """Tell the results of a kernel that has several from each other."""
    value = values.get(source) if isinstance(source, relax.Var) else None
    if isinstance(value, relax.TupleGetItem):
        return value.tuple_value, value.index
    return source, 0


def _is_written_by_a_kernel(source: Expr, values: Mapping[relax.Var, Expr]) -> bool:
    value = values.get(source) if isinstance(source, relax.Var) else None
    if isinstance(value, relax.TupleGetItem):
        value = values.get(value.tuple_value)
    return isinstance(value, Call) and value.op == CALL_TIR
