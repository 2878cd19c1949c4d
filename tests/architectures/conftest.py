"""Nothing here is read unless it is asked for: `transformers` takes seconds to import."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quarter", action="store_true", help="run a quarter of architectures, as CI does"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests of architectures alone where the marker is not asked for."""
    del collection_path
    asked = config.getoption("markexpr")
    return None if "architectures" in asked and "not architectures" not in asked else True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a quarter: of each network's four exports one, and each kind as often."""
    if config.getoption("--quarter", default=False):
        kept = [item for number, item in enumerate(items) if number % 4 == number // 4 % 4]
        config.hook.pytest_deselected(items=[*set(items).difference(kept)])
        items[:] = kept
