"""Values: small arrays whose numbers the importer knows, some of them symbolic dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.symbols import Dim, Symbols, as_dim

Given: TypeAlias = Expr | np.ndarray
"""What a loop's body is given, or gives: a tensor, or its numbers where they are known."""


class NotKnownError(Exception):
    """This value cannot be computed before the model runs; the message says why."""


class TooManyNodesError(CannotConvertError):
    """What is written out for loops, or copied for branches, is too much."""


@dataclass(frozen=True)
class Value:
    """An array of numbers, or of numbers and expressions.

    Attributes:
        array: Of dtype object where an element is a TIR expression.
        dtype: The dtype that the value has in the model.
    """

    array: np.ndarray
    dtype: str

    @property
    def is_concrete(self) -> bool:
        """Whether all elements are numbers."""
        return self.array.dtype != object

    @property
    def elements(self) -> list[Any]:
        """All elements, in row-major order."""
        return list(self.array.reshape(-1).tolist())


def concrete(array: np.ndarray) -> Value:
    """Return a value whose elements are numbers."""
    return Value(array, array.dtype.name)


def of_elements(elements: Iterable[Any], shape: Sequence[int], dtype: str) -> Value:
    """Return a value of these elements, concrete if all of them are numbers."""
    listed = [as_dim(e) for e in elements]
    symbolic = any(isinstance(e, Expr) for e in listed)
    array = np.empty(len(listed), object if symbolic else np.dtype(dtype))
    for place, element in enumerate(listed):
        array[place] = element
    return Value(array.reshape(tuple(shape)), dtype)


def of_dims(dims: Sequence[Dim]) -> Value:
    """Return a shape as an int64 vector."""
    return of_elements(dims, (len(dims),), "int64")


def elementwise(
    function: Callable[..., Any], operands: Sequence[Value], dtype: str, symbols: Symbols
) -> Value:
    """Apply a function of scalars to broadcast arrays, and simplify what comes out."""
    arrays = np.broadcast_arrays(*(v.array.astype(object) for v in operands))
    elements = (
        symbols.simplify(function(*row))
        for row in zip(*(a.reshape(-1).tolist() for a in arrays), strict=True)
    )
    return of_elements(elements, arrays[0].shape, dtype)


def as_size(element: Expr) -> Expr:
    """Return an expression as a size: a condition as 1 where it holds, and else 0."""
    if str(element.ty) != "bool":
        return element
    return tirx.Select(element, tirx.const(1, "int64"), tirx.const(0, "int64"))


def shape_of(value: Value) -> relax.ShapeExpr:
    """Return elements as the dimensions of one shape; a cast may have made them floats."""
    numbers = [e for e in value.elements if not isinstance(e, Expr)]
    if any(e != int(e) for e in numbers):
        raise NotKnownError("a fraction is no dimension")
    return relax.ShapeExpr([as_size(e) if isinstance(e, Expr) else int(e) for e in value.elements])


def integers(value: Value, what: str) -> list[int]:
    """Return the elements of a value that has to be plain integers.

    Raises:
        NotKnownError: One of them depends on a symbolic dimension.
    """
    for element in value.elements:
        if isinstance(element, Expr):
            raise NotKnownError(f"{what} depend on the symbolic dimension {element}")
    return [int(e) for e in value.elements]


FLOATS: Final = frozenset({"float16", "float32", "float64", "bfloat16"})
