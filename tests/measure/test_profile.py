"""`measure.profile`: where the time goes, of a model and of a compiled file."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from measure.made_profiles import line, made, text
from onnx import numpy_helper, parser
from relax_models import python, succeeds

import tvmfuse
from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.measure import profile
from tvmfuse.measure.results.profile import Copy, Peaks, Profile
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.timed_run import TimedRun
from tvmfuse.target.core import describe

FAST: dict[str, Any] = {"rounds": 2, "duration_s": None, "warm_up_s": 0.01, "threads": 1}


@pytest.fixture(scope="module")
def model() -> Any:
    """Two equal products, with a sum between them that takes their kernels apart."""
    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> g (float[batch,16] x) => (float[batch,16] y)'
        "{p = MatMul(x, w) s = Softmax(p) y = MatMul(s, w)}"
    )
    for node, name in zip(model.graph.node, ("first", "[soft]", "second"), strict=True):
        node.name = name
    weight = np.random.default_rng(0).standard_normal((16, 16), dtype="float32")
    model.graph.initializer.append(numpy_helper.from_array(weight, "w"))
    return model


@pytest.fixture(scope="module")
def library(model: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("profile") / "m.so"
    tvmfuse.compile(model).save(path)
    return path


@pytest.fixture(scope="module")
def found(library: Any) -> Profile:
    return profile(library, dims={"batch": 8}, **FAST)


# What is measured.


def test_every_launch_has_time_work_roof_and_nodes(found: Any) -> None:
    assert [line.nodes for line in found.launches] == [("first",), ("[soft]",), ("second",)]
    assert [line.flop for line in found.launches] == [2 * 8 * 16 * 16, 5 * 8 * 16, 2 * 8 * 16 * 16]
    assert [line.nbytes for line in found.launches] == [4 * 512, 4 * 256, 4 * 512]
    for launch in found.launches:
        assert launch.microseconds > 0
        assert launch.schedule
        assert launch.roofline_bound in ("compute", "memory")
        assert launch.gflops == pytest.approx(launch.flop / launch.microseconds / 1e3)
        assert launch.roofline_microseconds > 0
    assert found.sizes == {"batch": 8}
    assert (found.runs, found.threads, found.interrupted) == (2, 1, False)
    assert found.peaks.gflops > 0
    assert [copy.nbytes for copy in found.peaks.copies] == [1 << 14]


def test_a_model_is_compiled_first(model: Any) -> None:
    steps: list[Any] = []
    found = profile(
        model,
        level="none",
        dims={"batch": 2},
        progress=steps.append,
        **FAST,
    )
    assert (found.level, found.sizes) == ("none", {"batch": 2})
    assert {"import", "warming up", "measuring"} <= set(steps)
    without = profile(model, disabled_pass="PrepackWeights", **FAST)
    assert without.sizes == {"batch": 1}


def test_it_is_called_by_its_file_or_its_graph(found: Profile, model: Any, tmp_path: Path) -> None:
    onnx.save(model, tmp_path / "[net].onnx")
    of_file = profile(str(tmp_path / "[net].onnx"), **FAST)
    assert (found.model, of_file.model, profile(model, **FAST).model) == ("m.so", "[net].onnx", "g")
    assert "[net].onnx: one run, threads: 1" in text(of_file.table())


def test_inputs_may_be_given(library: Any) -> None:
    assert profile(library, inputs={"x": np.ones((3, 16), "float32")}, **FAST).sizes == {"batch": 3}
    assert profile(
        library, inputs=lambda specs: {specs[0].name: np.ones((4, 16), "float32")}, **FAST
    ).sizes == {"batch": 4}
    assert profile(library, shapes={"x": (6, 16)}, **FAST).sizes == {"batch": 6}


def test_the_machine_is_named_that_kernels_were_compiled_for(found: Profile, library: Any) -> None:
    assert found.compiled_for == describe(tvmfuse.load(library).manifest.machine)
    assert f"compiled for {found.compiled_for}" in found.notes


def test_the_peaks_of_two_threads_are_more_operations(library: Any) -> None:
    assert profile(library, **{**FAST, "threads": 2}).peaks is not None


@pytest.fixture
def on_a_clock(library: Any, machine: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Profile on a clock that only the variants move, beside peaks of 1 GFLOP/s and 1 GB/s."""
    fake = machine()

    def run(alone_ms: float, *kernels_ms: float, **others: Any) -> Profile:
        loaded = tvmfuse.load(library)
        launches, begin = [], 0.1
        for kernel, spent in zip(loaded.manifest.kernels, kernels_ms, strict=True):
            launches.append((kernel, begin, spent))
            begin += spent + 0.2
        seen = TimedRun(begin, launches)
        peak = SimpleNamespace(
            multiply_adds=lambda _target, _threads: (fake.variant("loop", 2.0), 2e6),
            copy=lambda nbytes, _threads, _target, times: fake.variant(
                "memory", nbytes * times / 1e6
            ),
        )
        monkeypatch.setitem(sys.modules, "tvmfuse.measure.peak", peak)
        monkeypatch.setattr("tvmfuse.measure.peak", peak, raising=False)
        monkeypatch.setattr(Executable, "timed", lambda *_: fake.variant("watched", begin, seen)())
        monkeypatch.setattr(Executable, "bound", lambda *_: fake.variant("alone", alone_ms))
        others |= {"threads": 1, "rounds": 2, "duration_s": None}
        return profile(library, clock=fake.clock, **others)

    return run


