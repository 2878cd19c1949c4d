"""All checks in a row."""

from __future__ import annotations

import os

from tvmfuse.doctor.diagnosis import Diagnosis
from tvmfuse.doctor.hardware import Hardware, check_hardware
from tvmfuse.doctor.singing import listen
from tvmfuse.doctor.tools import check_tools
from tvmfuse.doctor.versions import Installed, check_versions
from tvmfuse.progress import Progress, silent


def examine(progress: Progress = silent) -> Diagnosis:
    """Look at versions, hardware and tools, and let the canaries sing; takes some seconds.

    Neither TVM nor torch is loaded into this process.

    Args:
        progress: Called with what is looked at.
    """
    progress("versions, hardware, tools")
    return Diagnosis(
        (
            *check_versions(Installed.here()),
            *check_hardware(Hardware.here()),
            *check_tools(os.environ),
            *listen(progress=progress),
        )
    )
