"""Steps and plans on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tvmfuse
from tvmfuse.cli import main
from tvmfuse.demo import wee_net
from tvmfuse.measure.variants import VariantSettings, read_variant
from tvmfuse.schedules.steps import NAMES


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("model") / "wee.onnx"
    path.write_bytes(wee_net().SerializeToString())
    return path


def run(*arguments: Any, code: int = 0) -> Any:
    result = CliRunner().invoke(main, [str(a) for a in arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_passes_lists_the_steps() -> None:
    listed = json.loads(run("passes", "--steps", "--json"))
    assert [row["name"] for row in listed] == list(NAMES)
    assert "Without:" in run("passes", "--steps")
    assert run("passes", "--steps", "--markdown").startswith("# Steps of schedules")


def test_plans_go_from_explain_to_compile_and_into_the_file(model: Any, tmp_path: Path) -> None:
    plans = json.loads(run("explain", model, "--plans", "--json"))
    ((name, plan),) = plans.items()
    plan["nests"][-1] |= {"mr": 1}
    file, out = tmp_path / "plans.json", tmp_path / "wee.so"
    file.write_text(json.dumps(plans))
    run("compile", model, "-o", out, "--plans", file, "--disable-step", "prefetch")
    manifest = tvmfuse.inspect(out)
    assert manifest.kernels[0].plan["nests"][-1]["mr"] == 1
    assert manifest.steps_disabled == ("Prefetch",)
    shown = json.loads(run("inspect", out, "--json"))
    assert shown["kernels"][0]["plan"]["schedule"] == "conv"
    assert "Prefetch" in run("inspect", out)
    assert name in run("explain", model, "--plans")


def test_explain_names_the_steps_that_are_off(model: Any) -> None:
    assert "disabled steps: KBlocking" in run("explain", model, "--disable-step", "k blocking")
    found = json.loads(run("explain", model, "--disable-step", "KUnrolling", "--plans", "--json"))
    assert all("KUnrolling" not in plan["steps"] for plan in found.values())


@pytest.mark.parametrize("verb", ["compile", "explain", "profile", "run", "ab"])
def test_an_unknown_step_is_refused(model: Any, tmp_path: Path, verb: str) -> None:
    output = ["-o", tmp_path / "m.so"] if verb == "compile" else []
    result = CliRunner().invoke(
        main, [verb, str(model), "--disable-step", "KBlokking", *map(str, output)]
    )
    assert result.exit_code
    assert "no step is called 'KBlokking'; did you mean KBlocking" in result.output


@pytest.mark.parametrize(
    ("text", "words"), [("{", "is no JSON"), ("[]", "expected an object of plans")]
)
def test_what_are_no_plans_is_refused(model: Any, tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "plans.json"
    file.write_text(text)
    assert words in run("compile", model, "-o", tmp_path / "m.so", "--plans", file, code=2)


def test_an_arm_may_do_without_steps() -> None:
    variant = read_variant("disable_step=Prefetch+KBlocking,disable=FuseOps")
    assert variant.title == "level all without FuseOps, Prefetch, KBlocking"
    assert VariantSettings(disable_step=("Winograd",)).selection.disabled == {"WinogradConv"}


def test_an_arm_s_steps_exist() -> None:
    with pytest.raises(tvmfuse.TvmfuseError, match="no step is called 'KBlokking'"):
        VariantSettings(disable_step=("KBlokking",))
