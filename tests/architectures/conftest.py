"""Nothing here is read unless it is asked for: `transformers` takes seconds to import."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--third", action="store_true", help="run every third test of architectures, as CI does"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests of architectures alone where the marker is not asked for."""
    del collection_path
    asked = config.getoption("markexpr")
    return None if "architectures" in asked and "not architectures" not in asked else True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every third: of each network's four exports one or two, and each kind as often."""
    if config.getoption("--third", default=False):
        left = [item for number, item in enumerate(items) if number % 3]
        items[:] = items[::3]
        config.hook.pytest_deselected(items=left)
