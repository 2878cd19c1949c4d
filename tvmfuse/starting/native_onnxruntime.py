"""onnxruntime's own machine code, whoever has its name in this process.

Its package imports itself by its name, which may be tvmfuse's here. Sessions need the module of
machine code alone, which is found by its file, and is the same one that the package has.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Final

from tvmfuse.real_onnxruntime import replaced, set_aside

PACKAGE: Final = "onnxruntime"
STATE: Final = "onnxruntime_pybind11_state"
NAME: Final = f"{PACKAGE}.capi.{STATE}"


def is_replaced() -> bool:
    """Whether sessions of tvmfuse have onnxruntime's name."""
    session = getattr(sys.modules.get(PACKAGE), "InferenceSession", None)
    return getattr(session, "__module__", "").partition(".")[0] == "tvmfuse"


@cache
def folder() -> Path | None:
    """Return the installed package's folder; None where there is none."""
    spec = PathFinder.find_spec(PACKAGE)
    places = (spec and spec.submodule_search_locations) or ()
    return next((Path(place) for place in places if Path(place, "capi").is_dir()), None)


def is_installed() -> bool:
    """Whether there is an onnxruntime beside tvmfuse."""
    return replaced != [None] and folder() is not None


@cache
def state() -> Any:
    """Return its module of machine code.

    Raises:
        ImportError: It is not installed, or this system does not load it.
    """
    if NAME in set_aside:
        return set_aside[NAME]
    place = folder()
    if place is None:
        raise ImportError("onnxruntime is not installed", name=PACKAGE)
    found = PathFinder.find_spec(STATE, [str(place / "capi")])
    if found is None or found.origin is None:
        raise ImportError("onnxruntime has no machine code for this Python", name=NAME)
    loaded = sys.modules.get(NAME)
    if getattr(loaded, "__file__", None) == found.origin:
        return loaded
    spec = importlib.util.spec_from_file_location(NAME, found.origin)
    assert spec is not None  # it is a file that was found
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
