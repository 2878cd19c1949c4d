"""Shape constraints: equations between the symbolic dimensions of what a model is fed.

They are noted while nodes are converted, and checked before anything runs. What they say of one
symbol alone, that it is a number or another symbol, or within a range, is worth knowing from the
start: the importer learns it and converts the model again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tvm import tirx
from tvm.ir import Expr
from tvm.sym import detect_linear_equation

from tvmfuse.tensor_spec import ShapeConstraint, TensorSpec, symbols_in


def solved(left: Expr | int, right: Expr | int, order: list[str]) -> tuple[str, int | str] | None:
    """Return a symbol and what it has to be for two dimensions to be equal: a number or a symbol.

    Args:
        left: A dimension.
        right: Another one.
        order: All symbols; of two that are equal, the later one is said to be the earlier one.
    """
    if isinstance(left, tirx.Var) and isinstance(right, tirx.Var):
        first, second = sorted((str(left.name), str(right.name)), key=order.index)
        return second, first
    difference = left - right
    symbols = tirx.analysis.undefined_vars(difference) if isinstance(difference, Expr) else []
    if len(symbols) != 1:
        return None
    linear = detect_linear_equation(difference, symbols)
    if len(linear) != 2 or not all(isinstance(c, tirx.IntImm) for c in linear):
        return None
    factor, offset = (int(c.value) for c in linear)
    number, rest = divmod(-offset, factor) if factor else (0, 0)
    # Nothing is built for a size of 0 alone: the constraint says so when the model is fed.
    return (str(symbols[0].name), number) if number > 0 and not rest else None


def with_shape_constraints(
    specs: Iterable[TensorSpec], constraints: Iterable[ShapeConstraint]
) -> tuple[TensorSpec, ...]:
    """Return the inputs, each with the constraints whose symbols are known once it is."""
    left, known, result = list(constraints), set[str](), []
    for spec in specs:
        known |= {d for d in spec.shape if isinstance(d, str)}
        due = [d for d in left if symbols_in(d.left, d.right) <= known]
        left = [d for d in left if d not in due]
        result.append(replace(spec, shape_constraints=tuple(due)) if due else spec)
    return tuple(result)
