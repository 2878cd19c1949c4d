"""Running one of the programs of `processes` in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from relax_models import WITHOUT_TORCH

PROGRAM = Path(__file__).with_name("processes.py")
START = f"{WITHOUT_TORCH}import runpy; runpy.run_path({str(PROGRAM)!r}, run_name='__main__')"


def measured(name: str, count: int, *, timeout_s: float = 300) -> dict[str, Any]:
    """Return what a program of `processes.PROGRAMS` found.

    Raises:
        subprocess.CalledProcessError: It failed.
        subprocess.TimeoutExpired: It took too long.
    """
    command = [sys.executable, "-c", START, name, str(count)]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=timeout_s, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
