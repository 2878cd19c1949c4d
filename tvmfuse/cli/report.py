"""`tvmfuse report`: everything about a model on one page."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from tvmfuse.cli.console import measuring, say, show, show_json
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    cache_option,
    duration_option,
    examples,
    json_option,
    model_argument,
    output_option,
    precision_option,
    reading_options,
    seed_option,
    target_option,
    threads_option,
)
from tvmfuse.cli.pages import require_pages
from tvmfuse.cli.quiet import end, quiet_options, taken


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse report resnet50.onnx -o resnet50.html",
        "tvmfuse report bert.onnx -o bert.html --dim batch=1 --threads 1 --duration 300",
        "tvmfuse report net.onnx --json",
    ),
)
@model_argument
@output_option("-o", "--output", words="The page to write; without it, tables are printed.")
@target_option
@precision_option
@threads_option
@reading_options
@cache_option
@duration_option(90.0)
@quiet_options
@seed_option
@json_option
@click.pass_context
def report(
    ctx: click.Context, /, *, model: Path, output: Path | None, as_json: bool, **settings: Any
) -> None:
    """Write everything about MODEL on one page, for a design review.

    What each level and each pass gains, where the time goes, what the passes did to the graph, how
    far the numbers are from ONNX Runtime's, and on which machine. The page is one file, which loads
    nothing from elsewhere. A part that fails is left out, and the page says why; so does Ctrl-C.
    """
    require_pages(output)
    from tvmfuse import measure
    from tvmfuse.format.atomic import write_text

    quiet = taken(settings)
    with measuring() as progress:
        command = shlex.join(["tvmfuse", *sys.argv[1:]])
        found = measure.report(model, command=command, progress=progress, quiet=quiet, **settings)
    if output is not None:
        if found.banner:
            say(found.banner)
        for line in (*found.summary, *found.cautions, *found.missing):
            say(f"{line}.")
        write_text(output, found.to_html())
        say(f"{output}: written")
    if as_json:
        show_json(found.to_json())
    elif output is None:
        show(found.table())
    end(ctx, found, quiet)
