"""Levels and passes on a real model: what is compiled, compared, timed and said."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import Any, Never

import numpy as np
import pytest
from firing import of
from onnx import ModelProto, numpy_helper, parser
from planting import plant
from rich.console import Console

from tvmfuse.demo import wee_net
from tvmfuse.errors import (
    CompilationError,
    ConfigurationError,
    InputError,
    PassError,
    UnsupportedModelError,
)
from tvmfuse.levels import Level
from tvmfuse.measure import ab, ablate, ladder, read_variant, runners
from tvmfuse.passes.selection import entries
from tvmfuse.pipeline.compile import compile_model

ENTRIES = {entry.name: entry for _, entry in entries()}
FIRED = ("ConvBNFusion", "ConvActivationFusion", "FuseOps", "FuseTIR")


def one_relu() -> ModelProto:
    """Return a model that no pass changes."""
    return parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> g (float[2,16] x) => (float[2,16] y){y = Relu(x)}'
    )


def printed(renderable: Any) -> str:
    console = Console(width=100)
    with console.capture() as capture:
        console.print(renderable)
    text = capture.get()
    assert max(map(len, text.splitlines())) <= 100
    return text


@pytest.fixture(scope="module")
def climbed() -> Any:
    return ladder(wee_net(), threads=1, duration_s=0.1)


@pytest.fixture(scope="module")
def ablated() -> Any:
    return ablate(wee_net(), threads=1, duration_s=0.1)


def test_a_ladder_has_every_level_with_what_it_takes(climbed: Any) -> None:
    assert [r.level for r in climbed.rungs] == ["none", "basic", "extended", "layout"]
    assert [r.timing.cost.kernels for r in climbed.rungs] == [3, 2, 1, 1]
    assert all(r.speedup.pairs >= 16 for r in climbed.rungs[1:])
    assert all(r.timing.cost.nbytes > 64 * 27 * 4 for r in climbed.rungs)
    assert 0 < climbed.rungs[1].error < 1e-4


def test_a_ladder_says_which_neighbours_have_the_same_kernels(climbed: Any) -> None:
    assert [r.same_as for r in climbed.rungs] == [None, None, None, "extended"]
    extended, layout = climbed.rungs[2:]
    assert (layout.speedup, layout.timing.summary) == (extended.speedup, extended.timing.summary)
    assert layout.timing.name == "level layout, threads: 1"
    words = "levels extended and layout are identical kernels on this model"
    assert words in climbed.notes
    assert words in " ".join(printed(climbed.table()).split())


def test_a_ladder_is_json(climbed: Any) -> None:
    record = json.loads(json.dumps(climbed.to_json(), allow_nan=False))
    assert record["model"] == "WeeNet"
    assert record["rungs"][3]["same_as"] == "extended"
    assert record["machine"]["cores"] >= 1


def test_a_level_that_fails_is_listed_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    real = compile_model

    def faulty(model: Any, settings: Any, progress: Any) -> Any:
        level = settings.selection.level
        if level == Level.ORT_ENABLE_EXTENDED:
            raise PassError("FuseOps", "it broke")
        artifact = real(model, settings, progress)
        if level == Level.ORT_ENABLE_LAYOUT:
            return SimpleNamespace(**{n: getattr(artifact, n) for n in NEEDED}, load=_broken)
        return artifact

    monkeypatch.setattr(runners, "compile_model", faulty)
    found = ladder(wee_net(), threads=1, duration_s=0.01)
    _, basic, extended, layout = found.rungs
    assert basic.speedup is not None
    assert basic.speedup.pairs >= 16
    assert [r.failed for r in found.rungs] == [False, False, True, True]
    assert extended.error is layout.error is None
    assert layout.problem == "it fails when it runs: no such kernel"
    words = "level extended, threads: 1: failed, so not timed: pass FuseOps failed: it broke"
    assert any(note.startswith(words) for note in found.notes)
    assert printed(found.table()).count("failed, so not timed") == 4
    json.dumps(found.to_json(), allow_nan=False)


NEEDED = ("manifest", "nbytes", "report", "launches")


def _broken(*, num_threads: Any) -> Any:
    def fails(feeds: Any) -> Never:
        raise RuntimeError("no such kernel")

    vars(fails)["inputs"] = ()
    return fails


def test_levels_and_passes_that_make_nan_are_json(monkeypatch: pytest.MonkeyPatch) -> None:
    real = compile_model

    def nan_above_none(model: Any, settings: Any, progress: Any) -> Any:
        chosen = settings.selection
        if chosen.level == Level.ORT_ENABLE_LAYOUT or "FuseOps" in chosen.only:
            model = wee_net()
            model.graph.initializer[0].CopyFrom(_nan(model.graph.initializer[0]))
        return real(model, settings, progress)

    monkeypatch.setattr(runners, "compile_model", nan_above_none)
    climbed = ladder(wee_net(), threads=1, duration_s=0.01)
    record = json.loads(json.dumps(climbed.to_json(), allow_nan=False))
    assert record["rungs"][3]["error"] is None
    assert "NaN" in record["rungs"][3]["problem"]
    ablated = ablate(wee_net(), threads=1, duration_s=0.01)
    json.dumps(ablated.to_json(), allow_nan=False)
    assert "NaN" in str(ablated["FuseOps"].one_at_a_time.problem)


def _nan(tensor: Any) -> Any:
    return numpy_helper.from_array(numpy_helper.to_array(tensor) * np.float32("nan"), tensor.name)


def test_every_pass_that_fires_is_ablated_in_both_ways(ablated: Any) -> None:
    assert {e.name for e in ablated.effects} == set(FIRED)
    for name in ("ConvBNFusion", "FuseOps"):
        assert ablated[name].leave_one_out.speedup.pairs >= 16
        assert ablated[name].one_at_a_time.speedup.pairs >= 16


def test_fuse_ops_alone_does_what_it_can(ablated: Any) -> None:
    alone = ablated["FuseOps"].one_at_a_time.timing
    assert alone.settings["only"] == ("FuseOps", "FuseTIR")
    assert alone.cost.kernels == 1  # nothing is kept undone


def test_what_changes_no_kernel_is_not_timed(ablated: Any) -> None:
    alone = ablated["FuseTIR"].one_at_a_time
    assert (alone.status, alone.speedup, alone.timing) == ("identical code", None, None)


def test_passes_are_sorted_by_effect(ablated: Any) -> None:
    sizes = [e.leave_one_out.size for e in ablated.effects]
    assert sizes == sorted(sizes, reverse=True)


def test_an_ablation_is_a_table_and_json(ablated: Any) -> None:
    text = printed(ablated.table())
    assert all(name in text for name in FIRED)
    assert "simultaneous 99 % CIs (Bonferroni)" in " ".join(text.split())
    record = json.loads(json.dumps(ablated.to_json(), allow_nan=False))
    assert {e["name"] for e in record["effects"]} == set(FIRED)


def test_where_no_pass_fires_that_is_said_in_words() -> None:
    found = ablate(of("", "y = Softmax(x)").model(), threads=1, duration_s=0.01)
    words = "no pass fires on this model at level all, so there is none to switch off: `tvmfuse explain` says"
    text = " ".join(printed(found.table()).split())
    assert words in text
    assert "one-at-a-time" not in text
    record = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert record["effects"] == []
    assert record["notes"][0].startswith(words)
    assert words in str(found.to_html())
    assert "<table>" not in str(found.to_html())


def test_an_interrupt_before_a_pass_is_known_says_nothing_of_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_args: Any, **_options: Any) -> Never:
        raise KeyboardInterrupt

    monkeypatch.setattr(runners, "compile_model", interrupted)
    found = ablate(wee_net(), threads=1, duration_s=0.01)
    assert found.interrupted
    assert found.notes == ("interrupted: this is what was measured until then",)


def test_a_variant_that_does_not_compile_or_is_wrong_is_listed_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = compile_model

    def faulty(model: Any, settings: Any, progress: Any) -> Any:
        if settings.selection.disabled == {"ConvBNFusion"}:
            raise CompilationError("it broke")
        if settings.selection.only == {"ConvBNFusion"}:
            model = wee_net(seed=1)
        return real(model, settings, progress)

    monkeypatch.setattr(runners, "compile_model", faulty)
    found = ablate(wee_net(), threads=1, duration_s=0.01)
    broken = found["ConvBNFusion"]
    assert (broken.leave_one_out.status, broken.leave_one_out.problem) == ("failed", "it broke")
    assert broken.one_at_a_time.status == "wrong"
    assert "output 'y'" in str(broken.one_at_a_time.problem)
    assert found["FuseOps"].leave_one_out.speedup
    assert "without ConvBNFusion: failed, so not timed: it broke" in found.notes


def test_a_wrong_level_all_times_nothing_and_the_pass_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch, ENTRIES["ConvBNFusion"])
    found = ablate(wee_net(), threads=1, duration_s=0.01)
    off = {e.name: e.leave_one_out.status for e in found.effects}
    assert off.pop("ConvBNFusion") == "right"
    assert set(off.values()) == {"wrong"}
    assert not any(e.leave_one_out.speedup for e in found.effects)
    assert found["ConvBNFusion"].one_at_a_time.status == "wrong"
    assert found["FuseOps"].one_at_a_time.speedup
    first, second, *_ = found.notes
    assert first.startswith(
        "nothing was timed in level all: level all, threads: 1 is wrong: output"
    )
    assert second == "right is level all without ConvBNFusion"
    assert not any(note.startswith("without") for note in found.notes)
    assert "right is level all without ConvBNFusion" in printed(found.table())
    assert "output 'y'" in found.to_json()["problem"]


def test_a_pass_that_raises_is_listed_and_the_others_are_measured_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(self: Any, module: Any, trace: Any = None) -> Never:
        raise ValueError("it broke")

    monkeypatch.setattr(type(ENTRIES["ConvActivationFusion"]), "__call__", fails)
    found = ablate(wee_net(), threads=1, duration_s=0.01)
    broken = found["ConvActivationFusion"]
    assert (broken.leave_one_out.status, broken.one_at_a_time.status) == ("right", "failed")
    assert found["ConvBNFusion"].leave_one_out.status == "failed"
    assert found["ConvBNFusion"].one_at_a_time.speedup
    assert "level all, threads: 1 failed: pass ConvActivationFusion failed" in str(found.problem)


def test_where_no_single_pass_is_wrong_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    real = compile_model

    def wrong_above_none(model: Any, settings: Any, progress: Any) -> Any:
        is_all = settings.selection.level == Level.ORT_ENABLE_ALL
        return real(wee_net(seed=1) if is_all else model, settings, progress)

    monkeypatch.setattr(runners, "compile_model", wrong_above_none)
    found = ablate(wee_net(), threads=1, duration_s=0.01)
    assert {e.leave_one_out.status for e in found.effects} == {"wrong"}
    assert found.notes[1] == "no single pass makes level all right by its absence"


def test_an_interrupt_while_compiling_keeps_what_was_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make, made = runners.make_runner, []

    def interrupted(workload: Any, settings: Any, progress: Any) -> Any:
        made.append(settings)
        if settings.only:
            raise KeyboardInterrupt
        return make(workload, settings, progress)

    monkeypatch.setattr(sys.modules["tvmfuse.measure.ablate"], "make_runner", interrupted)
    found = ablate(wee_net(), threads=1, duration_s=0.01)
    assert found.interrupted
    assert found["FuseOps"].leave_one_out.speedup
    assert found["FuseOps"].one_at_a_time.status == "not measured"


def test_progress_rises_over_everything() -> None:
    seen: list[Any] = []
    ablate(wee_net(), threads=1, duration_s=0.05, progress=seen.append)
    shares = [step.share for step in seen]
    assert shares == sorted(shares)
    assert any("compiling" in step for step in seen)
    assert any("measuring" in step for step in seen)


def test_ab_takes_onnxruntime_as_a_variant() -> None:
    found = ab(wee_net(), "engine=onnxruntime,level=none,threads=1", "threads=1", duration_s=0.1)
    assert found.a.name == "onnxruntime, level none, threads: 1"
    assert found.ratio is not None
    assert found.a.cost is not None
    assert found.ratio.pairs >= 16
    assert found.a.cost.kernels is None
    assert 0 < found.agreement[0].error < 1e-4  # two different programs


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("", ""),
        ("level=extended", "level=layout"),
        ("threads=1", "threads=1,disable=AttentionFusion"),
        ("engine=onnxruntime,threads=1", "engine=onnxruntime,threads=1"),
    ],
)
def test_identical_kernels_are_not_timed_and_get_no_verdict(a: str, b: str) -> None:
    steps: list[str] = []
    found = ab(wee_net(), a, b, duration_s=1000.0, progress=steps.append)
    assert (found.identical_code, found.ratio, found.speedup) == (True, None, None)
    assert found.a.summary is found.b.summary is None
    assert not {"warming up", "measuring"} & set(steps)
    assert found.sentence.startswith("identical kernels, not timed")
    assert found.agreement[0].error == 0
    assert "identical kernels, not timed" in printed(found.table())
    assert found.to_json()["effect"] is False


def test_a_level_whose_kernels_are_level_none_s_is_not_timed() -> None:
    found = ladder(one_relu(), threads=1, duration_s=0.05)
    assert [r.same_as for r in found.rungs] == [None, "none", "none", "none"]
    assert [r.speedup for r in found.rungs] == [None] * 4
    assert "identical kernels to none" in printed(found.table())
    assert "<table" in found.to_html()


def test_other_threads_are_timed_though_kernels_are_the_same() -> None:
    found = ab(wee_net(), "threads=1", "threads=2", duration_s=0.05)
    assert (found.identical_code, found.ratio is None) == (False, False)


def test_inputs_may_be_given() -> None:
    with pytest.raises(InputError):
        ab(wee_net(), inputs={"z": np.array(1)}, duration_s=0.05)


def test_results_are_fragments_of_a_page(climbed: Any, ablated: Any) -> None:
    for result in (climbed, ablated):
        html = result.to_html()
        assert "<table" in html
        assert "WeeNet" in html


def test_an_engine_that_is_not_installed_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(
        ConfigurationError,
        match=r"onnxruntime is not installed: python -m pip install 'tvmfuse\[ort\]'$",
    ):
        ab(wee_net(), "engine=onnxruntime")


def test_a_model_that_onnxruntime_does_not_take_is_refused_in_words() -> None:
    with pytest.raises(UnsupportedModelError, match="onnxruntime cannot run this model"):
        runners.onnxruntime_run(b"no model", read_variant("engine=onnxruntime"))
