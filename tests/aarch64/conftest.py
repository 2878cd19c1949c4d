"""Each test here is marked `aarch64`, and skipped where nothing compiles for AArch64 or runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aarch64.emulated import TARGET, Emulator, missing
from onnx import ModelProto

import tvmfuse


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = missing()
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker("aarch64")
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Emulator:
    """Return what runs compiled files."""
    return Emulator(tmp_path_factory.mktemp("emulator"))


@pytest.fixture
def ran(emulator: Emulator, tmp_path: Path) -> Callable[..., dict[str, np.ndarray]]:
    """Return a function that compiles a model for AArch64, and runs it once."""

    def run(
        model: ModelProto | Path,
        feeds: Mapping[str, np.ndarray],
        target: str = TARGET,
        **options: Any,
    ) -> dict[str, np.ndarray]:
        artifact = tvmfuse.compile(model, target=target, **options)
        artifact.save(tmp_path / "model.so")
        names = [spec.name for spec in artifact.manifest.inputs]
        found = emulator.run({tmp_path: [feeds[name] for name in names]})[tmp_path]
        assert not isinstance(found, str), found
        return dict(zip([s.name for s in artifact.manifest.outputs], found, strict=True))

    return run
