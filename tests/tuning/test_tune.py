"""Tuning: what is faster is found, confirmed and kept; what was timed is not timed again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser

import tvmfuse
from tvmfuse.errors import ConfigurationError, LeftOutWarning
from tvmfuse.measure.agreement import Difference
from tvmfuse.measure.machine import Machine
from tvmfuse.measure.statistics import Ratio
from tvmfuse.pipeline.plan_database import PlanDatabase, PlanRecord, TilesRecord
from tvmfuse.schedules.plan_json import from_json
from tvmfuse.tuning import records, tuner
from tvmfuse.tuning.race import Race
from tvmfuse.tuning.result import Tuning

#: Which plans are candidates is a matter of the machine.
TARGET = "avx2"


@pytest.fixture(scope="module")
def model() -> onnx.ModelProto:
    """A product of 24 x 96 by 96 x 64, and a softmax of its rows."""
    made = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> '
        "net (float[24,96] x) => (float[24,64] y) {c = MatMul(x, w) y = Softmax<axis=-1>(c)}"
    )
    weights = np.random.default_rng(0).standard_normal((96, 64)).astype("float32")
    made.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    return made


def tuned(model: onnx.ModelProto, folder: Path, **settings: Any) -> Tuning:
    defaults = {"trials": 6, "target": TARGET}
    return tvmfuse.tune(model, database=folder, threads=1, **{**defaults, **settings})


def plans_of(model: onnx.ModelProto, **settings: Any) -> list[dict[str, Any]]:
    artifact = tvmfuse.compile(model, **{"target": TARGET, **settings})
    return [dict(kernel.plan) for kernel in artifact.manifest.kernels]


def plan_records(found: Tuning, folder: Path) -> list[PlanRecord]:
    both = PlanDatabase(folder).records(found.target, tvmfuse.__version__)
    return [record for record in both if isinstance(record, PlanRecord)]


class Pretended:
    """Races that nobody runs: each plan is as fast as a function of it says.

    Attributes:
        whole: The planned model's time by the candidate's.
        raced: The plans of each heat.
    """

    def __init__(self, speed: Callable[[Any], float]) -> None:
        self.speed, self.whole, self.raced = speed, 1.5, list[list[Any]]()
        self.interrupted_at: int | None = None

    def race(self, _baseline: Any, candidate: Any, _feeds: Any, _part_of: Any = None) -> Any:
        plans = {kernel.key: from_json(kernel.plan) for kernel in candidate.manifest.kernels}
        self.raced.append([*plans.values()])
        return _Race(self, plans)


class _Race(Race):
    def __init__(self, pretended: Pretended, plans: dict[str, Any]) -> None:
        self._pretended, self._plans = pretended, plans
        self.interrupted = len(pretended.raced) == pretended.interrupted_at
        self.machines = [Machine(1)]

    def run(self, settings: Any, *, whole: bool = False) -> None:
        pass

    def speedup(self, part: Any) -> Ratio:
        return _certain(self._pretended.speed(self._plans[part]))

    @property
    def whole(self) -> Ratio:
        return _certain(self._pretended.whole)


def _certain(speedup: float) -> Ratio:
    return Ratio(speedup, speedup * 0.999, speedup * 1.001, 0.99, 16)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> Pretended:
    """Plans whose first nest unrolls its sum by 2 are twice as fast, and no others."""

    def speed(plan: Any) -> float:
        return 2.0 if getattr(plan.nests[0], "k_unroll", 0) == 2 else 0.5

    made = Pretended(speed)
    monkeypatch.setattr(tuner, "Race", made.race)
    return made


def test_real_races_leave_records_and_right_numbers(model: onnx.ModelProto, tmp_path: Path) -> None:
    found = tuned(model, tmp_path)
    assert found.trials == 6
    assert not found.interrupted
    assert sum(kernel.trials for kernel in found.kernels) == 6
    timed = plan_records(found, tmp_path)
    assert len([r for r in timed if not r.chosen]) == 6
    assert {r.kernel for r in timed} <= {kernel.key for kernel in found.kernels}
    feeds = {"x": np.random.default_rng(1).standard_normal((24, 96)).astype("float32")}
    expected = tvmfuse.compile(model, target=TARGET, database=False).load()(feeds)["y"]
    with_plans = tvmfuse.compile(model, target=TARGET, database=tmp_path).load()(feeds)["y"]
    np.testing.assert_allclose(with_plans, expected, rtol=1e-5)


def test_what_is_faster_is_kept_and_compiled(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = plans_of(model)
    found = tuned(model, tmp_path, trials=60)
    assert found.kept
    assert found.plans
    assert found.speedup == _certain(pretended.whole)
    assert all(plan["nests"][0]["k_unroll"] == 2 for plan in found.plans.values())
    with_plans = plans_of(model, database=tmp_path)
    assert with_plans != planned
    assert plans_of(model, plans=found.plans) == with_plans
    monkeypatch.setenv("TVMFUSE_DATABASE", str(tmp_path))
    assert plans_of(model) == with_plans
    assert plans_of(model, database=False) == planned


def test_a_disabled_step_counts_more_than_a_kept_plan(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended
) -> None:
    assert tuned(model, tmp_path, trials=60).kept
    off = {"disabled_step": "KUnrolling"}
    assert plans_of(model, database=tmp_path, **off) == plans_of(model, **off)


@pytest.mark.parametrize("whole", [0.99, 1.0005], ids=["slower", "not for certain faster"])
def test_nothing_is_kept_where_the_whole_model_is_not_faster(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended, whole: float
) -> None:
    pretended.whole = whole
    found = tuned(model, tmp_path, trials=60)
    assert not found.kept
    assert not found.plans
    assert "none was kept" in found.sentence
    assert plans_of(model, database=tmp_path) == plans_of(model)


def test_what_was_kept_is_given_up_where_it_is_no_longer_faster(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended
) -> None:
    assert tuned(model, tmp_path, trials=60).kept
    pretended.whole = 0.9
    assert not tuned(model, tmp_path, trials=1).kept
    assert plans_of(model, database=tmp_path) == plans_of(model)


def test_what_was_kept_stays_where_it_is_not_certain_any_more(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended
) -> None:
    assert tuned(model, tmp_path, trials=60).kept
    before = plans_of(model, database=tmp_path)
    pretended.whole = 1.0005
    assert not tuned(model, tmp_path, trials=1).kept
    assert plans_of(model, database=tmp_path) == before != plans_of(model)


def test_what_was_kept_on_another_cpu_stays(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "cpu_name", lambda: "another")
    assert tuned(model, tmp_path, trials=60).kept
    before = plans_of(model, database=tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(tuner, "Race", pretended.race)
    pretended.whole = 0.9
    assert tuned(model, tmp_path, trials=60).known == 0
    assert plans_of(model, database=tmp_path) == before


def test_a_plan_with_other_numbers_is_left_out(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = (Difference("y", 1.0, "the largest error is 1"),)
    monkeypatch.setattr(tuner, "differences", lambda *_, **__: wrong)
    with pytest.warns(LeftOutWarning, match="the outputs differ by more than rounding"):
        found = tuned(model, tmp_path, trials=None, budget_s=20)
    assert found.trials == 0
    assert not pretended.raced


@pytest.mark.parametrize(
    "settings", [{"dims": {"n": 3}}, {"dims": {"n": (1, 8)}}, {"precision": "f16"}], ids=str
)
def test_fixed_dimensions_and_precisions_are_tuned_too(
    tmp_path: Path, pretended: Pretended, settings: dict[str, Any]
) -> None:
    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> '
        "net (float[n,96] x) => (float[n,64] y) {y = MatMul(x, w)}"
    )
    model.graph.initializer.append(numpy_helper.from_array(np.ones((96, 64), "float32"), "w"))
    assert tuned(model, tmp_path, trials=1, **settings).trials == 1


def test_tuning_goes_on_where_it_stopped(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended
) -> None:
    first = tuned(model, tmp_path, trials=4)
    before = [plan for heat in pretended.raced for plan in heat]
    pretended.raced.clear()
    second = tuned(model, tmp_path, trials=4)
    assert (first.known, second.known) == (0, 4)
    planned = {from_json(plan) for plan in plans_of(model)}
    confirmed = {from_json(plan) for plan in second.plans.values()}
    again = {plan for heat in pretended.raced for plan in heat} & {*before}
    assert again <= planned | confirmed


def test_the_search_ends_where_nothing_is_left_to_try(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended
) -> None:
    assert tuned(model, tmp_path, trials=None, budget_s=600).finished


def test_ctrl_c_keeps_what_was_timed_before(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended
) -> None:
    pretended.interrupted_at = 2
    found = tuned(model, tmp_path, trials=60)
    assert found.interrupted
    assert not found.kept
    assert "interrupted" in found.sentence
    assert len(plan_records(found, tmp_path)) == found.trials
    assert tuned(model, tmp_path, trials=1).known == found.trials


def test_a_plan_of_another_checkout_that_does_not_fit_is_left_out(
    model: onnx.ModelProto, tmp_path: Path, pretended: Pretended
) -> None:
    assert tuned(model, tmp_path, trials=60).kept
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text().replace('"k_unroll": 2', '"k_unroll": 2000'))
    with pytest.warns(LeftOutWarning, match="k_unroll.* of the database"):
        found = plans_of(model, database=tmp_path, cache=False)
    assert found == plans_of(model)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"budget_s": 0}, "budget_s: expected seconds above 0, found 0"),
        ({"budget_s": float("inf")}, "budget_s: expected seconds above 0"),
        ({"trials": 0}, "trials: expected a number of plans above 0, found 0"),
        ({"target": "cuda"}, "expected a target of kind llvm"),
    ],
)
def test_what_cannot_be_done_is_said(
    model: onnx.ModelProto, tmp_path: Path, wrong: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigurationError, match=words):
        tuned(model, tmp_path, **wrong)


@pytest.fixture(scope="module")
def convolution() -> onnx.ModelProto:
    """A 3x3 convolution of 64 channels at 28 x 28, for which Winograd's tiles are reckoned."""
    made = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> '
        "net (float[1,64,28,28] x) => (float[1,64,28,28] y) {y = Conv<pads=[1,1,1,1]>(x, w)}"
    )
    made.graph.node[0].name = "conv"
    weights = np.random.default_rng(0).standard_normal((64, 64, 3, 3)).astype("float32") / 24
    made.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    return made


