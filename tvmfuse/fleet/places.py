"""Where compiled files go in the output folder."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import PurePosixPath

from tvmfuse.errors import ConfigurationError
from tvmfuse.format.file_systems import is_url


def places_of(models: Sequence[str], targets: Sequence[str]) -> Mapping[tuple[str, str], str]:
    """Name the file of each model for each target.

    It is the model's path below the folder that all models have in common, with the target.

    Raises:
        ConfigurationError: Two have the same.

    >>> places_of(["m/a/net.onnx", "m/b/net.onnx"], ["avx2"])[("m/b/net.onnx", "avx2")]
    'b/net.avx2.so'
    """
    paths = {model: _path(model) for model in models}
    common = os.path.commonpath([path.parent for path in paths.values()])
    places: dict[tuple[str, str], str] = {}
    taken: dict[str, tuple[str, str]] = {}
    for model, target in product(models, targets):
        below = paths[model].relative_to(common)
        stem = below.with_suffix("") if below.suffix == ".onnx" else below
        place = f"{stem}.{_word(target)}.so"
        if (other := taken.setdefault(place, (model, target))) != (model, target):
            raise ConfigurationError(
                f"{other[0]} for {other[1]} and {model} for {target} would both be {place}: rename "
                "one, or compile them into two folders"
            )
        places[model, target] = place
    return places


def _path(model: str) -> PurePosixPath:
    """Return an absolute path that stands for a model; a URL's begins with its protocol."""
    if not is_url(model):
        return PurePosixPath(os.path.abspath(model))
    protocol, _, rest = model.partition("://")
    parts = [part for part in rest.split("?")[0].split("/") if part not in ("", ".", "..")]
    return PurePosixPath("/", protocol, *parts)


def _word(target: str) -> str:
    """Return what a file's name says of a target: what has options goes by their digest, too.

    >>> _word("avx512"), _word("llvm -mcpu=znver4")
    ('avx512', 'llvm-mcpu-znver4-dc0568')
    """
    plain = re.sub(r"[^\w.]+", "-", target).strip("-")
    if plain == target:
        return target
    return f"{plain[:40]}-{hashlib.sha256(target.encode()).hexdigest()[:6]}"
