"""What a case may do to the process that runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import numpy as np
from outcome import PASS, WRONG, Outcome


def misbehave(name: str, arm: str) -> Outcome:
    """Do what the arm says; the operator of what is returned is this process."""
    me = str(os.getpid())
    if arm == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if arm == "exit":
        os._exit(3)
    if arm == "hang":
        subprocess.Popen(["sleep", "60"])
        time.sleep(60)
    if arm == "bloat":
        try:
            np.ones(1 << 34).sum()
        except MemoryError:
            return Outcome(WRONG, me, "MemoryError")
    return Outcome(PASS, me)
