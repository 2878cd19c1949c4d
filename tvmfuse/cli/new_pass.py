"""`tvmfuse new-pass`: the file of a pass of one's own, and its test."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Final

import click

from tvmfuse.cli.console import show_json
from tvmfuse.cli.files import Verb, WrittenPath
from tvmfuse.cli.options import examples, json_option
from tvmfuse.format.atomic import write_text

TEMPLATES: Final = Path(__file__).parent / "templates"
NAME: Final = re.compile(r"([A-Z][a-z0-9]*)+")


def check_name(_ctx: click.Context, _param: click.Parameter, name: str) -> str:
    """Refuse what is no name of a class."""
    if NAME.fullmatch(name) is None:
        raise click.BadParameter(f"expected a class's name such as MyRule, found {name!r}")
    return name


@click.command(
    "new-pass",
    cls=Verb,
    epilog=examples("tvmfuse new-pass MyRule", "tvmfuse new-pass MyRule -o rules"),
)
@click.argument("name", callback=check_name)
@click.option(
    "-o", "--output", default=".", show_default=True, metavar="DIR",
    type=WrittenPath(file_okay=False, path_type=Path), help="The folder that they are written to.",
)  # fmt: skip
@json_option
def new_pass(name: str, *, output: Path, as_json: bool) -> None:
    """Write a pass of your own, and its test, to start from.

    The rule, a class called NAME, leaves out a negation of a negation, and its test passes: change
    what it looks for, when that is safe, and what takes its place. No file is written over.
    """
    module = "_".join(part.lower() for part in re.findall(r"[A-Z][a-z0-9]*", name))
    files = {
        output / f"{module}.py": "rule.py.txt",
        output / f"test_{module}.py": "test.py.txt",
    }
    if there := [str(file) for file in files if file.exists()]:
        raise click.ClickException(f"{there[0]} is there already: take another name or folder")
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        words = f"cannot make the folder {output}: {error.strerror}"
        raise click.ClickException(words) from error
    for file, template in files.items():
        text = Template((TEMPLATES / template).read_text()).substitute(name=name, module=module)
        write_text(file, text)
    if as_json:
        show_json({"files": [str(file) for file in files], "pass": f"{module}:{name}"})
        return
    for file in files:
        click.echo(f"wrote {file}")
    click.echo(f"try it, with pytest installed: python -m pytest {output / f'test_{module}.py'}")
    click.echo(f"on a model, in {output.resolve()}: tvmfuse explain M.onnx --pass {module}:{name}")
