"""`tvmfuse verify`: whether a compiled file is the one that was meant."""

from __future__ import annotations

from pathlib import Path

import click

from tvmfuse.cli.console import say, show_json
from tvmfuse.cli.files import Verb
from tvmfuse.cli.options import examples, existing_file, json_option, model_argument


@click.command(
    cls=Verb,
    epilog=examples(
        "tvmfuse verify model.so --key pub.pem",
        "tvmfuse verify model.so --sha256 $(cut -c1-64 model.so.sha256)",
        "tvmfuse verify model.so --key pub.pem --signature release/model.sig",
    ),
)
@model_argument
@click.option(
    "--sha256", metavar="HEX", help="What its SHA-256 has to be, as `sha256sum` prints it."
)
@click.option(
    "--key", type=existing_file, metavar="FILE",
    help="The ed25519 public key in PEM that has to have signed it; takes the extra `sign`.",
)  # fmt: skip
@click.option(
    "--signature", type=existing_file, metavar="FILE",
    help="Where the signature is.  [default: MODEL.sig]",
)  # fmt: skip
@json_option
def verify(
    model: Path, sha256: str | None, key: Path | None, signature: Path | None, *, as_json: bool
) -> None:
    """Check that a compiled file is the one that was meant.

    A compiled file is code: who can replace it, runs code where it is loaded. Nothing of it is
    loaded here. The exit code is 0 where it is the file that was meant, 1 where it is not.
    """
    if sha256 is None and key is None:
        raise click.UsageError("nothing to compare with: give --sha256, --key, or both")
    if signature is not None and key is None:
        raise click.UsageError("--signature takes --key, the public key that made it")
    from tvmfuse.format import signature as files

    found = files.verify(model, sha256=sha256, key=key, signature=signature)
    if as_json:
        signed_by = None if key is None else str(key)
        show_json({"model": str(model), "sha256": found, "signed_by": signed_by})
    else:
        by = "" if key is None else f", signed by {key}"
        say(f"{model}: verified, SHA-256 {found}{by}")
