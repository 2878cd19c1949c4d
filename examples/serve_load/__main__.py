"""The load test: ``python -m examples.serve_load v2 --clients 50 --seconds 120``."""

from __future__ import annotations

import asyncio
import json
import signal
import tempfile
from pathlib import Path
from typing import Final

import click
import onnx

from examples.serve.demo import classifier, save_demo
from examples.serve_load.doors import DOORS, Door
from examples.serve_load.load import EXAMPLES, Load, Seen, examples

GROWTH_MIB: Final = 16.0
"""Of all processes together, from the middle of the time to its end."""


def run(
    door: Door, model: Path, *, clients: int, seconds: float,
    replicas: int = 1, slow: int = 0, kill: bool = False,
) -> Seen:  # fmt: skip
    """Start a server at free ports of the loopback address, ask it without a pause, and end it."""
    asked = examples(door, model)
    with door.started(model, replicas) as server:
        seen = asyncio.run(Load(door, server, asked, seconds).run(clients, slow=slow, kill=kill))
        code = server.stop()
    if code not in (0, -signal.SIGTERM):
        seen.errors.append(f"the server ended with {code}")
    return seen


@click.command()
@click.argument("server", type=click.Choice(list(DOORS)))
@click.option("--onnxruntime", is_flag=True, help="The other arm: onnxruntime in this server.")
@click.option("--clients", type=click.IntRange(1, EXAMPLES), default=50, show_default=True)
@click.option("--seconds", type=click.FloatRange(min=1), default=120.0, show_default=True)
@click.option("--replicas", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--slow", default=0, show_default=True, help="Connections that drip beside them.")
@click.option("--kill", is_flag=True, help="Kill one of each kind of replica in the middle.")
def main(
    *, server: str, onnxruntime: bool, clients: int, seconds: float, replicas: int, slow: int,
    kill: bool,
) -> None:  # fmt: skip
    """Ask a server without a pause, compare every answer, and print the figures as JSON.

    Ends with 1 where an answer was wrong or missing, or where memory grew.
    """
    if kill and (replicas < 2 or not DOORS[server].replicas):
        raise click.UsageError("--kill takes --replicas 2, and a server that has replicas")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "classifier.onnx")
        if onnxruntime:
            onnx.save(classifier(), model)
        else:
            model = save_demo(Path(folder))
        seen = run(
            DOORS[server](), model,
            clients=clients, seconds=seconds, replicas=replicas, slow=slow, kill=kill,
        )  # fmt: skip
    click.echo(json.dumps(seen.summary(seconds), indent=2))
    if seen.errors or (seen.growth_mib > GROWTH_MIB and not kill):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
