"""start: the first result of an engine, in a process of its own; figures of another are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import onnx
import pytest

from bench.start import MODELS, Sample, check, mlp, ratio, row, sample


def test_a_process_says_when_it_has_its_first_result(tmp_path: Path) -> None:
    path = tmp_path / "mlp.onnx"
    onnx.save(mlp(), path)
    theirs = sample("onnxruntime", path, tmp_path / "cache")
    ours = sample("tvmfuse", path, tmp_path / "cache")
    assert (theirs.engine, ours.engine) == ("onnxruntime", "onnxruntime")
    assert theirs.peaks == pytest.approx(ours.peaks)
    for one in (theirs, ours):
        assert 0 < one.session_wall < one.wall
        assert 0 < one.session_cpu < one.cpu


ONE = Sample(1.0, 0.5, 0.4, 0.2, "onnxruntime", (3.0,))
FOUND = {
    "onnxruntime": [ONE, replace(ONE, wall=2.0)],
    "cold": [replace(ONE, wall=1.2), replace(ONE, wall=2.2)],
    "again": [replace(ONE, engine="tvmfuse")] * 2,
}


def test_rounds_are_compared_one_by_one() -> None:
    assert ratio(FOUND, "wall") == pytest.approx((1.2 + 1.1) / 2)
    assert row("m", FOUND)["cold / onnxruntime, wall"] == pytest.approx(1.15)
    check("m", FOUND)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"engine": "onnxruntime"}, "expected tvmfuse"), ({"peaks": (3.1,)}, "expected")],
    ids=["engine", "numbers"],
)
def test_another_engine_or_other_numbers_have_no_figures(wrong: dict[str, Any], words: str) -> None:
    again = [replace(FOUND["again"][0], **wrong)] * 2
    with pytest.raises(ValueError, match=words):
        check("m", {**FOUND, "again": again})


def test_there_are_ten_models() -> None:
    assert len(MODELS) == 10
