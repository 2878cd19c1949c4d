"""The options that several verbs share, and how their values are read."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import click

P = ParamSpec("P")
R = TypeVar("R")
Command = Callable[P, R]

LEVELS = ("none", "basic", "extended", "layout", "all")

model_argument = click.argument("model", type=click.Path(exists=True, dir_okay=False, path_type=Path))
seed_option = click.option("--seed", default=0, show_default=True, help="Of the random numbers.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class Shape(click.ParamType):
    """``x:1,3,224,224`` -> ``("x", (1, 3, 224, 224))``; the name may itself hold colons."""

    name = "NAME:D,D,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Split at the last colon and read the dimensions; `x:` is a scalar."""
        if not isinstance(value, str):
            return value
        name, colon, dims = value.rpartition(":")
        if not (name and colon and re.fullmatch(r"(\d+(,\d+)*)?", dims)):
            self.fail(f"expected NAME:D,D,... such as x:1,3,224,224, found {value!r}", param, ctx)
        return name, tuple(int(d) for d in dims.split(",") if d)


class Dim(click.ParamType):
    """``batch=1`` -> ``("batch", 1)``."""

    name = "NAME=N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Split at the last equals sign and read the number."""
        if not isinstance(value, str):
            return value
        name, equals, size = value.rpartition("=")
        if not (name and equals and size.isdecimal()):
            self.fail(f"expected NAME=N such as batch=1, found {value!r}", param, ctx)
        return name, int(size)


def split_names(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Join repeated options and their comma or semicolon lists into one tuple.

    >>> split_names(None, None, ("FuseOps;ConvBNFusion", "Conv Mul Fusion, FuseTIR"))
    ('FuseOps', 'ConvBNFusion', 'Conv Mul Fusion', 'FuseTIR')
    """
    names = (name.strip() for value in values for name in re.split("[,;]", value))
    return tuple(dict.fromkeys(name for name in names if name))


disable_option = click.option(
    "--disable", multiple=True, metavar="NAMES", callback=split_names,
    help="Passes to switch off, separated by comma or semicolon; may be repeated.",
)  # fmt: skip
enable_option = click.option(
    "--enable", multiple=True, metavar="NAMES", callback=split_names,
    help="Passes to switch on that are off by default.",
)  # fmt: skip
target_option = click.option(
    "--target", default="llvm", show_default=True,
    help="llvm (this machine), avx2, avx512, cuda, or a TVM target as JSON.",
)  # fmt: skip
level_option = click.option(
    "--level", type=click.Choice(LEVELS, case_sensitive=False), default="all", show_default=True,
    help="How far to optimize; each level includes those before it.",
)  # fmt: skip
shape_option = click.option(
    "--shape", "shapes", type=Shape(), multiple=True,
    help="Fix an input's shape; may be repeated.",
)  # fmt: skip
dim_option = click.option(
    "--dim", "dims", type=Dim(), multiple=True,
    help="Fix a symbolic dimension; may be repeated.",
)  # fmt: skip


def size_options(command: Command[P, R]) -> Command[..., R]:
    """Add --shape and --dim, given to the command as the dictionaries `shapes` and `dims`."""

    @functools.wraps(command)
    def with_dictionaries(*args: Any, shapes: Any, dims: Any, **others: Any) -> R:
        return command(*args, shapes=dict(shapes), dims=dict(dims), **others)

    return shape_option(dim_option(with_dictionaries))


def output_path(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse an output whose folder does not exist, before the long work starts."""
    if value is not None and not value.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(value.parent)!r}")
    return value


def output_option(*names: str, required: bool = False, help: str) -> Callable[[Any], Any]:
    """Make an option for a file to write."""
    path = click.Path(dir_okay=False, path_type=Path)
    return click.option(*names, type=path, required=required, callback=output_path, help=help)
