"""`tvmfuse export`: a compiled file with all that runs it without Python."""

from __future__ import annotations

from pathlib import Path

import click

from tvmfuse.cli.console import say, show_json, working
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import examples, json_option, model_argument, output_option


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse export model.so -o model.tar.gz",
        "tar xf model.tar.gz && cat model/README",
    ),
)
@model_argument
@output_option("-o", "--output", required=True, words="The archive to write, a .tar.gz.")
@json_option
def export(model: Path, output: Path, *, as_json: bool) -> None:
    """Pack a compiled file with the C library that runs it.

    The archive has wrappers for C++, Rust, Go, C# and Node, and examples, too, and runs on a
    machine with no Python. A C compiler for the processor of the model has to be in the PATH.
    """
    from tvmfuse.c import export as exporting

    with working("compile the C library"):
        names = exporting.export(model, output)
    if as_json:
        show_json({"archive": str(output), "files": list(names)})
    else:
        say(f"{output}: {', '.join(names)}")
