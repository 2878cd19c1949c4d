"""Attention: products of queries and keys, their softmax, and the sums of values.

::

    for each group of heads that share keys and values, in threads:
        for each block of keys, or all of them:
            keys and values = copied into panels
            for each head of the group, for each block of queries:
                scores = queries x keys             on the register tile
                for each row: softmax               in place, in the first cache
                output += scores x values           on the register tile

Keys and values stay in the second-level cache while all queries pass, and the scores of a block of
queries beside them. Where all keys are few enough for that they are one block. Else blocks follow
each other, and what is known of each query, its maximum and its sum, is kept from one to the next:
memory does not grow with the number of keys, for only a block of them is copied at a time. Source:
Dao et al., "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness", 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Stmt, Var

from tvmfuse.ops.attention import ROUNDED, STAGES
from tvmfuse.schedules.attention_plan import AttentionPlan
from tvmfuse.schedules.combiners import sum_term
from tvmfuse.schedules.cpu.attention.formulas import PRODUCTS, SUMS, Formulas
from tvmfuse.schedules.cpu.attention.panels import AttentionEmitter
from tvmfuse.schedules.cpu.attention.query_blocks import KeyBlock, query_blocks
from tvmfuse.schedules.cpu.attention.streaming import KeyStream
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.work import Work, named_stages, scope_of
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.kernels import Axis, Kernel
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values
from tvmfuse.schedules.protocol import Declined, Subject

#: Queries of a block, at least; more of them are a multiple of it.
MIN_QUERIES: Final = 12

#: Queries of a block where their number is known only later.
UNKNOWN_QUERIES: Final = 24

#: Keys of a block are a multiple of this, so that vectors and panels are whole.
KEY_MULTIPLE: Final = 48

#: Elements of a head where that is known only later.
UNKNOWN_HEAD_SIZE: Final = 64

#: Groups of heads below which heads that share keys run apart, for the threads' sake.
MIN_TASKS: Final = 8

#: What a plan may ask for: queries of a block, and keys where their number is known only later.
MAX_QUERIES: Final = 512
MAX_KEYS: Final = 1 << 16

#: Bytes of a score, and of an element in panels, unless they are of bfloat16.
ELEMENT_BYTES: Final = 4

#: The steps that products and softmax take inside the loops, where they may; with KeyBlocking no
#: sum is long enough for KBlocking.
INNER_STEPS: Final = ("VectorMath", "RegisterTiling", "KUnrolling", "Prefetch")


def attention(subject: Subject) -> Work | Declined:
    """Tile `tvmfuse.attention`."""
    named = named_stages(subject, STAGES, "attention in float32")
    if isinstance(named, Declined):
        return named
    kernel, stages = named
    if not set(stages) <= {*STAGES, ROUNDED}:
        return Declined("it rounds, or computes more than an attention")
    if sum_term(stages[PRODUCTS]) is None or sum_term(stages[SUMS]) is None:
        return Declined("it has nothing to add up")
    scope = scope_of(subject)
    inner = INNER_STEPS if scope.takes("KeyBlocking") else (*INNER_STEPS, "KBlocking")
    steps = frozenset(step for step in inner if scope.takes(step))
    return Work(kernel, (AttentionNest(kernel, Formulas.of(stages), scope),), steps)


@dataclass(frozen=True, eq=False)
class AttentionNest(Nest[AttentionPlan]):
    """The loops over heads, and what is done for each group that shares keys and values.

    Attributes:
        kernel: The kernel.
        formulas: What its stages compute.
        scope: The machine and the steps.
    """

    plan_type = AttentionPlan

    kernel: Kernel
    formulas: Formulas
    scope: Scope

    def plan(self, *, parallel: bool = True) -> AttentionPlan:
        machine = self.scope.machine
        parallel = parallel and should_parallelize(self.kernel.stages, machine)
        return AttentionPlan(
            query_block=self._query_block,
            key_block=self._key_block if self._streams else None,
            heads=self._together(parallel=parallel),
            parallel=parallel,
        )

    def misfits(self, plan: AttentionPlan) -> Iterator[Misfit]:
        keys = static(self.formulas.sizes["j"])
        if not 1 <= plan.query_block <= MAX_QUERIES:
            yield Misfit("query_block", f"1 to {MAX_QUERIES}", plan.query_block)
        if plan.key_block is None and keys is None:
            yield Misfit("key_block", "a number, as that of all keys is not known", "none")
        most = MAX_KEYS if keys is None else max(1, -(-keys // KEY_MULTIPLE)) * KEY_MULTIPLE
        if plan.key_block is not None and not 1 <= plan.key_block <= most:
            yield Misfit("key_block", f"1 to {most}, or none", plan.key_block)
        shared = self.formulas.gqa_group_size
        if plan.heads < 1 or shared % plan.heads:
            yield Misfit("heads", f"a divisor of the {shared} that share keys", plan.heads)

    def emit(self, builder: LoopNestBuilder, plan: AttentionPlan) -> Stmt | None:
        formulas, emitter = self.formulas, AttentionEmitter(builder, self.scope, self.formulas)
        b, h = formulas.variables["b"], formulas.variables["h"]
        count = builder.simplify(tirx.floordiv(formulas.sizes["h"], plan.heads))
        group = Axis(Var("group", "int64"), count)

        def body(at: Values) -> Stmt | None:
            return _of_group(emitter, {b: at[b], h: at[group.var] * plan.heads}, plan)

        return builder.nest([formulas.axis("b"), group], body, parallel=plan.parallel)

    def _together(self, *, parallel: bool) -> int:
        """Return how many heads read the same panels."""
        sizes, shared = self.formulas.sizes, self.formulas.gqa_group_size
        heads = (static(sizes["b"]) or 1) * (static(sizes["h"]) or 1)
        divisors = (n for n in range(1, shared + 1) if shared % n == 0)
        fits = [n for n in divisors if heads // n >= MIN_TASKS]
        return max(fits, default=1) if parallel else shared

    @property
    def _streams(self) -> bool:
        """Whether keys come in blocks: where the scores of queries would fill half of the cache."""
        keys, tuning = static(self.formulas.sizes["j"]), self.scope.machine.tuning
        if keys is None or not self.scope.takes("KeyBlocking"):
            return keys is None
        return ELEMENT_BYTES * keys * tuning.attention_rows > tuning.l2_budget // 2

    @property
    def _query_block(self) -> int:
        """How many rows of scores are computed at a time."""
        sizes, tuning = self.formulas.sizes, self.scope.machine.tuning
        keys = static(sizes["j"])
        if self._streams or keys is None:
            return UNKNOWN_QUERIES if static(sizes["i"]) is None else tuning.attention_rows
        row_bytes = ELEMENT_BYTES * max(keys, 1)
        fitting = tuning.l2_budget // 4 // row_bytes // MIN_QUERIES * MIN_QUERIES
        return min(tuning.attention_rows, max(MIN_QUERIES, fitting))

    @property
    def _key_block(self) -> int:
        """How many keys come at a time: as fit the cache as panels, with the scores of queries.

        The panels of keys make room for those of values, and for keys again. Shorter blocks would
        fit both, but each block reads all queries and writes all results once more.
        """
        sizes = self.formulas.sizes
        keys, budget = static(sizes["j"]), self.scope.machine.tuning.l2_budget
        each = self._query_block + max(
            static(sizes[letter]) or UNKNOWN_HEAD_SIZE for letter in "cd"
        )
        most = max(1, budget // (ELEMENT_BYTES * each) // KEY_MULTIPLE) * KEY_MULTIPLE
        # Blocks of about one length.
        return (
            most if keys is None else -(-keys // (-(-keys // most) * KEY_MULTIPLE)) * KEY_MULTIPLE
        )


def _of_group(emitter: AttentionEmitter, at: Values, plan: AttentionPlan) -> Stmt | None:
    """Return the attention of some heads that share keys and values, from the one given on."""
    formulas, builder = emitter.formulas, emitter.builder
    h, head = formulas.variables["h"], Axis(Var("head", "int64"), number(plan.heads))

    def each_head(body: Callable[[Values, Expr], Stmt | None]) -> Stmt | None:
        return builder.nest([head], lambda n: body({**at, h: at[h] + n[head.var]}, n[head.var]))

    if plan.key_block is not None:
        stream = KeyStream(emitter, at, plan.heads, each_head, plan.query_block, plan.key_block)
        return stream.statement()
    block = KeyBlock.of(emitter, formulas.sizes["j"], plan.query_block)
    blocks = each_head(lambda at, _: query_blocks(block, at, plan.query_block, None))
    return block.allocated([block.filled(at), blocks])
