"""Options of a wrong type are refused in words, whichever function takes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from quantized_models import products

import tvmfuse
from tvmfuse.errors import ConfigurationError, TvmfuseError
from tvmfuse.pipeline.settings import CompileSettings

WRONG: Any = (
    3,
    -1,
    2.5,
    b"bytes",
    None,
    [],
    [3],
    {},
    {"a": "b"},
    (1, 2),
    object(),
    "\0",
    float("nan"),
)
FREE = {"strict", "map_weights"}
"""What is only asked whether it is true."""


@pytest.mark.parametrize("option", [*inspect.signature(CompileSettings.of).parameters])
def test_what_settings_take_is_taken_or_refused_in_words(option: str) -> None:
    for value in WRONG:
        given: dict[str, Any] = {option: value}
        try:
            CompileSettings.of(**given)
        except TvmfuseError:
            assert option not in FREE


@pytest.mark.parametrize("value", [3, None, b"folder", [], 2.5])
def test_a_cache_that_is_no_folder_is_refused(value: Any) -> None:
    with pytest.raises(
        ConfigurationError,
        match="cache: expected True, False, a folder, a URL or a SharedCache, found",
    ):
        tvmfuse.compile(products(np.eye(8)), cache=value)


NO_FOLDERS: Any = (3, b"x", "\0")
NO_PRECISIONS: Any = ([], {}, 3)


def explained(dump_ir: Any) -> object:
    return tvmfuse.explain(products(np.eye(8)), dump_ir=dump_ir)


def compiled(precision: Any) -> object:
    return tvmfuse.compile(products(np.eye(8)), precision=precision)


@pytest.mark.parametrize(
    ("work", "value"),
    [
        *((explained, value) for value in NO_FOLDERS),
        *((compiled, value) for value in NO_PRECISIONS),
    ],
)
def test_others_that_are_no_words_are_refused(work: Callable[[Any], object], value: Any) -> None:
    with pytest.raises(TvmfuseError):
        work(value)


@pytest.mark.parametrize("option", [*inspect.signature(tvmfuse.Limits).parameters])
def test_limits_take_numbers(option: str) -> None:
    for value in (*WRONG[1:], True):
        given: dict[str, Any] = {option: value}
        with pytest.raises(ConfigurationError):
            tvmfuse.Limits(**given)
