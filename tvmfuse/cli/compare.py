"""`tvmfuse compare`: are the numbers right, and where do they go wrong?"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from tvmfuse.cli.boundary import FAILED, INTERRUPTED
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.options import (
    cache_option,
    dim_option,
    disable_option,
    enable_option,
    examples,
    inputs_option,
    json_option,
    level_option,
    model_argument,
    output_option,
    seed_option,
    shape_option,
    target_option,
    threads_option,
)

EXITS: Final = """\


\b
Exit codes:
  0    every output is within the tolerance
  1    an output is not, or one of the engines cannot run the model
  130  interrupted; what was compared until then is printed
"""


@click.command(
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
@click.option(
    "--tolerance", type=click.FloatRange(min=0), default=1e-4, show_default=True,
    help="Of an output's largest magnitude; decides the exit code.",
)  # fmt: skip
@click.option(
    "--budget", type=click.IntRange(min=1), default=256, show_default=True, metavar="MIB",
    help="Memory for tensors that wait to be compared.",
)  # fmt: skip
@level_option
@disable_option
@enable_option
@target_option
@threads_option
@shape_option
@dim_option
@inputs_option
@seed_option
@cache_option
@json_option
@output_option("--html", words="Also write a page with all that was compared.")
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

    For each output: the largest and the mean error, absolute, by the largest magnitude (rel) and in
    steps between floating-point numbers (ulp); and NaN or infinities at different places.

    With --intermediates also for the tensors inside that ours still has: what each kernel writes.
    Fusions leave the others no place, and are not changed for the sake of looking. `growth` is the
    relative error less the one that the operands came with: where it is large, look first.
    """
    from tvmfuse.measure.accuracy import accuracy

    with working(f"comparing {model}") as progress:
        result = accuracy(
            model,
            disabled_pass=disable,
            enabled_pass=enable,
            inputs=_read(inputs, model, settings) if inputs else None,
            budget=budget * 2**20,
            progress=progress,
            **settings,
        )
    if html is not None:
        from tvmfuse.page import document

        html.write_text(document(f"tvmfuse compare {model}", result.to_html()), encoding="utf-8")
    if as_json:
        show_json({"model": str(model), **result.to_json()})
    else:
        show(result.table(everything=everything))
        for line in (result.sentence, *result.notes):
            say(f"{line}.")
    if result.interrupted:
        ctx.exit(INTERRUPTED)
    if not result.agrees:
        ctx.exit(FAILED)


def _read(sources: tuple[str, ...], model: Path, settings: dict[str, Any]) -> Any:
    """Read arrays; whose they are, where a file does not say so, is what the model says."""
    from tvmfuse.frontend import import_model
    from tvmfuse.measure.inputs import read_inputs

    specs = import_model(model, shapes=settings["shapes"], dims=settings["dims"]).inputs
    return read_inputs(sources, specs)
