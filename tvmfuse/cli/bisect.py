"""`tvmfuse bisect`: which rewrite of which pass makes the numbers wrong?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tvmfuse.cli.arrays import arrays_for
from tvmfuse.cli.boundary import FAILED
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.files import Verb, WrittenPath
from tvmfuse.cli.options import (
    cache_option,
    disable_option,
    enable_option,
    examples,
    inputs_option,
    json_option,
    level_option,
    model_argument,
    output_path,
    precision_option,
    reading_options,
    seed_option,
    target_option,
    threads_option,
    tolerance_option,
)
from tvmfuse.interruption import INTERRUPTED


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse bisect net.onnx",
        "tvmfuse bisect net.onnx --inputs x.npz --tolerance 1e-3 -o wrong",
        "tvmfuse bisect net.onnx --against none --disable FuseOps --json",
    ),
)
@model_argument
@inputs_option
@tolerance_option
@click.option(
    "--against", type=click.Choice(("onnxruntime", "none")), default="onnxruntime",
    show_default=True, help="onnxruntime without optimizations, or level none.",
)  # fmt: skip
@click.option(
    "-o", "--output", "folder", type=WrittenPath(file_okay=False, path_type=Path),
    callback=output_path,
    help="Write a reduced model, its inputs and the command that shows it to this folder.",
)  # fmt: skip
@level_option
@target_option
@precision_option
@disable_option
@enable_option
@reading_options
@threads_option
@cache_option
@seed_option
@json_option
@click.pass_context
def bisect(
    ctx: click.Context,
    /,
    *,
    model: Path,
    inputs: tuple[str, ...],
    disable: tuple[str, ...],
    enable: tuple[str, ...],
    as_json: bool,
    **settings: Any,
) -> None:
    """Find the rewrite that makes MODEL's numbers wrong.

    Each level's outputs are compared with the other's. Where one differs, the rewrites of all its
    passes are searched, and the one named is verified: just before it the numbers agree. Without
    --inputs they are random. Exit codes: 0, all agrees; 1, something differs or fails; 130,
    interrupted, and what is known was printed.
    """
    from tvmfuse.measure import bisect as search

    with working(f"bisecting {model}") as progress:
        found = search(
            model,
            inputs=arrays_for(model, inputs, settings),
            disabled_pass=disable,
            enabled_pass=enable,
            progress=progress,
            **settings,
        )
    if as_json:
        show_json({"model": str(model), **found.to_json()})
    else:
        show(found.table())
        for line in (found.sentence, *found.notes):
            say(f"{line}.")
        if found.reproducer:
            say(f"to see it: {found.reproducer.command}")
        elif settings["folder"] is not None:
            say(f"{settings['folder']}: not written: no wrong rewrite was found to show.")
    if found.interrupted:
        ctx.exit(INTERRUPTED)
    if found.verdict != "agrees":
        ctx.exit(FAILED)
