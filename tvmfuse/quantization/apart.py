"""A place where onnxruntime's quantizer works: its files and its words stay there."""

from __future__ import annotations

import io
import logging
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

from tvmfuse.measure.onnxruntime_session import FATAL
from tvmfuse.unfinished import undone

WARNING: Final = 2
"""What onnxruntime logs by default; nobody can ask it what it is set to."""
LOCK: Final = threading.RLock()


_before: list[tuple[TextIO, str | None]] = []
"""Where output and temporary files go outside."""


@contextmanager
def apart(onnxruntime: Any) -> Iterator[Path]:
    """Make a folder that is gone at the end; of several threads, one at a time has one.

    Temporary files of all libraries go below it, since the quantizer names no other place. What it
    prints, logs and warns of is dropped: it is advice to call what is called here anyway.

    Args:
        onnxruntime: The package.
    """
    with LOCK:
        folder = tempfile.mkdtemp(prefix="tvmfuse-quantize-")
        # Without a handler, the first message would give the process's root logger one for good.
        root, handler = logging.getLogger(), logging.NullHandler()
        with undone(partial(shutil.rmtree, folder, ignore_errors=True)):
            root.addHandler(handler)
            onnxruntime.set_default_logger_severity(FATAL)
            _before.append((sys.stdout, tempfile.tempdir))
            sys.stdout, tempfile.tempdir = io.StringIO(), folder
            try:
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", module="onnxruntime")
                    yield Path(folder)
            finally:
                sys.stdout, tempfile.tempdir = _before.pop()
                onnxruntime.set_default_logger_severity(WARNING)
                root.removeHandler(handler)


@contextmanager
def outside() -> Iterator[None]:
    """Let the caller's own code, which makes samples, print and keep files as ever."""
    inside = sys.stdout, tempfile.tempdir
    sys.stdout, tempfile.tempdir = _before[-1]
    try:
        yield
    finally:
        sys.stdout, tempfile.tempdir = inside
