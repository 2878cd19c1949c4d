"""pipeline.instruments: what happens around each invocation of a pass."""

import itertools
from typing import Any

import pytest
from tvm import IRModule, relax

from tvmfuse.demo import wee_net
from tvmfuse.errors import CompilationError, PassError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.basic.conv_bn_fusion import ConvBNFusion
from tvmfuse.passes.required.round_once import RoundOnce
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.instruments import Instrument, PassRun, Watch, WellFormed
from tvmfuse.pipeline.optimize import optimize


@pytest.fixture(scope="module")
def imported() -> Any:
    return import_model(wee_net()).module


def ill_formed(_self: Any, module: IRModule, trace: object = None) -> IRModule:
    """Return a module whose output is a variable that nothing binds."""
    main = module["main"]
    loose = relax.Var("loose", main.ret_ty)
    body = relax.SeqExpr(list(main.body.blocks), loose)
    broken = relax.Function(main.params, body, main.ret_ty)
    return IRModule({"main": broken})


def test_the_pass_that_breaks_the_module_is_named(
    imported: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ConvBNFusion, "__call__", ill_formed)
    with pytest.raises(PassError, match="pass ConvBNFusion failed: its result is not well-formed"):
        optimize(imported, Selection.of("basic"), instruments=[WellFormed()])


def test_a_required_pass_is_not_to_be_left_out(
    imported: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RoundOnce, "__call__", ill_formed)
    with pytest.raises(CompilationError, match="RoundOnce failed: its result") as caught:
        optimize(imported, Selection.of("basic"), instruments=[WellFormed()])
    assert "disabled_pass" not in str(caught.value)


def test_hooks_see_every_invocation_in_order(imported: Any) -> None:
    class Log(Instrument):
        def __init__(self) -> None:
            self.seen: list[Any] = []

        def enter(self, module: Any) -> None:
            self.seen.append(("enter", module))

        def before(self, phase: Any, entry: Any, module: Any) -> None:
            self.seen.append((entry.name, phase.name))

    log, runs = Log(), list[PassRun]()
    found = optimize(imported, Selection.of("all"), instruments=[log, Watch(runs.append)])
    (first, module), *others = log.seen
    assert (first, module) == ("enter", imported)
    assert others == [(run.invocation.name, run.invocation.phase) for run in runs]
    optional = [run.invocation for run in runs if not run.invocation.required]
    assert tuple(optional) == found.invocations
    assert runs[0].before is imported
    assert all(one.after is two.before for one, two in itertools.pairwise(runs))
    assert [run.invocation.name for run in runs if run.invocation.required] == [
        "RoundOnce",
        "KeepDisabledApart",
        "Lower",
    ]
    assert found.report.seconds == pytest.approx(sum(run.seconds for run in runs))
