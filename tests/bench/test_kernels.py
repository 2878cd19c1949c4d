"""`python -m bench.kernels`: which layers there are, what holds them, rows against onnxruntime."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from reference import reference
from zoo import KINDS

import tvmfuse
from bench import kernels
from bench.kernels import _held
from bench.layers import ELEMENTWISE, PRODUCTS, Layer, layers_of
from bench.models import inputs
from tvmfuse.measure import peak

pytestmark = pytest.mark.sampled(5)


def layer(kind: Any, *shapes: Any, output: Any, **attributes: Any) -> Layer:
    constant = tuple(place > 0 for place in range(len(shapes)))
    return Layer(
        kind, shapes, constant, (None,) * len(shapes), tuple(sorted(attributes.items())), 17, output
    )


CONV = layer("Conv", (1, 64, 56, 56), (64, 64, 3, 3), output=(1, 64, 56, 56), pads=(1, 1, 1, 1))
DEPTHWISE = layer("Conv", (1, 8, 6, 6), (8, 1, 3, 3), output=(1, 8, 4, 4), group=8)
ROW = layer("Gemm", (1, 16), (10, 16), output=(1, 10), transB=1)
MATRIX = layer("MatMul", (4, 16), (16, 10), output=(4, 10))
ADD = layer("Add", (1, 8, 6, 6), (1, 8, 6, 6), output=(1, 8, 6, 6))


def test_operations_and_bytes_by_hand() -> None:
    assert CONV.flop == 2 * 64 * 56 * 56 * 64 * 9
    assert DEPTHWISE.flop == 2 * 8 * 4 * 4 * 9
    assert ROW.flop == 2 * 16 * 10
    assert ADD.flop == 8 * 36
    assert ADD.nbytes == 3 * 4 * 8 * 36
    assert DEPTHWISE.nbytes == 4 * (8 * 36 + 8 * 9 + 8 * 16)


def test_what_holds_a_layer() -> None:
    assert [found.limit for found in (CONV, MATRIX, ADD)] == ["peak", "peak", "copy"]
    assert [found.limit for found in (DEPTHWISE, ROW)] == ["slower", "slower"]
    fast, slow = np.ones(3), np.full(3, 2.0)
    for of, peaks, copies, expected, time in [
        (CONV, fast, slow, "peak", 1.0),
        (ADD, slow, fast, "copy", 1.0),
        (DEPTHWISE, fast, slow, "copy", 2.0),
        (DEPTHWISE, slow, fast, "peak", 2.0),
    ]:
        limit, held = _held(of, peaks, copies)
        assert (limit, held.tolist()) == (expected, [time] * 3)


def test_names_say_the_sizes() -> None:
    assert str(CONV) == "Conv 1x64x56x56 64x64x3x3"
    assert str(DEPTHWISE) == "Conv 1x8x6x6 8x1x3x3 depthwise"
    assert str(replace(ADD, kind="Clip", shapes=((1, 8), (), ()))) == "Clip 1x8"


@pytest.mark.parametrize("name", KINDS)
def test_a_model_s_layers_run_alone_at_its_sizes(name: Any, exported: Any) -> None:
    found = layers_of(exported(name), inputs(name))
    kinds = [node.op_type for node in onnx.load(exported(name)).graph.node]
    for kind in PRODUCTS:
        assert sum(n for each, n in found.items() if each.kind == kind) == kinds.count(kind)
    assert any(each.kind in ELEMENTWISE for each in found)
    for each in found:
        model = each.model()
        onnx.checker.check_model(model, full_check=True)
        rng = np.random.default_rng(0)
        feeds = {
            i.name: rng.standard_normal([d.dim_value for d in i.type.tensor_type.shape.dim]).astype(
                "float32"
            )
            for i in model.graph.input
        }
        assert reference(model, feeds)["y"].shape == each.output


def test_sizes_that_the_model_computes_and_numbers_are_found(exported: Any) -> None:
    """MobileNetV2's padding is computed, so that shape inference stops there; its bounds are nodes."""
    found = layers_of(exported("mobilenetv2"), inputs("mobilenetv2"))
    assert all(min(each.output) > 0 for each in found)
    assert {each.limit for each in found if each.depthwise} == {"slower"}
    assert {each.numbers[1:] for each in found if each.kind == "Clip"} == {(0.0, 6.0)}


@pytest.mark.parametrize("threads", [1, 2])
def test_the_peaks_run(threads: int) -> None:
    loop, flop = peak.multiply_adds(threads=threads)
    loop()
    assert flop == threads * peak.multiply_adds()[1]
    assert flop > 1e6
    peak.copy(1000, threads)()
    for operands in ("int8", "bfloat16"):
        loop, operations = peak.dot_products(operands, threads=threads)
        loop()
        assert operations >= flop


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every model have these layers."""
    monkeypatch.setattr(kernels, "onnx_file", lambda *_, **__: None)
    monkeypatch.setattr(kernels, "layers_of", lambda *_: {DEPTHWISE: 1, ADD: 2, MATRIX: 3, ROW: 4})


def run(*words: Any) -> Any:
    return CliRunner().invoke(kernels.main, words)


def test_rows_of_a_model(small: None) -> None:
    result = run("bert", "--duration", "0.001", "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    assert [(row["layer"].split()[0], row["count"]) for row in rows] == [
        ("Conv", 1), ("Add", 2), ("MatMul", 3), ("Gemm", 4),
    ]  # fmt: skip
    for row in rows:
        assert row["model"] == "bert"
        assert row["share"] > 0
        assert 0 < row["own"] <= 1
        assert (row["own"] == 1) == (row["schedule"].count(",") == 0)
        assert row["ratio"]["pairs"] >= 8
        assert row["limit"] in ("peak", "copy")
        assert row["schedule"]


def test_small_layers_may_be_left_out(small: None) -> None:
    result = run("bert", "--duration", "0.001", "--at-least", "0.001", "--json")
    assert {row["layer"].split()[0] for row in json.loads(result.stdout)["rows"]} == {
        "Conv",
        "MatMul",
    }


def test_the_table_fits_the_terminal_and_an_interrupt_keeps_rows(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, compile_model = [], tvmfuse.compile

    def interrupted_at_the_third(*args: Any, **options: Any) -> Any:
        compiled.append(args)
        if len(compiled) == 3:
            raise KeyboardInterrupt
        return compile_model(*args, **options)

    monkeypatch.setattr(tvmfuse, "compile", interrupted_at_the_third)
    result = run("resnet18", "--duration", "0.001")
    assert result.exit_code == 130
    assert "resnet18: its layers alone, threads: 1" in result.stdout
    assert {word for word in ("Conv", "Add", "MatMul") if word in result.stdout} == {"Conv", "Add"}
    assert max(map(len, result.stdout.splitlines())) <= 100
