"""Graphs of real models, before and after: the demo, and one that passes shorten in many ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from rich.console import Console

import tvmfuse
from tvmfuse.demo import wee_net
from tvmfuse.errors import ConfigurationError
from tvmfuse.measure import diff


def changes(found: Any, stage: str = "operators") -> Any:
    compared = found.stages[stage]
    return [
        (compared.before.names(c.before), compared.after.names(c.after), c.nodes, c.passes)
        for c in compared.changes
    ]


def layers(count: Any) -> Any:
    """Several times: a cast to the same type, a product, a sum."""
    rng = np.random.default_rng(0)
    constants = {f"w{i}": rng.standard_normal((8, 8)).astype(np.float32) for i in range(count)}
    constants |= {f"b{i}": rng.standard_normal(8).astype(np.float32) for i in range(count)}
    nodes = []
    for i in range(count):
        nodes += [
            helper.make_node("Cast", [f"y{i}"], [f"c{i}"], name=f"/layer.{i}/cast", to=1),
            helper.make_node("MatMul", [f"c{i}", f"w{i}"], [f"m{i}"], name=f"/layer.{i}/matmul"),
            helper.make_node(
                "Add", [f"m{i}", f"b{i}"], [f"y{i + 1}"], name=f"/layer.{i}/[bold]add"
            ),
        ]
    return onnx_model(nodes, {"y0": ("float32", ("n", 8))}, {f"y{count}": "float32"}, constants)


def test_the_demo_becomes_one_convolution_and_one_kernel() -> None:
    found = diff(wee_net())
    [operators] = changes(found)
    assert operators[:3] == ("conv, batch_norm", "conv", ("conv", "norm"))
    assert "ConvBNFusion" in operators[3]
    assert changes(found, "kernels") == [
        ("conv, relu", "fused_conv_relu", ("conv", "norm", "relu"), ("FuseOps", "FuseTIR"))
    ]
    operators, kernels = found.stages.values()
    assert len(kernels.after.operators) == kernels.after.kernels == found.report.kernels == 1
    assert (operators.start, operators.end) == ("level none", "level all")
    assert (kernels.start, kernels.end) == (
        "as lowered, before FuseOps",
        "after CanonicalizeSymbolicSizes",
    )
    page = found.to_html()
    for words in (
        "operators, level none",
        "operators, level all",
        "kernels, after CanonicalizeSymbolicSizes",
    ):
        assert f"<figcaption>{words}</figcaption>" in page


def test_kernels_are_counted_as_explain_counts_them() -> None:
    """A reshape that nothing is fused with is a view: it is shown, and launches nothing."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"], name="m"),
        helper.make_node("Reshape", ["m", "shape"], ["y"], name="r"),
    ]
    constants = {"w": np.ones((8, 8), np.float32), "shape": np.array([4, 4])}
    model = onnx_model(nodes, {"x": ("float32", (2, 8))}, {"y": "float32"}, constants)
    found = diff(model)
    after = found.stages["kernels"].after
    assert after.kernels == tvmfuse.explain(model).kernels == found.report.kernels == 1
    assert (len(after.operators), after.counted) == (2, "1 (and 1 that launch nothing)")
    assert "1 (and 1 that launch nothing) after" in found.sentences[1]


def test_around_a_pass_that_changes_all_at_once_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="a pass that reports its rewrites, found Lower"):
        diff(wee_net(), around="Lower")


def test_around_a_pass_that_had_nothing_to_do_nothing_changed() -> None:
    assert diff(wee_net(), around="KeepDisabledApart").stages == {}


def test_counts_are_those_of_the_report() -> None:
    found = diff(layers(3))
    graph = found.stages["operators"]
    assert len(graph.before.operators) == found.report.ops_before == 9
    assert len(graph.after.operators) == found.report.ops_after


