"""`tvmfuse sign`: somebody's signature for a compiled file."""

from __future__ import annotations

from pathlib import Path

import click

from tvmfuse.cli.console import say, show_json
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import (
    examples,
    existing_file,
    json_option,
    model_argument,
    output_option,
)


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse sign model.so --key k.pem",
        "openssl genpkey -algorithm ed25519 -out k.pem",
        "openssl pkey -in k.pem -pubout -out pub.pem",
    ),
)
@model_argument
@click.option(
    "--key", type=existing_file, required=True, metavar="FILE",
    help="An ed25519 private key in PEM.",
)  # fmt: skip
@output_option("-o", "--output", words="Where the signature goes.  [default: MODEL.sig]")
@json_option
def sign(model: Path, key: Path, output: Path | None, *, as_json: bool) -> None:
    """Sign a compiled file with a private key.

    The signature is 64 bytes in a file of its own; `tvmfuse verify` reads it with the public key.
    It takes the extra `sign`.
    """
    from tvmfuse.format import signature

    place = signature.sign(model, key, output)
    if as_json:
        show_json({"model": str(model), "signature": str(place)})
    else:
        say(f"{place}: the signature of {model}")
