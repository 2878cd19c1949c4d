"""Where exceptions become one line in words and an exit code."""

from __future__ import annotations

import warnings
from typing import Any, Final

import click

from tvmfuse.errors import ConfigurationError, NotQuietError, TvmfuseError
from tvmfuse.interruption import INTERRUPTED

FAILED: Final = 1
USAGE: Final = 2
NOT_QUIET: Final = 3
"""The machine had to be quiet and was not, before or while times were taken."""

CODES: Final = {ConfigurationError: USAGE, NotQuietError: NOT_QUIET}


class ErrorsInWords(click.Group):
    """A group whose verbs end in words; `--traceback` brings the traceback back."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; what it raises becomes a red line on stderr and an exit code."""
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _show_in_words
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.secho("interrupted", err=True, fg="red")
            ctx.exit(INTERRUPTED)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise  # click knows what to do with these
        except Exception as error:
            if ctx.params["traceback"]:
                raise
            click.secho(f"error: {in_words(error)}", err=True, fg="red")
            codes = (code for kind, code in CODES.items() if isinstance(error, kind))
            ctx.exit(next(codes, FAILED))


def _show_in_words(message: Warning | str, *_where: object, **_whence: object) -> None:
    click.secho(f"warning: {message}", err=True, fg="yellow")


def in_words(error: Exception) -> str:
    """Say what happened; an exception that is not ours is named, with how to report it.

    >>> in_words(ConfigurationError("no level is called 'al'; did you mean all?"))
    "no level is called 'al'; did you mean all?"
    >>> in_words(MemoryError("Unable to allocate 745. GiB for an array"))
    'arrays of these sizes do not fit the memory: Unable to allocate 745. GiB for an array'
    >>> in_words(KeyError("x"))
    "unexpected KeyError: 'x'; please report what `tvmfuse --traceback ...` prints"
    """
    if isinstance(error, (TvmfuseError, OSError)):
        return str(error)
    if isinstance(error, MemoryError):
        return f"arrays of these sizes do not fit the memory{f': {error}' if str(error) else ''}"
    name = type(error).__name__
    return f"unexpected {name}: {error}; please report what `tvmfuse --traceback ...` prints"
