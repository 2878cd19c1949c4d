"""`tvmfuse run`: one inference from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    cache_option,
    disable_step_option,
    examples,
    fallback_option,
    inputs_option,
    json_option,
    limit_option,
    model_argument,
    output_option,
    plans_option,
    seed_option,
    shape_option,
    size_option,
    target_option,
    threads_option,
)

if TYPE_CHECKING:
    from tvmfuse.runtime.executable import Executable


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse run resnet50.so --inputs image.npy -o logits.npz",
        "tvmfuse run bert.so --dim batch=7 --seed 1",
        "tvmfuse run net.onnx --inputs a=a.npy --inputs b=b.npy",
        "tvmfuse run detector.onnx --shape boxes:4,4/_,4 --inputs boxes.npz",
        "tvmfuse run net.so --json",
    ),
)
@model_argument
@inputs_option
@seed_option
@size_option
@shape_option
@limit_option
@target_option
@disable_step_option
@plans_option
@fallback_option
@threads_option
@cache_option
@output_option("-o", "--output", words="Write the outputs to this .npz file.")
@json_option
def run(
    *,
    model: Path,
    inputs: tuple[str, ...],
    seed: int,
    dims: dict[str, int],
    shapes: dict[str, Any],
    limits: dict[str, int],
    target: str,
    threads: int | None,
    cache: bool,
    disabled_step: tuple[str, ...],
    plans: dict[str, Any] | None,
    fallback: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Run MODEL (a compiled .so, or a model to compile first) once.

    Without --inputs they are random: normal floats, and 0 or 1 for integers. A symbolic dimension
    has its usual size (batch 1, length 128, image 224) unless --dim says otherwise. A sequence's
    elements, which --shape tells, are inputs of their own: s[0], s[1].
    Printed is what is in them; -o keeps the outputs.
    """
    from tvmfuse.measure.array_summary import array_summary
    from tvmfuse.measure.inputs import random_inputs, read_inputs, write_arrays
    from tvmfuse.views.terminal import arrays_table

    options = {
        "cache": cache, "disabled_step": disabled_step, "plans": plans, "limits": limits,
        "fallback": fallback, "shapes": shapes,
    }  # fmt: skip
    executable = _load(model, target, threads, **options)
    specs = executable.inputs
    feeds = read_inputs(inputs, specs) or random_inputs(specs, dims=dims, seed=seed)
    outputs = executable(feeds)
    if output is not None:
        write_arrays(output, outputs)
    if as_json:
        both = {"inputs": feeds, "outputs": outputs}
        held = {k: [array_summary(*item).to_json() for item in v.items()] for k, v in both.items()}
        show_json({"model": str(model), "file": output and str(output), **held})
        return
    show(arrays_table("inputs", feeds), arrays_table("outputs", outputs))
    if output is not None:
        say(f"outputs written to {output}")


def _load(model: Path, target: str, threads: int | None, **options: Any) -> Executable:
    import tvmfuse
    from tvmfuse.format.kinds import is_compiled

    if is_compiled(model):
        if any(given for name, given in options.items() if name != "cache"):
            raise click.UsageError(f"{model} is compiled already: it runs as it is")
        return tvmfuse.load(model, num_threads=threads)
    with working(f"compiling {model}") as progress:
        artifact = tvmfuse.compile(model, target=target, progress=progress, **options)
        return artifact.load(num_threads=threads)
