"""Models that are nearly right: a small one, changed in a few fields or bits by a seeded generator.

Fields are found by protobuf's own description of them, so that none is forgotten: numbers become
extreme, names another's, parts are dropped, doubled and swapped.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import onnx
from google.protobuf.descriptor import FieldDescriptor
from malformed import small_model
from operator_cases import CASES
from operator_models import model_of

EXTREMES: Final = (
    *(0, 1, 2, 3, -1, -2, 7, 16, 64, 65, 127, 255, 1000, 2**16, 2**20, 2**31 - 1, 2**31, 2**32),
    *(2**40, 2**61, 2**62, 2**63 - 1, -(2**31), -(2**63), -(2**62)),
)
FLOATS: Final = (0.0, -0.0, 1.0, -1.0, 1e-30, 1e30, 2.0**31, float("inf"), float("nan"))
TEXTS: Final = (
    "",
    "x",
    "y",
    "ai.onnx",
    "Relu",
    "Concat",
    "axis",
    "\x00",
    "n*",
    "(" * 300,
    "a" * 5000,
)
INT32: Final = {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_ENUM}
LARGEST: Final = 1 << 16
"""Bytes of a model that is changed: bits of weights are only numbers."""

GROWN: Final = 1 << 18
"""Bytes of a mutant that is not changed any more."""


@functools.cache
def seeds() -> Sequence[onnx.ModelProto]:
    """Return what is changed: a classifier with an If, and each operator in tiny."""
    cases = (model_of([case])[0] for case in CASES.values())
    return [small_model(), *(m for m in cases if m.ByteSize() < LARGEST)]


def mutant(seed: int) -> bytes:
    """Return the model of this number; every third is the classifier."""
    rng = np.random.default_rng(seed)
    place = 0 if seed % 3 == 0 else int(rng.integers(1, len(seeds())))
    model = onnx.ModelProto()
    model.CopyFrom(seeds()[place])
    if seed % 5 == 4:
        return _flipped(model.SerializeToString(), rng)
    for _ in range(rng.integers(1, 4)):
        if model.ByteSize() < GROWN:
            _change(model, rng)
    try:
        return bytes(model.SerializeToString())
    except UnicodeEncodeError:
        return mutant(seed + 1_000_003)


def _flipped(data: bytes, rng: np.random.Generator) -> bytes:
    wrong = np.frombuffer(data, np.uint8).copy()
    for at in rng.integers(0, len(wrong), rng.integers(1, 9)):
        wrong[at] = rng.choice([wrong[at] ^ (1 << rng.integers(8)), 0, 1, 127, 255])
    cut = slice(None) if rng.random() < 0.8 else slice(0, int(rng.integers(len(wrong))))
    return wrong[cut].tobytes()


def _messages(message: Any) -> Iterator[Any]:
    yield message
    for field, value in message.ListFields():
        if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                yield from _messages(inner)


def _change(model: onnx.ModelProto, rng: np.random.Generator) -> None:
    messages = list(_messages(model))
    kinds = sorted({type(m).__name__ for m in messages})
    deep = [kind for kind in kinds if kind not in ("ModelProto", "OperatorSetIdProto")]
    # There are many dimensions and one node; a wrong version ends every other test.
    kind = rng.choice(deep if deep and rng.random() < 0.95 else kinds)
    some = [m for m in messages if type(m).__name__ == kind]
    message = some[rng.integers(len(some))]
    fields = [f for f, _ in message.ListFields()] or list(message.DESCRIPTOR.fields)
    if rng.random() < 0.15:
        fields = list(message.DESCRIPTOR.fields)
    field = fields[rng.integers(len(fields))]
    names = [n for m in messages if isinstance(m, onnx.NodeProto) for n in (*m.input, *m.output)]
    if field.is_repeated:
        _change_list(message, field, some, names, rng)
    elif field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
        others = [getattr(m, field.name) for m in some if m.HasField(field.name)]
        if rng.random() < 0.4 or not others:
            message.ClearField(field.name)
        else:
            getattr(message, field.name).CopyFrom(copy.deepcopy(others[rng.integers(len(others))]))
    elif rng.random() < 0.1:
        message.ClearField(field.name)
    else:
        setattr(message, field.name, _value(field, names, rng))


def _change_list(
    message: Any, field: Any, some: Sequence[Any], names: Sequence[str], rng: np.random.Generator
) -> None:
    values, what = getattr(message, field.name), rng.integers(5)
    others = [v for m in some for v in getattr(m, field.name)]
    if what == 0 and len(values):
        del values[int(rng.integers(len(values)))]
    elif what == 1 and others:
        another = copy.deepcopy(
            others[rng.integers(len(others))]
        )  # it may hold what it is put into
        values.extend([another] * int(rng.choice([1, 2, 70])))
    elif what == 2 and len(values) > 1:
        kept = [copy.deepcopy(values[i]) for i in rng.permutation(len(values))]
        del values[:]
        values.extend(kept)
    elif field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
        values.add()
    elif len(values):
        values[int(rng.integers(len(values)))] = _value(field, names, rng)
    else:
        values.append(_value(field, names, rng))


def _value(field: Any, names: Sequence[str], rng: np.random.Generator) -> Any:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            word = str(rng.choice([*TEXTS, *names]))
            return word.encode() if field.type == FieldDescriptor.TYPE_BYTES else word
        case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
            return FLOATS[rng.integers(len(FLOATS))]
        case FieldDescriptor.CPPTYPE_ENUM:
            return int(rng.choice([v.number for v in field.enum_type.values]))
        case FieldDescriptor.CPPTYPE_UINT64:
            return abs(EXTREMES[rng.integers(len(EXTREMES))])
        case _:
            number = EXTREMES[rng.integers(len(EXTREMES))]
            return int(np.int64(number).astype(np.int32)) if field.cpp_type in INT32 else number
