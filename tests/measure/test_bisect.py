"""bisect: of each pass in the catalogue, the wrong rewrite is found, with few compilations."""

from __future__ import annotations

import json
import math
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from firing import CASES, ONE, of
from graphs import graph, tensor
from planting import break_one, plant
from rich.console import Console
from tvm import relax

from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.measure import bisect
from tvmfuse.passes.selection import entries
from tvmfuse.target.resolve import resolve

ENTRIES = {entry.name: entry for _, entry in entries()}


def settings(case: Any) -> Any:
    return {"disabled_pass": case.disabled, "enabled_pass": [case.rule] if case.enabled else []}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
@pytest.mark.sampled(6)
def test_the_wrong_pass_and_its_place_are_named(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    done = plant(monkeypatch, ENTRIES[case.rule])
    found: Any = bisect(case.model(), against="none", **settings(case))
    assert (found.verdict, found.culprit and found.culprit.name) == ("pass", case.rule), found
    assert found.culprit.nodes == done[-1]
    assert found.culprit.error_before <= found.tolerance < found.culprit.error
    assert found.search <= math.ceil(math.log2(found.culprit.rewrites)) + 2


def dead_log(x: Any, emit: Any) -> Any:
    emit(with_nodes(relax.op.log(x), ["log"]))
    return with_nodes(relax.op.negative(x), ["neg"])


def shape_of_cast(x: Any, emit: Any) -> Any:
    cast = emit(with_nodes(relax.op.astype(x, "int32"), ["cast"]))
    emit(with_nodes(relax.op.shape_to_tensor(relax.op.shape_of(cast)), ["shape"]))
    return with_nodes(relax.op.negative(x), ["neg"])


@pytest.mark.parametrize(
    ("rule", "build", "off"),
    [
        ("DeadCodeElimination", dead_log, ()),
        ("PreShapeNodeElimination", shape_of_cast, ("ConstantFolding", "DeadCodeElimination")),
    ],
)
def test_what_the_importer_leaves_nothing_of_is_searched_too(
    rule: str, build: Any, off: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The importer leaves no dead code and no shape of a cast: the module is given instead."""
    done = plant(monkeypatch, ENTRIES[rule])
    model = of("", "y = Neg(x)").model()
    imported = replace(import_model(model), module=graph(build, tensor(3, 4)))
    monkeypatch.setattr(
        sys.modules["tvmfuse.measure.bisect"], "import_model", lambda *_, **__: imported
    )
    found: Any = bisect(model, disabled_pass=off)
    assert (found.verdict, found.culprit and found.culprit.name) == ("pass", rule), found
    assert found.culprit.nodes == done[-1]


def products(count: int) -> onnx.ModelProto:
    """Return a model with a place for `DivMulFusion` in each link of a chain."""
    links = [
        f"e{i} = Exp(x{i}) d{i} = Div(k, e{i}) x{i + 1} = Mul(d{i}, x{i})" for i in range(count)
    ]
    return of("", f"float[] x{count} => {' '.join(links)}", "float[3,4] x0", k=ONE).model()


def test_one_wrong_rewrite_among_many(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The second link is wrong in whatever the pass rewrites it with; the others stay right."""
    rule: Any = type(ENTRIES["DivMulFusion"])
    right = rule.rewrite

    def wrong(self: Any, match: Any, found: Any) -> Any:
        result = right(self, match, found)
        return result + relax.const(1.0) if "Mul_5" in match.nodes else result

    monkeypatch.setattr(rule, "rewrite", wrong)
    found: Any = bisect(products(5), folder=tmp_path / "wrong")
    assert (found.culprit.name, found.culprit.nodes) == ("DivMulFusion", ("Div_4", "Mul_5"))
    assert found.levels[-1].level == "basic"
    assert found.tensor.name == "x2"
    assert not found.reproducer.whole
    assert found.reproducer.nodes == 2
    assert found.search <= math.ceil(math.log2(found.culprit.rewrites)) + 2
    assert (
        f"DivMulFusion (basic) is wrong at Div_4, Mul_5, rewrite {found.culprit.place} of"
        in found.sentence
    )
    assert max(len(line) for line in rendered(found.table())) <= 100

    model, feeds = (
        onnx.load(tmp_path / "wrong" / "model.onnx"),
        dict(np.load(tmp_path / "wrong" / "inputs.npz")),
    )
    assert [node.name for node in model.graph.node] == ["Div_4", "Mul_5"]
    again: Any = bisect(model, inputs=feeds)
    assert (again.culprit.name, again.culprit.nodes) == (found.culprit.name, found.culprit.nodes)
    monkeypatch.undo()
    assert bisect(model, inputs=feeds).verdict == "agrees"


def test_a_pass_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        type(ENTRIES["DivMulFusion"]), "rewrite", lambda _self, _match, _found: 1 // 0
    )
    found: Any = bisect(products(2), folder=tmp_path / "wrong")
    assert (found.culprit.name, found.culprit.nodes) == ("DivMulFusion", ("Div_1", "Mul_2"))
    assert (
        found.sentence
        == "pass DivMulFusion (basic) fails at Div_1, Mul_2: ZeroDivisionError: integer division or modulo by zero"
    )
    assert found.reproducer.nodes == 2
    assert (found.search, found.reproducer.tried) == (0, 1)


@pytest.mark.parametrize(
    ("links", "nodes", "tried"),
    [
        (6, 15, 4),  # 4 edges around: all but `Exp_0`, `Div_1` and `Exp_3`, and so five places
        (5, 15, 4),  # where the five places are all of the model's
    ],
)
def test_a_part_grows_until_it_shows_it(
    links: int, nodes: int, tried: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only the fifth rewrite of a turn is wrong: a part with four places is right."""
    plant(monkeypatch, ENTRIES["DivMulFusion"], at=4)
    found: Any = bisect(products(links), folder=tmp_path / "wrong")
    assert found.culprit.nodes == ("Div_13", "Mul_14")
    shown = found.reproducer
    assert (shown.nodes, shown.whole, shown.tried) == (nodes, nodes == 3 * links, tried)
    assert found.compiles == len(found.levels) + found.search + tried
    assert found.search <= math.ceil(math.log2(found.culprit.rewrites)) + 2
    assert (
        f"; {tried} parts of the model had to be compiled to see what shows it" in found.notes[-1]
    )


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({}, []),
        ({"threads": 1}, ["--threads", "1"]),
        ({"target": "avx2", "threads": 2}, ["--target", "avx2", "--threads", "2"]),
        (
            {"target": "llvm -mcpu=haswell"},
            ["--target", '{"kind":"llvm","tag":"","keys":["cpu"],"mcpu":"haswell"}'],
        ),
    ],
)
def test_the_command_has_the_target_and_the_threads(
    given: Any, written: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A rewrite may be wrong for the one target only."""
    plant(monkeypatch, ENTRIES["DivMulFusion"])
    found: Any = bisect(products(1), folder=tmp_path / "wrong", **given)
    words = shlex.split(found.reproducer.command)
    assert words[words.index("--tolerance") + 2 :] == written
    if "target" in given:
        assert str(resolve(words[words.index("--target") + 1])) == str(resolve(given["target"]))


def test_agreement() -> None:
    found: Any = bisect(products(2))
    assert [outcome.level for outcome in found.levels] == ["none", "basic", "extended", "layout"]
    assert found.verdict == "agrees"
    assert found.sentence.startswith("every level agrees with onnxruntime: the largest error is ")
    assert found.culprit is found.tensor is found.reproducer is None
    assert found.search == 0
    assert "every level agrees" in str(found.to_html())
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["verdict"] == "agrees"
    infinite = replace(found, levels=(replace(found.levels[0], error=math.inf),))
    assert infinite.to_json()["levels"][0]["error"] is None


def test_the_level_limits_what_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, ENTRIES["FuseOps"])
    assert bisect(products(1), level="basic").verdict == "agrees"
    found: Any = bisect(products(1), level="extended")
    assert found.culprit.name == "FuseOps"


def test_what_is_within_the_tolerance_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, ENTRIES["FuseReluClip"])
    (clip,) = (case for case in CASES if case.rule == "FuseReluClip")
    assert bisect(clip.model(), tolerance=1e-4).verdict == "pass"
    assert bisect(clip.model(), tolerance=2.0).verdict == "agrees"


