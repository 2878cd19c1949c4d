"""`python -m bench.networks`: what the networks are, and what is kept of a run."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner

from bench import in_turn
from bench.engines import Engine
from bench.networks import NETWORKS, Network, __main__ as command
from tvmfuse.measure.clock import Clock

#: Millions of parameters, as published; of some with fewer layers or a smaller table of tokens.
PARAMETERS = {
    "resnext50-32x4d": 25.03, "efficientnet-b0": 5.29, "regnet-y-4gf": 20.65, "mobilenetv1": 4.23,
    "convnext-tiny": 28.59, "mobilevit-small": 5.58, "swin-tiny": 28.29, "deit-small": 22.05,
    "segformer-b0": 3.75, "detr-resnet50": 41.50, "wav2vec2-base": 94.37,
}  # fmt: skip


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_networks_have_their_published_sizes(name: str) -> None:
    import torch

    with torch.device("meta"):
        module = NETWORKS[name].build()
    assert sum(p.numel() for p in module.parameters()) / 1e6 == pytest.approx(
        PARAMETERS[name], abs=0.01
    )


def test_there_is_one_of_each_kind_and_its_inputs_are_the_same_each_time() -> None:
    assert len(NETWORKS) >= 20
    for network in NETWORKS.values():
        once, again = network.feeds(2), network.feeds(2)
        assert all(array.shape[0] == 2 for array in once.values())
        for name in once:
            np.testing.assert_array_equal(once[name], again[name])


def test_a_file_is_exported_once_with_statistics_that_show(tmp_path: Path) -> None:
    file = _small().file(2, tmp_path)
    assert file == _small().file(2, tmp_path)
    model = onnx.load(file)
    assert [i.name for i in model.graph.input] == ["pixel_values"]
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_value == 2
    assert [o.name for o in model.graph.output] == ["logits"]
    assert [*tmp_path.iterdir()] == [file]


def _small() -> Network:
    from functools import partial

    from bench.networks.modules import UNet
    from bench.networks.network import image

    return Network("small", partial(UNet, width=4), partial(image, 16), ("logits",))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run the command with three networks and engines that take the milliseconds they say."""
    ns = [0]
    asked: list[str] = []

    def engine(label: str, milliseconds: float) -> Engine:
        def build(job: Any) -> Any:
            asked.append(job.file.name)
            if job.file.name == "refused" and label == "b":
                raise ValueError("what is this\nat line 3")

            def once(_: Any) -> Any:
                ns[0] += int(milliseconds * 1e6)
                if state.interrupted in asked:
                    raise KeyboardInterrupt
                return {"y": np.ones(3, np.float32)}

            return once

        return Engine(label, "numpy", build)

    state = SimpleNamespace(interrupted="", asked=asked, record=tmp_path / "record.json")
    engines = {"a": engine("a", 2), "b": engine("b", 3), "c": engine("c", 2.5)}
    monkeypatch.setattr(in_turn, "thread_clock", lambda: Clock(lambda: ns[0], 1))
    networks = {n: _pretended(n) for n in ("first", "refused", "last")}
    for module in (command, in_turn):
        monkeypatch.setattr(module, "ENGINES", engines)
    monkeypatch.setattr("bench.networks.record.ENGINES", engines)
    monkeypatch.setattr(command, "NETWORKS", networks)
    monkeypatch.setattr(command, "_there", list)
    choice = next(p for p in command.main.params if p.name == "engines")
    monkeypatch.setattr(choice, "callback", lambda _, __, value: value.split(","))
    state.run = lambda *words: CliRunner().invoke(
        command.main,
        ["--engines", "a,b,c", "--duration", "0.01", "--record", str(state.record), *words],
    )
    return state


def _pretended(name: str) -> Any:
    return SimpleNamespace(
        name=name, file=lambda *_: Path(name), feeds=lambda *_: {}, outputs=("y",), module=None
    )


def test_what_an_engine_refuses_is_said_and_the_rest_goes_on(run: Any) -> None:
    result = run.run("--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [*found["results"]] == ["first", "last"]
    assert found["failures"] == {"refused": "what is this at line 3"}
    assert found["means"] == pytest.approx({"b": 1.5, "c": 1.25, "better": 1.25})
    assert "refused: what is this" in result.stderr


def test_a_record_is_taken_up_where_it_was_left(run: Any) -> None:
    run.interrupted = "last"
    assert run.run().exit_code == 130
    assert [*json.loads(run.record.read_text())["results"]] == ["first"]
    run.interrupted = ""
    run.asked.clear()
    result = run.run("--markdown")
    assert result.exit_code == 0, result.output
    assert "first" not in run.asked
    head, _, first, _, mean = result.stdout.splitlines()
    assert head == "| network | a, ms | b | c | better one |"
    assert first == "| first | 2 | 1.500 (1.500 to 1.500) | 1.250 (1.250 to 1.250) | 1.250 |"
    assert mean == "| geometric mean |  | 1.500 | 1.250 | 1.250 |"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--threads", "2"), "was measured under other conditions: threads"),
        (("--batch", "8"), "was measured under other conditions: batch"),
        (("fist",), "no network is called 'fist'; did you mean first"),
    ],
)
def test_figures_of_other_conditions_are_not_mixed(
    run: Any, words: tuple[str, ...], said: str
) -> None:
    assert run.run("first").exit_code == 0
    result = run.run(*words)
    assert result.exit_code != 0
    assert said in result.stderr


def test_a_file_that_is_no_record_is_refused_and_stays(run: Any) -> None:
    run.record.write_text("[1]")
    result = run.run()
    assert result.exit_code == 1
    assert "is not what this command wrote" in result.stderr
    assert run.record.read_text() == "[1]"


def test_the_table_shows_the_mean_and_fits_the_terminal(run: Any) -> None:
    text = run.run("first").stdout
    assert "geometric mean" in text
    assert max(map(len, text.splitlines())) <= 100
