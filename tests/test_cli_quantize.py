"""`tvmfuse quantize` with onnxruntime's quantizer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from quantized_models import network, samples

from tvmfuse.cli import main


@pytest.fixture
def model(tmp_path: Path) -> Path:
    place = tmp_path / "net.onnx"
    onnx.save(network(), place)
    (tmp_path / "data").mkdir()
    for number, sample in enumerate(samples(2)):
        np.savez(tmp_path / "data" / f"{number}.npz", x=sample["x"])
    return place


def quantize(model: Path, *options: Any) -> Any:
    arguments = ["quantize", model, "-o", model.with_name("int8.onnx"), *options]
    return CliRunner().invoke(main, [str(a) for a in arguments])


def test_it_writes_a_model_and_says_what_it_costs(model: Path) -> None:
    result = quantize(model, "--calibration", model.with_name("data"), "--exclude", "conv,pool")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert "static, uint8 activations, int8 weights per channel" in result.stdout
    assert "int8.onnx: 0.00267 MB became" in result.stdout
    assert "on 2 samples, the worst output has" in result.stdout
    assert max(len(line) for line in result.stdout.splitlines() if "│" in line) <= 100
    onnx.checker.check_model(onnx.load(model.with_name("int8.onnx")), full_check=True)
    kept = {"data", "int8.onnx", "net.onnx"}
    assert {file.name for file in model.parent.iterdir()} == kept


def test_json_and_random_inputs(model: Path) -> None:
    result = quantize(model, "--mode", "dynamic", "--json", "--seed", 3)
    assert result.exit_code == 0, result.output
    assert "warning: no calibration data: 8 random inputs" in result.stderr
    record = json.loads(result.stdout)
    assert (record["file"], record["random"]) == (str(model.with_name("int8.onnx")), True)
    assert record["settings"]["mode"] == "dynamic"
    assert {layer["name"] for layer in record["layers"]} == {"conv", "fc"}
    assert record["outputs"][0]["sqnr_db"] == record["sqnr_db"] > 20


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (
            ["--exclude", "cov"],
            2,
            "cannot exclude node 'cov': none is called so; did you mean conv",
        ),
        (["--mode", "dynamic", "--activation", "int8"], 2, "dynamic activations are uint8"),
        (["--calibration", "nowhere"], 2, "does not exist"),
        (["--output", "/nowhere/at/all.onnx"], 2, "there is no folder"),
        (["--calibration", __file__], 1, "as .npz or .npy"),
    ],
)
def test_what_makes_no_sense_is_refused(
    model: Path, options: list[str], code: int, words: str
) -> None:
    result = quantize(model, *options)
    assert result.exit_code == code, result.output
    assert words in result.stderr
    assert not model.with_name("int8.onnx").exists()


def test_an_interrupted_quantization_prints_what_there_is(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tvmfuse.quantization.losses.switched", interrupted)
    result = quantize(model, "--calibration", model.with_name("data"))
    assert result.exit_code == 130
    assert "interrupted: 0 of all layers were examined." in result.stdout
    assert model.with_name("int8.onnx").exists()
