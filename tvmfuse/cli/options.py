"""The options that several verbs share, and how their values are read."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from tvmfuse.cli.files import NamedArray, ReadPath, WrittenPath
from tvmfuse.errors import ArtifactError
from tvmfuse.format.atomic import check_place

LEVELS: Final = ("none", "basic", "extended", "layout", "all")

existing_file = ReadPath(exists=True, dir_okay=False, path_type=Path)
model_argument = click.argument("model", type=existing_file)
model_or_demo = click.argument("model", type=existing_file, required=False)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True,
    help="Seed for random inputs, for the order and for the bootstrap.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def examples(*commands: str) -> str:
    """Make a help text's epilog; click keeps the line breaks after its backspace mark."""
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)])


class FiniteRange(click.FloatRange):
    """A range that has neither infinity nor NaN."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number, and refuse what is none."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"expected a finite number, found {value}", param, ctx)
        return number


def read_shapes(
    _ctx: click.Context | None, _param: click.Parameter | None, values: tuple[str, ...]
) -> dict[str, Any]:
    """Read ``NAME:D,D,...``; the name may hold colons, and no dimension is a scalar's shape.

    A slash stands behind each element of a sequence, behind the last of several it need not.

    >>> read_shapes(None, None, ("x:1,3,224,224", "ids:0:7", "scale:"))
    {'x': (1, 3, 224, 224), 'ids:0': (7,), 'scale': ()}
    >>> read_shapes(None, None, ("s:2,3/_,3", "one:_,3/", "no:empty", "o:none"))
    {'s': [(2, 3), (None, 3)], 'one': [(None, 3)], 'no': [], 'o': None}
    """
    shapes = dict[str, Any]()
    for value in values:
        name, _, said = value.rpartition(":")
        parts = said.split("/")
        if not (name and (said in _WHOLE or all(map(_SHAPE.fullmatch, parts)))):
            raise click.BadParameter(
                f"expected NAME:D,D,... as in x:1,3,224,224, found {value!r}; a size may be _, a "
                "sequence's elements as in s:2,3/_,3, or s:empty, and an absent input o:none"
            )
        if said in _WHOLE:
            shapes[name] = _WHOLE[said]()
        elif len(parts) > 1:
            shapes[name] = [_dims(part) for part in (parts if parts[-1] else parts[:-1])]
        else:
            shapes[name] = _dims(said)
    return shapes


#: What an input may be that has no shape.
_WHOLE: Final[dict[str, Callable[[], object]]] = {"empty": list, "none": lambda: None}
_SHAPE: Final = re.compile(r"((\d+|_)(,(\d+|_))*)?")


def _dims(text: str) -> tuple[int | None, ...]:
    return tuple(None if d == "_" else int(d) for d in text.split(",") if d)


def read_sizes(
    _ctx: click.Context | None, _param: click.Parameter | None, values: tuple[str, ...]
) -> dict[str, int]:
    """Read ``NAME=N``.

    >>> read_sizes(None, None, ("batch=1", "sequence=128"))
    {'batch': 1, 'sequence': 128}
    """
    sizes = {}
    for value in values:
        name, _, size = value.rpartition("=")
        if not (name and re.fullmatch(r"\d+", size)):
            raise click.BadParameter(f"expected NAME=N as in batch=1, found {value!r}")
        if not int(size):
            raise click.BadParameter(f"expected a size of 1 or more, found {value!r}")
        sizes[name] = int(size)
    return sizes


def read_dims(
    ctx: click.Context | None, param: click.Parameter | None, values: tuple[str, ...]
) -> dict[str, int | tuple[int | None, int | None]]:
    """Read ``NAME=N``, or ``NAME=A:B``, of which one may be left out.

    >>> read_dims(None, None, ("batch=1", "sequence=1:128", "width=32:"))
    {'batch': 1, 'sequence': (1, 128), 'width': (32, None)}
    """
    dims: dict[str, int | tuple[int | None, int | None]] = {}
    for value in values:
        name, _, size = value.rpartition("=")
        if ":" not in size:
            dims |= read_sizes(ctx, param, (value,))
        elif name and re.fullmatch(r"\d+:\d*|:\d+", size):
            least, most = (int(bound) if bound else None for bound in size.split(":"))
            dims[name] = (least, most)
        else:
            raise click.BadParameter(f"expected NAME=A:B as in batch=1:64, found {value!r}")
    return dims


def read_special(
    ctx: click.Context | None, param: click.Parameter | None, values: tuple[str, ...]
) -> list[dict[str, int]]:
    """Read ``NAME=N,NAME=N``, each time for itself.

    >>> read_special(None, None, ("batch=1,width=224", "batch=8"))
    [{'batch': 1, 'width': 224}, {'batch': 8}]
    """
    return [read_sizes(ctx, param, tuple(value.split(","))) for value in values]


def split_names(
    _ctx: click.Context | None, _param: click.Parameter | None, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Join repeated options and their comma or semicolon lists into one tuple.

    >>> split_names(None, None, ("FuseOps;ConvBNFusion", "Conv Mul Fusion, FuseTIR"))
    ('FuseOps', 'ConvBNFusion', 'Conv Mul Fusion', 'FuseTIR')
    """
    names = (name.strip() for value in values for name in re.split("[,;]", value))
    return tuple(dict.fromkeys(name for name in names if name))


