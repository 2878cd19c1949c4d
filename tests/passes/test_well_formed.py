"""The check of tests/conftest.py: a pass that leaves malformed IR fails the test that runs it."""

import pytest
from graphs import graph, tensor
from tvm import IRModule, relax
from tvm.relax.op import exp

from tvmfuse.passes.basic.eliminate_identity import EliminateIdentity


def test_malformed_results_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def unbound(function: relax.Function) -> relax.Function:
        return relax.Function(function.params, relax.Var("nowhere", tensor(3)), tensor(3))

    module = graph(lambda x, _: exp(x), tensor(3))
    broken = IRModule({"main": unbound(module["main"])})
    monkeypatch.setattr("tvmfuse.passes.rewrite.map_functions", lambda *_: broken)
    with pytest.raises(ValueError, match="nowhere is not defined"):
        EliminateIdentity()(module)
