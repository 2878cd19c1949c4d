"""A node as the operators here read it, and what they say where they do not take one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

Run: TypeAlias = Callable[..., Any]
"""Arrays in the order of the operands, None for an absent one, to a result or a tuple of them."""


class NotTakenError(Exception):
    """A node is not computed here; the message says why."""


@dataclass(frozen=True, eq=False)
class TextNode:
    """One node.

    Attributes:
        operator: Its operator, ``ai.onnx.ml.ZipMap``; those of ONNX's own domain have no domain.
        opset: The version of its domain.
        attributes: As Python's values: numbers, `str`, lists of these, arrays.
        inputs: The names of its operands, "" where one is absent.
        outputs: The names of its results.
        name: Its own.
    """

    operator: str
    opset: int
    attributes: Mapping[str, Any]
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    name: str = field(default="")

    def refuse(self, why: str) -> NoReturn:
        """Say that the node is not computed here.

        Raises:
            NotTakenError: Always.
        """
        raise NotTakenError(f"{self.operator} {self.name!r}: {why}")

    def require(self, met: bool, why: str) -> None:  # noqa: FBT001
        """Refuse the node unless a condition is met.

        Raises:
            NotTakenError: It is not.
        """
        if not met:
            self.refuse(why)


def operator_of(proto: onnx.NodeProto) -> str:
    """Return a node's operator, with its domain where that is not ONNX's own."""
    own = proto.domain in ("", "ai.onnx")
    return proto.op_type if own else f"{proto.domain}.{proto.op_type}"


def node_of(proto: onnx.NodeProto, opset: int) -> TextNode:
    """Return a node of a model.

    Raises:
        NotTakenError: A string of it is no UTF-8.
    """
    try:
        said = {a.name: _value(onnx.helper.get_attribute_value(a)) for a in proto.attribute}
    except UnicodeDecodeError as error:
        raise NotTakenError(
            f"{operator_of(proto)} {proto.name!r} has a string that is no UTF-8"
        ) from error
    return TextNode(
        operator_of(proto),
        opset,
        said,
        tuple(proto.input),
        tuple(proto.output),
        proto.name,
    )


def _value(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, TensorProto):
        return array_of(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [*map(_value, value)]
    return value


def array_of(tensor: TensorProto) -> np.ndarray:
    """Return a tensor as an array; one of strings has elements of type `str`."""
    if tensor.data_type != TensorProto.STRING:
        return numpy_helper.to_array(tensor)
    return texts([text.decode() for text in tensor.string_data], tuple(tensor.dims))


def texts(values: Sequence[str], shape: Sequence[int]) -> np.ndarray:
    """Return strings as an array of objects; one of numpy's own strings would lose NULs."""
    array = np.empty(len(values), object)
    array[:] = values
    return array.reshape(tuple(shape))
