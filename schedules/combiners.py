"""How a reduction joins its terms, so that several partial results can be joined the same way.

TIR lets the terms of a reduction come in any order. A sum over contiguous memory can therefore be
kept as one partial sum for each lane of a vector, if the way to join two of them is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import loads
from tvmfuse.schedules.kernels import Stage


@dataclass(frozen=True, eq=False)
class Combiner:
    """The way in which a reduction joins two values, and a value that changes nothing.

    Attributes:
        join: Two values (of any lanes) -> the joined one.
        neutral: Where a further partial result starts.
    """

    join: Callable[[Expr, Expr], Expr]
    neutral: Expr


def combiner(stage: Stage) -> Combiner | None:
    """Return how a stage joins its terms; None where partial results cannot be joined for sure."""
    store = stage.store
    if len(stage.stores) > 1 or store.initial is None:
        return None
    value, dtype = store.value, store.buffer.dtype
    term = _other(value, stage)
    if isinstance(value, tirx.Add) and term is not None:
        return Combiner(lambda a, b: a + b, tirx.const(0, dtype))
    if isinstance(value, tirx.Mul) and term is not None:
        return Combiner(lambda a, b: a * b, tirx.const(1, dtype))
    # What keeps one of its operands may meet the initial value as often as it likes.
    if isinstance(value, tirx.Max) and term is not None:
        return Combiner(tirx.max, store.initial)
    if isinstance(value, tirx.Min) and term is not None:
        return Combiner(tirx.min, store.initial)
    return _choice(stage)


def sum_term(stage: Stage) -> Expr | None:
    """Return what a plain sum adds up; None where the stage is no sum that starts at zero."""
    store = stage.store
    zero = isinstance(store.initial, tirx.IntImm | tirx.FloatImm) and store.initial.value == 0
    if len(stage.stores) > 1 or not zero or not isinstance(store.value, tirx.Add):
        return None
    return _other(store.value, stage)


def _is_own(expr: Expr, stage: Stage) -> bool:
    return isinstance(expr, TensorLoad) and expr.source in stage.buffers


def _free(expr: Expr, stage: Stage) -> bool:
    return all(load.source not in stage.buffers for load in loads(expr))


def _other(value: Expr, stage: Stage) -> Expr | None:
    """Return the operand beside the stage's own element, where that is the other operand."""
    if isinstance(value, tirx.Add | tirx.Mul | tirx.Max | tirx.Min):
        for own, term in ((value.a, value.b), (value.b, value.a)):
            if _is_own(own, stage) and _free(term, stage):
                return term
    return None


def _choice(stage: Stage) -> Combiner | None:
    """Read ``select(own < term, term, own)``, the maximum that keeps NaN among its kind.

    Each branch is the own element, the term, or (where one is NaN) their sum.
    """
    store = stage.store
    if not isinstance(store.value, tirx.Select):
        return None
    terms = [leaf for leaf in _leaves(store.value) if not _is_own(leaf, stage)]
    terms = [t if _free(t, stage) else _other(t, stage) for t in terms]
    if not terms or any(t is None or not structural_equal(t, terms[0]) for t in terms):
        return None
    own = next(load for load in loads(store.value) if load.source in stage.buffers)
    term = terms[0]

    def join(a: Expr, b: Expr) -> Expr:
        def replaced(node: Expr) -> Expr:
            if structural_equal(node, own):
                return a
            return b if structural_equal(node, term) else node

        return tvm_ffi.structural_map(store.value, (Expr, replaced), order="pre")

    marks = tirx.Var("a", store.buffer.dtype), tirx.Var("b", store.buffer.dtype)
    if loads(join(*marks)):
        return None
    return Combiner(join, store.initial)


def _leaves(value: Expr) -> Iterator[Expr]:
    if isinstance(value, tirx.Select):
        yield from _leaves(value.true_value)
        yield from _leaves(value.false_value)
    else:
        yield value
