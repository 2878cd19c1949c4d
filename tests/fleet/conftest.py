"""Small models in folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from fleet_models import write_model


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Return a folder with two models of one name, one of them twice, and what is none."""
    folder = tmp_path / "models"
    write_model(folder / "a/net.onnx")
    write_model(folder / "b/net.onnx", 16, beside=True)
    write_model(folder / "b/again.onnx")
    (folder / "broken.onnx").write_text("this is no model")
    return folder
