"""`tvmfuse compile`: a model becomes one shared library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tvmfuse.cli.console import say, show, show_json, working
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    caches_option,
    database_option,
    disable_option,
    disable_step_option,
    dump_ir_option,
    enable_option,
    examples,
    fallback_option,
    json_option,
    level_option,
    map_weights_option,
    model_argument,
    output_option,
    plans_option,
    precision_option,
    reading_options,
    specialize_option,
    strict_option,
    targets_option,
)

if TYPE_CHECKING:
    from tvmfuse.build.artifact import Artifact
    from tvmfuse.measure import Parts


@click.command(
    "compile",
    cls=Verb,
    epilog=examples(
        "tvmfuse compile resnet50.onnx -o resnet50.so",
        "tvmfuse compile bert.onnx -o bert.so --dim batch=1 --level extended",
        "tvmfuse compile net.onnx -o net.so --specialize batch=1 --specialize batch=8",
        "tvmfuse compile net.onnx -o net.so --verify",
        "tvmfuse compile net.onnx -o net.so --target avx2 --disable ConvBNFusion,FuseOps",
        "tvmfuse compile net.onnx -o net.so --target avx2,avx512,sapphirerapids",
        "tvmfuse compile net.onnx -o net.so --disable-step Prefetch --plans plans.json",
        "tvmfuse compile net.onnx -o net.so --database tuned",
        "tvmfuse compile net.onnx -o net.bundle --fallback onnxruntime",
        "tvmfuse compile net.onnx -o net_ctx.onnx --ep-context",
        "tvmfuse compile net.onnx -o net.so --json",
    ),
)
@model_argument
@output_option("-o", "--output", required=True, words="The shared library to write.")
@targets_option
@level_option
@disable_option
@enable_option
@disable_step_option
@plans_option
@database_option(
    "Follow the plans that `tvmfuse tune` kept in this folder.  [default: TVMFUSE_DATABASE]"
)
@reading_options
@specialize_option
@map_weights_option
@caches_option
@click.option(
    "--verify", is_flag=True,
    help="Compare every level with level none, and leave out passes that change the numbers.",
)  # fmt: skip
@output_option("--save-optimized", words="Also write the optimized model, for a fast start-up.")
@click.option(
    "--ep-context",
    is_flag=True,
    help="Write an ONNX model of one EPContext node, which onnxruntime runs by the library of "
    "`tvmfuse plugin`, and NAME_tvmfuse.so beside it.",
)
@click.option("--embed", is_flag=True, help="With --ep-context: one file, which has both.")
@fallback_option
@precision_option
@strict_option
@dump_ir_option
@json_option
def compile_model(
    *,
    model: Path,
    output: Path,
    disable: tuple[str, ...],
    enable: tuple[str, ...],
    ep_context: bool,
    embed: bool,
    as_json: bool,
    **others: Any,
) -> None:
    """Compile MODEL into one .so with code, weights and manifest.

    With --fallback, what cannot be compiled is left to another engine: printed are the nodes, why
    each of them, and what their parts take of a run on random inputs. The file is a bundle then,
    which `tvmfuse run`, `inspect` and `profile` take, too.

    With --ep-context, onnxruntime runs it: see docs/how-to/onnxruntime-plugin.md.

    With --json it prints what each pass did, and the file that was written.
    """
    from rich.filesize import decimal

    import tvmfuse

    if embed and not ep_context:
        raise click.UsageError("--embed is for --ep-context")
    with working(f"compiling {model}") as progress:
        artifact = tvmfuse.compile(
            model, disabled_pass=disable, enabled_pass=enable, progress=progress, **others
        )
        if ep_context:
            from tvmfuse.c.ep_context import save_ep_context

            written = save_ep_context(artifact, output, embed=embed)
        else:
            artifact.save(output)
            written = (output,)
    size = sum(file.stat().st_size for file in written)
    parts = _parts(artifact)
    if as_json:
        said = {"model": str(model), "file": str(output), "bytes": size}
        shares = {"parts": parts.to_json()} if parts else {}
        show_json({**said, **artifact.report.to_json(), **shares})
        return
    fired = sum(1 for entry in artifact.report.passes if entry.fired)
    files = " and ".join(map(str, written))
    say(f"{files}: {decimal(size)}, {fired} passes fired (`tvmfuse explain {model}` says where)")
    if parts:
        from tvmfuse.views.terminal import handed_table

        handed = artifact.manifest.handed_over
        show(parts.table(), *([handed_table(handed)] if handed else []))
        say(f"{parts.sentence}.")


def _parts(artifact: Artifact) -> Parts | None:
    """Time the parts of a model; None where it is compiled as a whole."""
    from tvmfuse import measure

    return measure.part_shares(artifact) if artifact.manifest.parts else None
