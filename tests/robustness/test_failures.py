"""A pass or schedule that fails is left out, with a warning that names it; or it is an error.

`tests/reliability/test_failures.py` has every pass and schedule with every way to fail.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from failing import (
    PASS_FAULTS,
    PASSES,
    SCHEDULE_FAULTS,
    SCHEDULES,
    assert_pass_is_left_out,
    assert_schedule_is_left_out,
    failures,
    model_for,
    plant_in_pass,
    plant_in_schedule,
)
from reference import assert_agrees, reference
from tvm.target import Target
from tvm.tirx import PrimFunc

import tvmfuse
from tvmfuse.build.kernels import compile as compiling
from tvmfuse.build.kernels.machine_code import llvm_module
from tvmfuse.cli import main
from tvmfuse.errors import KernelError, LeftOutWarning, ScheduleError
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.passes.contract import GraphPass

TINY = model_for("elementwise")

#: One of its faults for each pass, in turn.
SOME = [pair for place, pair in enumerate(failures()) if place % (len(PASS_FAULTS) - 1) == 0]


@pytest.mark.parametrize(("entry", "fault"), SOME, ids=[f"{e.name}-{f}" for e, f in SOME])
def test_a_pass_that_fails_is_left_out(
    entry: GraphPass, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_pass_is_left_out(monkeypatch, entry, fault)


@pytest.mark.parametrize("place", range(len(SCHEDULES)), ids=[s.name for s in SCHEDULES])
@pytest.mark.sampled(3)
def test_a_schedule_that_fails_is_left_out(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = list(SCHEDULE_FAULTS)[place % len(SCHEDULE_FAULTS)]
    name = SCHEDULES[place].name
    assert_schedule_is_left_out(monkeypatch, name, fault, strict=True)


def test_a_kernel_that_tvm_refuses_gets_the_next_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def refuses(functions: Mapping[str, PrimFunc], target: Target) -> object:
        made.extend(functions)
        if len(made) == 1:
            raise RuntimeError("Cannot select: node")
        return llvm_module(functions, target)

    monkeypatch.setattr(compiling, "llvm_module", refuses)
    words = "schedule elementwise failed on the kernel relu: .*TVM cannot compile .*Cannot select"
    with pytest.warns(LeftOutWarning, match=words):
        artifact = tvmfuse.compile(TINY, cache=False)
    assert [kernel.schedule for kernel in artifact.manifest.kernels] == ["generic"]
    x = np.linspace(-1, 1, 7 * 53, dtype="float32").reshape(7, 53)
    assert_agrees(artifact.load()(x=x), reference(TINY, {"x": x}))


FUSED = onnx.parser.parse_model(
    '<ir_version: 8, opset_import: ["": 17]> g (float[7,53] x, float[7,53] z) => (float[7,53] y) '
    "{ a = Exp(x) b = Add(a, z) c = Relu(z) y = Mul(b, c) }"
)


def refuse(patch: pytest.MonkeyPatch, word: str) -> None:
    """Let LLVM refuse kernels by a word in their names."""

    def refuses(functions: Mapping[str, PrimFunc], target: Target) -> object:
        if any(word in name for name in functions):
            raise RuntimeError("Cannot select: node")
        return llvm_module(functions, target)

    patch.setattr(compiling, "llvm_module", refuses)


def test_a_kernel_that_no_schedule_can_compile_is_compiled_unfused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(monkeypatch, "exp_add")
    with pytest.raises(KernelError, match="Cannot select"):
        tvmfuse.compile(FUSED, cache=False, strict=True)
    graph = tmp_path / "m.graph"
    words = "the kernel fused_tir_exp_add.* of .*Mul.* cannot be compiled, .*one by one: .*Cannot select"
    with pytest.warns(LeftOutWarning) as warned:
        artifact = tvmfuse.compile(FUSED, cache=False, save_optimized=graph)
    assert re.fullmatch(words + ".*", str(warned[-1].message))
    assert len(artifact.manifest.kernels) == 4
    feeds = random_inputs(artifact.load().inputs, seed=0)
    for made in (artifact, tvmfuse.compile(graph.read_bytes(), cache=False)):
        assert_agrees(made.load()(feeds), reference(FUSED, feeds))


def test_only_the_fusion_that_fails_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["": 17]> g (float[7,53] x) => (float[7,53] y, float[53,7] w)'
        "{ a = Exp(x) y = Add(a, x) t = Transpose(x) b = Sin(t) w = Mul(b, b) }"
    )
    refuse(monkeypatch, "exp_add")
    with pytest.warns(LeftOutWarning) as warned:
        kernels = tvmfuse.compile(model, cache=False).manifest.kernels
    assert ["one by one" in str(w.message) for w in warned] == [False, False, True]
    assert sorted(len(kernel.nodes) for kernel in kernels) == [1, 1, 3]


def test_one_operator_that_cannot_be_compiled_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "relu")
    with (
        pytest.warns(LeftOutWarning),
        pytest.raises(KernelError, match="TVM cannot compile the kernel relu.*Cannot select"),
    ):
        tvmfuse.compile(TINY, cache=False)


def test_the_schedule_that_takes_every_kernel_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["": 17]> g (float[9,37] x) => (float[9,37] y)'
        "<int64 a = {0}> { y = CumSum(x, a) }"
    )
    plant_in_schedule(monkeypatch, "as_written", "emit raises")
    with pytest.raises(ScheduleError, match="the schedule as_written failed on the kernel cumsum"):
        tvmfuse.compile(model, cache=False)


def test_a_schedule_that_fails_is_warned_of_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache keeps nothing of it, so that it is tried again, and `strict` sees it."""
    with monkeypatch.context() as patch:
        plant_in_schedule(patch, "elementwise", "emit raises")
        for _ in range(2):
            with pytest.warns(LeftOutWarning, match="the schedule elementwise failed"):
                tvmfuse.compile(TINY, cache=tmp_path)
        with pytest.raises(ScheduleError, match="the schedule elementwise failed"):
            tvmfuse.compile(TINY, cache=tmp_path, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tvmfuse.compile(TINY, cache=tmp_path).manifest.kernels[0].schedule == "elementwise"


def test_the_pass_to_blame_is_named_and_not_the_one_that_stumbles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What `ConstantFolding` leaves is ill-formed, and a later pass raises on it."""
    by_name = {entry.name: entry for _, entry in PASSES}
    plant_in_pass(monkeypatch, by_name["ConstantFolding"], "unbound")
    with pytest.warns(LeftOutWarning) as warned:
        report = tvmfuse.explain(TINY)
    assert [str(w.message).split()[1] for w in warned] == ["ConstantFolding"]
    assert [p.name for p in report.passes if p.note.startswith("left out")] == ["ConstantFolding"]


def test_a_model_without_the_pass_is_what_disabling_it_makes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_name = {entry.name: entry for _, entry in PASSES}
    expected = tvmfuse.compile(TINY, disabled_pass="FuseOps").manifest
    plant_in_pass(monkeypatch, by_name["FuseOps"], "raises")
    with pytest.warns(LeftOutWarning, match="pass FuseOps failed"):
        assert tvmfuse.compile(TINY).manifest == expected


def test_the_command_line_warns_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_name = {entry.name: entry for _, entry in PASSES}
    plant_in_pass(monkeypatch, by_name["FuseOps"], "raises")
    model, output = tmp_path / "m.onnx", tmp_path / "m.so"
    onnx.save(TINY, model)
    done = CliRunner().invoke(main, ["compile", str(model), "-o", str(output)])
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith("warning: pass FuseOps failed, and is left out: ZeroDivision")
    assert len(done.stderr.splitlines()) == 1
    refused = CliRunner().invoke(main, ["compile", str(model), "-o", str(output), "--strict"])
    assert refused.exit_code == 1
    assert refused.stderr.startswith("error: pass FuseOps failed: ZeroDivisionError: by design")
