"""What a plan is for: a kernel by its name in one model, or by its key in any."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Final

import tvm
from tvm.tirx import PrimFunc

from tvmfuse.errors import ConfigurationError, closest
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.schedules.specialize import SIZES

#: The number in the name of a Relax variable, as TVM writes it. A kernel's parameters are called
#: after what they are given, so that the same kernel at another place of the graph differs by it.
NUMBER: Final = re.compile(r'("type":"ffi\.String","data":"v)\d+')

#: Hexadecimal digits of a key.
DIGITS: Final = 16


def content_of(function: PrimFunc) -> str:
    """Return a kernel as text, the same for kernels that compute the same in the same way."""
    return NUMBER.sub(r"\1", tvm.ir.save_json(function))


def plan_key(function: PrimFunc, content: str = "") -> str:
    """Return the key of a kernel that is not scheduled yet, whatever its name is.

    A plan is for the code for all sizes, whatever sizes have code of their own.

    Args:
        function: The kernel.
        content: See `content_of`, where it is known.
    """
    if SIZES in function.attrs or not content:
        content = content_of(function.without_attr(SIZES))
    return hashlib.sha256(content.encode()).hexdigest()[:DIGITS]


def check_plans(settings: ScheduleSettings, keys: Mapping[str, str]) -> None:
    """Refuse plans that are for no kernel.

    Args:
        settings: Those of the caller.
        keys: Each kernel's name -> its key.

    Raises:
        ConfigurationError: There is no such kernel; the message names the close ones.
    """
    known = {*keys, *keys.values()}
    for name in settings.plans:
        if name not in known:
            raise ConfigurationError(f"plans: no kernel is called {name!r}; {closest(name, keys)}")
