"""Fixtures that several test files share."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def kernel_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the user's own cache out of the tests; all that run together share another one."""
    shared = tmp_path_factory.getbasetemp()
    folder = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "caches"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session")
def exported(request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Return a function that exports a zoo model once and keeps it in pytest's cache."""
    from bench.models import onnx_file

    folder = request.config.cache.mkdir("models")
    return lambda name, exporter="classic", size="reduced", **options: onnx_file(
        name, exporter, size, folder, **options
    )
