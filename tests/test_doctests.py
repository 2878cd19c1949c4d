"""The examples in docstrings are right."""

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest

ROOTS = ("tvmfuse", "tvmfuse.passes", "tvmfuse.schedules")


def modules() -> Iterator[Any]:
    for root in ROOTS:
        yield root
        for info in pkgutil.walk_packages(importlib.import_module(root).__path__, root + "."):
            if not info.name.endswith("__main__"):
                yield info.name


@pytest.mark.parametrize("name", sorted(set(modules())))
def test_doctests(name: Any) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