def test_what_level_none_computes_is_no_pass_s_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    api = sys.modules["tvmfuse.measure.bisect"]  # as an attribute, this name is the function
    monkeypatch.setattr(
        api, "by_onnxruntime", lambda _model, _feeds, **_: {"y": np.full((3, 4), 7, "float32")}
    )
    found: Any = bisect(of("", "y = Exp(x)").model())
    assert (found.verdict, found.culprit, found.compiles) == ("before passes", None, 1)
    assert "level none differs from onnxruntime already" in found.sentence


def test_a_change_that_no_pass_reports_is_not_blamed_on_a_rewrite(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It hides behind the last rewrite that is reported before it."""
    entry = type(ENTRIES["DeadCodeElimination"])
    monkeypatch.setattr(entry, "__call__", lambda _self, module, _trace: break_one(module, ()))
    found: Any = bisect(products(2))
    assert (found.verdict, found.culprit) == ("unexplained", None)
    assert "no single rewrite makes the difference" in found.sentence


def test_nan_at_the_same_places_agrees_and_elsewhere_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, x = of("", "a = Exp(x) b = Identity(a) y = Sqrt(b)").model(), np.ones((3, 4), "float32")
    x[0, 0] = np.nan
    assert bisect(model, inputs={"x": x}).verdict == "agrees"
    plant(monkeypatch, ENTRIES["EliminateIdentity"])
    found: Any = bisect(model, inputs={"x": x})
    assert found.culprit.name == "EliminateIdentity"
    monkeypatch.undo()
    entry = type(ENTRIES["EliminateIdentity"])
    monkeypatch.setattr(
        entry, "rewrite", lambda _self, match, _found: relax.op.log(relax.op.negative(match.root))
    )
    swallowed = bisect(
        of("", "a = Exp(x) y = Identity(a)").model(), inputs={"x": np.ones((3, 4), "float32")}
    )
    assert swallowed.verdict == "pass"


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"x": np.ones((3, 5), "float32")}, "dimension 1 is 5 instead of 4"),
        ({"z": np.ones((3, 4), "float32")}, "no input 'z'"),
        ({}, "'x'"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        bisect(of("", "y = Exp(x)").model(), inputs=inputs)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"against": "torch"}, "against: expected onnxruntime or none, found 'torch'"),
        ({"tolerance": -1.0}, "tolerance: expected 0 or more, found -1.0"),
        ({"tolerance": float("nan")}, "tolerance: expected 0 or more"),
        ({"disabled_pass": "FuseOp5"}, "no pass is called"),
    ],
)
def test_settings_that_ask_for_what_does_not_exist(setting: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        bisect(of("", "y = Exp(x)").model(), **setting)


def test_every_step_of_the_search_has_a_share(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The levels are one phase; the search, of which it is known how long it can be, another."""
    plant(monkeypatch, ENTRIES["DivMulFusion"], at=4)
    steps: list[Any] = []
    found: Any = bisect(products(6), folder=tmp_path / "wrong", progress=steps.append)
    assert steps[:2] == ["import", "running onnxruntime"]
    levels = {step: step.share for step in steps if step.startswith("level")}
    assert levels == {"level none": 0, "level basic": 1 / 4}
    rest = steps[2 + len(levels) :]
    heads = list(dict.fromkeys(step.partition(" ")[0] for step in rest))
    assert heads == ["rewrites", "verify:", "compare", "reduce:"]
    shares = [step.share for step in rest]
    assert shares == sorted(set(shares))
    assert shares[0] == 0
    budget = math.ceil(math.log2(found.culprit.rewrites)) + 4
    assert shares[1] == 1 / budget
    assert 1 - 1 / budget <= shares[-1] < 1
    assert sum(step.startswith("reduce: ") for step in rest) == found.reproducer.tried


def test_ctrl_c_keeps_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, ENTRIES["DivMulFusion"], at=2)

    steps = []

    def press(step: str) -> None:
        steps.append(step)
        if sum(s.startswith("rewrites") for s in steps) == 2:
            raise KeyboardInterrupt

    found: Any = bisect(products(6), progress=press)
    assert found.interrupted
    assert [outcome.level for outcome in found.levels] == ["none", "basic"]
    assert found.culprit is None
    first, last = found.between
    assert first <= 3 <= last
    assert found.sentence.endswith(f"the wrong rewrite is one of {first} to {last}")


def rendered(table: Any) -> list[str]:
    console = Console(width=100)
    with console.capture() as captured:
        console.print(table)
    return captured.get().splitlines()
