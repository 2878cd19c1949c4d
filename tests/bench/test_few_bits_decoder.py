"""A decoder's step of four bits: a small one runs beside onnxruntime and beside its float32."""

import json

import pytest
from click.testing import CliRunner

from bench import few_bits_decoder
from bench.few_bits_decoder import Shape


def test_a_step_runs_beside_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> None:
    small = Shape(layers=1, width=64, heads=2, hidden=96, past=5)
    monkeypatch.setattr(few_bits_decoder, "Shape", lambda: small)
    shown = CliRunner().invoke(few_bits_decoder.main, ["--duration", "0.01", "--json"])
    assert shown.exit_code == 0, shown.output
    rows = json.loads(shown.stdout)["rows"]
    assert [row["level"] for row in rows] == [0, 4]
    assert all(row["error"] < 1e-4 for row in rows)