def test_what_is_measured_on_a_known_clock(on_a_clock: Any) -> None:
    found = on_a_clock(5.0, 2.0, 1.0, 0.5)
    assert [line.microseconds for line in found.launches] == [2000, 1000, 500]
    assert found.between_microseconds == pytest.approx(1500)
    assert found.microseconds == pytest.approx(5000)
    assert (found.run_milliseconds, found.typical_microseconds) == (
        pytest.approx(5),
        pytest.approx(4200),
    )
    one: Any = pytest.approx(1.0)
    assert found.peaks == Peaks(one, (Copy(1 << 14, one),))
    # One row: a product has 512 operations, and 1152 bytes; a softmax 80 and 128.
    first, soft, _ = found.launches
    assert (first.flop, first.nbytes, soft.flop, soft.nbytes) == (512, 1152, 80, 128)
    assert (first.roofline_bound, soft.roofline_bound) == ("memory", "memory")
    assert first.roofline_microseconds == pytest.approx(1.152)
    assert first.roofline_share == pytest.approx(1.152 / 2000)
    assert [event.begin_microseconds for event in found.typical_run] == pytest.approx(
        [100, 2300, 3500]
    )


def test_the_slower_of_multiply_adds_and_copy_is_the_roof(on_a_clock: Any) -> None:
    """Three rows: a product has 1536 operations and 1408 bytes, a softmax 240 and 384."""
    first, soft, _ = on_a_clock(5.0, 2.0, 1.0, 0.5, dims={"batch": 3}).launches
    assert (first.roofline_bound, first.roofline_microseconds) == ("compute", pytest.approx(1.536))
    assert (soft.roofline_bound, soft.roofline_microseconds) == ("memory", pytest.approx(0.384))


def test_kernels_that_take_longer_watched_leave_nothing_between(on_a_clock: Any) -> None:
    found = on_a_clock(1.0, 2.0, 1.0, 0.5)
    assert (found.between_microseconds, found.microseconds) == (0, 3500)


def test_a_file_without_work_has_times_alone(found: Profile, model: Any, tmp_path: Path) -> None:
    """As an older tvmfuse wrote it."""
    artifact = tvmfuse.compile(model)
    kernels = tuple(replace(kernel, work=None) for kernel in artifact.manifest.kernels)
    old = replace(artifact, manifest=replace(artifact.manifest, kernels=kernels))
    old.save(tmp_path / "old.so")
    bare = profile(tmp_path / "old.so", **FAST)
    assert all(line.microseconds > 0 for line in bare.launches)
    assert {
        (line.flop, line.gflops, line.gbytes_per_s, line.roofline_share) for line in bare.launches
    } == {(None,) * 4}
    assert any("their work was not counted" in note for note in bare.notes)
    assert not any("their work was not counted" in note for note in found.notes)
    assert bare.table().row_count == 4


BARE = """
import json
sys.modules["tvm.base"] = sys.modules["tvmfuse.api"] = None  # no compiler
from tvmfuse.measure.profile import profile
found = profile(sys.argv[1], rounds=2, duration_s=None, warm_up_s=0.01, threads=1)
assert "libtvm_compiler" not in open("/proc/self/maps").read()
print(json.dumps(found.to_json()))
"""


