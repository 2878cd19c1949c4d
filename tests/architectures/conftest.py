"""Nothing here is read unless it is asked for: `transformers` takes seconds to import."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fifth", action="store_true", help="run a fifth of the architectures, as CI does"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests of architectures alone where the marker is not asked for."""
    del collection_path
    asked = config.getoption("markexpr")
    return None if "architectures" in asked and "not architectures" not in asked else True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every fifth network: of its four exports one, and each kind as often."""
    if config.getoption("--fifth", default=False):
        kept = [item for number, item in enumerate(items) if is_kept(*divmod(number, 4))]
        config.hook.pytest_deselected(items=[*set(items).difference(kept)])
        items[:] = kept


def is_kept(network: int, kind: int) -> bool:
    return network % 5 == 0 and network // 5 % 4 == kind
