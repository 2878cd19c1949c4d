"""Fixtures that several test files share."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def exported(request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Return a function that exports a zoo model once and keeps it in pytest's cache."""
    from bench.models import onnx_file

    folder = request.config.cache.mkdir("models")
    return lambda name, exporter="classic", size="reduced", **options: onnx_file(
        name, exporter, size, folder, **options
    )
