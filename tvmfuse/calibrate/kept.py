"""The calibration of this machine's CPU: kept from another time, or measured now."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import BinaryIO, Final

from tvm.target import Target

from tvmfuse.calibrate.measure import measure
from tvmfuse.format.faults import MalformedError
from tvmfuse.format.kept_files import KeptFiles
from tvmfuse.progress import Progress, silent
from tvmfuse.target import host_cpu
from tvmfuse.target.calibration import Calibration

#: Of the numbers, and of how they are measured: a file of another one is none.
VERSION: Final = 1
SUFFIX: Final = ".calibration"
LIMIT: Final = 1 << 20  # bytes: thousands of CPUs

#: What this process has measured, by target.
_here: Final[dict[str, Calibration]] = {}


def calibrated(target: Target, folder: Path | None, progress: Progress = silent) -> Calibration:
    """Return what is kept of this machine's CPU; where nothing is, measure it and keep that.

    Args:
        target: Of this machine, as `resolve` finds it.
        folder: Where it is kept, a file for each CPU. None: it is kept in this process alone, as
            where the folder cannot be written.
        progress: Called before something is measured.
    """
    if folder is None:
        return _measured(target, progress)
    files, key = KeptFiles(folder, SUFFIX, LIMIT, kind=""), _key(target)
    found = files.read(key, _read)
    if found is None:
        found = _measured(target, progress)
        text = json.dumps(found.to_json())
        files.write({key: lambda file: file.write(text.encode())})
    return found


def _measured(target: Target, progress: Progress) -> Calibration:
    name = str(target)
    if name not in _here:
        progress("measure this CPU, once")
        _here[name] = measure(target)
    return _here[name]


def _key(target: Target) -> str:
    """Return the digest of what CPU it is, and of which of its vectors are measured."""
    said = [VERSION, str(target), sorted(host_cpu.identity())]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _read(file: BinaryIO) -> Calibration:
    try:
        return Calibration.from_json(json.load(file))
    except (ValueError, RecursionError) as error:
        raise MalformedError(str(error)) from error
