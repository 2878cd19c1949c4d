"""The types of the graph's inputs: fixed dimensions are numbers, the others have symbols."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.errors import (
    ConfigurationError,
    MalformedModelError,
    ModelError,
    UnsupportedModelError,
    closest,
)
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.symbols import Dim, Symbols
from tvmfuse.narrow_types import STORAGE, stored_as
from tvmfuse.size_ranges import Bounds, GivenSizes, SizeRange

NO_NAMES: Final = ("", "?")
"""What a dimension is called that is not known; paddle2onnx calls each of a tensor ``?``."""

Shapes = Mapping[str, Sequence[int | str | Bounds | None]]

_OPERATORS: Final[Mapping[type[ast.operator], Callable[[Dim, Dim], Dim]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: tirx.floordiv,
    ast.Mod: tirx.floormod,
}

_HINTS: Final[Mapping[str, str]] = {
    "sequence": ": say in `shapes` which it holds, by a list of their shapes "
    "(--shape NAME:2,3/_,3)",
    "optional": ": say in `shapes` what it holds, by its shape, or that it is absent, by None "
    "(--shape NAME:2,3, or NAME:none)",
}

DTYPES: Final = frozenset(
    {"bool", "float16", "float32", "float64", "bfloat16"}
    | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
    | STORAGE.keys()
)
"""What a tensor may hold. ONNX has strings and complex numbers, too."""


def input_types(
    inputs: Sequence[onnx.ValueInfoProto],
    symbols: Symbols,
    shapes: Shapes | None,
    dims: GivenSizes | None,
) -> dict[str, relax.TensorType]:
    """Return the type of each graph input.

    Args:
        inputs: As the model states them.
        symbols: Receives the model's symbolic dimensions.
        shapes: Input name -> shape. A number fixes a dimension, a range bounds it, None leaves it,
            a name names it.
        dims: Symbolic dimension -> number or range.

    Raises:
        ConfigurationError: `shapes` or `dims` name what the model does not have, or contradict it.
        UnsupportedModelError: An input is no tensor, or nobody knows its rank.
    """
    wanted = {n: _listed(n, s) for n, s in _mapping("shapes", shapes).items()}
    declared = {i.name: _declared(i, wanted) for i in inputs}
    _refuse_unknown("input", wanted, declared)
    given = _mapping("dims", dims)
    ranges = {name: SizeRange.of(name, size) for name, size in given.items()}
    for name, shape in wanted.items():
        declared[name] = _overridden(name, declared[name], shape, ranges)
    names = {n for shape in declared.values() for d in shape for n in _names_in(d)}
    _refuse_unknown("symbolic dimension", given, names)
    fixed = {name: r.number for name, r in ranges.items() if r.number is not None}
    told = fixed.keys() | {d for shape in declared.values() for d in shape if d in names}
    symbols.ranges = {name: r for name, r in ranges.items() if name not in fixed}
    _refuse_untold(symbols.ranges, told)
    return {
        i.name: relax.TensorType(
            [_dim(d, symbols, fixed, told) for d in declared[i.name]], stored_as(dtype_of_input(i))
        )
        for i in inputs
    }


def _mapping(what: str, given: object) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ConfigurationError(f"{what}: expected a mapping, found {type(given).__name__}")
    return given


def _listed(name: str, shape: object) -> list[Any]:
    if isinstance(shape, str | Mapping) or not isinstance(shape, Iterable):
        raise ConfigurationError(f"shapes: {name!r} is to be {shape!r}; expected a list of sizes")
    return [d.item() if isinstance(d, np.generic) else d for d in shape]


def dtype_of_input(info: onnx.ValueInfoProto) -> str:
    """Return the dtype of a graph input.

    Raises:
        UnsupportedModelError: It is no tensor of numbers.
    """
    kind = info.type.WhichOneof("value")
    if kind != "tensor_type":
        what = (kind or "nothing").removesuffix("_type")
        raise UnsupportedModelError(
            f"input {info.name!r} is of type {what}; only tensors are compiled"
            + _HINTS.get(what, "")
        )
    element = info.type.tensor_type.elem_type
    if element not in onnx.TensorProto.DataType.values() or not element:
        raise MalformedModelError(f"input {info.name!r} has no element type ({element})")
    if element == onnx.TensorProto.STRING or dtype_name(element) not in DTYPES:
        raise UnsupportedModelError(
            f"input {info.name!r} holds {onnx.TensorProto.DataType.Name(element).lower()}; "
            f"compiled are {', '.join(sorted(DTYPES))}"
        )
    return dtype_name(element)


def _declared(info: onnx.ValueInfoProto, shapes: Shapes) -> list[int | str]:
    dtype_of_input(info)
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        if info.name not in shapes:
            raise ModelError(
                f"input {info.name!r} has no shape, not even a rank; "
                f"pass shapes={{{info.name!r}: (...)}}"
            )
        return [f"{info.name}_dim{i}" for i in range(len(shapes[info.name]))]
    return [_declared_dim(info.name, i, dim) for i, dim in enumerate(tensor.shape.dim)]


def _declared_dim(name: str, place: int, dim: onnx.TensorShapeProto.Dimension) -> int | str:
    if dim.HasField("dim_value"):
        return int(dim.dim_value)
    # A dimension without a name is like no other: it gets a name of its own.
    return f"{name}_dim{place}" if dim.dim_param in NO_NAMES else dim.dim_param


def _overridden(
    name: str,
    declared: list[int | str],
    wanted: Sequence[int | str | Bounds | None],
    ranges: dict[str, SizeRange],
) -> list[int | str]:
    """Return a shape as it is wanted; `ranges` receives the sizes of its symbolic dimensions."""
    if len(wanted) != len(declared):
        raise ConfigurationError(
            f"shapes: {name!r} has {len(declared)} dimensions {declared}; found {list(wanted)}"
        )
    result: list[int | str] = []
    for place, (own, new) in enumerate(zip(declared, wanted, strict=True)):
        if new is None or new == own:
            result.append(own)
        elif isinstance(own, int):
            raise ConfigurationError(
                f"shapes: dimension {place} of {name!r} is fixed to {own}; found {new!r}"
            )
        elif isinstance(new, str):
            result.append(new)
        else:
            size = SizeRange.of(own, new)
            if own.isidentifier() or not _names_in(own) - {own}:
                if ranges.setdefault(own, size) != size:
                    raise ConfigurationError(
                        f"dimension {own!r} is to be {ranges[own]} and {size}; it is one dimension"
                    )
                result.append(own)
            elif size.number is not None:
                result.append(size.number)
            else:
                raise ConfigurationError(
                    f"shapes: dimension {place} of {name!r} is computed, {own}, and is to be "
                    f"{size}; expected a number, or ranges for what it is computed of"
                )
    return result


def _refuse_unknown(what: str, given: Collection[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            hint = closest(name, known) if known else "it has none"
            raise ConfigurationError(f"the model has no {what} {name!r}; {hint}")


def _refuse_untold(ranges: Iterable[str], told: Collection[str]) -> None:
    for name in ranges:
        if name not in told:
            raise ConfigurationError(
                f"dimension {name!r} is only computed with, and no input tells it: expected a "
                "number for it, found a range, which nobody could check"
            )


def _names_in(dim: int | str) -> set[str]:
    """Return the symbols in a dimension: of "2*seq + 1" those of the expression."""
    if isinstance(dim, int):
        return set()
    tree = _parsed(dim)
    if tree is None:
        return {dim}
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def _parsed(text: str) -> ast.expr | None:
    """Return the syntax tree of a dimension's name if it is simple arithmetic over names."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    simple = all(
        isinstance(n, ast.Name | ast.BinOp | ast.Load | ast.operator)
        or (isinstance(n, ast.Constant) and type(n.value) is int)
        for n in ast.walk(tree)
    )
    known = all(type(n.op) in _OPERATORS for n in ast.walk(tree) if isinstance(n, ast.BinOp))
    named = any(isinstance(n, ast.Name) for n in ast.walk(tree))  # "1" is a name, too
    return tree if simple and known and named else None


def _dim(dim: int | str, symbols: Symbols, fixed: Mapping[str, int], told: Collection[str]) -> Dim:
    """Return a dimension; `told` are the symbols that are fixed, or stand alone somewhere."""
    if isinstance(dim, int):
        return dim
    tree = _parsed(dim)
    if tree is None or not _names_in(dim) <= set(told):
        # Of a sole "2*n" nobody can tell n: it is a name like others.
        return fixed[dim] if dim in fixed else symbols.dim(dim)
    return symbols.simplify(_computed(tree, symbols, fixed))


def _computed(tree: ast.expr, symbols: Symbols, fixed: Mapping[str, int]) -> Dim:
    if isinstance(tree, ast.Name):
        return fixed[tree.id] if tree.id in fixed else symbols.dim(tree.id)
    if isinstance(tree, ast.BinOp):
        left, right = (_computed(t, symbols, fixed) for t in (tree.left, tree.right))
        return _OPERATORS[type(tree.op)](_expr(left), _expr(right))
    return int(ast.literal_eval(tree))


def _expr(dim: Dim) -> Expr:
    return tirx.const(dim, "int64") if isinstance(dim, int) else dim
