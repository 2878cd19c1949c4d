"""What the tests of the servers share: their packages, which the extra `serving` holds."""

from __future__ import annotations

import importlib.util
from typing import Final

import pytest

PACKAGES: Final = ("kserve", "ray", "tritonclient", "kubernetes_validate", "onnxruntime")
INSTALL: Final = "python -m pip install -e '.[serving]'"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what takes a package that is not there, and say how it is installed."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    for item in items:
        if missing and item.get_closest_marker("serving") is not None:
            item.add_marker(pytest.mark.skip(reason=f"{', '.join(missing)} missing: {INSTALL}"))
