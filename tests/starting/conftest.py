"""A model, a folder in which it is kept, and starts that do not see that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx
import pytest
from at_once import begin, product

from tvmfuse.starting import beside
from tvmfuse.starting.kept_models import KeptModels


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models") / "product.onnx"
    onnx.save(product(), place)
    return place


@pytest.fixture(scope="module")
def folder(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the model is kept."""
    place = tmp_path_factory.mktemp("caches") / "kept"
    begin(path, place, "compiled")
    return place


@pytest.fixture(autouse=True)
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the process beside not wait for the other tests."""
    monkeypatch.setattr(beside, "NICE", 0)


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no start see what is kept; the process beside does."""
    seen = KeptModels.key_of
    monkeypatch.setattr(
        KeptModels, "key_of",
        lambda self, order, *, quick=False: None if quick else seen(self, order),
    )  # fmt: skip


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the processes beside that were started, by their numbers."""
    processes: list[int] = []
    start = beside.Beside._start

    def noted(self: beside.Beside, memory: int | None) -> Any:
        process = start(self, memory)
        processes.append(process.pid)
        return process

    monkeypatch.setattr(beside.Beside, "_start", noted)
    return processes
