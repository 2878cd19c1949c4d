"""`tvmfuse explain`: what each pass did to a model, and why it declined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tvmfuse.cli.console import show, show_json, working
from tvmfuse.cli.options import (
    dim_option,
    disable_option,
    dump_ir_option,
    enable_option,
    examples,
    json_option,
    level_option,
    model_argument,
    shape_option,
)


@click.command(
    epilog=examples(
        "tvmfuse explain resnet50.onnx",
        "tvmfuse explain bert.onnx --level basic --dim batch=1",
        "tvmfuse explain net.onnx --disable ConvBNFusion --json",
        "tvmfuse explain net.onnx --dump-ir net-ir",
    ),
)
@model_argument
@level_option
@disable_option
@enable_option
@shape_option
@dim_option
@dump_ir_option
@json_option
def explain(
    *, model: Path, disable: tuple[str, ...], enable: tuple[str, ...], as_json: bool, **others: Any
) -> None:
    """Optimize MODEL and say what each pass did; no kernel is compiled."""
    import tvmfuse
    from tvmfuse.views.terminal import report_tables

    with working(f"optimizing {model}") as progress:
        report = tvmfuse.explain(
            model, disabled_pass=disable, enabled_pass=enable, progress=progress, **others
        )
    if as_json:
        show_json(report.to_json())
    else:
        show(*report_tables(report))
