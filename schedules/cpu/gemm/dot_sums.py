"""Instructions that multiply bytes, and add up the products of four neighbours in a word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.schedules.expressions import number
from tvmfuse.schedules.loop_nests import LoopNestBuilder, sequence
from tvmfuse.target.isa import MOST_PAIR, MOST_SIGNED, DotProduct


@dataclass(frozen=True, eq=False)
class DotSums:
    """Sums of dot products in vectors of int32, in registers.

    Where an instruction adds up pairs in sixteen bits only, some steps' pairs are added up before
    they are widened.

    Attributes:
        builder: Of the function.
        instruction: Unsigned bytes by signed ones.
        lanes: Sums of a vector.
        count: How many vectors there are.
        most: The greatest of the unsigned bytes.
    """

    builder: LoopNestBuilder
    instruction: DotProduct
    lanes: int
    count: int
    most: int

    @cached_property
    def sums(self) -> Buffer:
        """The sums, vector after vector."""
        return self.builder.local_buffer("dots", "int32", [number(self.count * self.lanes)])

    @cached_property
    def _pairs(self) -> Buffer:
        return self.builder.local_buffer("pairs", "int16", [number(2 * self.count * self.lanes)])

    @property
    def buffers(self) -> list[Buffer]:
        """What has to be allocated around all of it."""
        return [self.sums, self._pairs] if self._in_pairs else [self.sums]

    @property
    def steps(self) -> int | None:
        """How many steps may be added up before they are widened; None for any number."""
        return MOST_PAIR // (2 * self.most * MOST_SIGNED) if self._in_pairs else None

    def clear(self) -> Stmt | None:
        """Return what makes all sums zero."""
        return sequence([self._store(self.sums, nth, None) for nth in range(self.count)])

    def step(self, nth: int, unsigned: Expr, signed: Expr, *, first: bool) -> Stmt:
        """Return what adds a vector of words by a word to the n-th sums.

        Args:
            nth: Which vector.
            unsigned: Words of four unsigned bytes, as many as lanes.
            signed: A word of four signed bytes.
            first: Whether it is the first step since sums were widened.
        """
        name, size = self._names[0], 4 * self.lanes
        a = tirx.reinterpret(f"uint8x{size}", unsigned)
        b = tirx.reinterpret(f"uint8x{size}", tirx.Broadcast(signed, self.lanes))
        if not self._in_pairs:
            total = self._load(self.sums, nth)
            return self._store(self.sums, nth, _call(total.ty.dtype, name, total, a, b))
        pairs = _call(f"int16x{2 * self.lanes}", name, a, b)
        return self._store(
            self._pairs, nth, pairs if first else self._load(self._pairs, nth) + pairs
        )

    def widen(self) -> Stmt | None:
        """Return what adds the pairs of the last steps to the sums."""
        if not self._in_pairs:
            return None
        name, found = self._names[-1], []
        ones = tirx.Broadcast(tirx.const(1, "int16"), 2 * self.lanes)
        for nth in range(self.count):
            wide = _call(f"int32x{self.lanes}", name, self._load(self._pairs, nth), ones)
            found.append(self._store(self.sums, nth, self._load(self.sums, nth) + wide))
        return sequence(found)

    @property
    def _in_pairs(self) -> bool:
        return self.instruction.saturates

    @property
    def _names(self) -> tuple[str, ...]:
        return dict(self.instruction.intrinsics)[self.lanes]

    def _load(self, buffer: Buffer, nth: int) -> Expr:
        lanes = self._lanes(buffer)
        return self.builder.vector(BufferLoad(buffer, [number(nth * lanes)]), lanes)

    def _store(self, buffer: Buffer, nth: int, value: Expr | None) -> Stmt:
        lanes = self._lanes(buffer)
        if value is None:
            value = tirx.Broadcast(tirx.const(0, str(buffer.dtype)), lanes)
        return self.builder.store_vector(buffer, [number(nth * lanes)], value, lanes)

    def _lanes(self, buffer: Buffer) -> int:
        return self.lanes if buffer is self.sums else 2 * self.lanes


def _call(dtype: object, name: str, *args: Expr) -> Expr:
    return tirx.call_llvm_pure_intrin(str(dtype), name, *args)
