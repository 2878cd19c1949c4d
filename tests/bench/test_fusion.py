"""`python -m bench.fusion`: the workloads' numbers, what fusing them leaves, table, picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from click.testing import CliRunner
from onnx import numpy_helper
from reference import assert_agrees, reference

import tvmfuse
from bench import fusion
from bench.fused_and_unfused import FUSIONS
from bench.workloads import WORKLOADS
from tvmfuse.measure.inputs import random_inputs

QUICK = ("--duration", "0.01")


@pytest.mark.parametrize("name", WORKLOADS)
def test_both_variants_compute_what_onnxruntime_does(name: Any) -> None:
    model = WORKLOADS[name]()
    onnx.checker.check_model(model, full_check=True)
    kernels = []
    for disabled in ((), FUSIONS):
        artifact = tvmfuse.compile(model, disabled_pass=disabled)
        run = artifact.load()
        feeds = random_inputs(run.inputs, seed=3)
        assert_agrees(run(feeds), reference(model, feeds))
        kernels.append(len(artifact.manifest.kernels))
    assert kernels[0] < kernels[1]
    assert kernels[1] >= len(model.graph.node), "unfused, a node is a kernel"


@pytest.mark.parametrize(
    ("name", "shape"),
    [("conv+bn+relu", (256, 128, 1, 1)), ("depthwise+bn+relu", (512, 1, 3, 3)),
     ("rnn cell", (128, 128)), ("lstm cell", (512, 128))],
)  # fmt: skip
def test_sizes_are_the_papers(name: str, shape: tuple[int, ...]) -> None:
    assert tuple(WORKLOADS[name]().graph.initializer[0].dims) == shape


@pytest.mark.parametrize(
    ("name", "cell"), [("rnn cell", torch.nn.RNNCell), ("lstm cell", torch.nn.LSTMCell)]
)
def test_a_cell_is_torchs(name: str, cell: Any) -> None:
    model = WORKLOADS[name]()
    stored = {t.name: torch.tensor(numpy_helper.to_array(t)) for t in model.graph.initializer}
    theirs = cell(128, 128)
    theirs.load_state_dict(
        {
            "weight_ih": stored["w"],
            "bias_ih": stored["b"],
            "weight_hh": stored["r"],
            "bias_hh": stored["d"],
        }
    )
    x, h, c = np.random.default_rng(0).standard_normal((3, 1, 128), dtype="float32")
    state = torch.tensor(h) if name == "rnn cell" else (torch.tensor(h), torch.tensor(c))
    expected = theirs(torch.tensor(x), state)
    feeds = {"x": x, "h": h} if name == "rnn cell" else {"x": x, "h": h, "c": c}
    found = reference(model, feeds)
    for array, tensor in zip(
        found.values(), expected if name == "lstm cell" else [expected], strict=True
    ):
        np.testing.assert_allclose(array, tensor.detach().numpy(), rtol=1e-5, atol=1e-6)


def test_the_fusions_are_those_of_the_catalogue() -> None:
    assert {"FuseOps", "FuseTIR", "ConvBNFusion", "MatMulAddFusion", "FuseReluClip"} <= set(FUSIONS)
    assert not {"ConstantFolding", "NchwcTransformer", "PrepackWeights"} & set(FUSIONS)


def test_the_command_prints_json_and_draws(tmp_path: Path) -> None:
    file = tmp_path / "fusion.svg"
    result = CliRunner().invoke(fusion.main, [*QUICK, "--json", "--picture", str(file)])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [row["workload"] for row in found["rows"]] == list(WORKLOADS)
    assert all(row["ratio"]["pairs"] >= 8 for row in found["rows"])
    assert "FuseOps" in found["disabled_pass"]
    assert file.read_text().startswith("<?xml")


def test_the_table_fits_the_terminal() -> None:
    result = CliRunner().invoke(fusion.main, QUICK)
    assert result.exit_code == 0, result.output
    assert all(name in result.stdout for name in WORKLOADS)
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_a_picture_that_cannot_be_drawn_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(file: Any) -> str:
        result = CliRunner().invoke(fusion.main, ["--picture", str(file)])
        assert result.exit_code == 2
        return result.stderr

    assert "ends in .png or .svg or .pdf" in said("fusion.jpg")
    assert "there is no folder" in said(tmp_path / "no" / "fusion.png")
    monkeypatch.setattr("bench.picture.importlib.util.find_spec", lambda _: None)
    assert "pip install 'tvmfuse[plot]'" in said("fusion.png")