def tiles_of(model: onnx.ModelProto, **settings: Any) -> set[int]:
    """Return the sizes of tiles in a model's kernels."""
    nests = (nest for plan in plans_of(model, **settings) for nest in plan["nests"])
    return {nest["m"] for nest in nests if "m" in nest}


def test_a_convolution_is_timed_with_each_size_of_tiles(
    convolution: onnx.ModelProto, tmp_path: Path
) -> None:
    found = tuned(convolution, tmp_path, trials=2)
    both = PlanDatabase(tmp_path).records(found.target, tvmfuse.__version__)
    timed = [record for record in both if isinstance(record, TilesRecord)]
    (planned,) = tiles_of(convolution)
    assert {r.m for r in timed if not r.chosen} == {0, 2, 4} - {planned}
    assert {(r.layer.height, r.layer.channels) for r in timed} == {(28, 64)}


def test_tiles_that_are_faster_are_kept_and_compiled(
    convolution: onnx.ModelProto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pretended: with tiles of 2 x 2 outputs it takes half of the time."""
    (planned,) = tiles_of(convolution)
    assert planned == 4

    class TwoByTwo(Pretended):
        def race(self, _: Any, candidate: Any, *others: Any) -> Any:
            nests = (n for k in candidate.manifest.kernels for n in k.plan["nests"])
            fast = any(nest.get("m") == 2 for nest in nests)
            made = super().race(_, candidate, *others)
            made.speedup = lambda part: _certain(2.0 if fast else 0.5)
            return made

    made = TwoByTwo(lambda _: 1.0)
    monkeypatch.setattr(tuner, "Race", made.race)
    found = tuned(convolution, tmp_path, trials=2)
    assert [(one.planned, one.best) for one in found.convolutions] == [(4, 2)]
    assert found.convolutions[0].nodes == ("conv",)
    assert found.kept
    assert tiles_of(convolution, database=tmp_path) == {2}
    made.whole = 1.0005
    again = tuned(convolution, tmp_path, trials=1)
    assert (again.known, again.kept) == (2, False)
    assert tiles_of(convolution, database=tmp_path) == {2}
    made.whole = 0.9
    assert not tuned(convolution, tmp_path, trials=1).kept
    assert tiles_of(convolution, database=tmp_path) == {4}


def test_no_more_sizes_are_timed_than_trials_allow(tmp_path: Path) -> None:
    """Two convolutions of unlike sizes, and one trial."""
    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> '
        "net (float[1,32,28,28] x) => (float[1,64,28,28] y) "
        "{a = Conv<pads=[1,1,1,1]>(x, v) y = Conv<pads=[1,1,1,1]>(a, w)}"
    )
    rng = np.random.default_rng(0)
    for name, shape in {"v": (64, 32, 3, 3), "w": (64, 64, 3, 3)}.items():
        weights = rng.standard_normal(shape).astype("float32") / 24
        model.graph.initializer.append(numpy_helper.from_array(weights, name))
    found = tuned(model, tmp_path, trials=1)
    assert found.trials == 1
    assert not found.finished
