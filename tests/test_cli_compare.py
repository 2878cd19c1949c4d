"""`tvmfuse compare` with the real compiler and engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from graphs import onnx_model

from tvmfuse.cli import main

node = onnx.helper.make_node
RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("compare") / "net.onnx"
    nodes = [
        node("MatMul", ["x", "w"], ["p"], name="first"),
        node("Softmax", ["p"], ["s"], name="softmax"),
        node("MatMul", ["s", "v"], ["y"], name="second"),
    ]
    constants = {n: RNG.standard_normal((8, 8)).astype(np.float32) for n in "wv"}
    onnx.save(onnx_model(nodes, {"x": ("float32", ("n", 8))}, {"y": "float32"}, constants), path)
    return path


def compare(*arguments: Any) -> Any:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


@pytest.mark.parametrize("against", ["onnxruntime", "reference", "none"])
def test_it_agrees(model: Any, against: str) -> None:
    result = compare(model, "--against", against, "--dim", "n=3", "--threads", 1)
    assert result.exit_code == 0, result.output
    assert f"level all and {against} agree: the largest error is" in result.stdout
    assert "float32[3, 8]" in result.stdout
    assert max(len(line) for line in result.stdout.splitlines() if "│" in line) <= 100


def test_the_tolerance_decides_the_exit_code(model: Any) -> None:
    wide, none = (compare(model, "--tolerance", t, "--against", "reference") for t in ("1", "0"))
    assert (wide.exit_code, none.exit_code) == (0, 1), none.output
    assert "differ: output 'y'" in none.stdout
    assert "tolerance 0." in none.stdout
    assert none.stderr == ""


@pytest.mark.parametrize(
    ("option", "code", "words"),
    [
        (["--seed", "-1"], 2, "Invalid value for '--seed': -1 is not in the range x>=0."),
        (["--dim", f"n={10**17}"], 1, "elements; the limit is elements=2147483648"),
    ],
)
def test_numbers_that_are_too_small_or_too_large(
    model: Any, option: list[str], code: int, words: str
) -> None:
    result = compare(model, *option)
    assert result.exit_code == code, result.output
    assert words in result.stderr


def test_tensors_inside_as_json_and_html(model: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = compare(
        model,
        "--intermediates",
        "--level",
        "basic",
        "--json",
        "--html",
        page,
        "--disable",
        "FuseOps",
    )
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["model"] == str(model)
    assert record["level"] == "basic"
    assert [row["name"] for row in record["tensors"]] == ["p", "s"]
    assert record["tensors"][1]["op"] == "Softmax"
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert "softmax" in text


def test_inputs_come_from_files(model: Any, tmp_path: Path) -> None:
    x = np.full((5, 8), np.nan, np.float32)
    np.savez(tmp_path / "x.npz", x=x)
    np.save(tmp_path / "x.npy", x)
    for file in ("x.npz", "x.npy"):
        result = compare(model, "--inputs", tmp_path / file, "--json")
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["outputs"][0]["shape"] == [5, 8]


def test_the_seed_decides_the_inputs(model: Any) -> None:
    errors = [
        json.loads(compare(model, "--seed", s, "--dim", "n=64", "--json").stdout)["outputs"]
        for s in (1, 1, 2)
    ]
    assert errors[0] == errors[1] != errors[2]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--against", "torch"], "'torch' is not one of"),
        (["--tolerance", "-1"], "--tolerance"),
        (["--budget", "0"], "--budget"),
        (["--disable", "FuseOpps"], "did you mean FuseOps"),
        (["--html", "/nowhere/at/all.html"], "there is no folder"),
    ],
)
def test_what_makes_no_sense_is_refused(model: Any, options: list[str], words: str) -> None:
    result = compare(model, *options)
    assert result.exit_code == 2
    assert words in result.stderr


def test_an_interrupted_comparison_prints_what_there_is(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tvmfuse.runtime.executable.Executable.watch", interrupted)
    result = compare(model, "--intermediates")
    assert result.exit_code == 130
    assert "interrupted: these are the tensors that were compared until then." in result.stdout
    assert "agree" in result.stdout
