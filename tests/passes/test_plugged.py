"""Passes from outside: where they run, what every verb says of them, and which are refused."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import TensorProto, helper
from tvm import IRModule, relax
from tvm.ir import Expr
from tvm.relax.dpl import is_op, wildcard

import tvmfuse
import tvmfuse.passes
from tvmfuse import measure
from tvmfuse.cli import main
from tvmfuse.errors import ConfigurationError, LeftOutWarning, UnknownPassError
from tvmfuse.measure.variants import VariantSettings
from tvmfuse.passes import KERNELS, Conditions, GraphPass, Match, Pattern, RewriteRule, plugged
from tvmfuse.passes.selection import Selection

PACKAGE = Path(__file__).parents[1] / "my_plugin"
SPELLED = "my_plugin.double_negation:DoubleNegation"
X = np.linspace(-1, 1, 32, dtype=np.float32).reshape(4, 8)


def negated() -> onnx.ModelProto:
    """Two negations between a Relu and a Softmax."""
    nodes = [
        helper.make_node("Relu", ["x"], ["r"], "relu"),
        helper.make_node("Neg", ["r"], ["a"], "first"),
        helper.make_node("Neg", ["a"], ["b"], "second"),
        helper.make_node("Softmax", ["b"], ["y"], "softmax"),
    ]
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [4, 8]) for n in "xy")
    graph = helper.make_graph(nodes, "negated", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


class HalfOfRelu(RewriteRule[None]):
    """Give half of each Relu: wrong, so that something has to be found."""

    name = "HalfOfRelu"

    def pattern(self) -> Pattern:
        x = wildcard()
        return Pattern(is_op("relax.nn.relu")(x), x=x)

    def requires(self, match: Match) -> Conditions[None]:
        yield not match.returns_root(), "the graph returns it"

    def rewrite(self, match: Match, found: None) -> Expr:
        doubled = relax.op.multiply(match["x"], relax.const(0.5, "float32"))
        return relax.op.maximum(doubled, relax.const(0.0, "float32"))


class Raises(GraphPass):
    """Fail."""

    name = "Raises"

    def __call__(self, module: IRModule, trace: Any = None) -> IRModule:
        raise ValueError("no such thing")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let modules of the package be found, and forget what a test brings along."""
    monkeypatch.syspath_prepend(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "half_written.py").write_text("class Rule(\n")
    yield
    plugged.forget()


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "negated.onnx"
    onnx.save(negated(), path)
    return str(path)


def names(selection: Selection) -> list[str]:
    return [entry.name for tier, entry in selection.entries() if selection.runs(tier, entry)]


# Where they run.


@pytest.mark.parametrize("given", ["by name", "as a class", "as an instance"])
def test_a_pass_runs_where_it_is_given(given: str) -> None:
    kind = importlib.import_module("my_plugin.double_negation").DoubleNegation
    forms = {"by name": SPELLED, "as a class": kind, "as an instance": kind()}
    artifact = tvmfuse.compile(negated(), "avx2", passes=[forms[given]])
    (fired,) = [p for p in artifact.report.passes if p.fired]
    assert (fired.name, fired.tier, fired.rewrites) == (
        "DoubleNegation", "basic", (("first", "second"),),
    )  # fmt: skip
    assert "DoubleNegation" in artifact.manifest.passes_ran
    result = artifact.load(num_threads=1)({"x": X})["y"]
    assert np.array_equal(result, tvmfuse.compile(negated(), "avx2").load()({"x": X})["y"])


def test_it_does_not_run_where_it_is_not_given() -> None:
    tvmfuse.explain(negated(), enabled_pass=HalfOfRelu)
    report = tvmfuse.explain(negated())
    assert "HalfOfRelu" not in [p.name for p in report.passes]


def test_from_then_on_its_name_means_it() -> None:
    with pytest.raises(UnknownPassError, match="no pass is called 'Double Negation'"):
        Selection.of("all", disabled="Double Negation")
    Selection.of("all", enabled=SPELLED)
    selection = Selection.of("all", disabled="Double Negation")
    assert selection.disabled == {"DoubleNegation"}
    assert "DoubleNegation" not in names(selection)
    assert "DoubleNegation" in names(Selection.of("all", only="double_negation"))


def test_its_place_is_what_it_says() -> None:
    in_order = names(Selection.of("all", enabled=[SPELLED, HalfOfRelu]))
    place = in_order.index("DoubleNegation")
    assert in_order[place - 1] == "NoopElimination"
    assert in_order[in_order.index("HalfOfRelu") + 1] == "QDQSelectorActionTransformer"


# What the verbs say.


def test_a_pass_that_fails_is_left_out_and_named() -> None:
    with pytest.warns(LeftOutWarning, match="Raises.*no such thing"):
        artifact = tvmfuse.compile(negated(), "avx2", passes=Raises)
    assert artifact.manifest.passes_disabled == ("Raises",)


def test_a_wrong_pass_is_found_by_bisect() -> None:
    found = measure.bisect(negated(), enabled_pass=HalfOfRelu, target="avx2", against="none")
    assert found.culprit is not None
    assert (found.culprit.name, found.culprit.nodes) == ("HalfOfRelu", ("relu",))


