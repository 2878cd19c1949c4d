"""Compiling without steps of kernels, and with plans of the caller's."""

import json
from typing import Any

import pytest

import tvmfuse
from tvmfuse.demo import wee_net
from tvmfuse.errors import ConfigurationError
from tvmfuse.manifest import Manifest
from tvmfuse.schedules.plan_json import from_json


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture
def compiled(folder: Any) -> Any:
    return lambda **options: tvmfuse.compile(wee_net(), "avx2", cache=folder, **options)


@pytest.fixture
def kernel(compiled: Any) -> Any:
    (kernel,) = compiled().manifest.kernels
    return kernel


def test_the_manifest_has_each_kernel_s_plan(compiled: Any) -> None:
    manifest = compiled().manifest
    (kernel,) = manifest.kernels
    plan = from_json(kernel.plan)
    assert plan.schedule == kernel.schedule == "conv"
    assert "RegisterTiling" in plan.steps
    again = Manifest.from_json(json.loads(json.dumps(manifest.to_json())))
    assert from_json(again.kernels[0].plan) == plan
    assert len(again.kernels[0].key) == 16


def test_a_manifest_from_before_there_were_plans_is_read(compiled: Any) -> None:
    fields = json.loads(json.dumps(compiled().manifest.to_json()))
    del fields["steps_disabled"], fields["kernels"][0]["plan"], fields["kernels"][0]["key"]
    manifest = Manifest.from_json(fields)
    assert (manifest.steps_disabled, manifest.kernels[0].plan) == ((), {})


def test_steps_that_are_off_are_named(compiled: Any) -> None:
    artifact = compiled(disabled_step="k unrolling; PanelCopy")
    assert artifact.manifest.steps_disabled == ("KUnrolling", "PanelCopy")
    assert artifact.report.steps_disabled == ("KUnrolling", "PanelCopy")
    assert "disabled steps: KUnrolling, PanelCopy" in str(artifact.report)
    assert "KUnrolling" not in artifact.manifest.kernels[0].plan["steps"]


@pytest.mark.parametrize("cache", [True, False], ids=["kept", "not kept"])
def test_without_a_step_that_no_kernel_takes_the_code_is_the_same(folder: Any, cache: bool) -> None:
    def launches(*steps: Any) -> Any:
        options: dict[str, Any] = {"cache": folder if cache else False, "disabled_step": steps}
        return tvmfuse.compile(wee_net(), "avx2", **options).launches

    assert launches("PanelCopy", "KBlocking", "FusedPadding") == launches()
    assert launches("Threads") != launches()


def test_a_step_of_a_pass_disables_the_pass(compiled: Any) -> None:
    artifact = compiled(disabled_step="ConstantPanels", disabled_pass="WinogradConv")
    assert artifact.manifest.passes_disabled == ("PrepackWeights", "WinogradConv")
    assert artifact.manifest.steps_disabled == ()


def test_a_plan_is_followed_by_name_and_by_key(compiled: Any, kernel: Any) -> None:
    plan = json.loads(json.dumps(kernel.plan))
    plan["nests"][-1] |= {"mr": 2, "k_unroll": 1}
    launches = set()
    for name in (kernel.symbol, kernel.key):
        artifact = compiled(plans={name: plan})
        assert artifact.manifest.kernels[0].plan["nests"][-1]["mr"] == 2
        assert "KUnrolling" not in artifact.manifest.kernels[0].plan["steps"]
        launches.add(artifact.launches)
    assert len(launches) == 1
    assert launches != {compiled().launches}


def test_what_does_not_fit_is_refused(compiled: Any, kernel: Any) -> None:
    with pytest.raises(ConfigurationError, match="no kernel is called 'conv'; "):
        compiled(plans={"conv": kernel.plan})
    with pytest.raises(ConfigurationError, match=f"plan for the kernel {kernel.symbol} .*nests"):
        compiled(plans={kernel.symbol: {**kernel.plan, "nests": []}})
    with pytest.raises(ConfigurationError, match="no step is called 'Prefetsch'; did you mean"):
        compiled(disabled_step="Prefetsch")
