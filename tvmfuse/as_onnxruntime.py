"""`python -m tvmfuse.as_onnxruntime`: run a program for which onnxruntime means tvmfuse."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys

import click

from tvmfuse.onnxruntime_api.replacing import replace_onnxruntime
from tvmfuse.starting import WAYS


@click.command(
    context_settings={
        "allow_interspersed_args": False,
        "help_option_names": ["-h", "--help"],
    }
)
@click.option("-m", "is_module", is_flag=True, help="PROGRAM is a module's name, and no file.")
@click.option(
    "--no-fallback",
    is_flag=True,
    help="Refuse models with nodes that cannot be compiled. Else onnxruntime computes these, where "
    "it is installed.",
)
@click.option(
    "--start",
    type=click.Choice(WAYS),
    help="'at once' has onnxruntime run a model until it is compiled, and is the default where "
    "onnxruntime is installed; 'compiled' waits for the compilation.",
)
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def main(
    program: str,
    arguments: tuple[str, ...],
    start: str | None,
    *,
    is_module: bool,
    no_fallback: bool,
) -> None:
    r"""Run PROGRAM, for which `import onnxruntime` means tvmfuse.

    ARGUMENTS are the program's own.

    \b
    Examples:
      python -m tvmfuse.as_onnxruntime detect.py --image cat.png
      python -m tvmfuse.as_onnxruntime --start compiled -m pytest tests
    """
    if not is_module and not os.path.exists(program):
        raise click.BadParameter(f"there is no file {program!r}", param_hint="PROGRAM")
    replace_onnxruntime(fallback=None if no_fallback else "onnxruntime", start=start)
    sys.argv = [program, *arguments]
    if is_module:
        _check_module(program)
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(program))
        runpy.run_path(program, run_name="__main__")


def _check_module(name: str) -> None:
    """Refuse what `python -m` would, before it is a traceback."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        raise click.BadParameter(f"there is no module {name!r} to run", param_hint="PROGRAM")


if __name__ == "__main__":
    main(prog_name="python -m tvmfuse.as_onnxruntime")
