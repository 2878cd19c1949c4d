"""Attention: products of queries and keys, their softmax, and the sums of values, strip by strip.

::

    for each group of heads that share keys and values, in threads:
        for each block of keys, or all of them:
            keys and values = copied into panels
            for each head of the group, for each strip of queries:
                scores = strip x keys               on the register tile
                for each row: softmax               in place, in the first cache
                output += scores x values           on the register tile

Keys and values stay in the second-level cache while all queries pass, and the scores of a strip
beside them. Where all keys are few enough for that they are one block. Else blocks follow each
other, and what is known of each query, its peak and its sum, is kept from one to the next: memory
does not grow with the number of keys, for only a block of them is copied at a time. Source: Dao et
al., "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness", 2022.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import PrimFunc, Stmt, Var

from tvmfuse.ops.attention import STAGES
from tvmfuse.schedules.combiners import sum_term
from tvmfuse.schedules.cpu.attention.formulas import PRODUCTS, SUMS, Formulas
from tvmfuse.schedules.cpu.attention.panels import Desk
from tvmfuse.schedules.cpu.attention.query_blocks import Block, strips
from tvmfuse.schedules.cpu.attention.streaming import Stream
from tvmfuse.schedules.cpu.stages import named_stages
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import Values, Writer
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.target.machine import Machine

#: Rows of a strip: at least, and where the number of queries is not known.
SHORTEST: Final = 12
USUAL: Final = 24

#: Keys of a block are a multiple of this, so that vectors and panels are whole.
ROUND: Final = 48

#: Elements of a head where that is known only later.
WIDE: Final = 64

#: Groups of heads below which heads that share keys run apart, for the threads' sake.
TASKS: Final = 8


@dataclass(frozen=True)
class Attention:
    """The schedule of `tvmfuse.attention`."""

    name: str = "attention"

    def __call__(self, subject: Subject) -> PrimFunc | Declined:
        """Return the function scheduled, or the reason why this schedule is not for it."""
        named = named_stages(subject, STAGES, "attention in float32")
        if isinstance(named, Declined):
            return named
        kernel, stages = named.kernel, named.stages
        if len(stages) > len(STAGES):
            return Declined("it rounds, or computes more than an attention")
        if sum_term(stages[PRODUCTS]) is None or sum_term(stages[SUMS]) is None:
            return Declined("it has nothing to add up")
        machine, writer = Machine.of(subject.target), Writer(kernel)
        heads = _Heads(Desk(writer, machine, Formulas.of(stages)))
        return writer.function([heads.nest(threads=worth_threads(kernel.stages, machine))])


@dataclass(frozen=True, eq=False)
class _Heads:
    """The loops over heads, and what is done for each group that shares keys and values."""

    desk: Desk

    def nest(self, *, threads: bool) -> Stmt | None:
        """Return the loops over all heads."""
        formulas, together = self.desk.formulas, self._together(threads=threads)
        b, h = formulas.variables["b"], formulas.variables["h"]
        count = self.desk.writer.simplify(tirx.floordiv(formulas.sizes["h"], together))
        group = Axis(Var("group", "int64"), count)

        def body(at: Values) -> Stmt | None:
            return self._group({b: at[b], h: at[group.var] * together}, together)

        return self.desk.writer.nest([formulas.axis("b"), group], body, parallel=threads)

    def _group(self, at: Values, heads: int) -> Stmt | None:
        """Return the attention of some heads, from the one given on."""
        h = self.desk.formulas.variables["h"]
        head = Axis(Var("head", "int64"), number(heads))

        def each_head(body: Callable[[Values, Expr], Stmt | None]) -> Stmt | None:
            return self.desk.writer.nest(
                [head], lambda n: body({**at, h: at[h] + n[head.var]}, n[head.var])
            )

        if self._streams:
            stream = Stream(self.desk, at, heads, each_head, self._height, self._block)
            return stream.statement()
        block = Block.of(self.desk, self.desk.formulas.sizes["j"], self._height)
        heads_strips = each_head(lambda at, _: strips(block, at, self._height, None))
        return block.allocated([block.filled(at), heads_strips])

    def _together(self, *, threads: bool) -> int:
        """Return how many heads read the same panels."""
        sizes, sharing = self.desk.formulas.sizes, self.desk.formulas.sharing
        heads = (static(sizes["b"]) or 1) * (static(sizes["h"]) or 1)
        fits = [n for n in range(1, sharing + 1) if sharing % n == 0 and heads // n >= TASKS]
        return max(fits, default=1) if threads else sharing

    @property
    def _streams(self) -> bool:
        """Whether keys come in blocks: where a strip's scores would fill half of the cache."""
        keys = static(self.desk.formulas.sizes["j"])
        tuning = self.desk.machine.tuning
        return keys is None or 4 * keys * tuning.attention_rows > tuning.l2_budget // 2

    @property
    def _height(self) -> int:
        """How many rows of scores a strip has."""
        sizes, tuning = self.desk.formulas.sizes, self.desk.machine.tuning
        keys = static(sizes["j"])
        if self._streams or keys is None:
            return USUAL if static(sizes["i"]) is None else tuning.attention_rows
        fitting = tuning.l2_budget // 4 // (4 * max(keys, 1)) // SHORTEST * SHORTEST
        return min(tuning.attention_rows, max(SHORTEST, fitting))

    @property
    def _block(self) -> int:
        """How many keys come at a time: as fit the cache as panels, with a strip's scores.

        The panels of keys make room for those of values, and for keys again. Shorter blocks would
        fit both, but each block reads all queries and writes all results once more.
        """
        sizes = self.desk.formulas.sizes
        keys = static(sizes["j"])
        each = self._height + max(static(sizes[letter]) or WIDE for letter in "cd")
        most = max(1, self.desk.machine.tuning.l2_budget // (4 * each) // ROUND) * ROUND
        # Blocks of about one length.
        return most if keys is None else -(-keys // (-(-keys // most) * ROUND)) * ROUND
