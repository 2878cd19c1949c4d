"""`tvmfuse explain`: what each pass did to a model, and why it declined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tvmfuse.cli.console import show, show_json, working
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
    reading_options,
    strict_option,
)


@click.command(
    epilog=examples(
        "tvmfuse explain resnet50.onnx",
        "tvmfuse explain bert.onnx --level basic --dim batch=1",
        "tvmfuse explain net.onnx --disable ConvBNFusion --json",
        "tvmfuse explain net.onnx --plans --json > plans.json",
        "tvmfuse explain net.onnx --dump-ir net-ir",
    ),
)
@model_argument
@level_option
@disable_option
@enable_option
@reading_options
@disable_step_option
@fallback_option
@strict_option
@dump_ir_option
@click.option(
    "--plans", is_flag=True,
    help="Say how each kernel is going to run; with --json, as `tvmfuse compile --plans` takes it.",
)  # fmt: skip
@json_option
def explain(*, model: Path, plans: bool, as_json: bool, **others: Any) -> None:
    """Optimize MODEL and say what each pass did; no kernel is compiled."""
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
