"""What the benchmarks' tests share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bench.models import MODELS


@pytest.fixture
def take_reduced(exported: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a benchmark's module take the models in their reduced size."""

    def take(module: Any) -> None:
        reduced = {name: replace(model, full=model.reduced) for name, model in MODELS.items()}
        monkeypatch.setattr(module, "MODELS", reduced)
        monkeypatch.setattr(module, "onnx_file", lambda name, **_: exported(name))

    return take
