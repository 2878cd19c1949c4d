"""What became of the graphs of a whole program."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

from tvmfuse.torch_backend.report import TorchReport, forget, report


def explain_program(
    path: str | os.PathLike[str], arguments: Sequence[str] = ()
) -> tuple[TorchReport, BaseException | None]:
    """Run a Python program as `python PATH ARGUMENTS...` does, and say what torch.compile did.

    Args:
        path: The program.
        arguments: What it finds in ``sys.argv`` behind its name.

    Returns:
        What was compiled until the program ended; and the exception that ended it, if one did.
    """
    forget()
    found, path_before = sys.argv, [*sys.path]
    sys.argv = [os.fspath(path), *arguments]
    sys.path.insert(0, str(Path(path).resolve().parent))
    ended: BaseException | None = None
    try:
        runpy.run_path(os.fspath(path), run_name="__main__")
    except SystemExit as error:
        ended = error if error.code not in (None, 0) else None
    except Exception as error:  # the program's own, which its report outlives
        ended = error
    finally:
        sys.argv, sys.path[:] = found, path_before
    return report(), ended
