"""GeluApproximation: a tanh in place of erf, three ways to ask for it, and what it costs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from graphs import ops
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse
from tvmfuse.cli import main
from tvmfuse.errors import ConfigurationError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.extended.gelu_approximation import GeluApproximation
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize

ENTRY = "optimization.enable_gelu_approximation"
MOST = 4.8e-4

approximated = about("GeluApproximation", enabled=True)
PLAIN = "(float[n,400] x) => (float[] y) {y = Gelu(x)}"
BIASED = "(float[n,400] x, float[400] b) => (float[] y) {s = Add(x, b) y = Gelu(s)}"
TANH = '(float[n,400] x) => (float[] y) {y = Gelu<approximate="tanh">(x)}'
OLD = "(float[n,400] x) => (float[] y) {a = Div(x, k) e = Erf(a) s = Add(e, one) p = Mul(x, s) y = Mul(p, half)}"
CONSTANTS: dict[str, Any] = {
    "k": np.float32(np.sqrt(2)),
    "one": np.float32(1),
    "half": np.float32(0.5),
}
WIDE: dict[str, Any] = {"x": np.linspace(-8, 8, 400, dtype="float32")[None]}


@cases(
    approximated("opset 20", PLAIN, "gelu_tanh", opset=20, feeds=WIDE),
    approximated("with a bias", BIASED, "bias_gelu", opset=20, feeds=WIDE),
    approximated("written with erf", OLD, "gelu_tanh", feeds=WIDE, **CONSTANTS),
    approximated("approximated already", TANH, "gelu_tanh", fires=False, opset=20),
    approximated("approximated already, with a bias", BIASED.replace("Gelu", 'Gelu<approximate="tanh">'), "bias_gelu",
        fires=False, opset=20),
)  # fmt: skip
def test_approximates(case: Case) -> None:
    check(case)


def test_is_off_unless_asked_for() -> None:
    assert not GeluApproximation.default
    module = import_model(approximated("", PLAIN, None, opset=20).model()).module
    assert ops(optimize(module, Selection.of("all")).operators) == ["gelu"]


def by_compile(path: Any) -> Any:
    return tvmfuse.compile(path, enabled_pass=["GeluApproximation"]).load()(**WIDE)["y"]


def by_command_line(path: Any) -> Any:
    out = path.with_suffix(".so")
    result = CliRunner().invoke(
        main, ["compile", str(path), "-o", str(out), "--enable", "GELU Approximation"]
    )
    assert result.exit_code == 0, result.output
    return tvmfuse.load(out)(**WIDE)["y"]


def by_session(path: Any) -> Any:
    options = tvmfuse.SessionOptions()
    options.add_session_config_entry(ENTRY, "1")
    return tvmfuse.InferenceSession(str(path), options).run(None, WIDE)[0]


@pytest.mark.parametrize("ask", [by_compile, by_command_line, by_session])
@pytest.mark.parametrize(
    ("text", "constants"), [(PLAIN, {}), (OLD, CONSTANTS)], ids=["opset 20", "erf"]
)
def test_three_ways_to_ask(ask: Any, text: Any, constants: Any, tmp_path: Path) -> None:
    """Results are the tanh's, and those differ from the exact ones by as much as is said."""
    path = tmp_path / "model.onnx"
    model = approximated("", text, None, opset=20, **constants).model()
    path.write_bytes(model.SerializeToString())
    found = ask(path)
    assert_agrees(
        {"y": found},
        reference(approximated("", TANH, None, opset=20).model(), WIDE),
        tolerance=1e-6,
    )
    assert 4e-4 < np.abs(found - reference(model, WIDE)["y"]).max() <= MOST


@pytest.mark.parametrize("value", [None, "0"])
def test_a_session_is_exact_unless_asked(value: Any, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    model = approximated("", PLAIN, None, opset=20).model()
    path.write_bytes(model.SerializeToString())
    options = tvmfuse.SessionOptions()
    if value is not None:
        options.add_session_config_entry(ENTRY, value)
        assert options.get_session_config_entry(ENTRY) == value
    found = tvmfuse.InferenceSession(str(path), options).run(None, WIDE)[0]
    assert_agrees({"y": found}, reference(model, WIDE), tolerance=1e-6)


def test_other_values_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="expected '0' or '1', found 'true'"):
        tvmfuse.SessionOptions().add_session_config_entry(ENTRY, "true")
