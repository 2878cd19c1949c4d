"""`tvmfuse tune`: faster plans for a model's kernels, found by timing them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from tvmfuse.cli.arrays import arrays_for
from tvmfuse.cli.console import measuring, say, show, show_json
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    cache_option,
    database_option,
    disable_option,
    examples,
    inputs_option,
    json_option,
    level_option,
    model_argument,
    precision_option,
    reading_options,
    seed_option,
    target_option,
    threads_option,
)
from tvmfuse.cli.quiet import end, quiet_options, taken

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def read_budget(_ctx: click.Context | None, _param: click.Parameter | None, value: str) -> float:
    """Read seconds, or ``90s``, ``5m``, ``1h``.

    >>> read_budget(None, None, "5m"), read_budget(None, None, "0.5")
    (300.0, 0.5)
    """
    said = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", value.strip())
    seconds = float(said[1]) * UNITS[said[2]] if said else 0.0
    if not seconds:
        raise click.BadParameter(f"expected a time above 0, as in 90s, 5m or 1h, found {value!r}")
    return seconds


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse tune resnet50.onnx --budget 5m",
        "tvmfuse tune bert.onnx --dim batch=1 --dim sequence=128 --threads 1 --database tuned",
        "tvmfuse compile bert.onnx -o bert.so --database tuned",
        "tvmfuse tune net.onnx --trials 200 --json",
    ),
)
@model_argument
@click.option(
    "--budget", "budget_s", default="5m", show_default=True, metavar="TIME", callback=read_budget,
    help="About how long it may take, compilations included: 90s, 5m, 1h.",
)  # fmt: skip
@click.option("--trials", type=click.IntRange(min=1), metavar="N", help="Time at most N plans.")
@database_option(
    "Keep what is timed in this folder, and go on from what is there.  [default: "
    "TVMFUSE_DATABASE, or the user's cache folder]"
)
@level_option
@disable_option
@target_option
@precision_option
@threads_option
@reading_options
@inputs_option
@seed_option
@cache_option
@quiet_options
@json_option
@click.pass_context
def tune(
    ctx: click.Context,
    /,
    *,
    model: Path,
    inputs: tuple[str, ...],
    disable: tuple[str, ...],
    as_json: bool,
    **settings: Any,
) -> None:
    """Find faster plans for MODEL's kernels by timing them.

    A plan says how a kernel's loops run: its register tile, the order of its loops, what is copied
    and asked for ahead. Each round compiles the model with another plan for many of its kernels,
    and times both models in turn, kernel by kernel, on random inputs or --inputs. At the end the
    faster plans are confirmed together; where the whole model is not faster for certain, none is
    kept.

    Each plan that was timed is a line in the --database, of this CPU, target, version and number of
    threads: tuning again goes on from there. Ctrl-C loses none of them, and keeps none: that takes
    the end. `tvmfuse compile --database` takes the plans that were kept, and so does every
    compilation where TVMFUSE_DATABASE names the folder.
    """
    from tvmfuse.tuning.tune import tune as search

    quiet = taken(settings)
    with measuring() as progress:
        found = search(
            model,
            inputs=arrays_for(model, inputs, settings),
            disabled_pass=disable,
            progress=progress,
            quiet=quiet,
            **settings,
        )
    if as_json:
        show_json({"file": str(model), **found.to_json()})
    else:
        show(found.table())
        say(f"{found.sentence}.")
        say(f"records: {found.database}")
        if found.kept:
            say(f"to use them: tvmfuse compile {model} -o MODEL.so --database {found.database}")
    end(ctx, found, quiet)
