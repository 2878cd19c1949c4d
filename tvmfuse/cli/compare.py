"""`tvmfuse compare`: are the numbers right, and where do they go wrong?"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from tvmfuse.cli.arrays import arrays_for
from tvmfuse.cli.boundary import FAILED
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    cache_option,
    disable_option,
    enable_option,
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
    tolerance_option,
)
from tvmfuse.cli.pages import html_option, require_pages, write_page
from tvmfuse.interruption import INTERRUPTED

EXITS: Final = """\


\b
Exit codes:
  0    every output is within the tolerance
  1    an output is not, or one of the engines cannot run the model
  130  interrupted; what was compared until then is printed
"""


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse compare resnet50.onnx",
        "tvmfuse compare bert.onnx --dim batch=1 --intermediates --html bert.html",
        "tvmfuse compare net.onnx --against none --disable ConvBNFusion --inputs x.npz",
    )
    + EXITS,
)
@model_argument
@click.option(
    "--against", type=click.Choice(("onnxruntime", "reference", "none")), default="onnxruntime",
    show_default=True,
    help="onnxruntime without optimizations, ONNX's reference evaluator, or level none.",
)  # fmt: skip
@click.option("--intermediates", is_flag=True, help="Compare the tensors inside, too.")
@click.option("--all", "everything", is_flag=True, help="Show all of them.")
@tolerance_option
@click.option(
    "--budget", type=click.IntRange(min=1), default=256, show_default=True, metavar="MIB",
    help="Memory for tensors that wait to be compared.",
)  # fmt: skip
@level_option
@disable_option
@enable_option
@target_option
@precision_option
@threads_option
@reading_options
@inputs_option
@seed_option
@cache_option
@html_option
@json_option
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    *,
    model: Path,
    everything: bool,
    disable: tuple[str, ...],
    enable: tuple[str, ...],
    inputs: tuple[str, ...],
    budget: int,
    as_json: bool,
    html: Path | None,
    **settings: Any,
) -> None:
    """Compile MODEL and compare its numbers with another engine's.

    For each output: the largest and the mean error, absolute, by max abs of the reference (rel), in
    steps between floating-point numbers (ulp); and NaN or infinities at different places.

    With --intermediates also for the tensors inside that ours still has: what each kernel is
    proven to write. Fusions leave the others no place, and are not changed for the sake of looking.
    `excess` is the largest error by what rounding alone explains there, cancellation and all; above
    8 it is an alarm, and where alarms begin comes first.
    """
    require_pages(html)
    from tvmfuse.measure.accuracy import accuracy

    with working(f"comparing {model}") as progress:
        result = accuracy(
            model,
            disabled_pass=disable,
            enabled_pass=enable,
            inputs=arrays_for(model, inputs, settings),
            budget=budget * 2**20,
            progress=progress,
            **settings,
        )
    if as_json:
        show_json({"model": str(model), **result.to_json()})
    else:
        show(result.table(everything=everything))
        for line in (result.sentence, *result.notes):
            say(f"{line}.")
    if html is not None:
        write_page(html, f"tvmfuse compare {model}", result.to_html())
    if result.interrupted:
        ctx.exit(INTERRUPTED)
    if not result.agrees:
        ctx.exit(FAILED)
