"""The canaries: small pieces of work, each of which once ended a process, or never ended.

A canary returns what it saw, and raises where that is not as it should be. One that dies, or that
takes too long, is the finding. So this is a program: it sings the canaries that it is asked for,
one after the other, and writes a line of JSON after each; `tvmfuse.doctor.singing` listens. What
canaries need is imported inside them, for importing is the first thing to die of.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tvmfuse.doctor import refusing, running
from tvmfuse.errors import first_line

Canary = Callable[[], str]

#: By the name that a table shows, in the order in which they sing.
CANARIES: Final[Mapping[str, Canary]] = MappingProxyType(
    {
        "TVM loads": running.loads,
        "one FFI library": running.one_ffi_library,
        "instructions": running.instructions,
        "measured": running.measured,
        "modules as JSON": running.serialized,
        "numbers": running.computes,
        "save and load": running.saved,
        "half a file": running.truncated,
        "misaligned tensor": running.misaligned,
        "index out of range": running.out_of_range,
        "place out of range": running.misplaced,
        "threads": running.in_threads,
        "fork after a run": running.forked,
        "rank 65": refusing.high_rank,
        "pad of 2^62": refusing.overflowing_pad,
        "huge constant": refusing.huge_constant,
        "nested functions": refusing.nested_functions,
        "chained sigmoids": refusing.chained_sigmoids,
        "wide concat": refusing.wide_concat,
    }
)


def main(names: list[str]) -> None:
    """Sing; what TVM prints goes to stderr, and stdout has nothing but the lines."""
    faulthandler.enable()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for name in names:
        answers.write(json.dumps(sing(CANARIES[name])) + "\n")


def sing(canary: Canary) -> dict[str, str]:
    """Return what a canary found, and its problem: what it raised."""
    try:
        return {"found": canary(), "problem": ""}
    except Exception as error:
        return {"found": "", "problem": f"{type(error).__name__}: {first_line(error)}"}


if __name__ == "__main__":
    main(sys.argv[1:])
