"""Embeddings, their sum and its norm become one operator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.types import (
    array_of,
    dtype_of,
    rank_of,
    same_shape,
    scalar_of,
    shape_of,
    static_shape_of,
)
from tvmfuse.ops import embed_layer_norm
from tvmfuse.passes.norms.residual_norm_rule import ResidualNormRule
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions


@dataclass(frozen=True)
class Sum:
    """What a sum adds up.

    Attributes:
        gathers: Calls that take rows of constant tables.
        numbers: For each, which rows these are, before negative ones are made positive.
        constants: Constant addends.
        others: Any others.
        looked_through: The variables of sums, gathers and numbers that a fused operator computes
            itself.
    """

    gathers: list[Expr] = field(default_factory=list)
    numbers: dict[Expr, Expr] = field(default_factory=dict)
    constants: list[Expr] = field(default_factory=list)
    others: list[Expr] = field(default_factory=list)
    looked_through: list[Var] = field(default_factory=list)

    @staticmethod
    def of(match: Match) -> Sum:
        """Read the sum that a match normalizes."""
        found = Sum()
        for addend in match["total"].args:
            found._add(match, addend)
        return found

    def _add(self, match: Match, addend: Expr) -> None:
        value = match.resolve(addend)
        if array_of(value) is not None:
            self.constants.append(value)
        elif op_name(value) == "relax.add" and match.num_uses(addend) == 1:
            self.looked_through.append(addend)
            for inner in value.args:
                self._add(match, inner)
        elif _gathers_rows(value, match) and value not in self.numbers:
            self.gathers.append(value)
            self.numbers[value] = self._number(match, value.args[1], value.args[0])
            self.looked_through.append(addend)
        else:
            self.others.append(addend)

    def _number(self, match: Match, index: Expr, table: Expr) -> Expr:
        """Return the numbers of rows without what makes negative ones positive."""
        chosen = match.resolve(index)
        if op_name(chosen) != "relax.where":
            return index
        condition, moved, plain = (match.resolve(a) for a in chosen.args)
        below = op_name(condition) == "relax.less" and _same(match, condition.args[0], plain)
        if not below or scalar_of(match.resolve(condition.args[1])) != 0:
            return index
        size = (static_shape_of(table) or (None,))[0]
        by_size = op_name(moved) == "relax.add" and any(
            _same(match, a, plain) and scalar_of(match.resolve(b)) == size
            for a, b in (moved.args, moved.args[::-1])
        )
        if not by_size or not same_shape(chosen, chosen.args[2]):
            return index
        self.looked_through.extend(v for v in (*chosen.args[:2], index) if isinstance(v, Var))
        return chosen.args[2]


class EmbedLayerNormFusion(ResidualNormRule[Sum]):
    """Gather rows of tables, add them and normalize the sums, row by row.

    Before::

        words = take(W, where(ids < 0, ids + n, ids))        # W: (n, N), constant
        segments = take(T, ...)
        s = words + segments + P                             # P: (1, S, N), constant
        y = layer_norm(s, gamma, beta)

    After::

        y = embed_layer_norm((W, ids), (T, segments), P, gamma, beta)

    There may be any number of tables, and any number of constants. Negative numbers count from a
    table's end, as they do in ONNX. Where the sum has further readers it is a second result.

    Pays because neither the embeddings nor their sums are stored. Source: ONNX Runtime's
    EmbedLayerNormFusion, which asks for one table of words and one of positions, and for an
    attention right after it.
    """

    name = "EmbedLayerNormFusion"
    aliases = ("BERT Embedding Layer Fusion", "Embed Layer Normalization Fusion")

    def pattern(self) -> Pattern:
        total, gamma, beta = is_op("relax.add")(wildcard(), wildcard()), wildcard(), wildcard()
        return Pattern(
            is_op("relax.nn.layer_norm")(total, gamma, beta), total=total, gamma=gamma, beta=beta
        )

    def is_candidate(self, match: Match) -> bool:
        return bool(match.fact(Sum.of).gathers)

    def requires(self, match: Match) -> Conditions[Sum]:
        total, found = match["total"], match.fact(Sum.of)
        shape, rank = shape_of(total) or (), rank_of(total) or 0
        yield not found.others, "every addend is an embedding or a constant"
        alike = all((shape_of(g.args[0]) or ())[-1:] == shape[-1:] for g in found.gathers)
        yield alike and rank > 1, "the tables have rows of the sum's length"
        wraps = all(str(gather.attrs.mode) == "wrap" for gather in found.gathers)
        yield wraps, "what is out of a table wraps around"
        norm = match.resolve(match.root)
        own = [int(a) for a in norm.attrs.axes] in ([-1], [rank - 1])
        yield own, "the norm is over the last dimension"
        yield from self.may_share(match)
        return found

    def absorbs(self, match: Match, found: Sum) -> Iterable[Var]:
        del match
        return found.looked_through

    def fused(self, match: Match, found: Sum, *, sums: bool) -> Expr:
        fused = embed_layer_norm(
            [(gather.args[0], found.numbers[gather]) for gather in found.gathers],
            found.constants,
            match["gamma"],
            match["beta"],
            epsilon=match.resolve(match.root).attrs.epsilon,
            sums=sums,
        )
        before = [n for var in found.looked_through for n in nodes_of(match.resolve(var))]
        return with_nodes(fused, tuple(dict.fromkeys([*before, *match.nodes])))


def _gathers_rows(value: Expr, match: Match) -> bool:
    if op_name(value) != "relax.take":
        return False
    table, index = value.args
    axis = value.attrs.axis
    constant = array_of(match.resolve(table)) is not None
    rows = rank_of(table) == 2 and axis is not None and int(axis) in (0, -2)
    return constant and rows and dtype_of(index) in ("int32", "int64")


def _same(match: Match, a: Expr, b: Expr) -> bool:
    return match.resolve(a) is b or match.resolve(a).same_as(b)
