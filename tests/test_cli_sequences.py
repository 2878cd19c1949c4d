"""The command line on models that take sequences, and tensors that may be absent."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser
from pretended import tvmfuse_cli

SUMS = """<ir_version: 8, opset_import: ["": 18]>
    g (seq(float[n, 3]) s, optional(float[2]) o, float[3] x) => (float[] y) {
        joined = ConcatFromSequence<axis=0>(s)
        there = OptionalHasElement(o)
        more = Cast<to=1>(there)
        sum = Add(joined, x)
        y = Add(sum, more)
    }"""
SHAPES = ("--shape", "s:2,3/_,3", "--shape", "o:none")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "sums.onnx"
    onnx.save(parser.parse_model(SUMS), path)
    return path


def test_run_takes_the_elements_of_a_sequence(model: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    feeds: dict[str, Any] = {
        "s[0]": rng.standard_normal((2, 3)).astype("float32"),
        "s[1]": rng.standard_normal((5, 3)).astype("float32"),
        "x": rng.standard_normal(3).astype("float32"),
    }
    given, out = tmp_path / "in.npz", tmp_path / "out.npz"
    np.savez(given, **feeds)
    result = tvmfuse_cli("run", model, *SHAPES, "--inputs", given, "-o", out)
    assert result.exit_code == 0, result.output
    expected = np.concatenate([feeds["s[0]"], feeds["s[1]"]]) + feeds["x"]
    np.testing.assert_array_equal(np.load(out)["y"], expected)


@pytest.mark.parametrize(
    "verb",
    [
        ("run",),
        ("profile", "--duration", "0.1"),
        ("ab", "--disable", "FuseOps", "--duration", "0.1"),
    ],
)
def test_verbs_make_random_elements(verb: Any, model: Path) -> None:
    result = tvmfuse_cli(verb[0], model, *verb[1:], *SHAPES, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)


def test_what_a_sequence_holds_has_to_be_said(model: Path) -> None:
    said = tvmfuse_cli("run", model)
    assert said.exit_code == 1
    assert "(--shape NAME:2,3/_,3)" in said.output
    said = tvmfuse_cli("run", model, "--shape", "s:2,3/,x")
    assert said.exit_code == 2
    assert "elements as in s:2,3/_,3, or s:empty" in said.output.replace("\n", " ")
