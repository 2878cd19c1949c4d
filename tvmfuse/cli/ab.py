"""`tvmfuse ab`: which of two ways to compile a model is faster?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tvmfuse.cli.console import measuring, say, show, show_json
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    cache_option,
    disable_option,
    disable_step_option,
    duration_option,
    examples,
    json_option,
    level_option,
    model_or_demo,
    precision_option,
    reading_options,
    seed_option,
    target_option,
    threads_option,
    tolerance_option,
)
from tvmfuse.cli.quiet import end, quiet_options, taken

if TYPE_CHECKING:
    from tvmfuse.measure import Comparison, VariantSettings

DEMO_DISABLES: Final = ("FuseOps", "ConstantFolding", "ConvBNFusion")


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse ab",
        "tvmfuse ab resnet50.onnx --disable ConvBNFusion",
        "tvmfuse ab bert.onnx --disable-step KBlocking",
        'tvmfuse ab bert.onnx --disable "FuseOps;MatMulAddFusion" --duration 30 --json',
        "tvmfuse ab net.onnx --a engine=onnxruntime,threads=1 --b threads=1",
        "tvmfuse ab net.onnx --a level=none --b only=FuseOps+FuseTIR",
        "tvmfuse ab net.onnx --a target=avx2 --b target=avx2,disable=WinogradConv",
        "tvmfuse ab net.onnx --b precision=bf16 --tolerance 0.02",
    ),
)
@model_or_demo
@click.option(
    "--a", "first", default="", metavar="VARIANT",
    help="The baseline: KEY=VALUE,... of level, target, threads, precision, disable, "
    "enable, only, disable_step and engine (tvmfuse or onnxruntime); names are joined by +.",
)  # fmt: skip
@click.option(
    "--b", "second", default="", metavar="VARIANT",
    help="The candidate; what a variant does not say is taken from the options below.",
)  # fmt: skip
@disable_option
@disable_step_option
@level_option
@target_option
@precision_option
@tolerance_option
@threads_option
@reading_options
@cache_option
@duration_option(10.0)
@quiet_options
@seed_option
@json_option
@click.pass_context
def ab(
    ctx: click.Context,
    /,
    *,
    model: Path | None,
    first: str,
    second: str,
    disable: tuple[str, ...],
    disabled_step: tuple[str, ...],
    level: str,
    target: str,
    precision: str,
    threads: int | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Time MODEL compiled in two ways, side by side in one process.

    Variant A is the baseline, B the candidate. With --disable the candidate does without these
    passes, with --disable-step its kernels without these steps. With --a and --b each variant is
    what it says. Their outputs are compared first; where they differ nothing is timed. Then both
    run in balanced order, and the speedup of B over A is printed with its confidence interval.
    Without MODEL it takes a small demo: convolution, batch norm, ReLU. Ctrl-C prints what was
    measured so far.
    """
    if model is not None and not (disable or disabled_step or first or second):
        raise click.UsageError(
            f"which passes shall the candidate do without? For example `tvmfuse ab {model} "
            "--disable FuseOps,ConvBNFusion`; `tvmfuse explain` names those that fire on the model"
        )
    from tvmfuse import measure
    from tvmfuse.demo import wee_net

    if not (disable or disabled_step or first or second):
        disable = DEMO_DISABLES
    base = measure.VariantSettings(level=level, target=target, threads=threads, precision=precision)
    off = replace(base, disable=disable, disable_step=disabled_step)
    variants = (
        measure.read_variant(first, base),
        measure.read_variant(second, off),
    )
    source = wee_net() if model is None else model
    quiet = taken(settings)
    with measuring() as progress:
        comparison = measure.ab(source, *variants, progress=progress, quiet=quiet, **settings)
    name = "WeeNet, the built-in demo" if model is None else str(model)
    if as_json:
        show_json({"model": name, **comparison.to_json()})
    else:
        _show(comparison, name, target)
        for line in (*comparison.notes, _meaning(comparison, *variants)):
            say(f"{line}.")
    end(ctx, comparison, quiet)


def _show(comparison: Comparison, name: str, target: str) -> None:
    from tvmfuse.views.terminal import table
    from tvmfuse.views.terminal.banner import titled

    drawn = table(comparison, banner=False)
    drawn.title = titled(f"{name}, target {target}: {drawn.title}", comparison.banner)
    show(drawn)


def _meaning(comparison: Comparison, a: VariantSettings, b: VariantSettings) -> str:
    ratio = comparison.ratio
    added = replace(a, disable=b.disable, disable_step=b.disable_step)
    only_passes = not (a.disable or a.disable_step) and a != b == added
    if ratio is None or not ratio.effect or not only_passes:
        return comparison.sentence
    verdict = "slower" if ratio.median > 1 else "faster"
    return f"{comparison.sentence}: {verdict} when disabled"
