"""Polygraphy finds the runner, feeds it, and compares it with others."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx.reference import ReferenceEvaluator
from polygraphy.datatype import DataType

from tvmfuse.errors import UnknownPassError
from tvmfuse.integrations.polygraphy import TvmfuseRunner, argument_groups

node = onnx.helper.make_node
X = np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32)

#: Runs lines of options one after the other, and code between them; says how each run ended.
POLYGRAPHY = """
import contextlib, io, json, sys
from polygraphy.tools import main
for line in json.loads(sys.argv[1]):
    if isinstance(line, str):
        exec(line)
        continue
    said, sys.argv = io.StringIO(), ["polygraphy", *line]
    said.name = sys.stdout.name  # it looks at that
    with contextlib.redirect_stdout(said):
        try:
            status = main()
        except SystemExit as end:
            status = end.code
    print(json.dumps([status, said.getvalue()]))
"""
WRONG = """
from tvm import relax
from tvmfuse.passes.basic.eliminate_identity import EliminateIdentity as Pass
Pass.rewrite = lambda self, match, found: relax.op.negative(match["x"])
"""


def net() -> Any:
    nodes = [
        node("MatMul", ["x", "w"], ["p"], name="product"),
        node("Identity", ["p"], ["i"], name="same"),
        node("Sigmoid", ["i"], ["y"], name="sigmoid"),
    ]
    weights = {"w": np.random.default_rng(1).standard_normal((8, 4)).astype(np.float32)}
    return onnx_model(nodes, {"x": ("float32", ("n", 8))}, {"y": "float32"}, weights)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("polygraphy") / "net.onnx"
    onnx.save(net(), path)
    return path


def polygraphy_runs(model: Any, *lines: Any) -> Any:
    """Run the command in a process of its own: it finds us by itself. Return how each run ended.

    One process for several runs: a process takes longer to start than a run.
    """
    shape = ["--input-shapes", "x:[3,8]"]
    runs = [line if isinstance(line, str) else ["run", str(model), *shape, *line] for line in lines]
    command = [sys.executable, "-c", POLYGRAPHY, json.dumps(runs)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_polygraphy_knows_where_we_are() -> None:
    (found,) = (p for p in entry_points(group="polygraphy.run.plugins") if p.name == "tvmfuse")
    assert found.load() is argument_groups


def test_runners_agree_but_for_a_wrong_pass_that_can_be_switched_off(model: Any) -> None:
    runners = ["--tvmfuse", "--onnxrt", "--atol", "1e-5"]
    off = ["--tvmfuse-disable", "CastElimination, EliminateIdentity"]
    (status, said), wrong, right = polygraphy_runs(model, runners, WRONG, runners, [*runners, *off])
    assert status == 0, said
    assert "PASSED | Output: 'y'" in said
    assert "tvmfuse-runner" in said
    assert wrong[0] == 1, wrong[1]
    assert "FAILED | Output: 'y'" in wrong[1]
    assert right[0] == 0, right[1]


def test_options_reach_the_compiler(model: Any) -> None:
    options = ["--tvmfuse", "--tvmfuse-target", "avx2", "--tvmfuse-level", "basic",
               "--tvmfuse-disable", "FuseOps;ConvBNFusion", "--tvmfuse-disable", "FuseTIR", "--gen", "-"]  # fmt: skip
    ((status, said),) = polygraphy_runs(model, options)
    assert status == 0, said
    assert (
        f"TvmfuseRunner('{model}', level='basic', disabled_pass=('FuseOps', 'ConvBNFusion', 'FuseTIR'), target='avx2')"
        in said
    )


def test_the_runner_by_itself() -> None:
    with TvmfuseRunner(net, level="extended") as runner:
        metadata = runner.get_input_metadata(use_numpy_dtypes=False)
        assert [*metadata] == ["x"]
        assert (metadata["x"].dtype, [*metadata["x"].shape]) == (DataType.FLOAT32, ["n", 8])
        outputs = runner.infer({"x": X})
        assert runner.last_inference_time() > 0
        assert runner.executable.manifest.level == "extended"
    (expected,) = ReferenceEvaluator(net()).run(None, {"x": X})
    assert isinstance(expected, np.ndarray)
    np.testing.assert_allclose(outputs["y"], expected, rtol=1e-5)
    assert not hasattr(runner, "executable")


def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownPassError, match="did you mean FuseOps"):
        TvmfuseRunner(net(), disabled_pass="FuseOpps").activate()


def test_polygraphy_starts_without_tvm() -> None:
    code = "import sys, tvmfuse.integrations.polygraphy; assert not {'tvm', 'onnx', 'torch'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
