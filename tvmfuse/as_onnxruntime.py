"""`python -m tvmfuse.as_onnxruntime`: run a program for which onnxruntime means tvmfuse."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import click

from tvmfuse.onnxruntime_api.replacing import replace_onnxruntime
from tvmfuse.starting import WAYS

PROG: Final = "python -m tvmfuse.as_onnxruntime"


@click.command(
    context_settings={
        "allow_interspersed_args": False,
        "help_option_names": ["-h", "--help"],
    },
    epilog=f"\b\nExamples:\n  {PROG} detect.py --image cat.png\n"
    f"  {PROG} --start compiled -m pytest tests",
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
    help="'at once', in quotes, has onnxruntime run a model until it is compiled, and is the "
    "default where onnxruntime is installed; 'compiled' waits for the compilation.",
)
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(
    program: str,
    arguments: tuple[str, ...],
    start: str | None,
    *,
    is_module: bool,
    no_fallback: bool,
) -> Callable[[], object]:
    """Run PROGRAM, for which `import onnxruntime` means tvmfuse.

    ARGUMENTS are the program's own.
    """
    if not is_module:
        _check_file(program)
    replace_onnxruntime(fallback=None if no_fallback else "onnxruntime", start=start)
    sys.argv = [program, *arguments]
    if is_module:
        _check_module(program)
        return partial(runpy.run_module, program, run_name="__main__", alter_sys=True)
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    return partial(runpy.run_path, program, run_name="__main__")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the command line names; its exceptions are its own, and not the command line's.

    Args:
        arguments: `sys.argv` without its first, by default.
    """
    try:
        run = command.main(arguments, prog_name=PROG, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    if callable(run):  # and no --help
        run()


def _check_file(program: str) -> None:
    if not os.path.exists(program):
        raise click.BadParameter(f"there is no file {program!r}", param_hint="PROGRAM")
    if os.path.isdir(program) and not os.path.exists(os.path.join(program, "__main__.py")):
        raise click.BadParameter(f"{program!r} has no __main__.py", param_hint="PROGRAM")


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
    main()
