"""`tvmfuse quantize`: a model in integers of 8 bits, and what that costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.files import ReadPath, Verb
from tvmfuse.cli.options import (
    cache_option,
    examples,
    json_option,
    limit_option,
    model_argument,
    output_option,
    seed_option,
    size_option,
    split_names,
    threads_option,
)
from tvmfuse.interruption import INTERRUPTED

EXITS: Final = """\


\b
Exit codes:
  0    the model is written
  1    the model cannot be quantized, or the calibration data do not fit it
  2    the command line asks for what does not exist
  130  interrupted; what is written is whole, and what was measured until then is printed
"""


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse quantize resnet50.onnx -o resnet50-int8.onnx --calibration samples/",
        "tvmfuse quantize net.onnx -o net-int8.onnx --calibration a.npz --exclude conv1,fc",
        "tvmfuse quantize bert.onnx -o bert-int8.onnx --mode dynamic --dim sequence=64",
        "tvmfuse quantize net.onnx -o net-int8.onnx --operators Conv,Gemm --no-layers --json",
    )
    + EXITS,
)
@model_argument
@output_option("-o", "--output", required=True, words="The quantized model to write.")
@click.option(
    "--calibration", type=ReadPath(exists=True, path_type=Path), metavar="PATH",
    help="An .npz file with one run's inputs, or a folder of such files.  [default: random inputs]",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(("static", "dynamic")), default="static", show_default=True,
    help="Ranges of activations are constants, or are found at each run.",
)  # fmt: skip
@click.option(
    "--per-channel/--per-tensor", default=True, show_default=True,
    help="A scale for each channel of the weights, or one for all.",
)  # fmt: skip
@click.option(
    "--activation", type=click.Choice(("uint8", "int8")), default="uint8", show_default=True,
    help="The type of activations.",
)  # fmt: skip
@click.option(
    "--weight", type=click.Choice(("int8", "uint8")), default="int8", show_default=True,
    help="The type of weights.",
)  # fmt: skip
@click.option("--symmetric", is_flag=True, help="Activations without a zero point.")
@click.option(
    "--reduce-range", is_flag=True,
    help="Weights of 7 bits, for engines that saturate on x86 without VNNI.",
)  # fmt: skip
@click.option(
    "--operators", multiple=True, metavar="TYPES", callback=split_names,
    help="The operators that are quantized, separated by comma.  [default: all that can be]",
)  # fmt: skip
@click.option(
    "--exclude", multiple=True, metavar="NODES", callback=split_names,
    help="Nodes that stay in float32, separated by comma; may be repeated.",
)  # fmt: skip
@click.option(
    "--layers/--no-layers", default=True, show_default=True,
    help="Quantize each layer alone, to say which lose most.",
)  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Show all layers.")
@size_option
@limit_option
@seed_option
@threads_option
@cache_option
@json_option
@click.pass_context
def quantize(
    ctx: click.Context,
    /,
    *,
    model: Path,
    output: Path,
    calibration: Path | None,
    everything: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Quantize MODEL to 8 bits, and say what that costs, by layer.

    onnxruntime's quantizer does it (the extra `ort`). Printed are how far each output is from that
    of float32, as compiled by tvmfuse: the largest and the mean error by max abs (rel), and the
    signal-to-quantization-noise ratio (SQNR): 20 dB is an error of a tenth, 40 dB of a hundredth.
    Then the layers that lose most: each is quantized alone, and SQNR is that of the worst output.
    Where leaving some in float32 was measured to halve the noise, it says which.

    Without --calibration, ranges and figures are of random inputs.
    """
    from tvmfuse.quantization.quantize import quantize as quantized_of

    with working(f"quantizing {model}") as progress:
        result = quantized_of(model, calibration, output=output, progress=progress, **settings)
    if as_json:
        show_json({"model": str(model), "file": str(output), **result.to_json()})
    else:
        show(result.table(everything=everything))
        for line in (f"{output}: {result.sentence}", *result.notes):
            say(f"{line}.")
    if result.interrupted:
        ctx.exit(INTERRUPTED)
