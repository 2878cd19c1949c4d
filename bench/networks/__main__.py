"""Further networks on several engines, in turn: numbers first, then times."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from bench import machine
from bench.command import (
    Benchmark,
    chosen_option,
    duration_option,
    end,
    known,
    threads_option,
    titled,
)
from bench.engines import ENGINES, Job
from bench.in_turn import measured
from bench.networks import NETWORKS, Network
from bench.networks.network import FOLDER
from bench.networks.record import Record
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.options import examples, json_option, output_option
from tvmfuse.format.atomic import write_text

MOST: Final = 400
"""Letters of an engine's reason: OpenVINO's is behind the files of its own that it came through."""


def measure(
    network: Network, title: str, record: Record, *, folder: Path, duration_s: float
) -> None:
    """Add the figures of one network to the record, or why there are none.

    Raises:
        KeyboardInterrupt: It has figures only if all engines were timed until then.
    """
    threads, batch = record.conditions["threads"], record.conditions["batch"]
    try:
        with working(title) as progress:
            progress("export")
            file = network.file(batch, folder)
        job = Job(file, network.outputs, network.module, threads)
        jobs = [(engine, job) for engine in record.engines]
        feeds = network.feeds(batch)
        found = measured(network.name, title, jobs, feeds, batch=batch, duration_s=duration_s)
        record.results[network.name] = list(found)
    except Exception as error:  # other engines' classes share no base
        words = " ".join(str(error).split())[:MOST]
        record.failures[network.name] = words
        click.echo(f"{network.name}: {words}", err=True)


def _list(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted and not ctx.resilient_parsing:
        for network in NETWORKS.values():
            inputs = (f"{name} {[*array.shape]}" for name, array in network.feeds().items())
            click.echo(f"{network.name:<18} {', '.join(inputs)}")
        ctx.exit()


def _there(engines: Sequence[str]) -> list[str]:
    """Return the engines that this machine has; say what it lacks."""
    there = []
    for engine in engines:
        if words := ENGINES[engine].missing():
            click.echo(f"left out: {ENGINES[engine].label}: {words}", err=True)
        else:
            there.append(engine)
    if not there:
        raise click.ClickException("no engine is left")
    return there


def _taken_up(file: Path | None, conditions: dict[str, object]) -> Record:
    """Return what a file has of an earlier run under the same conditions; or a new record."""
    if file is None or not file.exists():
        return Record(conditions)
    try:
        record = Record.from_json(json.loads(file.read_text()))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise click.ClickException(f"{file} is not what this command wrote: {error!r}") from error
    if unlike := record.unlike(conditions):
        words = f"{file} was measured under other conditions: {', '.join(unlike)}"
        raise click.ClickException(f"{words}; give another file, or remove it")
    return record


@click.command(
    cls=Benchmark,
    epilog=examples(
        "python -m bench.networks",
        "python -m bench.networks swin-tiny wav2vec2-base --threads 2",
        "python -m bench.networks --record networks.json --markdown",
    ),
)
@click.argument("names", nargs=-1, metavar="[NETWORKS]...")
@chosen_option(
    "--engines", "engine", ENGINES, "tvmfuse,onnxruntime,openvino",
    "ratios are by the first one's time.",
)  # fmt: skip
@threads_option
@click.option(
    "--batch", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
    help="Samples of one run; the files are made for so many.",
)  # fmt: skip
@duration_option(8.0, "network")
@output_option(
    "--record",
    words="Keep the figures here after each network; those that it has are not measured again.",
)
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=FOLDER,
    show_default=True, help="Where exported files are kept.",
)  # fmt: skip
@json_option
@click.option("--markdown", is_flag=True, help="Print the table for a document.")
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_list,
              help="List the networks and exit.")  # fmt: skip
@click.pass_context
def main(
    ctx: click.Context, /, *, names: tuple[str, ...], engines: tuple[str, ...], threads: int,
    batch: int, duration: float, record: Path | None, folder: Path, as_json: bool, markdown: bool,
) -> None:  # fmt: skip
    """Time NETWORKS, or all of them, in float32 on several engines in one process.

    Each is one of a kind: grouped and depthwise convolutions, windows, segmentation, detection,
    depth, sound, text; `--list` says which. Each engine's outputs are first compared with the first
    one's; then all run in balanced order. Printed are the first engine's time, the others' time by
    it with the interval, the ratio of the better one, and the geometric means. A network that an
    engine does not take, or computes otherwise, is said in words, and the rest goes on. Ctrl-C
    prints what was measured until then; with --record the next call goes on from there.
    """
    chosen = known("network", NETWORKS)(names or NETWORKS)
    given = {"engines": _there(engines), "threads": threads, "batch": batch}
    found = _taken_up(record, {**machine.record(), **given})
    left = [name for name in chosen if name not in found.results]
    interrupted = False
    for name, title in titled(left):
        try:
            measure(NETWORKS[name], title, found, folder=folder, duration_s=duration)
        except KeyboardInterrupt:
            interrupted = True
            break
        if record is not None:
            write_text(record, json.dumps(found.to_json(), indent=1))
    _print(found, as_json=as_json, markdown=markdown)
    end(ctx, interrupted=interrupted)


def _print(found: Record, *, as_json: bool, markdown: bool) -> None:
    if as_json:
        show_json(found.to_json())
    elif markdown and found.results:
        click.echo(found.markdown())
    elif found.results:
        show(found.table())
        for name, results in found.results.items():
            if not all(result.warm for result in results):
                say(f"{name}: times had not become stable when the warm-up ended.")


if __name__ == "__main__":
    main()
