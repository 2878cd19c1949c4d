"""Which sizes kernels get code of their own for: those of the model that a caller names.

::

    specialize={"h": 224, "w": 224}
    main(x: (n, 3, h, w)):
        y = conv(x)     a kernel of (n, 3, h, w): h = 224, w = 224
        f(y)            one of (p, q), called with (n, h // 2): q = 112

What a run alone tells, as how many boxes are left, stays symbolic.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from tvm import IRModule, relax, sym, tirx
from tvm.ir import Call, Expr, GlobalVar, Var
from tvm.tirx import BufferType, PrimFunc

from tvmfuse.errors import ConfigurationError, closest
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import CALL_TIR, calls_of
from tvmfuse.schedules.expressions import static, substitute
from tvmfuse.schedules.specialize import SIZES
from tvmfuse.size_ranges import NamedSizes, taken_by
from tvmfuse.tensor_spec import TensorSpec, computed, symbols_in


def check_sizes(specs: Sequence[TensorSpec], named: Sequence[NamedSizes]) -> None:
    """Refuse sizes that no run of a model has.

    Args:
        specs: Its inputs.
        named: The sizes that kernels are to have code of their own for.

    Raises:
        ConfigurationError: There is no such symbolic dimension, or the model does not take a size,
            alone or with the others.
    """
    known = {dim for spec in specs for dim in spec.shape if isinstance(dim, str)}
    for sizes in named:
        for name in sizes:
            if name not in known:
                hint = closest(name, known) if known else "all are fixed"
                raise ConfigurationError(
                    f"specialize: no input has a symbolic dimension {name!r}; {hint}"
                )
        for spec in specs:
            _check_input(spec, sizes)


def sizes_among(names: Collection[str], named: Sequence[NamedSizes]) -> tuple[NamedSizes, ...]:
    """Return what is said of some symbolic dimensions, those of a part of a model."""
    found = ({n: size for n, size in sizes.items() if n in names} for sizes in named)
    return tuple(sizes for sizes in found if sizes)


def _check_input(spec: TensorSpec, sizes: NamedSizes) -> None:
    for axis, dim in enumerate(spec.shape):
        size = sizes.get(dim) if isinstance(dim, str) else None
        if size is not None and size not in (taken := taken_by(spec, axis)):
            raise ConfigurationError(
                f"specialize: {dim!r} is to be {size}, and the model takes {taken}"
            )
    for constraint in spec.shape_constraints:
        sides = constraint.left, constraint.right
        if symbols_in(*sides) <= sizes.keys() and len({computed(s, sizes) for s in sides}) > 1:
            raise ConfigurationError(
                f"specialize: the model takes only sizes with {constraint.words}, found "
                + ", ".join(f"{name} = {size}" for name, size in sizes.items())
            )


def with_sizes(
    module: IRModule, specs: Sequence[TensorSpec], named: Sequence[NamedSizes]
) -> IRModule:
    """Note on each kernel which of its sizes the named ones of the model are.

    Those that leave fewest symbolic come first, as the first that there are is taken.

    Args:
        module: Its kernels are not scheduled yet.
        specs: Of the first parameters of `main`.
        named: See `check_sizes`.
    """
    if not named:
        return module
    main, functions = module["main"], dict(module.functions_items())
    noted: dict[GlobalVar, dict[tuple[tuple[Var, int], ...], None]] = {}
    for sizes in named:
        at = dict(_variables(main, specs, sizes))
        for _, call, callee in calls_of(main):
            kernel = functions[callee]
            if op_name(call) == CALL_TIR and isinstance(kernel, PrimFunc):
                own = tuple(_sizes(kernel, call, at))
                noted.setdefault(callee, {}).update({own: None} if own else {})
    for callee, found in noted.items():
        if found:
            each = [dict(own) for own in sorted(found, key=len, reverse=True)]
            functions[callee] = functions[callee].with_attr(SIZES, each)
    return IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)


def _variables(
    main: relax.Function, specs: Sequence[TensorSpec], sizes: NamedSizes
) -> Iterator[tuple[Var, Expr]]:
    """Yield the variables of `main` that are named, and what they are to be."""
    for spec, param in zip(specs, main.params, strict=False):
        for dim, var in zip(spec.shape, param.ty.shape, strict=True):
            size = sizes.get(dim) if isinstance(dim, str) else None
            if size is not None and isinstance(var, Var):  # else the model has turned out to fix it
                yield var, tirx.const(size, var.ty.dtype)


def _sizes(kernel: PrimFunc, call: Call, at: Mapping[Var, Expr]) -> Iterator[tuple[Var, int]]:
    """Yield what is known of a kernel's variables in one of its calls."""
    known, found = sym.Analyzer(), set[Var]()
    for var, given in _given(kernel, call):
        if isinstance(var, Var) and var not in found:
            size = static(known.simplify(substitute(given, at)))
            if size is not None:
                found.add(var)
                yield var, size


def _given(kernel: PrimFunc, call: Call) -> Iterator[tuple[Expr, Expr]]:
    """Yield each size of a kernel's tensors and each number it takes, and what a call has there."""
    _, operands, *numbers = call.args
    results = call.ty.fields if isinstance(call.ty, relax.TupleType) else [call.ty]
    values = [*operands.fields, *results, *(n for shape in numbers for n in shape.values)]
    for param, value in zip(kernel.params, values, strict=True):
        if isinstance(param.ty, BufferType):
            ty = value if isinstance(value, relax.TensorType) else value.ty
            if ty.shape is not None:
                yield from zip(param.ty.shape, ty.shape, strict=True)
        else:
            yield param, value
