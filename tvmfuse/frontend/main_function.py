"""The function `main` of an imported model: emitted again as more is learned of its sizes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TypeAlias

from tvm import IRModule, relax, tirx
from tvm.ir import Expr

from tvmfuse.errors import ConfigurationError, UnsupportedModelError
from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.folded_sizes import ask_for_function, ask_for_type
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.shape_constraints import with_shape_constraints
from tvmfuse.frontend.symbols import Symbols, as_dim, written
from tvmfuse.ir.dataflow import Dataflow, remembering
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import with_values
from tvmfuse.ir.replace import replace as rebind
from tvmfuse.ir.sizes import size_of
from tvmfuse.manifest import StoredValue
from tvmfuse.tensor_spec import IndexConstraint, ShapeConstraint, TensorSpec, symbols_in

InputTypes: TypeAlias = Callable[[Symbols], Mapping[str, relax.TensorType]]
"""Gives the inputs' types by name, in order, in terms of these symbols."""

Body: TypeAlias = Callable[[Emitter, Mapping[str, relax.Var]], Sequence[Expr]]
"""Emits a model's operations, given its inputs, and returns the outputs."""


@dataclass(frozen=True)
class MainFunction:
    """A module whose `main` computes a model.

    Attributes:
        module: The module.
        inputs: The parameters in order, as they are declared, with the constraints on their sizes.
        results: The types of what it returns.
    """

    module: IRModule
    inputs: tuple[TensorSpec, ...]
    results: Sequence[relax.TensorType]


def main_function(
    input_types: InputTypes,
    body: Body,
    gate: Gate,
    *,
    branching: bool,
    indices_looked_at: bool = True,
) -> MainFunction:
    """Emit a model, again and again, each time with what was learned of its sizes before.

    An equation between sizes may say that a symbol is a number or another symbol. That is worth
    knowing from the start, for kernels of fixed sizes are faster.

    Args:
        input_types: Gives the types of the inputs.
        body: Emits the model; may raise UnsupportedModelError, which counts once nothing more is
            learned.
        gate: Is asked for each tensor.
        branching: Whether it holds an If or a loop, which are no part of a dataflow block.
        indices_looked_at: Whether who feeds the model looks at indices among the inputs; else the
            model does.

    Raises:
        UnsupportedModelError: Some operations cannot be compiled.
        ConfigurationError: A symbol is given sizes that the model takes none of.
        LimitExceededError: A tensor, or what follows from constants, is too large.
    """
    symbols = Symbols()
    types = input_types(symbols)
    for name, ty in types.items():
        ask_for_type(gate, f"input {name!r}", ty)
    declared = [spec_of(name, ty) for name, ty in types.items()]
    stated = stated_constraints(types)
    names = {d for spec in declared for d in spec.shape if isinstance(d, str)}
    while True:
        symbols.fed = names
        refusal: UnsupportedModelError | None = None
        try:
            with symbols.apart():
                module, results, indexed = _emitted(
                    types, body, symbols, gate, branching=branching, indexed=indices_looked_at
                )
        except UnsupportedModelError as error:
            refusal = error
        more = symbols.learned()
        if more is None and refusal is not None:
            raise refusal
        if more is None:
            sized = [
                _with_ranges(_with_indices(spec, indexed[spec.name], names), symbols)
                for spec in declared
            ]
            inputs = with_shape_constraints(sized, [*stated, *symbols.shape_constraints])
            return MainFunction(module, inputs, results)
        symbols = more
        types = input_types(symbols)


def _emitted(
    types: Mapping[str, relax.TensorType],
    body: Body,
    symbols: Symbols,
    gate: Gate,
    *,
    branching: bool,
    indexed: bool,
) -> tuple[IRModule, list[relax.TensorType], Mapping[str, Sequence[IndexConstraint]]]:
    builder = relax.BlockBuilder()
    params = {name: relax.Var(name, ty) for name, ty in types.items()}
    with builder.function("main", list(params.values())):
        with nullcontext() if branching else builder.dataflow():
            inputs = params.values() if indexed else ()
            emitter = Emitter(builder, symbols, gate, in_dataflow=not branching, inputs=inputs)
            # A builder that is left half-way warns on standard error.
            try:
                outputs, refusal = body(emitter, params), None
            except BaseException as error:
                outputs, refusal = [], error
            results = [_result(builder, output) for output in outputs]
        builder.emit_func_output(relax.Tuple(results))
    if refusal is not None:
        raise refusal
    module = builder.get()
    for function in module.functions.values():
        ask_for_function(gate, function)
    with remembering():
        module = map_functions(module, lambda main: _with_values(main, emitter.values))
    if branching:
        module = relax.transform.ConvertToDataflow(min_size=1)(module)
    picked = {name: emitter.indexed.get(param, []) for name, param in params.items()}
    return relax.transform.DeadCodeElimination()(module), [r.ty for r in results], picked


def _with_values(
    main: relax.Function, values: Mapping[Expr, Sequence[StoredValue]]
) -> relax.Function:
    """Say of each variable which of the source's values it is."""
    bound = Dataflow.of(main).values
    return rebind(
        main, {v: with_values(bound[v], stored) for v, stored in values.items() if v in bound}
    )


def _result(builder: relax.BlockBuilder, output: Expr) -> Expr:
    return builder.emit_output(output) if isinstance(output, relax.DataflowVar) else output


def spec_of(name: str, ty: relax.TensorType) -> TensorSpec:
    """Return how a tensor of this type is called from outside; symbols are their names."""
    dims = (as_dim(d) for d in ty.shape.values)
    return TensorSpec(
        name, str(ty.dtype), tuple(d if isinstance(d, int) else written(d) for d in dims)
    )


def stated_constraints(types: Mapping[str, relax.TensorType]) -> list[ShapeConstraint]:
    """Return what dimensions are to be that are stated as arithmetic over others: ``past + 1``."""
    dims = [
        (name, axis, as_dim(dim))
        for name, ty in types.items()
        for axis, dim in enumerate(ty.shape.values)
    ]
    return [
        ShapeConstraint(written(dim), size, f"{written(dim)} in dimension {axis} of {name!r}")
        for name, axis, dim in dims
        if not isinstance(dim, int | tirx.Var) and (size := size_of(dim)) is not None
    ]


def _with_indices(
    spec: TensorSpec, picked: Sequence[IndexConstraint], fed: Collection[str]
) -> TensorSpec:
    """Return an input with what its numbers pick, as far as the sizes that are fed tell."""
    first = {c.size: c for c in reversed(picked) if symbols_in(c.size) <= set(fed)}
    return replace(spec, index_constraints=tuple(reversed(first.values())))


def _with_ranges(spec: TensorSpec, symbols: Symbols) -> TensorSpec:
    names = [d if isinstance(d, str) else None for d in spec.shape]
    least = tuple(0 if name is None else symbols.smallest(name) for name in names)
    ranges = [symbols.ranges.get(name) if name else None for name in names]
    most = tuple(None if r is None else r.most for r in ranges)
    for name, smallest, given in zip(names, least, ranges, strict=True):
        if given is not None and smallest not in given:
            raise ConfigurationError(
                f"dimension {name!r} is to be {given}, and the model takes at least {smallest}"
            )
    return replace(
        spec,
        min_sizes=least if any(least) else (),
        max_sizes=most if any(m is not None for m in most) else (),
    )
