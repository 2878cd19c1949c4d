"""Converters of operators: the table's, and those that installed packages add."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tvmfuse import plugins
from tvmfuse.errors import ConfigurationError
from tvmfuse.frontend.onnx.builder import Converter
from tvmfuse.frontend.onnx.convert.table import CONVERTERS


def converters() -> Mapping[str, Converter]:
    """Return all converters, by their operators."""
    return {**_plugged(), **CONVERTERS}


@cache
def _plugged() -> Mapping[str, Converter]:
    """Return those of packages; one of an operator of ours is left out, with a warning."""
    found = dict[str, Converter]()
    for package, plugin in plugins.installed():
        for operator, converter in plugin.converters.items():
            if operator in {**found, **CONVERTERS}:
                words = f"{operator} has a converter already: expected another operator"
                plugins.left_out(package, ConfigurationError(words))
            else:
                found[operator] = converter
    return found
