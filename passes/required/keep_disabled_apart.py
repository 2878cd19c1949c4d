"""A disabled fusion stays undone."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import IRModule

from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.rewrite import RewriteRule
from tvmfuse.passes.trace import Trace


class KeepDisabledApart(GraphPass):
    """Put a barrier wherever `FuseOps` would fuse what a disabled rule would have fused.

    Before, with `MatMulAddFusion` disabled::

        y = matmul(a, B)
        z = y + c

    After::

        y = barrier(matmul(a, B))
        z = y + c

    Pays because the time without a pass is then the time without its effect. It runs before the
    layout changes: the rules know plain tensors only.
    """

    name = "KeepDisabledApart"
    required = True

    def __init__(self, disabled: Sequence[GraphPass] = ()) -> None:
        self._rules = [rule for rule in disabled if isinstance(rule, RewriteRule)]

    def without(self, disabled: Sequence[GraphPass]) -> KeepDisabledApart:
        """Return the pass for these disabled rules."""
        return KeepDisabledApart(disabled)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with a barrier at each place where a disabled rule would fire."""
        del trace
        for rule in self._rules:
            module = rule.with_barriers(module)
        return module
