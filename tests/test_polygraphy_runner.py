"""Polygraphy finds the runner, feeds it, and compares it with others."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx.reference import ReferenceEvaluator
from polygraphy.datatype import DataType

from tvmfuse.errors import UnknownPassError
from tvmfuse.polygraphy_runner import TvmfuseRunner, argument_groups

node = onnx.helper.make_node
X = np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32)

POLYGRAPHY = "from polygraphy.tools import main; import sys; sys.exit(main())"
WRONG = """
from tvm import relax
from tvmfuse.passes.basic.eliminate_identity import EliminateIdentity as Pass
Pass.rewrite = lambda self, match: relax.op.negative(match["x"])
"""


def net():
    nodes = [
        node("MatMul", ["x", "w"], ["p"], name="product"),
        node("Identity", ["p"], ["i"], name="same"),
        node("Sigmoid", ["i"], ["y"], name="sigmoid"),
    ]
    weights = {"w": np.random.default_rng(1).standard_normal((8, 4)).astype(np.float32)}
    return onnx_model(nodes, {"x": ("float32", ("n", 8))}, {"y": "float32"}, weights)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("polygraphy") / "net.onnx"
    onnx.save(net(), path)
    return path


def polygraphy_run(model, *options, before=""):
    """Run the command in a process of its own: it finds us by itself."""
    command = [sys.executable, "-c", before + POLYGRAPHY, "run", str(model), "--input-shapes", "x:[3,8]"]
    return subprocess.run([*command, *options], capture_output=True, text=True, timeout=300, check=False)


def test_polygraphy_knows_where_we_are():
    (found,) = (p for p in entry_points(group="polygraphy.run.plugins") if p.name == "tvmfuse")
    assert found.load() is argument_groups


def test_both_runners_agree(model):
    result = polygraphy_run(model, "--tvmfuse", "--onnxrt", "--atol", "1e-5")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "PASSED | Output: 'y'" in result.stdout
    assert "tvmfuse-runner" in result.stdout


def test_a_wrong_pass_fails_and_switching_it_off_passes(model):
    runners = ["--tvmfuse", "--onnxrt", "--atol", "1e-5"]
    wrong = polygraphy_run(model, *runners, before=WRONG)
    assert wrong.returncode == 1, wrong.stdout
    assert "FAILED | Output: 'y'" in wrong.stdout
    off = ["--tvmfuse-disable", "CastElimination, EliminateIdentity"]
    right = polygraphy_run(model, *runners, *off, before=WRONG)
    assert right.returncode == 0, right.stdout + right.stderr


def test_options_reach_the_compiler(model):
    result = polygraphy_run(
        model, "--tvmfuse", "--tvmfuse-target", "avx2", "--tvmfuse-level", "basic",
        "--tvmfuse-disable", "FuseOps;ConvBNFusion", "--tvmfuse-disable", "FuseTIR", "--gen", "-",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert f"TvmfuseRunner('{model}', level='basic', disabled_pass=('FuseOps', 'ConvBNFusion', 'FuseTIR'), target='avx2')" in result.stdout


def test_the_runner_by_itself():
    with TvmfuseRunner(net, level="extended") as runner:
        metadata = runner.get_input_metadata(use_numpy_dtypes=False)
        assert [*metadata] == ["x"]
        assert (metadata["x"].dtype, [*metadata["x"].shape]) == (DataType.FLOAT32, ["n", 8])
        outputs = runner.infer({"x": X})
        assert runner.last_inference_time() > 0
        assert runner.executable.manifest.level == "extended"
    (expected,) = ReferenceEvaluator(net()).run(None, {"x": X})
    np.testing.assert_allclose(outputs["y"], expected, rtol=1e-5)
    assert not hasattr(runner, "executable")


def test_what_does_not_exist_is_refused():
    with pytest.raises(UnknownPassError, match="did you mean FuseOps"):
        TvmfuseRunner(net(), disabled_pass="FuseOpps").activate()


def test_polygraphy_starts_without_tvm():
    code = "import sys, tvmfuse.polygraphy_runner; assert not {'tvm', 'onnx', 'torch'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
