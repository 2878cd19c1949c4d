"""Rules that compute a sum and its norm at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.passes.pattern import Match
from tvmfuse.passes.rewrite import Conditions, Found, RewriteRule


class ResidualNormRule(RewriteRule[Found]):
    """A norm and the sum that it normalizes: the pattern's part `total`.

    Where the sum has further readers it is the fused operator's second result.
    """

    @abstractmethod
    def fused(self, match: Match, found: Found, *, sums: bool) -> Expr:
        """Return the fused operator.

        Args:
            match: Of the norm.
            found: What `requires` derived.
            sums: Whether its result is a tuple of the normalized rows and the sums.
        """

    def may_share(self, match: Match) -> Conditions[None]:
        """Yield the conditions under which both can be computed where the sum was."""
        alone = match.num_uses("total") == 1
        yield alone or match.beside_root("total"), "the sum and its norm are in one block"
        parameters = [match[name] for name in ("gamma", "beta") if name in match]
        earlier = all(match.precedes(e, "total") for e in parameters)
        yield alone or earlier, "the parameters are known where the sum is computed"

    def rewrite(self, match: Match, found: Found) -> Expr:  # noqa: D102
        return self.fused(match, found, sums=False)

    def replacements(self, match: Match, found: Found) -> Mapping[Var, Expr]:  # noqa: D102
        total = match.var("total")
        if match.num_uses("total") == 1 or not isinstance(total, Var):
            return {match.root: self.rewrite(match, found)}
        both = self.fused(match, found, sums=True)
        return {
            total: relax.TupleGetItem(both, 1),
            match.root: relax.TupleGetItem(both, 0),
        }
