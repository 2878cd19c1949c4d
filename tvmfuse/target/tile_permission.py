"""Permission to use the registers of the CPU's matrix unit, which Linux gives a process that asks.

They are 8 KiB for each thread that uses them, so Linux keeps them for no process that has not
asked. Without the permission the first instruction on them ends the process. Source: Linux,
Documentation/arch/x86/xstate.rst.
"""

from __future__ import annotations

import ctypes
import platform
from functools import cache
from typing import Final

#: LLVM's name of the feature that all instructions on those registers need.
TILES: Final = "amx-tile"

#: ``arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA)`` of x86-64.
_ARCH_PRCTL: Final = 158
_REQUEST: Final = 0x1023
_TILE_DATA: Final = 18


@cache
def granted() -> bool:
    """Ask for the registers, for all threads of this process and of those that it forks.

    Returns:
        Whether they may be used: not where the CPU or Linux (before 5.16) has none, and where a
        sandbox forbids the question.
    """
    if platform.machine() != "x86_64":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return int(libc.syscall(_ARCH_PRCTL, _REQUEST, _TILE_DATA)) == 0