def test_a_wrong_pass_is_left_out_by_verify() -> None:
    with pytest.warns(UserWarning, match="HalfOfRelu"):
        artifact = tvmfuse.compile(negated(), "avx2", passes=HalfOfRelu, verify=True)
    assert "HalfOfRelu" not in artifact.manifest.passes_ran


def test_ablate_times_it() -> None:
    found = measure.ablate(negated(), enabled_pass=[SPELLED], target="avx2", duration_s=0.1)
    assert "DoubleNegation" in [effect.name for effect in found.effects]
    assert not found.problem


def test_a_variant_has_it_at_the_levels_that_bring_it_in() -> None:
    variant = VariantSettings(enable=(SPELLED,))
    assert variant.at("basic").title == f"level basic with {SPELLED}"
    assert variant.at("none").enable == ()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["explain"], "DoubleNegation"),
        (["diff", "--around", SPELLED], "DoubleNegation"),
        (["compile", "-o", "m.so", "--target", "avx2"], "m.so"),
    ],
)
def test_the_command_line_takes_it(
    model: str, arguments: list[str], words: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    verb, *others = arguments
    done = CliRunner().invoke(main, [verb, model, "--pass", SPELLED, *others])
    assert done.exit_code == 0, done.output
    assert words in done.output


def test_the_command_line_finds_modules_where_it_runs(
    model: str, tmp_path: Path, monkeypatch: Any
) -> None:
    source = (PACKAGE / "my_plugin" / "double_negation.py").read_text()
    (tmp_path / "rules_of_mine.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    done = CliRunner().invoke(main, ["explain", model, "--pass", "rules_of_mine:DoubleNegation"])
    assert "DoubleNegation" in done.output


# What is refused.


def variant_of(**attributes: Any) -> type[GraphPass]:
    return type("Mine", (HalfOfRelu,), {"name": "Mine", **attributes})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("nowhere:Rule", "cannot import the pass 'nowhere:Rule'"),
        ("half_written:Rule", "cannot import the pass .*SyntaxError.*half_written.py"),
        (f"{SPELLED}s", "has no attribute 'DoubleNegations'"),
        (int, "expected a pass of yours, .* found <class 'int'>"),
        (RewriteRule, "expected a pass of yours"),
        (3, "expected names of passes, found 3"),
        (variant_of(name=""), "expected a name"),
        (variant_of(name="Conv BN Fusion"), "as ConvBNFusion of .* does: expected another name"),
        (variant_of(aliases=("NhwcTransformer",)), "as NhwcTransformer of ONNX Runtime does"),
        (variant_of(required=True), "expected a pass that can be switched off"),
        (variant_of(phase="first"), "expected one of the phases basic, extended, .* found 'first'"),
        (variant_of(phase="lower"), "expected one of the phases"),
        (variant_of(before="ConvBNFusion"), "no pass of the phase extended is called"),
        (variant_of(phase="kernels"), "works on operators, and the phase kernels on kernels"),
        (variant_of(works_on=KERNELS), "works on kernels, and the phase extended on operators"),
        (
            variant_of(__init__=lambda self, factor: None),
            "cannot be made without arguments .* give an instance",
        ),
    ],
)
def test_what_is_no_pass_is_refused(given: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        tvmfuse.compile(negated(), passes=[given])
    assert plugged.all_own() == ()


def test_two_classes_of_one_name_are_refused_and_one_that_was_edited_is_taken() -> None:
    Selection.of("all", enabled=HalfOfRelu)
    with pytest.raises(ConfigurationError, match="calls itself 'HalfOfRelu', as HalfOfRelu of"):
        Selection.of("all", enabled=variant_of(name="HalfOfRelu"))
    again = type("HalfOfRelu", (HalfOfRelu,), {"__module__": HalfOfRelu.__module__})
    (own,) = Selection.of("all", enabled=again).own
    assert type(own) is again


def test_a_level_that_leaves_it_out_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="cannot enable HalfOfRelu: level basic leaves"):
        Selection.of("basic", enabled=HalfOfRelu)


# What others rely on.


def test_the_public_names() -> None:
    assert tvmfuse.passes.__all__ == [
        "ANY", "CPU", "KERNELS", "OPERATORS", "Conditions", "GraphPass", "Match", "Pattern",
        "Phase", "Plugin", "RewriteRule", "Trace",
    ]  # fmt: skip


def test_the_source_of_a_pass_is_part_of_what_is_kept(tmp_path: Path, monkeypatch: Any) -> None:
    source = (PACKAGE / "my_plugin" / "double_negation.py").read_text()
    monkeypatch.syspath_prepend(tmp_path)
    found = list[Any]()
    for number, text in enumerate((source, source + "# edited\n")):
        (tmp_path / f"edited{number}.py").write_text(text)
        own = Selection.of("all", enabled=f"edited{number}:DoubleNegation").own
        found.append(plugged.sources(own))
        plugged.forget()
    (*_, before), (*_, after) = found[0][0], found[1][0]
    assert before != after
    again = importlib.import_module("edited1")
    (tmp_path / "edited1.py").write_text(source + "# edited once more, and imported again\n")
    importlib.reload(again)
    assert plugged.sources(Selection.of("all", enabled="edited1:DoubleNegation").own) != found[1]
    typed_in: dict[str, Any] = {"__name__": "typed_in"}
    exec(source, typed_in)  # a class without a file
    assert plugged.sources([typed_in["DoubleNegation"]()]) is None
