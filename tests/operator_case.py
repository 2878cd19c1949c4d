"""What a case of an operator is, and the arrays that cases are fed.

The arrays hold NaN and infinities wherever onnxruntime says one thing about them whatever its
vector width.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

INF, NAN = np.inf, np.nan
RNG = np.random.default_rng(0)

SPECIAL = np.array(
    [[NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5], [-0.5, 2.0, -2.5, 3.5, 1e-30, 80.0, -104.0, 1.5]],
    "float32",
)
OTHER = np.array(
    [[1.0, -INF, -INF, NAN, 2.0, 0.0, -0.0, 0.5], [0.5, -2.0, NAN, 3.0, 1.0, INF, 2.0, -7.0]],
    "float32",
)
POSITIVE = np.abs(OTHER)
UNIT = np.array([[NAN, 1.0, -1.0, 0.0, 0.5, -0.99, 2.0, -INF]], "float32")
I64 = np.array([[7, -7, 0, 5], [-(2**40), 3, 2**33, -1]])
J64 = np.array([[2, 2, 3, -5], [7, -2, 2, 4]])
I32 = np.array([[7, -7, 0, 5], [-(2**31), 3, 2**31 - 1, -1]], "int32")
U8 = np.array([[0, 1, 2, 255], [128, 127, 3, 200]], "uint8")
V8 = np.array([[1, 3, 2, 255], [2, 7, 1, 3]], "uint8")
F64 = np.array([[NAN, INF, -1e300, 0.1, 3.0, -2.5]])
BOOL = np.array([[True, False, True], [False, False, True]])
IMAGE = RNG.standard_normal((1, 2, 6, 5), dtype="float32")
HOLED = IMAGE.copy()
HOLED[0, 0, 2, 2], HOLED[0, 1, 0, 0], HOLED[0, 1, 5, 4] = NAN, INF, -INF
SIGNAL = RNG.standard_normal((2, 3, 9), dtype="float32")
VOLUME = RNG.standard_normal((1, 2, 4, 5, 4), dtype="float32")
CUBE = RNG.standard_normal((2, 3, 4), dtype="float32")
MATRIX = RNG.standard_normal((4, 5), dtype="float32")
STRIPED = CUBE.copy()
STRIPED[0, 1, 2], STRIPED[1, 0, 0], STRIPED[1, 2, 3] = NAN, INF, -INF
INFINITE = np.nan_to_num(
    STRIPED, nan=1.0, posinf=INF, neginf=-INF
)  # onnxruntime's extrema ignore some NaN
HALF = CUBE.astype("float16")


@dataclass(frozen=True)
class Case:
    """One node.

    Attributes:
        operands: Arrays that are fed; `K(...)` is an initializer; None is absent.
        dtypes: Of the outputs.
    """

    op: str
    operands: Sequence[object]
    dtypes: tuple[str, ...] = ("float32",)
    attributes: dict[str, Any] = field(default_factory=dict)
    opset: int = 17
    note: str = ""

    @property
    def name(self) -> str:
        said = " ".join(f"{k}={v}" for k, v in self.attributes.items())
        return " ".join(filter(None, [self.op, self.note, said]))


class K:
    """An initializer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.array = np.array(*args, **kwargs)


def case(
    op: str,
    *operands: object,
    to: str | tuple[str, ...] = "",
    opset: int = 17,
    note: str = "",
    attributes: dict[str, Any] | None = None,
    **more: Any,
) -> Case:
    """Return a case; `to` are the dtypes of its outputs, by default that of the first operand."""
    first = next((o for o in operands if isinstance(o, np.ndarray)), None)
    dtypes = (to,) if isinstance(to, str) else to
    if not to:
        assert first is not None
        dtypes = (first.dtype.name,)
    return Case(op, operands, dtypes, {**(attributes or {}), **more}, opset, note)
