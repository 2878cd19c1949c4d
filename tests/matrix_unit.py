"""A matrix unit in Python: the instructions on its tiles, as functions that compiled code calls.

With `installed`, kernels for a CPU that has the unit run on any other: each instruction is a call
of a function of its name, which does what the manual says that the instruction does.
"""

from __future__ import annotations

import ctypes
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
import tvm_ffi
from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Evaluate, Stmt

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.cpu.gemm import tile_registers

PREFIX = "tvmfuse.tests.matrix_unit."
ROWS, ROW_BYTES, REGISTERS = 16, 64, 8
INSTRUCTIONS = (
    *("ldtilecfg", "tilezero", "tileloadd64", "tilestored64", "tilerelease"),
    *("tdpbusd", "tdpbf16ps"),
)


@dataclass
class _Tile:
    """A register: so many rows of so many bytes, of all that it has place for."""

    rows: int = 0
    row_bytes: int = 0
    memory: np.ndarray = field(default_factory=lambda: np.zeros((ROWS, ROW_BYTES), "uint8"))

    def numbers(self, dtype: str) -> np.ndarray:
        """Return its numbers, (rows, numbers of a row); writing to them writes to the register."""
        assert self.rows, "a register without a size is used"
        return self.memory[: self.rows, : self.row_bytes].view(dtype)


class MatrixUnit:
    """The registers of one thread."""

    def __init__(self) -> None:
        self.tiles = [_Tile() for _ in range(REGISTERS)]

    def ldtilecfg(self, memory: int) -> None:
        """Give all registers their sizes; what was in them is lost."""
        said = np.frombuffer(ctypes.string_at(memory, 64), "uint8")
        row_bytes, rows = said[16:48].view("uint16"), said[48:]
        assert said[0] == 1, "the layout is not the one that there is"
        assert not said[1:16].any(), "what is reserved is not zero"
        sizes = [(int(r), int(b)) for r, b in zip(rows, row_bytes, strict=True)]
        assert not any(map(any, sizes[REGISTERS:])), "there are no such registers"
        assert all((r > 0) == (b > 0) and r <= ROWS and b <= ROW_BYTES for r, b in sizes)
        self.tiles = [_Tile(*size) for size in sizes[:REGISTERS]]

    def tilezero(self, register: int) -> None:
        """Make all numbers zero."""
        self.tiles[register].numbers("uint8")[:] = 0

    def tileloadd64(self, register: int, memory: int, stride: int) -> None:
        """Load rows from memory, so many bytes apart."""
        for nth, row in enumerate(self.tiles[register].numbers("uint8")):
            row[:] = np.frombuffer(ctypes.string_at(memory + nth * stride, len(row)), "uint8")

    def tilestored64(self, register: int, memory: int, stride: int) -> None:
        """Store rows to memory, likewise."""
        for nth, row in enumerate(self.tiles[register].numbers("uint8")):
            ctypes.memmove(memory + nth * stride, row.tobytes(), len(row))

    def tdpbusd(self, sums: int, rows: int, columns: int) -> None:
        """Add products of unsigned bytes by signed ones, four at a time, in int32."""
        self._multiply((sums, "int32"), (rows, "uint8"), (columns, "int8"), 4)

    def tdpbf16ps(self, sums: int, rows: int, columns: int) -> None:
        """Add products of bfloat16, two at a time, in float32."""
        self._multiply((sums, "float32"), (rows, BFLOAT16), (columns, BFLOAT16), 2)

    def tilerelease(self) -> None:
        """Forget all sizes."""
        self.tiles = [_Tile() for _ in range(REGISTERS)]

    def _multiply(
        self, sums: tuple[int, str], rows: tuple[int, str], columns: tuple[int, str], group: int
    ) -> None:
        total, left, right = (self.tiles[n].numbers(t) for n, t in (sums, rows, columns))
        words = right.reshape(len(right), -1, group)
        expected = len(left), words.shape[1], words.shape[0] * group
        assert (*total.shape, left.shape[1]) == expected, "the operands' sizes do not fit"
        terms = left.reshape(len(left), -1, group).astype(sums[1])
        total += np.einsum("rkg,kcg->rc", terms, words.astype(sums[1]))


def installed(patch: pytest.MonkeyPatch) -> Counter[str]:
    """Make kernels that are scheduled from now on call functions; return how often they do.

    Each thread has registers of its own: of the system's, as Python forgets threads of C.
    """
    ran, units = Counter[str](), dict[int, MatrixUnit]()

    def call(intrinsic: str, *operands: Expr) -> Stmt:
        return Evaluate(tirx.call_packed(PREFIX + intrinsic.rpartition(".")[2], *operands))

    def function(name: str) -> Callable[..., None]:
        def run(*operands: object) -> None:
            ran[name] += 1
            unit = units.setdefault(threading.get_ident(), MatrixUnit())
            getattr(unit, name)(*(getattr(x, "value", x) for x in operands))

        return run

    for name in INSTRUCTIONS:
        tvm_ffi.register_global_func(PREFIX + name, function(name), override=True)
    patch.setattr(tile_registers, "instruction", call)
    return ran
