"""How quiet the machine has to be for a verb that measures: its options, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import click

from tvmfuse.cli.boundary import NOT_QUIET
from tvmfuse.cli.options import FiniteRange
from tvmfuse.interruption import INTERRUPTED

if TYPE_CHECKING:
    from tvmfuse.measure import Quiet

WAIT: Final = click.option(
    "--wait-quiet", type=FiniteRange(min=0), default=0.0, metavar="SECONDS",
    help="Wait until nothing else takes the cores, at most so long in all.",
)  # fmt: skip
REQUIRE: Final = click.option(
    "--require-quiet", is_flag=True,
    help=f"Exit with {NOT_QUIET} where the machine is not quiet, before or meanwhile.",
)  # fmt: skip


class Measured(Protocol):
    """What was measured, and whether the machine was quiet."""

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C cut it short."""

    @property
    def banner(self) -> str:
        """Why nothing is claimed of it; nothing where the machine was quiet."""


def quiet_options(function: Any) -> Any:
    """Declare both options."""
    return WAIT(REQUIRE(function))


def taken(settings: dict[str, Any]) -> Quiet:
    """Take both options' values out of a verb's settings."""
    from tvmfuse.measure import Quiet

    return Quiet(wait_s=settings.pop("wait_quiet"), required=settings.pop("require_quiet"))


def end(ctx: click.Context, found: Measured, quiet: Quiet) -> None:
    """Leave a verb with the exit code that says how it went; its results have been printed."""
    if found.interrupted:
        ctx.exit(INTERRUPTED)
    if quiet.required and found.banner:
        click.secho(f"error: --require-quiet: {found.banner}", err=True, fg="red")
        ctx.exit(NOT_QUIET)
