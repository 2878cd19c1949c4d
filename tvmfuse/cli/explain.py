"""`tvmfuse explain`: what each pass did to a model, and why it declined; what torch.compile did."""

from __future__ import annotations

import dataclasses
import sys
import traceback
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import Any

import click

from tvmfuse.cli.boundary import FAILED
from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    disable_option,
    disable_step_option,
    dump_ir_option,
    enable_option,
    examples,
    fallback_option,
    json_option,
    level_option,
    model_argument,
    precision_option,
    reading_options,
    strict_option,
)
from tvmfuse.errors import ConfigurationError


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse explain resnet50.onnx",
        "tvmfuse explain bert.onnx --level basic --dim batch=1",
        "tvmfuse explain net.onnx --disable ConvBNFusion --json",
        "tvmfuse explain net.onnx --plans --json > plans.json",
        "tvmfuse explain net.onnx --dump-ir net-ir",
        'tvmfuse explain train.py -- --epochs 1      # of torch.compile(..., backend="tvmfuse")',
    ),
)
@model_argument
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGUMENTS]...")
@level_option
@disable_option
@enable_option
@reading_options
@disable_step_option
@fallback_option
@precision_option
@strict_option
@dump_ir_option
@click.option(
    "--plans", is_flag=True,
    help="Say how each kernel is going to run; with --json, as `tvmfuse compile --plans` takes it.",
)  # fmt: skip
@json_option
@click.pass_context
def explain(
    ctx: click.Context, /, *, model: Path, arguments: tuple[str, ...], plans: bool, as_json: bool,
    **others: Any,
) -> None:  # fmt: skip
    """Say what each pass did to MODEL; no kernel is compiled.

    A MODEL that ends with .py is a Python program. It is run, with its own ARGUMENTS, and what
    torch.compile did with the backend tvmfuse is said when it ends: groups, nodes in eager with
    file, line and reason, where graphs break, and what was compiled again.
    """
    if model.suffix == ".py":
        _explain_program(ctx, model, arguments, as_json=as_json)
        return
    if arguments:
        raise click.UsageError(f"only a program (.py) takes arguments, found {arguments[0]!r}")
    import tvmfuse
    from tvmfuse.views.terminal import report_tables

    settings = {
        "disabled_pass": others.pop("disable"), "enabled_pass": others.pop("enable"), **others,
    }  # fmt: skip
    if plans:
        _explain_plans(model, settings, as_json=as_json)
        return
    with working(f"optimizing {model}") as progress:
        report = tvmfuse.explain(model, progress=progress, **settings)
    if as_json:
        show_json(report.to_json())
    else:
        show(*report_tables(report))


def _explain_plans(model: Path, settings: dict[str, Any], *, as_json: bool) -> None:
    """Print how each kernel is going to run."""
    import tvmfuse
    from tvmfuse.schedules.plan_json import to_json
    from tvmfuse.views.terminal import plans_table

    if settings.pop("dump_ir"):
        raise click.UsageError("--dump-ir writes what passes leave; ask for --plans without it")
    if settings.pop("fallback"):
        raise click.UsageError(
            "a model in parts follows no --plans; ask for them without --fallback"
        )
    with working(f"optimizing {model}") as progress:
        found = tvmfuse.plan_kernels(model, progress=progress, **settings)
    if as_json:
        show_json({name: to_json(plan) for name, plan in found.items()})
    else:
        show(plans_table(found))


def _explain_program(
    ctx: click.Context, path: Path, arguments: tuple[str, ...], *, as_json: bool
) -> None:
    """Run a program, and print what torch.compile did in it."""
    for option in ctx.command.params:
        given = ctx.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE
        if given and option.name not in {"model", "arguments", "as_json"}:
            raise click.UsageError(
                f"{option.opts[0]} is for models; a program says it by torch.compile's options"
            )
    try:
        from tvmfuse.torch_backend.program import explain_program
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"a program is explained with torch: {error}; "
            "install it with: python -m pip install 'tvmfuse[torch]'"
        ) from error
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        found, ended = explain_program(path, arguments)
    if as_json:
        show_json(dataclasses.asdict(found))
    else:
        say(str(found))
    if isinstance(ended, SystemExit):
        if isinstance(ended.code, int):
            ctx.exit(ended.code)
        click.echo(ended.code, err=True)  # as Python prints what sys.exit is given
        ctx.exit(FAILED)
    if ended is not None:
        click.echo("".join(traceback.format_exception(ended)), err=True)
        click.secho(f"error: {path} ended with {type(ended).__name__}", err=True, fg="red")
        ctx.exit(FAILED)
