"""`tvmfuse ab`: does a pass pay on this model?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tvmfuse.cli.boundary import INTERRUPTED
from tvmfuse.cli.console import measuring, say, show, show_json, working
from tvmfuse.cli.options import (
    cache_option,
    dim_option,
    disable_option,
    examples,
    existing_file,
    json_option,
    level_option,
    seed_option,
    shape_option,
    target_option,
    threads_option,
)

if TYPE_CHECKING:
    from tvmfuse import Artifact
    from tvmfuse.measure import Comparison

DEMO_DISABLES: Final = ("FuseOps", "ConstantFolding", "ConvBNFusion")


@click.command(
    epilog=examples(
        "tvmfuse ab",
        "tvmfuse ab resnet50.onnx --disable ConvBNFusion",
        'tvmfuse ab bert.onnx --disable "FuseOps;MatMulAddFusion" --duration 30 --json',
    ),
)
@click.argument("model", type=existing_file, required=False)
@disable_option
@level_option
@target_option
@threads_option
@shape_option
@dim_option
@cache_option
@click.option(
    "--duration", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True,
    help="Seconds to measure, after warming up.",
)  # fmt: skip
@seed_option
@json_option
@click.pass_context
def ab(
    ctx: click.Context,
    /,
    *,
    model: Path | None,
    disable: tuple[str, ...],
    duration: float,
    threads: int | None,
    cache: bool,
    seed: int,
    as_json: bool,
    **settings: Any,
) -> None:
    """Time MODEL with passes on and off, side by side in one process.

    Both arms' outputs are compared first; where they differ nothing is timed. Then the arms run in
    balanced order, and the ratio of their times is printed with its interval. Without MODEL it
    takes a small demo: convolution, batch norm, ReLU. Ctrl-C prints what was measured until then.
    """
    if model is not None and not disable:
        raise click.UsageError(
            f"which passes shall the second arm do without? For example `tvmfuse ab {model} "
            "--disable FuseOps,ConvBNFusion`; `tvmfuse explain` names those that fire on the model"
        )
    from rich.markup import escape

    from tvmfuse.measure import Arm, compare
    from tvmfuse.measure.inputs import random_inputs
    from tvmfuse.passes.selection import absent

    if missing := absent(disable):
        raise click.UsageError(
            f"this version of tvmfuse does not have {', '.join(missing)}, so that there is nothing "
            "to time; `tvmfuse passes` lists those that it has"
        )
    # The arm without passes first: an unknown name shows before the long work.
    disable = disable or DEMO_DISABLES
    without = _compile(model, disable, settings, cache=cache)
    whole = _compile(model, (), settings, cache=cache)
    executables = [artifact.load(num_threads=threads) for artifact in (whole, without)]
    feeds = random_inputs(executables[0].inputs, seed=seed)
    record = {**settings, "threads": threads}
    arms = [
        Arm(_title(settings["level"], off), partial(run, feeds), {**record, "disable": off})
        for run, off in zip(executables, ((), disable), strict=True)
    ]
    with measuring() as progress:
        comparison = compare(*arms, duration_s=duration, seed=seed, progress=progress)

    if as_json:
        show_json({"model": _name(model), **comparison.to_json()})
    else:
        table = comparison.table()
        table.title = f"{escape(_name(model))}, target {escape(settings['target'])}: {table.title}"
        show(table)
        kernels = [len(artifact.manifest.kernels) for artifact in (whole, without)]
        counted = "kernels: {} and {}".format(*kernels)
        for line in (counted, *comparison.notes, *_idle(whole, without), _meaning(comparison)):
            say(f"{line}.")
    if comparison.interrupted:
        ctx.exit(INTERRUPTED)


def _name(model: Path | None) -> str:
    return "WeeNet, the built-in demo" if model is None else str(model)


def _title(level: str, disable: tuple[str, ...]) -> str:
    return f"level {level} without {', '.join(disable)}" if disable else f"level {level}"


def _compile(
    model: Path | None, disable: tuple[str, ...], settings: dict[str, Any], *, cache: bool
) -> Artifact:
    import tvmfuse
    from tvmfuse.demo import wee_net

    what = f"compiling {_name(model)} at {_title(settings['level'], disable)}"
    with working(what) as progress:
        source = wee_net() if model is None else model
        return tvmfuse.compile(
            source, disabled_pass=disable, cache=cache, progress=progress, **settings
        )


def _idle(whole: Artifact, without: Artifact) -> list[str]:
    """Name the passes whose absence changes nothing, because they never fired."""
    fired = whole.report.fired()
    off = [entry.name for entry in without.report.passes if entry.status == "disabled"]
    idle = [name for name in off if name not in fired]
    return [f"on this model nothing is left for {', '.join(idle)} to do"] if idle else []


def _meaning(comparison: Comparison) -> str:
    ratio = comparison.ratio
    if ratio is None or not ratio.effect:
        return comparison.sentence
    verdict = "the passes switched off pay" if ratio.median > 1 else "the passes switched off cost"
    return f"{comparison.sentence}: {verdict}"
