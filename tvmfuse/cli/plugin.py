"""`tvmfuse plugin`: what lets onnxruntime run compiled files."""

from __future__ import annotations

from pathlib import Path

import click

from tvmfuse.cli.console import say, show_json, working
from tvmfuse.cli.files import ReadPath, Verb
from tvmfuse.cli.options import examples, json_option, output_option


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse plugin -o libtvmfuse_onnxruntime.so",
        "tvmfuse plugin -o libtvmfuse_onnxruntime.so --headers onnxruntime-linux-x64/include",
        "tvmfuse compile model.onnx --ep-context -o model_ctx.onnx",
    ),
)
@output_option("-o", "--output", required=True, words="The shared library to write.")
@click.option(
    "--headers", type=ReadPath(exists=True, path_type=Path),
    help="The folder of onnxruntime_c_api.h, 1.24 or later. By default npm fetches it, once: 150 "
    "MB, of which 0.6 are kept.",
)  # fmt: skip
@json_option
def plugin(output: Path, headers: Path | None, *, as_json: bool) -> None:
    """Build the library that lets onnxruntime run compiled models.

    It is an execution provider, which a program in C++, C#, Python and others registers, with
    onnxruntime 1.24 or later. It runs what `tvmfuse compile --ep-context` writes, and needs neither
    Python nor TVM. A C compiler has to be in the PATH.
    """
    from tvmfuse.c.plugin import build_plugin

    with working("compile the plug-in"):
        build_plugin(output, headers)
    if as_json:
        show_json({"file": str(output), "bytes": output.stat().st_size})
    else:
        say(f"{output}: {output.stat().st_size} bytes")
