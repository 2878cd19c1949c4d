"""`tvmfuse profile`: where a model's time goes."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tvmfuse.cli.console import measuring, say, show, show_json
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    cache_option,
    disable_option,
    disable_step_option,
    duration_option,
    examples,
    fallback_option,
    inputs_option,
    json_option,
    level_option,
    model_argument,
    output_option,
    plans_option,
    precision_option,
    reading_options,
    seed_option,
    target_option,
    threads_option,
)
from tvmfuse.cli.pages import html_option, require_pages, write_page
from tvmfuse.cli.quiet import end, quiet_options, taken

if TYPE_CHECKING:
    from tvmfuse.measure import ManyCores
    from tvmfuse.progress import Progress


def read_threads(
    _ctx: click.Context | None, _param: click.Parameter | None, value: str | None
) -> tuple[int, ...]:
    """Read numbers of threads.

    >>> read_threads(None, None, "4,16,64"), read_threads(None, None, None)
    ((4, 16, 64), ())
    """
    if value is None:
        return ()
    if not re.fullmatch(r"0*[1-9]\d{0,4}(,0*[1-9]\d{0,4})*", value):
        raise click.BadParameter(f"expected numbers of threads as in 4,16,64, found {value!r}")
    return tuple(dict.fromkeys(map(int, value.split(","))))


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse profile resnet50.onnx",
        "tvmfuse profile resnet50.so --threads 1 --each --top 20",
        "tvmfuse profile bert.onnx --dim batch=1 --dim sequence=128 --trace bert.json",
        "tvmfuse profile resnet50.onnx --simulate 4,16,64",
        "tvmfuse profile net.onnx --inputs x.npy --html net.html --json",
    ),
)
@model_argument
@click.option("--each", is_flag=True, help="Launch by launch, and not equal kernels together.")
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N", help="Show the N largest lines alone."
)
@click.option(
    "--simulate", metavar="N,N,...", callback=read_threads,
    help="Also work out what it takes on so many threads, as 4,16,64, from the time of each piece "
    "of its parallel loops.",
)  # fmt: skip
@level_option
@disable_option
@disable_step_option
@plans_option
@target_option
@precision_option
@threads_option
@reading_options
@fallback_option
@inputs_option
@seed_option
@cache_option
@duration_option(5.0)
@quiet_options
@output_option("--trace", words="Write a typical run here, for Perfetto or chrome://tracing.")
@html_option
@json_option
@click.pass_context
def profile(
    ctx: click.Context,
    /,
    *,
    model: Path,
    each: bool,
    top: int | None,
    simulate: tuple[int, ...],
    disable: tuple[str, ...],
    inputs: tuple[str, ...],
    trace: Path | None,
    html: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Time each kernel of MODEL: a compiled .so, or a model.

    For each kernel its time, its share of the run, GOP/s (10^9 operations, floating-point ones or
    products of bytes and their sums) and GB/s, the ONNX nodes that it computes and the schedule
    that it took. Operations and bytes are counted from the kernel itself. "% of roofline": how near
    it comes to its roofline bound, which is the slower of two peaks that are measured in the same
    run: FMAs on registers, dot products where it multiplies int8 or bfloat16 (compute-bound), and a
    copy of as many bytes (memory-bound). Inputs are random where no --inputs are given; a symbolic
    dimension has its usual size (batch 1, length 128, image 224) unless --dim says otherwise.
    Ctrl-C prints what was measured until then.

    --simulate times each piece of each parallel loop on one thread, and works out how long more
    threads take, and which kernels leave them idle. What it takes to wake threads is left out.
    """
    require_pages(html)
    from tvmfuse.format.atomic import write_text
    from tvmfuse.measure import profile as measure
    from tvmfuse.measure.inputs import read_inputs

    given = partial(read_inputs, inputs) if inputs else None
    quiet = taken(settings)
    with measuring() as progress:
        result = measure(
            model,
            disabled_pass=disable,
            inputs=given,
            progress=progress,
            quiet=quiet,
            **settings,
        )
        cores = None
        if simulate and not result.interrupted:
            with suppress(KeyboardInterrupt):  # What was measured before is printed all the same.
                cores = _on_cores(model, simulate, disable, inputs, settings, progress)
    if as_json:
        simulated = {"on_threads": cores.to_json()} if cores else {}
        show_json({"file": str(model), **result.to_json(), **simulated})
    else:
        show(result.table(each=each, top=top))
        for note in result.notes:
            say(f"{note}.")
        if cores:
            show(cores.table(top=top))
    if trace is not None:
        write_text(trace, json.dumps(result.to_trace()))
    if html is not None:
        write_page(html, f"tvmfuse profile {model}", result.to_html())
    end(ctx, result, quiet)


def _on_cores(
    model: Path,
    threads: tuple[int, ...],
    disable: tuple[str, ...],
    inputs: tuple[str, ...],
    settings: dict[str, Any],
    progress: Progress,
) -> ManyCores:
    """Work out what the model takes on more threads."""
    from tvmfuse.format.kinds import is_compiled
    from tvmfuse.measure import many_cores
    from tvmfuse.measure.inputs import read_inputs

    given = partial(read_inputs, inputs) if inputs else None
    names = ("target", "level", "disabled_step", "plans", "precision", "shapes", "limits", "cache")
    compiling = {} if is_compiled(model) else {n: settings[n] for n in names}
    if not is_compiled(model):
        compiling["disabled_pass"] = disable
    return many_cores(
        model, threads, inputs=given, dims=settings["dims"], seed=settings["seed"],
        progress=progress, **compiling,
    )  # fmt: skip