def read_plans(
    _ctx: click.Context | None, _param: click.Parameter | None, value: Path | None
) -> dict[str, Any] | None:
    """Read plans by kernel; whether they fit is for the compiler to say."""
    if value is None:
        return None
    try:
        plans = json.loads(value.read_text())
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{value} is no JSON: {error}") from error
    if not isinstance(plans, dict):
        raise click.BadParameter(f"expected an object of plans by kernel in {value}")
    return plans


disable_option = click.option(
    "--disable", multiple=True, metavar="NAMES", callback=split_names,
    help="Passes to switch off, separated by comma or semicolon; may be repeated.",
)  # fmt: skip
disable_step_option = click.option(
    "--disable-step", "disabled_step", multiple=True, metavar="NAMES", callback=split_names,
    help="Steps of kernels to leave out; `tvmfuse passes --steps` lists them.",
)  # fmt: skip
plans_option = click.option(
    "--plans", type=existing_file, metavar="FILE", callback=read_plans,
    help="JSON: kernels' names or keys, and the plans that they shall follow.",
)  # fmt: skip


def database_option(words: str) -> Callable[[Any], Any]:
    """Make the option for the folder of tuned plans."""
    path = WrittenPath(file_okay=False, path_type=Path)
    return click.option("--database", type=path, metavar="DIR", help=words)


