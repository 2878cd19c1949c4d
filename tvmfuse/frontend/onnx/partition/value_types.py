"""Types of values between two engines: ONNX's, and as a manifest states them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

import onnx
from onnx import TensorProto, TypeProto, helper

from tvmfuse.arrays import numpy_dtype
from tvmfuse.frontend.onnx.dims import DTYPES
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.narrow_types import STORAGE
from tvmfuse.tensor_spec import TensorSpec

STRING: Final = "string"
HANDED: Final = (DTYPES - STORAGE.keys()) | {
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
}  # fmt: skip
"""Element types that tvmfuse computes and onnxruntime's Python API takes."""


def element_of(kind: TypeProto) -> str:
    """Return a tensor's dtype, "string", or "" where it is not known or there is no tensor."""
    element = kind.tensor_type.elem_type
    if not element or element not in TensorProto.DataType.values():
        return ""
    return STRING if element == TensorProto.STRING else dtype_name(element)


def unfit(kind: TypeProto, *, foreign: bool, ranked: bool) -> str:
    """Return why a value cannot cross a part's border; "" where it can, or nothing is known.

    Args:
        kind: Its type.
        foreign: Whether the other engine makes or reads it.
        ranked: Whether its rank has to be known.
    """
    what = (kind.WhichOneof("value") or "tensor_type").removesuffix("_type")
    if what != "tensor":
        return f"which is of type {what}; tensors are compiled"
    element, taken = element_of(kind), HANDED if foreign else DTYPES
    if element and element not in taken:
        return f"which holds {element}; {'handed over' if foreign else 'compiled'} are numbers"
    if ranked and element and not kind.tensor_type.HasField("shape"):
        return "whose rank is not known"
    return ""


def is_settled(kind: TypeProto) -> bool:
    """Whether a type says all that a part asks of what it is fed."""
    what = kind.WhichOneof("value")
    if what != "tensor_type":
        return what is not None
    return bool(element_of(kind)) and kind.tensor_type.HasField("shape")


def type_of(spec: TensorSpec) -> TypeProto:
    """Return a tensor's type."""
    element = helper.np_dtype_to_tensor_dtype(numpy_dtype(spec.dtype))
    return helper.make_tensor_type_proto(element, spec.shape)


def names_in(kinds: Iterable[TypeProto]) -> frozenset[str]:
    """Return the names of dimensions in some types."""
    return frozenset(d.dim_param for kind in kinds for d in kind.tensor_type.shape.dim)


def refined(known: TypeProto | None, found: TypeProto, names: Collection[str]) -> TypeProto:
    """Return what is known of a type, with what was found of its dimensions.

    Args:
        known: As it follows from the whole model; None where it does not.
        found: As one part has it.
        names: Those that mean the same there; what is computed of them does, too. Others are open.
    """
    result = TypeProto()
    result.CopyFrom(found)
    rank = len(found.tensor_type.shape.dim)
    stated = () if known is None else known.tensor_type.shape.dim
    for place, dim in enumerate(result.tensor_type.shape.dim):
        if dim.dim_param and not _means_the_same(dim.dim_param, names):
            dim.ClearField("dim_param")
            if len(stated) == rank:
                dim.CopyFrom(stated[place])
        elif not dim.WhichOneof("value") and len(stated) == rank:
            dim.CopyFrom(stated[place])
    return result


def _means_the_same(dim: str, names: Collection[str]) -> bool:
    return dim in names or set(re.findall(r"[^\W\d]\w*", dim)) <= {*names, "min", "max"}


def spec_of_value(name: str, kind: TypeProto) -> TensorSpec:
    """Return what a manifest says of a value.

    What is no tensor, or one whose rank is not known, has its type in ONNX's words,
    ``seq(tensor(float32))``, and no shape.
    """
    if not kind.tensor_type.HasField("shape"):
        return TensorSpec(name, words_of(kind), ())
    dims = kind.tensor_type.shape.dim
    shape = [
        int(dim.dim_value) if dim.HasField("dim_value") else dim.dim_param or f"{name}_dim{place}"
        for place, dim in enumerate(dims)
    ]
    return TensorSpec(name, element_of(kind) or "float32", tuple(shape))


def words_of(kind: TypeProto) -> str:
    """Return a type in ONNX's words.

    >>> words_of(helper.make_sequence_type_proto(helper.make_tensor_type_proto(1, [2])))
    'seq(tensor(float32))'
    >>> words_of(helper.make_map_type_proto(8, helper.make_tensor_type_proto(1, [])))
    'map(string,tensor(float32))'
    """
    match kind.WhichOneof("value"):
        case "sequence_type":
            return f"seq({words_of(kind.sequence_type.elem_type)})"
        case "optional_type":
            return f"optional({words_of(kind.optional_type.elem_type)})"
        case "map_type":
            key = "string" if kind.map_type.key_type == TensorProto.STRING else "int64"
            return f"map({key},{words_of(kind.map_type.value_type)})"
        case "tensor_type" | None:
            return f"tensor({element_of(kind) or 'float32'})"
        case other:
            return str(other).removesuffix("_type")


def type_in_words(words: str, shape: Sequence[int | str | None]) -> TypeProto:
    """Return the type that onnxruntime writes so.

    Args:
        words: ``tensor(float)``, ``seq(tensor(int64))`` and so on.
        shape: None for a dimension that is open. Of an empty one nobody knows whether it is a
            number's or not known: it is taken for the latter.

    >>> type_in_words("tensor(float)", [2, None]).tensor_type.shape.dim[0].dim_value
    2
    """
    kind, _, inner = words.partition("(")
    if kind == "seq":
        return helper.make_sequence_type_proto(type_in_words(inner[:-1], ()))
    if kind == "optional":
        return helper.make_optional_type_proto(type_in_words(inner[:-1], ()))
    if kind == "map":
        key, _, value = inner[:-1].partition(",")
        return helper.make_map_type_proto(
            TensorProto.DataType.Value(key.upper()), type_in_words(value, ())
        )
    if kind != "tensor":
        return TypeProto(sparse_tensor_type=TypeProto.SparseTensor())
    element = TensorProto.DataType.Value(inner[:-1].upper())
    return helper.make_tensor_type_proto(element, shape or None)


def value_info(name: str, kind: TypeProto) -> onnx.ValueInfoProto:
    """Return a value with its type."""
    info = onnx.ValueInfoProto(name=name)
    info.type.CopyFrom(kind)
    return info