def test_a_file_is_profiled_where_no_compiler_is(library: Any) -> None:
    record = json.loads(succeeds(python(BARE, library)))
    assert record["peaks"] is None
    assert "TVM's compiler is not there" in record["notes"][0]
    assert all(line["gflops"] > 0 and line["roofline_bound"] is None for line in record["launches"])


def test_ctrl_c_keeps_what_was_measured(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    watched = Executable.timed

    def interrupted(self: Any, feeds: Any) -> Any:
        runs.append(1)
        if len(runs) == 40:
            raise KeyboardInterrupt
        return watched(self, feeds)

    monkeypatch.setattr(Executable, "timed", interrupted)
    found = profile(library, threads=1, warm_up_s=0, duration_s=1000)
    assert found.interrupted
    assert 1 <= found.runs < 40
    assert len(found.launches) == 3
    runs[:] = [1] * 39
    at_once = profile(library, threads=1, warm_up_s=0, duration_s=1000)
    assert (at_once.runs, at_once.launches, at_once.peaks) == (0, (), None)
    assert at_once.table().row_count == 2
    assert len(at_once.to_trace()["traceEvents"]) == 2
    json.dumps(at_once.to_json())


# What is refused.


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"level": "basic"}, ConfigurationError, "is compiled already.* another level"),
        ({"disabled_pass": ["FuseOps"]}, ConfigurationError, "another disabled_pass"),
        ({"target": "avx2"}, ConfigurationError, "another target"),
        ({"dims": {"bach": 2}}, ConfigurationError, "did you mean batch"),
        ({"shapes": {"y": (1, 16)}}, ConfigurationError, r"expected an input of x: float32\[batch, 16\], found 'y'"),
        ({"shapes": {"x": (1, 17)}}, ConfigurationError, "expected the size 16.*found 17"),
        ({"inputs": {"x": np.ones((3, 17), "float32")}}, InputError, "is 17 instead of 16"),
    ],
    ids=str,
)  # fmt: skip
def test_a_compiled_file_stays_as_it_is(library: Any, asked: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        profile(library, **FAST, **asked)


def test_a_gpu_s_kernels_are_not_timed_and_it_says_so(
    model: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "expected a target of kind llvm, found cuda: .*neither their times"
    with pytest.raises(ConfigurationError, match=words):
        profile(model, target="cuda")
    real = Executable.__init__

    def of_a_gpu(self: Any, manifest: Any, *rest: Any, **others: Any) -> None:
        real(self, replace(manifest, target='{"kind": "cuda"}'), *rest, **others)

    monkeypatch.setattr(Executable, "__init__", of_a_gpu)
    with pytest.raises(ConfigurationError, match=words):
        profile(library)


@pytest.mark.parametrize("which", ["made", "found"])
def test_the_trace_is_one_event_for_each_launch_inside_the_run(which: str, found: Profile) -> None:
    subject = made(line(node="a"), line("b", 20.0)) if which == "made" else found
    record = json.loads(json.dumps(subject.to_trace()))
    events = record["traceEvents"]
    names = {e["name"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    assert names == {"process_name": f"tvmfuse: {subject.model}", "thread_name": "kernels"}
    run, *launches = (e for e in events if e["ph"] == "X")
    assert run["name"] == "run"
    assert [e["name"] for e in launches] == [each.kernel for each in subject.launches]
    assert [e["args"]["nodes"] for e in launches] == [list(each.nodes) for each in subject.launches]
    assert all(e["args"]["schedule"] for e in launches)
    assert {(e["pid"], e["tid"]) for e in events} == {(1, 1)}
    for before, after in pairwise(launches):
        assert before["ts"] + before["dur"] <= after["ts"]
    assert run["ts"] <= launches[0]["ts"]
    assert launches[-1]["ts"] + launches[-1]["dur"] <= run["ts"] + run["dur"]


def test_a_trace_counts_in_microseconds(found: Profile) -> None:
    _, _, run, *launches = found.to_trace()["traceEvents"]
    assert run["dur"] == found.typical_microseconds
    assert [e["dur"] for e in launches] == [event.microseconds for event in found.typical_run]
    events = found.to_trace()["traceEvents"]
    assert sum(e["dur"] for e in events[3:]) < run["dur"] < 60e6
