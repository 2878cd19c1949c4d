"""The tests keep what they make in pytest's cache folder, and out of the user's."""

import os

import libraries
import pytest
from conftest import kept_folder

from bench.models import CACHE
from tvmfuse.build.kernels.cache import cache_folder


def test_kernels_models_and_libraries_are_pytests(pytestconfig: pytest.Config) -> None:
    ours = kept_folder(pytestconfig, "caches").parent
    folders = (cache_folder(os.environ), CACHE, libraries.folder)
    assert all(folder and folder.is_relative_to(ours) for folder in folders)
