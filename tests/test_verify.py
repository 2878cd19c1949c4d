"""compile(verify=True): a pass that makes the numbers wrong is left out, with a warning."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from firing import CASES, ONE, of
from planting import break_one, plant
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import CompilationError, ConfigurationError, WrongPassWarning
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.passes.selection import entries

ENTRIES = {entry.name: entry for _, entry in entries()}
MODEL = of(
    "",
    "a = Exp(x) b = Div(k, a) c = Mul(b, x) d = Relu(c) y = Clip(d, k, l)",
    k=ONE,
    l=np.float32(2),
).model()


def right(artifact: Any) -> bool:
    run = artifact.load()
    feeds = random_inputs(run.inputs, seed=3)
    assert_agrees(run(feeds), reference(MODEL, feeds))
    return True


def test_nothing_is_said_where_nothing_is_wrong() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", WrongPassWarning)
        artifact = tvmfuse.compile(MODEL, verify=True)
    assert right(artifact)
    assert artifact.manifest.passes_disabled == ()


def test_two_wrong_passes_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, ENTRIES["DivMulFusion"])
    plant(monkeypatch, ENTRIES["FuseOps"])
    with pytest.warns(WrongPassWarning) as caught:
        artifact = tvmfuse.compile(MODEL, verify=True)
    said = [str(warning.message) for warning in caught]
    assert [words.split(" is wrong at ")[0] for words in said] == [
        "pass DivMulFusion (basic)",
        "pass FuseOps (extended)",
    ]
    assert artifact.manifest.passes_disabled == ("DivMulFusion", "FuseOps")
    note = artifact.report["DivMulFusion"].note
    assert note.startswith("left out: pass DivMulFusion (basic) is wrong at Div_1, Mul_2, rewrite ")
    assert f"DivMulFusion: {note}" in str(artifact.report)
    assert right(artifact)


def test_a_pass_that_fails_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        type(ENTRIES["FuseReluClip"]), "rewrite", lambda _self, _match, _found: 1 // 0
    )
    with pytest.warns(
        WrongPassWarning, match="pass FuseReluClip .* fails at Relu_3, Clip_4: ZeroDivisionError"
    ):
        artifact = tvmfuse.compile(MODEL, verify=True)
    assert right(artifact)


def test_what_no_pass_reports_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = type(ENTRIES["DeadCodeElimination"])
    monkeypatch.setattr(entry, "__call__", lambda _self, module, _trace: break_one(module, ()))
    with pytest.raises(
        CompilationError, match="verify: level basic differs, and no single rewrite"
    ):
        tvmfuse.compile(MODEL, verify=True)


def test_a_pass_asked_for_by_name_may_change_the_numbers() -> None:
    (case,) = (case for case in CASES if case.rule == "GeluApproximation")
    with warnings.catch_warnings():
        warnings.simplefilter("error", WrongPassWarning)
        artifact = tvmfuse.compile(case.model(), verify=True, enabled_pass=["GeluApproximation"])
    assert artifact.report["GeluApproximation"].fired == 1


def test_an_optimized_graph_is_refused(tmp_path: Path) -> None:
    tvmfuse.compile(MODEL, save_optimized=tmp_path / "model.graph")
    with pytest.raises(ConfigurationError, match="verify: this graph was optimized already"):
        tvmfuse.compile(tmp_path / "model.graph", verify=True)


def test_a_pass_that_runs_alone_is_to_blame_and_not_the_import(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch, ENTRIES["FuseReluClip"])
    with pytest.warns(
        WrongPassWarning,
        match=r"pass FuseReluClip \(basic\) is wrong at Relu_3, Clip_4, rewrite 2 of 2",
    ):
        artifact = tvmfuse.compile(MODEL, verify=True, only_pass=["FuseReluClip", "DivMulFusion"])
    assert artifact.report["FuseReluClip"].note.startswith("left out: ")
    assert artifact.report["DivMulFusion"].fired == 1
    assert artifact.report["ConstantFolding"].status != "ran"
    assert right(artifact)


def test_the_only_pass_is_left_out_if_it_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, ENTRIES["FuseReluClip"])
    with pytest.warns(WrongPassWarning, match="pass FuseReluClip"):
        artifact = tvmfuse.compile(MODEL, verify=True, only_pass="FuseReluClip")
    assert {p.tier for p in artifact.report.passes if p.status == "ran"} == {"none"}
    assert right(artifact)


def test_what_a_pass_that_runs_alone_does_not_report(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = type(ENTRIES["DeadCodeElimination"])
    monkeypatch.setattr(entry, "__call__", lambda _self, module, _trace: break_one(module, ()))
    with pytest.raises(CompilationError, match="verify: only_pass differs, and no single rewrite"):
        tvmfuse.compile(MODEL, verify=True, only_pass="DeadCodeElimination")


def test_a_pass_that_runs_alone_may_change_the_numbers_too() -> None:
    (case,) = (case for case in CASES if case.rule == "GeluApproximation")
    with warnings.catch_warnings():
        warnings.simplefilter("error", WrongPassWarning)
        artifact = tvmfuse.compile(case.model(), verify=True, only_pass="GeluApproximation")
    assert artifact.report["GeluApproximation"].status == "ran"
