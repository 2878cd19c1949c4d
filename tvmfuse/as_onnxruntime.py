"""Run a program for which ``import onnxruntime`` means tvmfuse.

::

    python -m tvmfuse.as_onnxruntime [--no-fallback] script.py [arguments]
    python -m tvmfuse.as_onnxruntime [--no-fallback] -m module [arguments]

With ``--no-fallback``, models with nodes that cannot be compiled are refused; else onnxruntime
computes these, where it is installed.
"""

from __future__ import annotations

import os
import runpy
import sys

from tvmfuse.onnxruntime_api.replacing import replace_onnxruntime

NO_FALLBACK = "--no-fallback"


def main(arguments: list[str]) -> None:
    """Run a script or a module; see above.

    Args:
        arguments: Those of the command line.

    Raises:
        SystemExit: There is nothing to run, or the program ends so.
    """
    fallback = None if arguments[:1] == [NO_FALLBACK] else "onnxruntime"
    rest = arguments[1:] if fallback is None else arguments
    is_module = rest[:1] == ["-m"]
    program = rest[is_module : is_module + 1]
    if not program or program[0].startswith("-"):
        raise SystemExit(__doc__)
    replace_onnxruntime(fallback=fallback)
    sys.argv = rest[is_module:]
    if is_module:
        runpy.run_module(program[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(program[0]))
        runpy.run_path(program[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