def split_passes(
    ctx: click.Context | None, param: click.Parameter | None, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Split names as `split_names` does; modules of passes may lie in the working folder."""
    names = split_names(ctx, param, values)
    if any(":" in name for name in names) and (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    return names


enable_option = click.option(
    "--enable", "--pass", "enable", multiple=True, metavar="NAMES", callback=split_passes,
    help="Passes to switch on: such that are off by default, and your own as module:Class.",
)  # fmt: skip
_target_option = click.option(
    "--target", default="llvm", show_default=True,
    help="llvm (this machine), avx2, avx512, cuda, or a TVM target as JSON.",
)  # fmt: skip
_calibration_option = click.option(
    "--calibration/--no-calibration", default=True, show_default=True,
    help="Where the target is llvm, and the CPU unknown, measure it once, for at most 2 s.",
)  # fmt: skip


def split_targets(
    _ctx: click.Context | None, _param: click.Parameter | None, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Split names of targets at commas or semicolons; what has options, or is JSON, is one.

    >>> split_targets(None, None, ("avx2,avx512", "llvm -mcpu=znver4 -mattr=+gfni,+vaes"))
    ('avx2', 'avx512', 'llvm -mcpu=znver4 -mattr=+gfni,+vaes')
    """
    split = ([v] if re.search("[={/]", v) else re.split("[,;]", v) for v in values)
    return tuple(name for names in split for name in map(str.strip, names) if name)


_targets_option = click.option(
    "--target", multiple=True, default=("llvm",), show_default=True, callback=split_targets,
    metavar="NAMES",
    help="llvm (this machine), avx2, avx512, cuda, or a TVM target as JSON. Several for the CPU, "
    "separated by comma, are one file, of which a machine runs the most demanding that it can; may "
    "be repeated.",
)  # fmt: skip


def target_option(function: Any) -> Any:
    """Declare what a verb compiles for; without calibration the function gets the CPU by name."""

    @wraps(function)
    def run(*args: Any, target: str, calibration: bool, **others: Any) -> Any:
        return function(*args, target=_named(target, calibration=calibration), **others)

    return _target_option(_calibration_option(run))


def targets_option(function: Any) -> Any:
    """Declare the same for a verb that takes several, of which the function gets a list."""

    @wraps(function)
    def run(*args: Any, target: tuple[str, ...], calibration: bool, **others: Any) -> Any:
        named = [_named(one, calibration=calibration) for one in target]
        return function(*args, target=named[0] if len(named) == 1 else named, **others)

    return _targets_option(_calibration_option(run))


def _named(target: str, *, calibration: bool) -> str:
    if calibration:
        return target
    from tvmfuse.target.resolve import resolve

    return str(resolve(target))


level_option = click.option(
    "--level", type=click.Choice(LEVELS, case_sensitive=False), default="all", show_default=True,
    help="How far to optimize; each level includes those before it.",
)  # fmt: skip
shape_option = click.option(
    "--shape", "shapes", multiple=True, metavar="NAME:D,D,...", callback=read_shapes,
    help="Fix an input's shape, _ for a size that stays open; may be repeated. Of a sequence, its "
    "elements': s:2,3/_,3, fed as s[0] and s[1]; s:empty; o:none for what is absent.",
)  # fmt: skip
dim_option = click.option(
    "--dim", "dims", multiple=True, metavar="NAME=N", callback=read_dims,
    help="Fix a symbolic dimension, or bound it with NAME=A:B; may be repeated.",
)  # fmt: skip
specialize_option = click.option(
    "--specialize", multiple=True, metavar="NAME=N,...", callback=read_special,
    help="Sizes of symbolic dimensions that kernels get code of their own for, in the file for all "
    "sizes; may be repeated.",
)  # fmt: skip
size_option = click.option(
    "--dim", "dims", multiple=True, metavar="NAME=N", callback=read_sizes,
    help="Of random inputs, the size of a symbolic dimension; may be repeated.",
)  # fmt: skip
limit_option = click.option(
    "--limit", "limits", multiple=True, metavar="NAME=N", callback=read_sizes,
    help="Admit a model that asks for more: nodes, nesting, rank, elements, bytes, "
    "constant_bytes, external_bytes, inlined_bytes; may be repeated.",
)  # fmt: skip


def reading_options(function: Any) -> Any:
    """Declare what a verb that reads a model lets its caller fix, and admit."""
    return shape_option(dim_option(limit_option(function)))


fallback_option = click.option(
    "--fallback", type=click.Choice(("onnxruntime",)),
    help="Let another engine compute the nodes that cannot be compiled; they are listed.",
)  # fmt: skip
precision_option = click.option(
    "--precision", type=click.Choice(("f32", "bf16", "f16")), default="f32", show_default=True,
    help="Type of constant weights in products; bf16 is for CPUs that multiply it. It switches "
    "AutoMixedPrecision or Float16Weights on.",
)  # fmt: skip
strict_option = click.option(
    "--strict", is_flag=True,
    help="End where a pass or schedule fails on the model, and do not leave it out.",
)  # fmt: skip
dump_ir_option = click.option(
    "--dump-ir", type=WrittenPath(path_type=Path), metavar="DIR",
    help="Write the module into a new folder, as TVMScript, after each pass that changed it.",
)  # fmt: skip
map_weights_option = click.option(
    "--map-weights", is_flag=True,
    help="Map weights in files beside the model, which nobody may change meanwhile: of large models"
    " it spares the memory.",
)  # fmt: skip
cache_option = click.option(
    "--cache/--no-cache", default=True, show_default=True,
    help="Keep compiled kernels for the next time, and take those that are kept.",
)  # fmt: skip
_shared_cache_option = click.option(
    "--shared-cache", metavar="URL",
    help="Share compiled kernels with other machines: redis://HOST:6379/0, s3://BUCKET/KERNELS, "
    "file:///mnt/kernels.",
)  # fmt: skip
_cache_key_option = click.option(
    "--cache-key", type=existing_file, metavar="FILE",
    help="What kernels of --shared-cache are signed with, the same on all machines: `openssl rand "
    "-out FILE 32` makes it.  [default: TVMFUSE_CACHE_KEY]",
)  # fmt: skip


def caches_option(function: Any) -> Any:
    """Declare where kernels are kept; the function gets one `cache`."""

    @wraps(function)
    def run(
        *args: Any, cache: bool, shared_cache: str | None, cache_key: Path | None, **others: Any
    ) -> Any:
        if shared_cache is None:
            if cache_key is not None:
                raise click.UsageError("--cache-key is for --shared-cache")
            return function(*args, cache=cache, **others)
        if not cache:
            raise click.UsageError("--shared-cache takes the user's cache, and --no-cache has none")
        from tvmfuse.build.kernels.shared import SharedCache

        key = None if cache_key is None else str(cache_key.absolute())
        return function(*args, cache=SharedCache(shared_cache, key), **others)

    return cache_option(_shared_cache_option(_cache_key_option(run)))


threads_option = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N",
    help="Threads that compute one run.  [default: one per core]",
)  # fmt: skip


inputs_option = click.option(
    "--inputs", type=NamedArray(), multiple=True, metavar="FILE",
    help="all.npz, NAME=file.npy, or file.npy for the only input; may be repeated.",
)  # fmt: skip


tolerance_option = click.option(
    "--tolerance", type=FiniteRange(min=0),
    help="Of the largest error, normalized by max abs of the reference.  [default: 1e-4; in f16 "
    "0.01, in bf16 0.05]",
)  # fmt: skip


def duration_option(default: float) -> Callable[[Any], Any]:
    """Make the option for how long to measure."""
    return click.option(
        "--duration", "duration_s", type=FiniteRange(min=0, min_open=True), default=default,
        show_default=True, metavar="SECONDS",
        help="How long to measure after warming up; longer where that gives no interval.",
    )  # fmt: skip


def output_path(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse, before the long work starts, what cannot be written."""
    if value is None:
        return None
    folder = value.absolute().parent
    if not folder.is_dir():
        raise click.BadParameter(f"there is no folder {str(value.parent)!r}")
    try:
        check_place(value)
    except ArtifactError as error:
        raise click.BadParameter(str(error)) from error
    return value


def output_option(*names: str, words: str, required: bool = False) -> Callable[[Any], Any]:
    """Make an option for a file to write; `words` is its help."""
    path = WrittenPath(dir_okay=False, path_type=Path)
    return click.option(*names, type=path, required=required, callback=output_path, help=words)