def test_every_operator_is_unchanged_or_in_one_change() -> None:
    for compared in diff(layers(3)).stages.values():
        before = [b for b, _ in compared.kept] + [b for c in compared.changes for b in c.before]
        after = [a for _, a in compared.kept] + [a for c in compared.changes for a in c.after]
        assert sorted(before) == list(range(len(compared.before.operators)))
        assert sorted(after) == list(range(len(compared.after.operators)))


def test_equal_layers_are_one_kind() -> None:
    kinds = diff(layers(4), to_level="basic").stages["operators"].kinds()
    words = {(len(kind), kind[0].passes) for kind in kinds}
    assert words == {(4, ("CastElimination",)), (4, ("MatMulAddFusion",))}


def test_the_first_level_takes_its_changes_with_it() -> None:
    found = diff(layers(2), from_level="basic", to_level="extended")
    assert changes(found) == []
    assert "CastElimination" in found.report.fired()


def test_around_one_pass_only_its_own_changes_are_seen() -> None:
    found = diff(layers(2), around="MatMul Add Fusion")
    assert [c[0] for c in changes(found)] == ["matmul, add"] * 2
    assert {c[3] for c in changes(found)} == {("MatMulAddFusion",)}
    assert [p.name for p in found.report.passes] == ["MatMulAddFusion"]


def test_around_a_pass_on_kernels() -> None:
    found = diff(wee_net(), around="FuseOps")
    assert changes(found, "kernels")[0][3] == ("FuseOps",)


def test_around_a_pass_that_has_nothing_to_do() -> None:
    found = diff(wee_net(), around="CastElimination")
    assert found.stages == {}
    assert found.sentences == (
        "nothing changed from just before CastElimination to just after CastElimination",
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"from_level": "all"}, "expected the first level below the last, found all and all"),
        ({"from_level": "extended", "to_level": 1}, "found extended and 1"),
        ({"around": "GeluApproximation"}, "found GeluApproximation, which is opt-in"),
        ({"around": "FuseOps", "to_level": "basic"}, "which is above level"),
        ({"around": "FuseOps", "disabled_pass": "FuseOps"}, "which is disabled"),
        ({"around": "NhwcTransformer"}, "found NhwcTransformer, which is not there"),
        ({"around": "ConvBNFusoin"}, "did you mean ConvBNFusion"),
        ({"from_level": "non"}, "no level is called 'non'"),
    ],
)
def test_what_cannot_be_compared_is_refused(options: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        diff(wee_net(), **options)


def test_an_optimized_graph_has_no_before(tmp_path: Path) -> None:
    tvmfuse.compile(wee_net(), save_optimized=tmp_path / "wee.graph", cache=False)
    with pytest.raises(ConfigurationError, match="optimized already"):
        diff(tmp_path / "wee.graph")


def test_the_table_fits_and_names_in_brackets_are_no_markup() -> None:
    console = Console(width=100, color_system=None)
    with console.capture() as captured:
        console.print(diff(layers(12), to_level="basic").table())
    text = captured.get()
    assert max(map(len, text.splitlines())) <= 100
    assert "[bold]add" in text
    assert text.count("MatMulAddFusion") == 1  # twelve layers in one row
    assert " 12 │" in text


def test_as_json_it_keeps_graphs_changes_and_report() -> None:
    record = json.loads(json.dumps(diff(layers(2)).to_json()))
    stage = record["stages"]["operators"]
    assert stage["before"]["operators"][1]["nodes"] == ["/layer.0/matmul"]
    assert stage["before"]["operators"][1]["reads"] == [0]
    assert stage["changes"][0]["passes"] == ["CastElimination"]
    assert record["report"]["level"] == "all"


def test_the_page_draws_each_kind_once_and_names_all_nodes() -> None:
    page = diff(layers(12), to_level="basic").to_html()
    assert page.count("12 matches: matmul, add") == 2 + 1  # heading, and the label of each picture
    assert all(f"/layer.{i}/" in page for i in range(12))
    assert "[bold]add" in page
    assert page.count("<svg") == 1 + 2 + 2  # what goes, what becomes another, the whole graph
    whole = page[page.index("The whole graph of operators") :]
    assert whole.count('<g class="removed">') == 36
