"""The operands of operators on values, as their kernels read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tvmfuse.frontend.onnx.graph import Node
from tvmfuse.frontend.onnx.values import NotKnownError, Value, integers, of_elements
from tvmfuse.frontend.symbols import Symbols

Operands: TypeAlias = Sequence[Value | None]
Kernel: TypeAlias = Callable[[Node, Operands, Symbols], Value | tuple[Value, ...]]


def first(operands: Operands) -> Value:
    """Return the first operand.

    Raises:
        NotKnownError: It is absent.
    """
    if not operands or operands[0] is None:
        raise NotKnownError("its first operand is absent")
    return operands[0]


def known(operands: Operands, position: int) -> np.ndarray:
    """Return an operand's numbers.

    Raises:
        NotKnownError: It is absent, or depends on a symbolic dimension.
    """
    array = known_or_none(operands, position)
    if array is None:
        raise NotKnownError(f"its operand {position} is absent")
    return array


def known_or_none(operands: Operands, position: int) -> np.ndarray | None:
    """Return an operand's numbers, or None where it is absent.

    Raises:
        NotKnownError: It depends on a symbolic dimension.
    """
    value = operands[position] if len(operands) > position else None
    if value is None:
        return None
    if not value.is_concrete:
        raise NotKnownError("it depends on a symbolic dimension")
    return value.array


def objects(value: Value) -> np.ndarray:
    """Return the elements as an array of Python objects."""
    return value.array.astype(object)


def moved(array: Any, like: Value) -> Value:
    """Return elements that were moved and not changed, of the dtype that they had."""
    array = np.asarray(array, object)  # numpy gives the element of a 0-d result
    return of_elements(array.reshape(-1).tolist(), array.shape, like.dtype)


def axes_of(node: Node, operands: Operands, position: int = 1) -> list[int] | None:
    """Return the axes that a node states as an operand or an attribute; None where it does not."""
    given = operands[position] if len(operands) > position else None
    if given is not None:
        return integers(given, "axes")
    axes = node.attributes.get("axes")
    return None if axes is None else list(axes)
