"""`tvmfuse tune` on a small model: its table, its JSON, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from click.testing import CliRunner
from onnx import parser

from tvmfuse.cli import main


def run(verb: str, *words: Any) -> Any:
    return CliRunner().invoke(main, [verb, *map(str, words)])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    graph = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> '
        "net (float[24,96] x, float[96,64] w) => (float[24,64] y) {y = MatMul(x, w)}"
    )
    graph.graph.node[0].name = "the_product"
    path = tmp_path_factory.mktemp("cli") / "net.onnx"
    onnx.save(graph, path)
    return path


def test_a_table_names_the_kernels_and_where_the_records_are(model: Path, tmp_path: Path) -> None:
    done = run("tune", model, "--trials", 2, "--threads", 1, "--database", tmp_path / "tuned")
    assert done.exit_code == 0, done.output
    for words in ("as planned", "2 plans of 1 kernels were timed", "tuned"):
        assert words in done.stdout
    table = [line for line in done.stdout.splitlines() if line[:1] in "┏┃┡│└"]
    assert all(len(line) <= 100 for line in table)  # below it are folders, as long as they are
    saved = run("compile", model, "-o", tmp_path / "m.so", "--database", tmp_path / "tuned")
    assert saved.exit_code == 0, saved.output


def test_json_has_every_figure(model: Path, tmp_path: Path) -> None:
    done = run("tune", model, "--trials", 1, "--threads", 1, "--database", tmp_path, "--json")
    record = json.loads(done.stdout)
    assert (record["trials"], record["threads"]) == (1, 1)
    (kernel,) = record["kernels"]
    assert kernel["nodes"] == ["the_product"]
    assert kernel["planned"]


def test_the_environment_s_folder_need_not_be_there_yet(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TVMFUSE_DATABASE", str(tmp_path / "later"))
    assert run("compile", model, "-o", tmp_path / "m.so").exit_code == 0
    assert run("tune", model, "--trials", 1, "--threads", 1).exit_code == 0
    assert (tmp_path / "later").is_dir()
    done = run("compile", model, "-o", tmp_path / "m.so", "--database", tmp_path / "missing")
    assert done.exit_code == 2
    assert "expected a folder, and there is none" in done.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--budget", "5 minutes"], "expected a time above 0, as in 90s, 5m or 1h"),
        (["--budget", "0"], "expected a time above 0"),
        (["--trials", "0"], "0 is not in the range x>=1"),
        (["--target", "cuda"], "expected a target of kind llvm"),
    ],
)
def test_what_cannot_be_done_is_said(
    model: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    done = run("tune", model, "--database", tmp_path, *words)
    assert done.exit_code == 2
    assert said in done.output
