"""What the stages of an attention compute, all with the same variables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, Var

from tvmfuse.ir.bfloat16 import BFLOAT16, cast_to_bfloat16
from tvmfuse.ops.attention import ROUNDED, STAGES
from tvmfuse.schedules.combiners import sum_term
from tvmfuse.schedules.expressions import number, static, substitute, variables
from tvmfuse.schedules.kernels import Axis, Stage

#: What the stages' results and sums run over: batch, head, query i, key j, and an element of a
#: head, summed up as c or a result as d.
PRODUCTS, SCORES, ROW_MAX, EXPS, ROW_SUM, WEIGHTS, SUMS = STAGES
RESULTS: Final = {
    **dict.fromkeys((PRODUCTS, SCORES, EXPS, WEIGHTS), "bhij"),
    **dict.fromkeys((ROW_MAX, ROW_SUM), "bhi"),
    SUMS: "bihd",
}
SUMMED: Final = {PRODUCTS: "c", ROW_MAX: "j", ROW_SUM: "j", SUMS: "j"}


@dataclass(frozen=True, eq=False)
class Formulas:
    """What the stages compute.

    Attributes:
        query: An element of the queries; likewise `key` and `value`.
        softmax: The stages that make weights of products, along a row.
        output: What is written; where it is bfloat16, the sums are rounded to that.
        variables: By the letters of `RESULTS` and `SUMMED`.
        sizes: Likewise.
        inside: The stages' results -> their names.
    """

    query: Expr
    key: Expr
    value: Expr
    softmax: Mapping[str, Stage]
    output: Buffer
    variables: Mapping[str, Var]
    sizes: Mapping[str, Expr]
    inside: Mapping[Buffer, str]

    @classmethod
    def of(cls, named: Mapping[str, Stage]) -> Formulas:
        """Read them off the stages."""
        stages = {name: named[name] for name in STAGES}
        variables = {letter: Var(letter, "int64") for letter in "bhijcd"}
        sizes = {"c": next((a.extent for a in stages[PRODUCTS].reduction), number(1))}
        renamed = {}
        for name, stage in stages.items():
            letters = dict(zip(stage.store.indices, RESULTS[name], strict=True))
            letters |= {axis.var: SUMMED[name] for axis in stage.reduction}
            sizes |= dict(zip(RESULTS[name], stage.store.buffer.shape, strict=True))
            same = {v: variables[letter] for v, letter in letters.items() if isinstance(v, Var)}
            renamed[name] = stage.map(partial(substitute, mapping=same))
        query, key = _factors(renamed[PRODUCTS])
        _, value = _factors(renamed[SUMS])
        softmax = {name: s for name, s in renamed.items() if name not in (PRODUCTS, SUMS)}
        inside = {stages[name].store.buffer: name for name in STAGES if name != SUMS}
        output = named.get(ROUNDED, stages[SUMS]).store.buffer
        return cls(query, key, value, softmax, output, variables, sizes, inside)

    def axis(self, letter: str, extent: Expr | None = None) -> Axis:
        """Return a loop over one of the variables; all of it, or an extent of its own."""
        return Axis(self.variables[letter], self.sizes[letter] if extent is None else extent)

    def row(self, name: str, keys: Expr) -> Stage:
        """Return a stage of the softmax at one query, over some keys."""
        stage = self.softmax[name]
        return replace(stage, axes=(replace(self.axis("j", keys), reduces=stage.reduces),))

    def place(self, at: Mapping[Var, Expr], query: Expr, element: Expr) -> tuple[Expr, ...]:
        """Return the indices of an element of the results."""
        b, h = self.variables["b"], self.variables["h"]
        return at[b], query, at[h], element

    @property
    def rounds(self) -> bool:
        """Whether sums are rounded to what is written."""
        return str(self.output.dtype) == BFLOAT16

    def written(self, value: Expr) -> Expr:
        """Return a sum as it is written."""
        return cast_to_bfloat16(value) if self.rounds else value

    @property
    def gqa_group_size(self) -> int:
        """How many neighbouring heads have the same keys and values.

        1 where that is not known, as where the number of heads is not.
        """
        h, heads = self.variables["h"], static(self.sizes["h"])
        found = [heads or 1]

        def shared(node: tirx.FloorDiv) -> Expr:
            if not node.a.same_as(h):
                return node
            found.append(static(node.b) or 1)
            return number(0)

        left = [tvm_ffi.structural_map(e, (tirx.FloorDiv, shared)) for e in (self.key, self.value)]
        return 1 if h in variables(*left) else math.gcd(*found)


def _factors(stage: Stage) -> tuple[Expr, Expr]:
    term = sum_term(stage)
    assert isinstance(term, tirx.Mul)
    return term.a, term.b
