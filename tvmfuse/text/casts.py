"""Cast from strings to numbers and back, as onnxruntime writes and reads numbers."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
from onnx import TensorProto, helper

from tvmfuse.text.node import Run, TextNode, texts

INTEGER: Final = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")
FLOAT: Final = re.compile(
    r"[ \t\n\v\f\r]*([+-]?(?:0x[0-9a-f]+|inf(?:inity)?|nan"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?))",
    re.IGNORECASE,
)
"""What a number is that a string begins with; what stands behind it is not looked at."""


def cast(node: TextNode) -> Run:
    """Make Cast: floats become strings of 8 digits, and strings the number they begin with."""
    to = node.attributes["to"]
    if to == TensorProto.STRING:
        return lambda x: texts([_text(number) for number in x.ravel().tolist()], x.shape)
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(to))
    node.require(dtype.kind in "iufb" and dtype.isbuiltin == 1, f"it casts to {dtype}")
    read, wide = {
        "f": (_float, np.float64),
        "i": (_integer, np.int64),
    }.get(dtype.kind, (_natural, np.uint64))

    def run(x: np.ndarray) -> np.ndarray:
        if x.dtype != object:
            return x.astype(dtype)
        with np.errstate(over="ignore"):
            return np.array([read(text) for text in x.ravel()], wide).astype(dtype).reshape(x.shape)

    return run


def _text(number: Any) -> str:
    if isinstance(number, str):
        return number
    if not isinstance(number, float):
        return str(int(number))
    if number != number:
        return "NaN"
    return f"{number:.8g}".upper() if abs(number) == float("inf") else f"{number:.8g}"


def _integer(text: str, least: int = -(2**63), most: int = 2**63 - 1) -> int:
    number = int(_begin(INTEGER, text, "an integer"))
    if not least <= number <= most:
        raise ValueError(f"{text[:40]!r} is no integer of 64 bits")
    return number


def _natural(text: str) -> int:
    """Return a number without a sign; as in C, one below 0 is counted from 2**64 back."""
    return _integer(text, 1 - 2**64, 2**64 - 1) % 2**64


def _float(text: str) -> float:
    found = _begin(FLOAT, text, "a number")
    return float(int(found, 16)) if "x" in found.lower() else float(found)


def _begin(pattern: re.Pattern[str], text: str, what: str) -> str:
    found = pattern.match(text)
    if found is None:
        raise ValueError(f"{text[:40]!r} does not begin with {what}")
    return found[1]
