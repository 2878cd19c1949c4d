"""Real exports, every level, each pass switched off: the numbers are onnxruntime's.

The reduced sizes run in the suite; the published ones with `python -m pytest -m zoo`, of which
tests/zoo.md says more.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import tvm_ffi
from reference import assert_agrees, reference
from zoo import EXPORTS, executable, page

import tvmfuse
from bench.light_models import LIGHT, light_inputs, light_model
from bench.models import MODELS, inputs
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.levels import LEVELS
from tvmfuse.passes.selection import Selection, entries
from tvmfuse.pipeline.optimize import optimize

SELECTIONS = {
    **{level: Selection.of(level) for level in LEVELS},
    **{f"all without {p.name}": Selection.of("all", [p.name]) for _, p in entries()},
}
LEVELS_ALONE = {level: SELECTIONS[level] for level in ("none", "all")}

#: Their exports that keep batch norms have something to do for every pass that the others have.
NORMS_LEFT = ("mobilenetv2", "resnet18")

#: Of each kind of network another's passes are switched off one by one in the suite.
LONG = (("resnet50", "classic"), ("bert", "classic"), ("vit", "classic"))


@dataclass(frozen=True)
class Result:
    """What came of one selection: kernels launched, largest error, whether it was compiled."""

    kernels: int
    error: float
    fired: dict[str, int]
    compiled: bool


def telling(model: Any) -> dict[str, Selection]:
    """Return the levels, and those passes switched off that have something to do in a model.

    Without one that never fires the module is the same: only the full sizes try that.
    """
    report = optimize(import_model(model).module, Selection.of("all")).report
    idle = {f"all without {p.name}" for p in report.passes if not p.fired}
    return {name: selection for name, selection in SELECTIONS.items() if name not in idle}


def check(model: Any, feeds: Any, selections: Any) -> dict[str, Result]:
    """Compile for each selection and compare the numbers.

    Selections that give the same module give the same numbers: it is compiled once.
    """
    imported, expected = import_model(model), reference(model, feeds)
    seen: dict[int, Result] = {}
    results = {}
    for name, selection in selections.items():
        optimized = optimize(imported.module, selection)
        key = tvm_ffi.structural_hash(optimized.kernels)
        if key in seen:
            results[name] = replace(seen[key], compiled=False)
            continue
        error = assert_agrees(executable(imported, optimized)(feeds), expected)
        kernels = len(kernel_calls(optimized.kernels))
        results[name] = seen[key] = Result(kernels, error, optimized.report.fired(), compiled=True)
    return results


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "exporter"),
    [
        pytest.param(*export, marks=[pytest.mark.long] if export in LONG else [])
        for export in EXPORTS
    ],
)
def test_every_level_and_each_pass_disabled(exported: Any, name: Any, exporter: Any) -> None:
    """Passes are switched off one by one in one export of a model; of the full sizes, in all."""
    model = exported(name, exporter)
    one_by_one = exporter == "classic" and name not in NORMS_LEFT
    levels = {level: SELECTIONS[level] for level in LEVELS}
    results = check(model, inputs(name), telling(model) if one_by_one else levels)
    assert results["all"].kernels <= results["basic"].kernels <= results["none"].kernels


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NORMS_LEFT)
def test_batch_norms_that_the_exporter_left_fold_into_convolutions(
    exported: Any, name: str
) -> None:
    """Torch's exporters fold them where they may; here they may not.

    The same passes then fire as often as where they did, so that here each one's absence is tried.
    """
    model = exported(name, folded=False)
    results = check(model, inputs(name), telling(model))
    folded = check(exported(name), inputs(name), LEVELS_ALONE)
    fired = dict(results["all"].fired)
    assert fired.pop("ConvBNFusion") > 5
    assert fired == folded["all"].fired
    assert results["all"].kernels == folded["all"].kernels
    assert results["all without ConvBNFusion"].kernels > results["all"].kernels


@pytest.mark.parametrize("exporter", ["classic", "dynamo"])
def test_what_is_not_finite_comes_out_where_onnxruntime_has_it(
    exported: Any, exporter: str
) -> None:
    """One pixel reaches a part of the first feature maps and, through the mean, every logit."""
    model, feeds = exported("resnet18", exporter), inputs("resnet18")
    networks = [tvmfuse.compile(model, level=level).load() for level in LEVELS_ALONE]
    for value in (np.nan, np.inf, -np.inf):
        feeds["pixel_values"][0, 1, 30, 7] = value
        expected = reference(model, feeds)
        for network in networks:
            assert_agrees(network(feeds), expected)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "exporter"), [("resnet18", "classic"), ("resnet18", "dynamo"),
                                                ("bert", "classic"), ("bert", "dynamo")])  # fmt: skip
def test_one_artifact_serves_every_batch(exported: Any, name: str, exporter: str) -> None:
    model = exported(name, exporter, dynamic=True)
    imported = import_model(model)
    run = executable(imported, optimize(imported.module, Selection.of("all")))
    sizes = [(1, None), (7, None)] if MODELS[name].takes == "image" else [(1, 16), (7, 9), (2, 1)]
    for batch, extent in sizes:
        feeds = MODELS[name].inputs("reduced", batch=batch, extent=extent)
        assert_agrees(run(feeds), reference(model, feeds))


@pytest.mark.parametrize("name", ["squeezenet", "shufflenet"])
@pytest.mark.sampled(3)
def test_light_models(name: str) -> None:
    model = light_model(name)
    check(model, light_inputs(model), LEVELS_ALONE)


@pytest.mark.parametrize(
    ("name", "nodes", "most"), [("resnet18", 65, 25), ("mobilenetv2", 555, 60)]
)
def test_full_sizes_end_as_few_kernels(exported: Any, name: str, nodes: int, most: int) -> None:
    """Counted, not compiled. Equal initial weights come in as Identity nodes."""
    model = exported(name, "classic", "full", weights="initial")
    kinds = [node.op_type for node in onnx.load(model).graph.node]
    assert len(kinds) - kinds.count("Constant") == nodes
    imported = import_model(model)
    optimized = optimize(imported.module, Selection.of("extended"))
    assert len(kernel_calls(optimized.kernels)) <= most


def test_the_page_about_the_full_sizes_is_not_stale() -> None:
    assert Path(__file__).with_name("zoo.md").read_text() == page()


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Any:
    """Return a function that keeps one row of figures in pytest's cache, d/zoo."""
    folder = request.config.cache.mkdir("zoo")
    return lambda label, row: (folder / f"{label}.md").write_text(row + "\n")


def row(label: Any, model: Any, results: Any) -> str:
    counts = " | ".join(str(results[level].kernels) for level in ("none", "basic", "all"))
    modules = sum(r.compiled for r in results.values())
    worst = max(r.error for r in results.values())
    return f"| {label} | {import_model(model).nodes} | {counts} | {modules} | {worst:.1e} |"


@pytest.mark.zoo
@pytest.mark.parametrize(("name", "exporter"), EXPORTS)
def test_full_sizes(exported: Any, figures: Any, name: Any, exporter: Any) -> None:
    model = exported(name, exporter, "full")
    results = check(model, inputs(name, "full"), SELECTIONS)
    label = f"{name}, {exporter}"
    figures(label, row(label, model, results))


@pytest.mark.zoo
@pytest.mark.parametrize("name", LIGHT)
def test_full_light_models(figures: Any, name: Any) -> None:
    model = light_model(name)
    results = check(model, light_inputs(model), SELECTIONS)
    figures(f"light {name}", row(f"light {name}", model, results))
