"""The tile registers of a matrix unit (Intel's AMX), and the instructions on them.

There are eight, of up to 16 rows of up to 64 bytes each; how many of both each has is loaded once,
from 64 bytes of memory. A product takes one tile of each operand, and adds to a third::

    sums[r, c] += rows[r, k] . columns[k, c]      . is a dot product of one word

Source: Intel, "64 and IA-32 Architectures Software Developer's Manual", volume 1, chapter 18.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, Evaluate, Stmt

from tvmfuse.schedules.expressions import number
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder

#: Of a register: how many there are, their rows, the bytes of a row, and of a word.
REGISTERS: Final = 8
ROWS: Final = 16
ROW_BYTES: Final = 64
WORD_BYTES: Final = 4

#: Columns of a tile of sums, and words of a row of numbers, at most.
COLUMNS: Final = ROW_BYTES // WORD_BYTES
WORDS: Final = ROW_BYTES // WORD_BYTES

#: The words of a configuration that hold the registers' bytes of a row, two of them in each, and
#: their rows, four in each. The first word says which layout it is.
_SIZE: Final = 16
_LAYOUT: Final = 1
_FIRST_OF_BYTES: Final = 4
_FIRST_OF_ROWS: Final = 12


def instruction(intrinsic: str, *operands: Expr) -> Stmt:
    """Return an instruction by LLVM's name; registers are constants of int8."""
    return Evaluate(tirx.call_llvm_intrin("void", intrinsic, *operands))


@dataclass(frozen=True)
class Registers:
    """Which register is what, for a block of `down` by `across` tiles of sums.

    Each tile of rows has a register, and what is left takes turns as tiles of columns.
    """

    down: int
    across: int

    @property
    def fit(self) -> bool:
        """Whether there are so many.

        >>> [Registers(down, across).fit for down, across in ((2, 2), (1, 6), (2, 3))]
        [True, True, False]
        """
        return min(self.down, self.across) >= 1 and self._first_of_columns < REGISTERS

    def sums(self, row: int, column: int) -> int:
        """Return the register of a tile of sums."""
        return row * self.across + column

    def rows(self, row: int) -> int:
        """Return the register of a tile of rows."""
        return self.down * self.across + row

    def columns(self, column: int) -> int:
        """Return the register of a tile of columns."""
        return self._first_of_columns + column % (REGISTERS - self._first_of_columns)

    @property
    def _first_of_columns(self) -> int:
        return self.down * (self.across + 1)

    def sizes(self, words: int, rows: Expr) -> list[tuple[int, Expr]]:
        """Return the bytes of a row, and the rows, of each register.

        Args:
            words: Of a step of the sum, which a row of numbers has.
            rows: Of each tile of sums.
        """
        sums = [(ROW_BYTES, rows)] * (self.down * self.across)
        numbers = [(words * WORD_BYTES, rows)] * self.down
        columns = [(ROW_BYTES, number(words))] * (REGISTERS - self._first_of_columns)
        return [*sums, *numbers, *columns]


@dataclass(frozen=True, eq=False)
class Configuration:
    """The memory from which the sizes of all registers are loaded."""

    builder: LoopNestBuilder
    memory: Buffer

    @classmethod
    def of(cls, builder: LoopNestBuilder) -> Configuration:
        """Return one in memory of its own, to be allocated around what uses it."""
        return cls(builder, builder.local_buffer("sizes", "uint32", [number(_SIZE)]))

    def loaded(self, sizes: Sequence[tuple[int, Expr]]) -> list[Stmt]:
        """Return the statements that give the registers their sizes; all sums are lost."""
        words: list[Expr] = [tirx.const(0, "uint32")] * _SIZE
        words[0] = tirx.const(_LAYOUT, "uint32")
        for register, (row_bytes, rows) in enumerate(sizes):
            for value, first, in_one in (
                (number(row_bytes), _FIRST_OF_BYTES, 2),
                (rows, _FIRST_OF_ROWS, 4),
            ):
                at, place = divmod(register, in_one)
                shifted = value.astype("uint32") * tirx.const(1 << 32 // in_one * place, "uint32")
                words[first + at] = words[first + at] + shifted
        elements = [LocalElement(self.memory, number(n)) for n in range(_SIZE)]
        stored = [
            self.builder.store_local(element, self.builder.simplify(word))
            for element, word in zip(elements, words, strict=True)
        ]
        start = tirx.address_of(self.builder.load_local(elements[0]))
        return [*stored, instruction("llvm.x86.ldtilecfg", start)]


def cleared(register: int) -> Stmt:
    """Return what makes all numbers of a register zero."""
    return instruction("llvm.x86.tilezero", _name(register))


def loaded(register: int, first: TensorLoad, stride: int) -> Stmt:
    """Return the load of rows from an element on, so many bytes from one to the next."""
    return _moved("llvm.x86.tileloadd64", register, first, stride)


def stored(register: int, first: TensorLoad, stride: int) -> Stmt:
    """Return the store of rows to an element on, likewise."""
    return _moved("llvm.x86.tilestored64", register, first, stride)


def multiplied(intrinsic: str, sums: int, rows: int, columns: int) -> Stmt:
    """Return what adds the product of two registers to a third."""
    return instruction(intrinsic, *map(_name, (sums, rows, columns)))


def released() -> Stmt:
    """Return what lets the CPU forget the registers, so that no switch of threads keeps them."""
    return instruction("llvm.x86.tilerelease")


def _moved(intrinsic: str, register: int, first: TensorLoad, stride: int) -> Stmt:
    return instruction(intrinsic, _name(register), tirx.address_of(first), number(stride))


def _name(register: int) -> Expr:
    return tirx.const(register, "int8")
