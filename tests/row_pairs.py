"""AArch64's products of two rows by two columns, in plain arithmetic that any CPU computes.

With `installed`, kernels for a CPU that has the instructions run on any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from tvm import tirx
from tvm.ir import Expr

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.cpu.gemm import bfloat16_dot, row_pairs
from tvmfuse.target.isa import DotProduct

LANES, BYTES = 4, 16


def installed(patch: pytest.MonkeyPatch) -> Counter[str]:
    """Make kernels that are scheduled from now on compute so; return how often they are written."""
    written = Counter[str]()

    def multiplied(instruction: DotProduct, sums: Expr, a: Expr, b: Expr) -> Expr:
        ((_, (name,)),) = instruction.intrinsics
        written[name.split(".")[3]] += 1
        group = instruction.k_group
        rows, columns = (0, 1, 2, 3), (0, 1, 2, 3)
        if instruction.half is not None:
            rows, columns = (0, 0, 1, 1), (0, 1, 0, 1)
        for n in range(group):
            left = _numbers(instruction.a, a, [row * group + n for row in rows])
            sums = sums + left * _numbers(instruction.b, b, [c * group + n for c in columns])
        return sums

    patch.setattr(row_pairs, "_multiplied", multiplied)
    patch.setattr(bfloat16_dot, "_functions", lambda *_: "")
    return written


def _numbers(dtype: str, words: Expr, places: Sequence[int]) -> Expr:
    """Return some numbers of four words in the type of their sums."""
    stored = "uint16" if dtype == BFLOAT16 else dtype
    count = BYTES // (2 if dtype == BFLOAT16 else 1)
    vector = tirx.reinterpret(f"{stored}x{count}", words)
    some = tirx.Shuffle([vector], [tirx.const(place, "int32") for place in places])
    if dtype != BFLOAT16:
        return some.astype(f"int32x{LANES}")
    high = tirx.shift_left(
        some.astype(f"uint32x{LANES}"), tirx.Broadcast(tirx.const(16, "uint32"), LANES)
    )
    return tirx.reinterpret(f"float32x{LANES}", high)
