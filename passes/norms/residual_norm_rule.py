"""Rules that compute a sum and its norm at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.passes.rewrite import Match, RewriteRule


class WithSum(RewriteRule):
    """A norm and the sum that it normalizes: the pattern's part `total`.

    Where the sum has further readers it is the fused operator's second result.
    """

    @abstractmethod
    def fused(self, match: Match, *, sums: bool) -> Expr:
        """Return the fused operator.

        Args:
            match: Of the norm.
            sums: Whether its result is a tuple of the normalized rows and the sums.
        """

    def may_share(self, match: Match) -> Iterator[tuple[bool, str]]:
        """Yield the conditions under which both can be computed where the sum was."""
        alone = match.readers("total") == 1
        yield alone or match.beside_root("total"), "the sum and its norm are in one block"
        parameters = [match[name] for name in ("gamma", "beta") if name in match]
        earlier = all(match.precedes(e, "total") for e in parameters)
        yield alone or earlier, "the parameters are known where the sum is computed"

    def rewrite(self, match: Match) -> Expr:  # noqa: D102
        return self.fused(match, sums=False)

    def rewrites(self, match: Match) -> Mapping[Var, Expr]:  # noqa: D102
        total = match.var("total")
        if match.readers("total") == 1 or not isinstance(total, Var):
            return {match.root: self.rewrite(match)}
        both = self.fused(match, sums=True)
        return {
            total: relax.TupleGetItem(both, 1),
            match.root: relax.TupleGetItem(both, 0),
        }
