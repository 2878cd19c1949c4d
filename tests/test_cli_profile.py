"""`tvmfuse profile` with the real compiler, on one small convolution."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import numpy_helper, parser

from tvmfuse.cli import main
from tvmfuse.runtime.executable import Executable


def run(*words: Any) -> Any:
    return CliRunner().invoke(
        main, ["profile", *map(str, words), "--threads", "1", "--duration", "0.01"]
    )


def stdout(*words: Any) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    graph = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> '
        "net (float[n,3,8,8] x) => (float[n,4,8,8] y) {c = Conv<pads=[1,1,1,1]>(x, w) y = Softmax<axis=-1>(c)}"
    )
    for node, name in zip(graph.graph.node, ("the_conv", "the_softmax"), strict=True):
        node.name = name
    graph.graph.initializer.append(numpy_helper.from_array(np.ones((4, 3, 3, 3), "float32"), "w"))
    path = tmp_path_factory.mktemp("cli") / "net.onnx"
    onnx.save(graph, path)
    return path


@pytest.fixture(scope="module")
def library(model: Any) -> Any:
    path = model.with_suffix(".so")
    result = CliRunner().invoke(main, ["compile", str(model), "-o", str(path)])
    assert result.exit_code == 0, result.output
    return path


def test_the_table_names_nodes_schedules_and_the_whole(model: Any) -> None:
    shown = stdout(model)
    assert max(len(row) for row in shown.splitlines() if row[0] in "┏┃┡│└") <= 100
    for words in (
        "the_conv",
        "the_softmax",
        "conv",
        "between kernels",
        "the whole run",
        "100.0%",
        "GFLOP/s (float32)",
    ):
        assert words in shown


def test_json_says_the_same_for_a_model_and_its_library(model: Any, library: Any) -> None:
    of_model = json.loads(stdout(model, "--dim", "n=2", "--json"))
    of_library = json.loads(stdout(library, "--dim", "n=2", "--json"))
    for record in (of_model, of_library):
        shares = sum(each["share"] for each in record["launches"]) + record["between_share"]
        assert shares == pytest.approx(1)
        assert record["launches"][0]["flop"] == 2 * 2 * 4 * 64 * 27
    assert of_library["sizes"] == {"n": 2}


def test_the_trace_and_the_page_are_files(library: Any, tmp_path: Path) -> None:
    stdout(library, "--trace", tmp_path / "t.json", "--html", tmp_path / "p.html")
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert [e["args"]["nodes"] for e in events if e.get("cat") == "kernel"] == [
        ["the_conv"],
        ["the_softmax"],
    ]
    page = (tmp_path / "p.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "the_softmax" in page.replace("<wbr>", "")


def test_each_and_top(library: Any) -> None:
    assert "1 more" in stdout(library, "--top", "1")
    assert "1 more" in stdout(library, "--each", "--top", "1")


def test_inputs_from_files(library: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((3, 3, 8, 8), "float32"))
    record = json.loads(stdout(library, "--inputs", tmp_path / "x.npy", "--json"))
    assert record["sizes"] == {"n": 3}


def test_ctrl_c_prints_what_there_is(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    watched = Executable.timed

    def interrupted(self: Any, feeds: Any) -> Any:
        runs.append(1)
        if len(runs) == 3:
            raise KeyboardInterrupt
        return watched(self, feeds)

    monkeypatch.setattr(Executable, "timed", interrupted)
    result = run(library)
    assert result.exit_code == 130
    assert "interrupted: this is what was measured until then." in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--level", "basic"), 2, "is compiled already"),
        (("--disable", "FuseOps"), 2, "is compiled already"),
        (("--dim", "m=2"), 2, "no input has a dimension called 'm'"),
        (("--inputs", "none.npy"), 1, "cannot read none.npy"),
        (("--top", "0"), 2, "Invalid value for '--top'"),
        (("--trace", "no/folder/t.json"), 2, "there is no folder"),
    ],
)
def test_what_cannot_be_is_said(library: Any, words: tuple[str, ...], code: int, said: str) -> None:
    result = run(library, *words)
    assert result.exit_code == code, result.output
    assert said in result.stderr


def test_more_cores_than_there_are_can_be_simulated(model: Any) -> None:
    shown = stdout(model, "--simulate", "4,16")
    for words in ("N = 4", "N = 16", "the_conv", "all kernels"):
        assert words in shown
    record = json.loads(stdout(model, "--simulate", "4", "--json"))
    assert record["on_threads"]["threads"] == [4]


@pytest.mark.parametrize("value", ["", "0", "4,", "four", "4;16"])
def test_threads_to_simulate_are_numbers(model: Any, value: str) -> None:
    done = run(model, "--simulate", value)
    assert done.exit_code == 2
    assert "expected numbers of threads as in 4,16,64" in done.output
