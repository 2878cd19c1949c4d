"""`tvmfuse compile-many`: many models, each for several targets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tvmfuse.cli.console import say, show_json, working_through
from tvmfuse.cli.files import ReadPath, Verb, WrittenPath
from tvmfuse.cli.options import (
    caches_option,
    database_option,
    disable_option,
    disable_step_option,
    enable_option,
    examples,
    fallback_option,
    json_option,
    level_option,
    map_weights_option,
    precision_option,
    reading_options,
    specialize_option,
    split_targets,
    strict_option,
)
from tvmfuse.format.file_systems import is_url
from tvmfuse.interruption import INTERRUPTED

if TYPE_CHECKING:
    from tvmfuse.fleet.result import CompiledModel

EXITS: Final = """\


\b
Exit codes:
  0    every model is compiled for every target
  1    some are not: the table and the list say which, and why; or the folder cannot be written to
  2    the command line asks for what does not exist
  130  interrupted; what is done is listed, and the same command goes on from there
"""


class ModelPath(ReadPath):
    """A model that is read: a file, or a URL."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or the URL."""
        return value if is_url(value) else os.fspath(super().convert(value, param, ctx))


@click.command(
    "compile-many",
    cls=Verb,
    epilog=examples(
        "tvmfuse compile-many models/*.onnx -o out",
        "tvmfuse compile-many models/*.onnx -o out --targets avx2,avx512,sapphirerapids --jobs 4",
        "tvmfuse compile-many models/*.onnx -o out --dim batch=1 --precision f16",
        "tvmfuse compile-many models/*.onnx -o out --ray auto",
        "tvmfuse compile-many models/*.onnx -o out --shared-cache redis://host/0 --cache-key key",
        "tvmfuse compile-many s3://bucket/net.onnx -o out --ray ray://head:10001",
        "tvmfuse compile-many models/*.onnx -o out --json",
    )
    + EXITS,
)
@click.argument("models", nargs=-1, required=True, type=ModelPath(exists=True, dir_okay=False))
@click.option(
    "-o", "--output", required=True, metavar="DIR",
    type=WrittenPath(file_okay=False, path_type=Path),
    help="The folder of the compiled files, and of compile-many.json, which lists them.",
)  # fmt: skip
@click.option(
    "--targets", "--target", multiple=True, default=("llvm",), show_default=True,
    callback=split_targets, metavar="NAMES",
    help="What each model is compiled for, a file for each: llvm (this machine), avx2, avx512, "
    "another CPU, separated by comma; may be repeated.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N",
    help="How many models are compiled at once.  [default: one for two cores; with --ray, as many "
    "as the cluster has CPUs]",
)  # fmt: skip
@click.option(
    "--ray", metavar="ADDRESS",
    help="Compile on a Ray cluster: auto, HOST:PORT or ray://HOST:10001; takes the extra `ray`.",
)  # fmt: skip
@level_option
@disable_option
@enable_option
@disable_step_option
@database_option(
    "Follow the plans that `tvmfuse tune` kept in this folder.  [default: TVMFUSE_DATABASE]"
)
@reading_options
@specialize_option
@map_weights_option
@caches_option
@fallback_option
@precision_option
@strict_option
@json_option
@click.pass_context
def compile_many(
    ctx: click.Context,
    /,
    *,
    models: tuple[str, ...],
    output: Path,
    targets: tuple[str, ...],
    disable: tuple[str, ...],
    enable: tuple[str, ...],
    as_json: bool,
    **settings: Any,
) -> None:
    """Compile many MODELS, each for every target.

    MODELS are files or URLs, of which several are compiled at once. Each compiled file is named by
    its model's path below the folder that all MODELS have in common, and by the target:
    models/a/net.onnx becomes DIR/a/net.avx2.so. A model that is refused is named with its reason,
    and stops no other. A model whose worker dies is given to another, twice at most.

    The same command again goes on where it stopped: what is compiled already, of the same model
    with the same options by the same tvmfuse, is kept.
    """
    import tvmfuse
    from tvmfuse.fleet.table import lines_for

    head, line = lines_for(models, targets)
    left = [head]
    with working_through("compiling") as (progress, show_line):

        def show_row(row: CompiledModel) -> None:
            if not as_json:
                show_line("\n".join([*left, line(row)]))
                left.clear()

        found = tvmfuse.compile_many(
            models, output, targets=targets, disabled_pass=disable, enabled_pass=enable,
            progress=progress, finished=show_row, **settings,
        )  # fmt: skip
    if as_json:
        show_json(found.to_json())
    else:
        say(f"{found.sentence}; {found.manifest} lists them.")
    if found.interrupted:
        ctx.exit(INTERRUPTED)
    if not found.all_done:
        ctx.exit(1)
