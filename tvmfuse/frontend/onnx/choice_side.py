"""One of the graphs of a choice, as it was converted, and what both make of a value."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from tvm import relax
from tvm.relax import SeqExpr

from tvmfuse.frontend.onnx.graph_context import GraphContext
from tvmfuse.frontend.onnx.values import NotKnownError, Value
from tvmfuse.frontend.refusals import CannotConvertError


@dataclass(frozen=True)
class Side:
    """One of the graphs, converted with what comes after it.

    Attributes:
        inner: What converted it.
        block: Its blocks; None where something is refused.
    """

    inner: GraphContext
    block: SeqExpr | None

    def types(self, name: str) -> list[relax.TensorType] | None:
        """Return the types of the tensors that a value is: one, or those of a sequence.

        Returns:
            None for what is held in another way, or was refused.
        """
        made = self.inner.made(name)
        if made is None or self.inner.is_in_rows(name) or self.inner.narrow(name):
            return None
        return list(made.ty.fields) if self.is_sequence(name) else [made.ty]

    def is_sequence(self, name: str) -> bool:
        """Whether a value is a sequence of tensors."""
        made = self.inner.made(name)
        return made is not None and isinstance(made.ty, relax.TupleType)

    def value(self, name: str) -> Value | None:
        """Return the numbers of a value if they are known."""
        with suppress(NotKnownError, CannotConvertError):
            return self.inner.value(name)
        return None


def is_settled(sides: Sequence[Side], name: str) -> bool:
    """Whether a value is a tensor of one rank in both, or a sequence of as many such tensors."""
    one, other = (side.types(name) for side in sides)
    alike = sides[0].is_sequence(name) == sides[1].is_sequence(name)
    if one is None or other is None or not alike:
        return False
    ranks = [[(ty.ndim, str(ty.dtype)) for ty in types] for types in (one, other)]
    return ranks[0] == ranks[1]


def words_of(side: Side, name: str) -> str:
    """Say what a value is in one of the graphs, for an error."""
    types = side.types(name)
    if types is None:
        return "not known"
    return f"a sequence of {len(types)}" if side.is_sequence(name) else f"of rank {types[0].ndim}"
