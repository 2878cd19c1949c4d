"""The examples in docstrings are right."""

import doctest
import importlib
import pkgutil

import pytest

ROOTS = ("tvmfuse", "tvmfuse.passes", "tvmfuse.schedules")


def modules():
    for root in ROOTS:
        yield root
        for info in pkgutil.walk_packages(importlib.import_module(root).__path__, root + "."):
            if not info.name.endswith("__main__"):
                yield info.name


@pytest.mark.parametrize("name", sorted(set(modules())))
def test_doctests(name) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
