"""An installed package that adds passes and operators; what is wrong with it is left out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "my_plugin"

RULE = ["my_plugin.double_negation", "DoubleNegation"]

FILES = ["__init__.py", "double_negation.py", "scaled.py"]

PROGRAM = """
import warnings
warnings.simplefilter("error")
from pathlib import Path
import onnx, tvmfuse
from onnx import TensorProto, helper
x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [4, 8]) for n in "xy")
nodes = [helper.make_node(op, [a], [b]) for op, a, b in (
    ("Relu", "x", "r"), ("Neg", "r", "a"), ("Neg", "a", "b"), ("Softmax", "b", "y"))]
model = helper.make_model(helper.make_graph(nodes, "g", [x], [y]), ir_version=9,
                          opset_imports=[helper.make_opsetid("", 17)])
for given in ({}, {"disabled_pass": "DoubleNegation"},
              {"enabled_pass": "my_plugin.double_negation:DoubleNegation"}):
    report = tvmfuse.explain(model, "basic", **given)
    print([(p.name, p.status, p.fired) for p in report.passes if p.name == "DoubleNegation"])
from tvmfuse.pipeline.kept import plugged
print([source[:2] for source in plugged.sources(())])
from tvmfuse.starting.key import plugins
print([(name, [Path(file).name for file, *_ in files]) for name, files in plugins()])
"""

OPERATOR = """
import numpy as np, onnx, tvmfuse
from onnx import TensorProto, helper
domains = [helper.make_opsetid("", 17), helper.make_opsetid("my.domain", 1)]
for dtype in (TensorProto.FLOAT, TensorProto.INT64):
    x = helper.make_tensor_value_info("x", dtype, ["n", 2])
    y = helper.make_tensor_value_info("y", dtype, None)
    nodes = [helper.make_node("Abs", ["x"], ["a"]),
             helper.make_node("Scaled", ["a"], ["y"], "mine", domain="my.domain", factor=2.5)]
    model = helper.make_model(helper.make_graph(nodes, "g", [x], [y]), ir_version=9,
                              opset_imports=domains)
    try:
        run = tvmfuse.compile(model, "avx2").load(num_threads=1)
        print(run({"x": np.array([[1, -2]], "float32")})["y"].tolist())
    except tvmfuse.errors.UnsupportedModelError as error:
        print(str(error).splitlines()[1])
"""


def installed(folder: Path, points: str) -> dict[str, str]:
    """Leave in a folder what an installation leaves; return an environment that has it."""
    info = folder / "my_plugin-1.2.3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugin\nVersion: 1.2.3\n")
    (info / "entry_points.txt").write_text(f"[tvmfuse.plugins]\n{points}\n")
    places = [str(folder), str(PACKAGE), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))}


def ran(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_its_passes_run_by_default_and_can_be_switched_off(tmp_path: Path) -> None:
    done = ran(installed(tmp_path, "mine = my_plugin:PLUGIN"), "-c", PROGRAM)
    assert done.stdout.splitlines() == [
        "[('DoubleNegation', 'ran', 1)]",
        "[('DoubleNegation', 'disabled', 0)]",
        "[('DoubleNegation', 'ran', 1)]",
        f"[{RULE}, ['my_plugin.scaled', 'scaled'], ['my-plugin', '1.2.3']]",
        f"[('my_plugin-1.2.3.dist-info', {FILES})]",
    ], done.stderr


def test_its_operators_are_compiled(tmp_path: Path) -> None:
    done = ran(installed(tmp_path, "mine = my_plugin:PLUGIN"), "-c", OPERATOR)
    assert done.stdout.splitlines() == [
        "[[2.5, 5.0]]",
        "  my.domain::Scaled (opset 1, node 'mine'): its operand is no tensor of float32",
    ], done.stderr


def test_they_are_listed(tmp_path: Path) -> None:
    environment = installed(tmp_path, "mine = my_plugin:PLUGIN")
    done = ran(environment, "-m", "tvmfuse", "passes")
    assert "DoubleNegation" in done.stdout


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (
            "mine = nowhere:PLUGIN",
            "what my-plugin adds to tvmfuse is left out: ModuleNotFoundError",
        ),
        ("mine = my_plugin:int", "what my-plugin adds to tvmfuse is left out: AttributeError"),
        ("mine = my_plugin:__path__", "expected a pass of yours"),
        ("mine = my_plugin:PLUGIN\nmore = my_plugin:PLUGIN", "calls itself 'DoubleNegation'"),
    ],
)
def test_what_is_wrong_is_left_out_with_a_warning(tmp_path: Path, points: str, words: str) -> None:
    done = ran(installed(tmp_path, points), "-m", "tvmfuse", "passes")
    assert done.returncode == 0
    assert "ConvBNFusion" in done.stdout
    assert words in done.stderr
