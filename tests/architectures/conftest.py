"""Nothing here is read unless it is asked for: `transformers` takes seconds to import."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests of architectures alone where the marker is not asked for."""
    del collection_path
    asked = config.getoption("markexpr")
    return None if "architectures" in asked and "not architectures" not in asked else True
