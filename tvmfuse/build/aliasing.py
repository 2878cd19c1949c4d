"""Which outputs of a module may share memory with something that outlives or precedes the call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

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
    values = dict(bindings(main))
    sources = [source(output, values) for output in outputs(main, values)]
    places = [memory(found, values) for found in sources]
    uses = Counter(places)
    return tuple(
        i
        for i, (found, place) in enumerate(zip(sources, places, strict=True))
        if uses[place] > 1 or not _is_written_by_a_kernel(found, values)
    )


def bindings(main: relax.Function) -> Iterator[tuple[relax.Var, Expr]]:
    """Yield each variable outside of branches and what is bound to it, in the order of a run.

    A variable that is bound with a check of its shape is another name of what is checked.
    """
    for block in main.body.blocks:
        for binding in block.bindings:
            yield binding.var, binding.value


def outputs(main: relax.Function, values: Mapping[relax.Var, Expr]) -> Sequence[Expr]:
    """Return what a function returns, given what is bound to its variables.

    Raises:
        CompilationError: It does not return a tuple.
    """
    result = main.body.body
    while isinstance(result, relax.Var) and result in values:
        result = values[result]
    if not isinstance(result, relax.Tuple):
        raise CompilationError(f"main returns a tuple of its outputs, found {result}")
    return [*result.fields]


def other_name(value: Expr) -> Expr | None:
    """Return what an expression is another name or a view of, or None."""
    if isinstance(value, Call) and value.op == RESHAPE:
        value = value.args[0]
    return value if isinstance(value, relax.Var | GenericConst) else None


def source(expr: Expr, values: Mapping[relax.Var, Expr]) -> Expr:
    """Follow a variable through other names and reshapes of it."""
    while isinstance(expr, relax.Var) and expr in values:
        named = other_name(values[expr])
        if named is None:
            break
        expr = named
    return expr


def memory(found: Expr, values: Mapping[relax.Var, Expr]) -> tuple[Expr, int]:
    """Tell the results of a kernel that has several from each other: of a source, whose it is."""
    value = values.get(found) if isinstance(found, relax.Var) else None
    if isinstance(value, relax.TupleGetItem):
        return value.tuple_value, value.index
    return found, 0


def _is_written_by_a_kernel(found: Expr, values: Mapping[relax.Var, Expr]) -> bool:
    value = values.get(found) if isinstance(found, relax.Var) else None
    if isinstance(value, relax.TupleGetItem):
        value = values.get(value.tuple_value)
    return isinstance(value, Call) and value.op == CALL_TIR
