"""Types of elements: ONNX's numbers, onnxruntime's words, and numpy's and ml_dtypes' names."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

ELEMENTS: Final[tuple[tuple[int, str, str], ...]] = (
    (1, "float", "float32"),
    (2, "uint8", "uint8"),
    (3, "int8", "int8"),
    (4, "uint16", "uint16"),
    (5, "int16", "int16"),
    (6, "int32", "int32"),
    (7, "int64", "int64"),
    (8, "string", "object"),
    (9, "bool", "bool"),
    (10, "float16", "float16"),
    (11, "double", "float64"),
    (12, "uint32", "uint32"),
    (13, "uint64", "uint64"),
    (14, "complex64", "complex64"),
    (15, "complex128", "complex128"),
    (16, "bfloat16", "bfloat16"),
    (17, "float8e4m3fn", "float8_e4m3fn"),
    (18, "float8e4m3fnuz", "float8_e4m3fnuz"),
    (19, "float8e5m2", "float8_e5m2"),
    (20, "float8e5m2fnuz", "float8_e5m2fnuz"),
    (21, "uint4", "uint4"),
    (22, "int4", "int4"),
    (23, "float4e2m1", "float4_e2m1fn"),
    (24, "float8e8m0", "float8_e8m0fnu"),
    (25, "uint2", "uint2"),
    (26, "int2", "int2"),
)
"""Each element's number in `onnx.TensorProto`, name in a ``tensor(...)``, and numpy's name."""

WORDS: Final = {ours: theirs for _, theirs, ours in ELEMENTS}
NUMPYS: Final = {theirs: ours for _, theirs, ours in ELEMENTS}
NUMBERS: Final = {ours: number for number, _, ours in ELEMENTS}
OF_NUMBER: Final = {number: ours for number, _, ours in ELEMENTS}
OF_ML_DTYPES: Final = {ours for number, _, ours in ELEMENTS if number > NUMBERS["complex128"]}


def words_of(dtype: str) -> str:
    """Return a type in onnxruntime's words.

    >>> words_of("float32"), words_of("seq(tensor(float32))")
    ('tensor(float)', 'seq(tensor(float))')
    """
    if "(" in dtype:  # a sequence, an optional value
        return re.sub(r"\w+", lambda name: WORDS.get(name[0], name[0]), dtype)
    return f"tensor({WORDS.get(dtype, dtype)})"


def words_of_array(array: np.ndarray) -> str:
    """Return what onnxruntime calls an array: of texts in any form, ``tensor(string)``."""
    return (
        "tensor(string)"
        if array.dtype.kind in "USOTV" and not _is_narrow(array)
        else (words_of(array.dtype.name))
    )


def numpy_type(element: Any) -> np.dtype[Any]:
    """Return the dtype that ONNX's number, or numpy's type or name, means.

    >>> numpy_type(1), numpy_type(np.int64), numpy_type("bool").itemsize
    (dtype('float32'), dtype('int64'), 1)

    Raises:
        KeyError, TypeError: There is none.
    """
    if isinstance(element, int | np.integer):
        element = OF_NUMBER[int(element)]
    if element in OF_ML_DTYPES:
        import ml_dtypes  # not before: it takes long to import, and few models have any

        element = getattr(ml_dtypes, element)
    dtype: np.dtype[Any] = np.dtype(element)
    return dtype


def _is_narrow(array: np.ndarray) -> bool:
    """Whether the dtype is one of ml_dtypes', some of which have the kind V."""
    return array.dtype.name in NUMBERS and array.dtype.kind == "V"
