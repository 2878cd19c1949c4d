"""`tvmfuse doctor`: can models be compiled and run here?"""

from __future__ import annotations

import click

from tvmfuse.cli.boundary import FAILED
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import examples, json_option


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse doctor",
        "tvmfuse doctor --json",
    ),
)
@json_option
@click.pass_context
def doctor(ctx: click.Context, /, *, as_json: bool) -> None:
    """Look for what keeps models from being compiled and run here.

    Versions that do not go together, what the CPU has, caches and cores, the linker, the folder of
    compiled kernels; then the canaries: small pieces of work that once crashed or hung, in a
    process of their own, which also measures the CPU. It takes some seconds. A finding says what to
    do, and the exit code is then 1.
    """
    from tvmfuse.doctor.examine import examine

    with working("examining") as progress:
        found = examine(progress)
    if as_json:
        show_json(found.to_json())
    else:
        show(found.table())
        say(found.sentence)
    if found.findings:
        ctx.exit(FAILED)
