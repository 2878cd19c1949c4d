"""optimize: levels, lists of disabled passes, the report."""

from typing import Any, Never

import pytest
import tvm
from firing import CASES
from onnx import TensorProto, helper

from tvmfuse.demo import wee_net
from tvmfuse.errors import PassError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.levels import LEVELS
from tvmfuse.passes.basic.conv_bn_fusion import ConvBNFusion
from tvmfuse.passes.selection import Selection, disabled_pass_for
from tvmfuse.pipeline.instruments import Stop
from tvmfuse.pipeline.optimize import optimize


@pytest.fixture(scope="module")
def imported() -> Any:
    return import_model(wee_net())


@pytest.mark.parametrize("level", LEVELS)
def test_all_without_what_a_level_leaves_out_is_the_level(imported: Any, level: Any) -> None:
    as_level = optimize(imported.module, Selection.of(level))
    as_list = optimize(imported.module, Selection.of("all", disabled_pass_for(level)))
    tvm.ir.assert_structural_equal(as_level.operators, as_list.operators)
    tvm.ir.assert_structural_equal(as_level.kernels, as_list.kernels)


def test_none_is_one_kernel_for_each_operator(imported: Any) -> None:
    none = optimize(imported.module, Selection.of("none"))
    tvm.ir.assert_structural_equal(none.operators, imported.module)
    assert [len(nodes) for _, nodes in kernel_calls(none.kernels)] == [1] * imported.nodes
    assert none.report.fired() == {}
    assert {p.status for p in none.report.passes if p.tier != "none"} == {"above level"}


def test_all_is_one_kernel_that_knows_its_nodes(imported: Any) -> None:
    everything = optimize(imported.module, Selection.of("all"))
    (kernel,) = kernel_calls(everything.kernels)
    assert len(set(kernel[1])) == imported.nodes
    assert everything.report["ConvBNFusion"].fired == 1
    assert (
        everything.report["ConvBNFusion"].ops_before > everything.report["ConvBNFusion"].ops_after
    )


def test_a_disabled_fusion_stays_undone_by_fuse_ops(imported: Any) -> None:
    without = optimize(imported.module, Selection.of("all", ["ConvBNFusion"]))
    assert without.report["ConvBNFusion"].status == "disabled"
    assert len(kernel_calls(without.kernels)) == 2


def test_the_report_says_why_a_pass_declined() -> None:
    """A convolution that two nodes read keeps its batch norm."""
    value = helper.make_tensor_value_info
    ones = [helper.make_tensor(n, TensorProto.FLOAT, [2], [1, 1]) for n in "gbmv"]
    weight = helper.make_tensor("w", TensorProto.FLOAT, [2, 3, 1, 1], [1] * 6)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], name="conv_1"),
        helper.make_node("BatchNormalization", ["c", *"gbmv"], ["n"], name="norm_1"),
        helper.make_node("Add", ["c", "n"], ["y"], name="add_1"),
    ]
    graph = helper.make_graph(nodes, "shared", [value("x", TensorProto.FLOAT, [1, 3, 4, 4])],
                              [value("y", TensorProto.FLOAT, [1, 2, 4, 4])], [weight, *ones])  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    report = optimize(import_model(model).module, Selection.of("all")).report
    (decline,) = report["ConvBNFusion"].declined
    assert decline.reason == "the batch norm is the convolution's only reader"
    assert set(decline.nodes) == {"conv_1", "norm_1"}
    assert "conv" not in report.fired()


def test_a_pass_that_fails_is_named(imported: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any, match: Any, found: Any) -> Never:
        raise ZeroDivisionError("by design")

    monkeypatch.setattr(ConvBNFusion, "rewrite", fail)
    with pytest.raises(
        PassError, match=r"pass ConvBNFusion failed: ZeroDivisionError: by design; .*disabled_pass"
    ):
        optimize(imported.module, Selection.of("all"))
    assert (
        optimize(imported.module, Selection.of("all", ["ConvBNFusion"]))
        .report["ConvBNFusion"]
        .status
        == "disabled"
    )


def test_the_place_where_a_pass_fails_is_named(
    imported: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ConvBNFusion, "rewrite", lambda _self, _match, _found: 1 // 0)
    with pytest.raises(PassError, match=r"ZeroDivisionError: .*; at conv, norm; compile") as caught:
        optimize(imported.module, Selection.of("all"))
    assert caught.value.nodes == ("conv", "norm")


@pytest.mark.parametrize("level", ["basic", "all"])
def test_it_says_which_share_of_its_passes_has_run(imported: Any, level: str) -> None:
    """A tier runs again until nothing changes: what ran before adds nothing to the share."""
    steps: list[Any] = []
    found = optimize(imported.module, Selection.of(level), steps.append)
    ran = list(dict.fromkeys(steps))
    optional = [p for p in found.report.passes if p.tier != "none"]
    assert set(ran) == {p.name for p in optional if p.status == "ran"}
    assert len(steps) > len(ran)
    first = {step: step.share for step in reversed(steps)}
    assert [first[name] for name in ran] == [place / len(ran) for place in range(len(ran))]
    shares = [step.share for step in steps]
    assert shares == sorted(shares)


def test_without_passes_there_is_no_share(imported: Any) -> None:
    steps: list[str] = []
    optimize(imported.module, Selection.of("none"), steps.append)
    assert steps == []


def test_it_stops_after_any_rewrite(imported: Any) -> None:
    """What a shorter run fired is what the whole one fired first; nothing at all is level none."""
    whole = optimize(imported.module, Selection.of("all"))
    places = [
        Stop(place, count + 1)
        for place, turn in enumerate(whole.invocations)
        for count in range(len(turn.fired))
    ]
    fired = [nodes for turn in whole.invocations for nodes in turn.fired]
    for count, stop in enumerate(places, 1):
        turns = optimize(imported.module, Selection.of("all"), instruments=[stop]).invocations
        assert [nodes for turn in turns for nodes in turn.fired] == fired[:count]
    none = optimize(imported.module, Selection.of("all"), instruments=[Stop(-1, 0)])
    level = optimize(imported.module, Selection.of("none"))
    assert none.invocations == ()
    tvm.ir.assert_structural_equal(none.kernels, level.kernels)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_every_pass_stops_where_it_is_told_to(case: Any) -> None:
    """After each of its rewrites; what it fires until then is what it fires first without a stop."""
    module = import_model(case.model()).module
    selection = Selection.of("all", case.disabled, [case.rule] if case.enabled else [])
    whole = optimize(module, selection)
    fired = [nodes for turn in whole.invocations for nodes in turn.fired]
    assert whole.report[case.rule].fired
    done = 0
    for place, turn in enumerate(whole.invocations):
        for count in range(len(turn.fired)) if turn.name == case.rule else ():
            stopped = optimize(module, selection, instruments=[Stop(place, count)]).invocations
            assert [nodes for t in stopped for nodes in t.fired] == fired[: done + count]
        done += len(turn.fired)


def test_groups_that_are_no_kernels_launch_the_kernels_in_them(imported: Any) -> None:
    grouped = optimize(imported.module, Selection.of("all", only="FuseOps"))
    one = optimize(imported.module, Selection.of("all", only="FuseOps, FuseTIR"))
    assert (
        grouped.report.kernels == optimize(imported.module, Selection.of("none")).report.kernels > 1
    )
    assert one.report.kernels < grouped.report.kernels
    assert grouped.report.fired().keys() == {"FuseOps"}
    assert grouped.report["FuseTIR"].status == "above level"
