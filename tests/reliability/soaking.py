"""Running one of the programs of `processes` in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("processes.py")


def measured(name: str, count: int, *, timeout_s: float = 300) -> dict[str, Any]:
    """Return what a program of `processes.PROGRAMS` found.

    Raises:
        subprocess.CalledProcessError: It failed.
        subprocess.TimeoutExpired: It took too long.
    """
    command = [sys.executable, str(PROGRAM), name, str(count)]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=timeout_s, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
