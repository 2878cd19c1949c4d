"""Quantized models against ONNX's reference, and what is said of them."""

from __future__ import annotations

import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx.reference import ReferenceEvaluator
from quantized_models import network, products, samples

import tvmfuse
from tvmfuse.errors import (
    ConfigurationError,
    InputError,
    UncalibratedWarning,
    UnsupportedModelError,
)
from tvmfuse.quantization.losses import Noise
from tvmfuse.quantization.result import Quantized
from tvmfuse.quantization.settings import QuantizeSettings

pytestmark = pytest.mark.sampled(5)

DATA = samples(20)
MODES: dict[str, dict[str, Any]] = {
    "static": {},
    "dynamic": {"mode": "dynamic"},
    "symmetric": {"activation": "int8", "symmetric": True, "per_channel": False},
}


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the compiler fail, where it is not what is tested: onnxruntime computes all."""

    def broken(*_: Any) -> None:
        raise ValueError("no such luck")

    monkeypatch.setattr("tvmfuse.quantization.quantize.compile_model", broken)


def with_number(number: float) -> np.ndarray:
    """Return a sample with this number at one place."""
    found = DATA[0]["x"].copy()
    found[1, 2, 3, 4] = number
    return found


def run(model: onnx.ModelProto, feeds: Any) -> np.ndarray:
    """Return the result by ONNX's definitions: onnxruntime's AVX2 clips sums of products."""
    results: Any = ReferenceEvaluator(model).run(None, feeds)
    found: np.ndarray = results[0]
    return found


def sqnr_db(expected: np.ndarray, found: np.ndarray) -> float:
    return float(10 * np.log10(np.square(expected).sum() / np.square(expected - found).sum()))


@pytest.fixture(scope="module", params=MODES)
def quantized(request: Any) -> Quantized:
    return tvmfuse.quantize(network(opset=21), iter(DATA), **MODES[request.param])


def test_the_accuracy_is_that_of_onnxs_evaluation_of_the_same_model(quantized: Quantized) -> None:
    kept = DATA[:16]
    expected, found = (
        np.stack([run(model, feeds) for feeds in kept])
        for model in (network(opset=21), quantized.model)
    )
    (output,) = quantized.outputs
    assert (output.name, output.dtype, quantized.not_compiled) == ("y", "float32", "")
    assert output.sqnr_db == pytest.approx(sqnr_db(expected, found), abs=0.5)
    assert quantized.sqnr_db == output.sqnr_db
    assert output.distance.magnitude == pytest.approx(np.abs(expected).max())
    assert output.distance.max_abs == pytest.approx(np.abs(expected - found).max(), rel=0.5)


def test_it_is_in_onnxs_own_operators(quantized: Quantized) -> None:
    onnx.checker.check_model(quantized.model, full_check=True)
    assert {opset.domain for opset in quantized.model.opset_import} == {""}
    ops = {node.op_type for node in quantized.model.graph.node}
    dynamic = quantized.settings.mode == "dynamic"
    assert ({"ConvInteger", "MatMulInteger"} <= ops) == dynamic
    assert ("QuantizeLinear" in ops) == (not dynamic)
    sizes = [[*t.dims] for t in quantized.model.graph.initializer if t.name.endswith("_scale")]
    assert ([5] in sizes) == quantized.settings.per_channel


def test_layers_have_the_users_names_and_stand_in_order(quantized: Quantized) -> None:
    names = {layer.name: layer.op for layer in quantized.layers}
    product = "MatMul" if quantized.settings.mode == "dynamic" else "Gemm"
    assert {"conv": "Conv", "fc": product}.items() <= names.items()
    assert names.keys() <= {"conv", "relu", "pool", "fc"}
    losses = [layer.sqnr_db for layer in quantized.layers]
    assert losses == sorted(losses)
    assert quantized.examined == (len(losses), len(losses))


def test_what_is_said(quantized: Quantized) -> None:
    assert "MB; on 16 samples, the worst output has a signal-to-noise" in quantized.sentence
    assert quantized.calibrated == (0 if quantized.settings.mode == "dynamic" else 20)
    record = quantized.to_json()
    assert "model" not in record
    assert record["layers"][0]["name"] == quantized.layers[0].name
    assert quantized.table(everything=True).row_count == 1 + len(quantized.layers)


@pytest.mark.usefixtures("uncompiled")
def test_one_layer_alone_is_the_whole_of_a_model_that_has_no_other() -> None:
    weights = np.random.default_rng(0).standard_normal((32, 8))
    data = [{"x": np.random.default_rng(n).standard_normal((4, 32), np.float32)} for n in range(3)]
    found = tvmfuse.quantize(products(weights), data, per_channel=False)
    (layer,) = found.layers
    assert found.sqnr_db == pytest.approx(layer.sqnr_db, abs=0.01)
    assert found.advice is None
    assert "leaving the worst layers in float32 gains less than 3 dB" in found.notes


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_what_is_advised_holds(mode: str) -> None:
    """One weight of m1 is large, and meets zeros only: with one scale, all others are lost."""
    rng = np.random.default_rng(0)
    first, second, third = (rng.standard_normal((16, 16)) for _ in range(3))
    first[:, 3], second[3, 5] = 0, 1000
    data = [{"x": rng.standard_normal((4, 16), np.float32)} for _ in range(3)]
    settings: dict[str, Any] = {"mode": mode, "per_channel": False}
    model = products(first, second, third)
    found = tvmfuse.quantize(model, data, **settings)
    assert found.layers[0].name == "m1"
    assert found.advice is not None
    assert found.advice.exclude == ("m1",)
    assert found.advice.sentence in found.notes
    better = tvmfuse.quantize(model, data, exclude="m1", **settings)
    assert better.sqnr_db == pytest.approx(found.advice.after_db, abs=0.1)
    assert "m1" not in {layer.name for layer in better.layers}


@pytest.mark.usefixtures("uncompiled")
def test_outputs_that_are_no_floats_have_no_ratio() -> None:
    model = network()
    model.graph.node.append(onnx.helper.make_node("ArgMax", ["y"], ["a"], name="arg"))
    integers = onnx.helper.make_tensor_value_info("a", onnx.TensorProto.INT64, None)
    model.graph.output[0].CopyFrom(integers)
    found = tvmfuse.quantize(model, DATA[:2])
    assert (found.sqnr_db, found.layers, found.advice) == (None, (), None)
    assert "layers were not examined: no output is a float" in found.notes


def test_what_is_no_longer_finite_is_noise_without_end() -> None:
    noise = Noise()
    noise.add(np.array([1, np.inf, 2]), np.array([1, 0.0, 2]))
    assert noise.sqnr_db == np.inf
    noise.add(np.array([1.0, 2]), np.array([1, np.nan]))
    assert noise.sqnr_db == -np.inf


@pytest.mark.usefixtures("uncompiled")
def test_a_gemm_is_excluded_by_its_name_where_it_becomes_a_matmul() -> None:
    found = tvmfuse.quantize(network(), DATA[:2], mode="dynamic", exclude=["fc"], layers=False)
    ops = [node.op_type for node in found.model.graph.node]
    assert ("MatMul" in ops, "ConvInteger" in ops, "MatMulInteger" in ops) == (True, True, False)
    assert found.layers == ()


@pytest.mark.usefixtures("uncompiled")
def test_operators_are_chosen_and_old_operator_sets_are_taken() -> None:
    found = tvmfuse.quantize(network(opset=11), DATA[:2], operators="Gemm", layers=False)
    graph = found.model.graph
    reads = {node.name: node.input[1] for node in graph.node if node.op_type in ("Conv", "Gemm")}
    dequantized = {n.output[0] for n in graph.node if n.op_type == "DequantizeLinear"}
    assert {name: read in dequantized for name, read in reads.items()} == {
        "conv": False,
        "fc": True,
    }


@pytest.mark.usefixtures("uncompiled")
def test_without_data_inputs_are_random_and_that_is_said() -> None:
    with pytest.warns(UncalibratedWarning, match="8 random inputs"):
        found = tvmfuse.quantize(network(), layers=False)
    assert (found.random, found.samples) == (True, 8)
    assert "8 random inputs, which are no real data" in found.sentence


@pytest.mark.usefixtures("uncompiled")
def test_data_may_be_a_file_or_a_folder_of_them(tmp_path: Path) -> None:
    for place, sample in enumerate(DATA[:3]):
        np.savez(tmp_path / f"{place}.npz", x=sample["x"])
    folder = tvmfuse.quantize(network(), tmp_path, layers=False)
    file = tvmfuse.quantize(network(), tmp_path / "0.npz", layers=False)
    assert (folder.calibrated, file.calibrated, folder.random) == (3, 1, False)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_what_makes_the_samples_prints_and_keeps_files(mode: str, capsys: Any) -> None:
    files = []

    def made() -> Any:
        for sample in DATA[:2]:
            with tempfile.NamedTemporaryFile(delete=False) as file:
                files.append(Path(file.name))
            print("a sample")
            yield sample

    tvmfuse.quantize(network(), made(), mode=mode, layers=False)
    assert capsys.readouterr().out == "a sample\n" * 2
    for file in files:
        file.unlink()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "found no sample"),
        (DATA[0], "found one mapping: put it into a list"),
        (7, "expected calibration data as an iterable of mappings, found 7"),
        ([DATA[0], {"z": 1}], "calibration sample 2: the model has no input 'z'; "),
        ([{}], "calibration sample 1: missing input 'x'"),
        (
            [{"x": DATA[0]["x"].astype(float)}],
            r"'x': expected float32\[2, 3, 8, 8\], found dtype float64",
        ),
        (
            [{"x": DATA[0]["x"][:1]}],
            "sample 1: input 'x': expected float32.*dimension 0 is 1 instead of 2",
        ),
        (
            [DATA[0], {"x": with_number(np.nan)}],
            r"sample 2: input 'x' has nan at \[1, 2, 3, 4\], the first of 1 .* leave the sample out",
        ),
        ([{"x": with_number(np.inf)}], r"sample 1: input 'x' has inf at \[1, 2, 3, 4\]"),
        ("nowhere", "cannot read calibration data nowhere: No such file"),
        (str(Path(__file__).parent), "has no file of calibration data"),
    ],
)
def test_data_that_do_not_fit(data: Any, words: str, tmp_path: Path) -> None:
    handlers, place = [*logging.getLogger().handlers], tempfile.tempdir
    with pytest.raises(InputError, match=words):
        tvmfuse.quantize(network(), data, output=tmp_path / "q.onnx")
    assert [*tmp_path.iterdir()] == []
    assert (logging.getLogger().handlers, tempfile.tempdir) == (handlers, place)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_without_a_range_are_refused_where_none_is_taken(number: float) -> None:
    with pytest.raises(InputError, match=f"input 'x' has {number} at"):
        tvmfuse.quantize(network(), [{"x": with_number(number)}], mode="dynamic")


@pytest.mark.usefixtures("uncompiled")
def test_minus_infinity_is_taken_where_a_mask_has_it() -> None:
    nodes = [
        onnx.helper.make_node("MatMul", ["x", "w"], ["p"], name="product"),
        onnx.helper.make_node("Add", ["p", "mask"], ["s"], name="masked"),
        onnx.helper.make_node("Softmax", ["s"], ["y"], name="softmax"),
    ]
    inputs = {"x": ("float32", (4, 8)), "mask": ("float32", (8,))}
    model = onnx_model(nodes, inputs, {"y": "float32"}, {"w": np.eye(8, dtype=np.float32)})
    x, mask = np.random.default_rng(0).standard_normal((4, 8), np.float32), np.zeros(8, np.float32)
    mask[3] = -np.inf
    data = [{"x": x, "mask": mask}]
    found = tvmfuse.quantize(model, data, mode="dynamic", layers=False)
    assert found.sqnr_db is not None
    assert found.sqnr_db > 20
    with pytest.raises(UnsupportedModelError, match="sample 1 has a minus infinity in input 'x'"):
        tvmfuse.quantize(model, [{"x": x + mask, "mask": mask}], layers=False)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_what_cannot_make_a_sample_says_which(mode: str) -> None:
    def made() -> Any:
        yield DATA[0]
        raise OSError("the camera is off")

    with pytest.raises(InputError, match="sample 2 cannot be made: OSError: the camera is off"):
        tvmfuse.quantize(network(), made(), mode=mode)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"mode": "statik"}, "no mode is called 'statik'; did you mean static"),
        ({"activation": "int4"}, "no activation is called 'int4'"),
        ({"mode": "dynamic", "symmetric": True}, "dynamic activations are uint8"),
        ({"activation": "int8", "weight": "uint8"}, "take weight='int8'"),
    ],
)
def test_words_that_there_are_not(settings: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        QuantizeSettings(**settings)


def test_without_onnxruntime_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'tvmfuse\[ort\]'"):
        tvmfuse.quantize(network(), DATA)


@pytest.mark.usefixtures("uncompiled")
def test_a_defect_of_the_compiler_does_not_lose_the_model() -> None:
    found = tvmfuse.quantize(network(), DATA[:2], layers=False)
    assert "onnxruntime computed the quantized model: no such luck" in found.notes
    assert found.sqnr_db is not None


@pytest.mark.usefixtures("uncompiled")
def test_ctrl_c_leaves_what_is_whole(tmp_path: Path) -> None:
    output = tmp_path / "q.onnx"

    def until(step: str) -> Any:
        def progress(now: str) -> None:
            if now.startswith(step):
                raise KeyboardInterrupt

        return progress

    with pytest.raises(KeyboardInterrupt):
        tvmfuse.quantize(network(), DATA, output=output, progress=until("calibrate: sample 3"))
    assert [*tmp_path.iterdir()] == []
    for step, note in (
        ("compare: sample 2", "interrupted: 0 of all layers were examined"),
        ("layer pool", "interrupted: 1 of 3 layers were examined"),
    ):
        found = tvmfuse.quantize(network(), DATA, output=output, progress=until(step))
        assert found.interrupted
        assert note in found.notes
        assert onnx.load(output) == found.model
