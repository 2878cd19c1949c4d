"""The models on several engines and in several precisions, in turn: numbers, then times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial

import click

from bench import machine
from bench.command import (
    Benchmark,
    chosen_option,
    duration_option,
    end,
    finished,
    models_argument,
    threads_option,
    titled,
)
from bench.engines import ENGINES, Job
from bench.in_turn import Result, markdown, measured, table
from bench.models import MODELS, int8_file, onnx_file
from bench.precisions import PRECISIONS
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.options import examples, json_option
from tvmfuse.errors import WrongNumbersError


def measure(
    name: str, title: str, asked: Sequence[tuple[str, str]], *, threads: int, batch: int,
    duration_s: float,
) -> Iterator[Result]:  # fmt: skip
    """Measure one model on engines, each in a precision; see `measured`."""
    model, files = MODELS[name], {}
    with working(title) as progress:
        progress("export")
        exported = onnx_file(name, size="full", batch=batch)
        for precision in dict.fromkeys(precision for _, precision in asked):
            if bits := PRECISIONS[precision].weight_bits:
                progress("quantize")
                files[precision] = int8_file(name, size="full", batch=batch, weight_bits=bits)
    module = partial(model.positional, "full")
    jobs = [
        (engine, Job(files.get(p, exported), tuple(model.outputs), module, threads, p))
        for engine, p in asked
    ]
    feeds = model.inputs("full", batch=batch)
    yield from measured(name, title, jobs, feeds, batch=batch, duration_s=duration_s)


def _agreeing(
    names: Sequence[str], one: Callable[[str, str], Iterator[Result]], wrong: list[str]
) -> Iterator[Result]:
    """Yield the results of each model; `wrong` gets the words of those where engines disagree."""
    for name, title in titled(names):
        try:
            yield from one(name, title)
        except WrongNumbersError as error:
            wrong.append(f"{name}: {error}")


def _asked(
    engines: Sequence[str], precisions: Sequence[str]
) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Return what can be measured here, precision by precision, and why the rest cannot be."""
    there, left_out = list[tuple[str, str]](), dict[str, str]()
    with working("looking for the engines") as progress:
        for engine in engines:
            progress(ENGINES[engine].label)
            if words := ENGINES[engine].missing():
                left_out[engine] = words
    for precision in precisions:
        if words := PRECISIONS[precision].missing():
            left_out[precision] = words
            continue
        for engine in engines:
            if words := ENGINES[engine].lacks.get(precision):
                left_out.setdefault(f"{engine} in {precision}", words)
            elif engine not in left_out:
                there.append((engine, precision))
    return there, left_out


@click.command(
    cls=Benchmark,
    epilog=examples(
        "python -m bench.models",
        "python -m bench.models resnet50 bert --threads 2",
        "python -m bench.models --engines tvmfuse,onnxruntime,openvino,torch --json",
        "python -m bench.models --engines tvmfuse,onnxruntime,openvino --precision f32,bf16,int8",
    ),
)
@models_argument
@chosen_option(
    "--engines",
    "engine",
    ENGINES,
    "tvmfuse,onnxruntime",
    "ratios are by the first one's time.",
)
@chosen_option(
    "--precision",
    "precision",
    PRECISIONS,
    "f32",
    "int8 is the model quantized by onnxruntime, int8w7 with weights of 7 bits.",
)
@threads_option
@click.option(
    "--batch", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
    help="Images, or texts, of one run; the file is made for so many.",
)  # fmt: skip
@duration_option(10.0, "model")
@json_option
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the table for a document.")
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], engines: tuple[str, ...],
    precision: tuple[str, ...], threads: int, batch: int, duration: float, as_json: bool,
    as_markdown: bool,
) -> None:  # fmt: skip
    """Time the models NAMES, or all of them, on several engines in one process.

    NAMES are among those that `python -m bench.export --list` lists, at their published sizes.
    Each engine's outputs are first compared with the first one's: those of bfloat16 with its
    float32, where that is measured, too, those of int8 with its int8. A model where they differ is
    not timed; the others are, and then the command fails. All engines run in balanced order, and
    the median of the paired ratios is printed with its interval: a ratio above 1 means that the
    first engine is the faster one. "float32 by it" is how many times as fast an engine is as itself
    in float32. `torch` is torch.compile with inductor, on the module that the file was exported
    from. What this machine or an engine lacks is left out, in
    words. Ctrl-C prints what was measured until then.
    """
    asked, left_out = _asked(engines, precision)
    for what, words in left_out.items():
        label = ENGINES[what].label if what in ENGINES else what
        click.echo(f"left out: {label}: {words}", err=True)
    if not asked:
        raise click.ClickException("no engine is left")
    one = partial(measure, asked=asked, threads=threads, batch=batch, duration_s=duration)
    wrong = list[str]()
    results, interrupted = finished(_agreeing(names, one, wrong))
    if as_json:
        rows = [asdict(result) for result in results]
        show_json({**machine.record(), "left_out": left_out, "results": rows})
    elif as_markdown and results:
        click.echo(markdown(results))
    elif results:
        show(table("whole models", results))
        for name in dict.fromkeys(r.model for r in results if not r.warm):
            say(f"{name}: times had not become stable when the warm-up ended.")
    end(ctx, interrupted=interrupted, wrong=wrong)


if __name__ == "__main__":
    main()
