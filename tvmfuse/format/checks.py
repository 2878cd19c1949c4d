"""What a header has to say beyond its types: sizes that can be, names that are told apart.

A checksum shows what was altered by accident. Whoever computes it anew may write any numbers, and
these lead into memory: so each is compared with what it has to agree with before it is used.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from tvmfuse.format.faults import MalformedError
from tvmfuse.manifest import Manifest
from tvmfuse.narrow_types import stored_as
from tvmfuse.tensor_spec import SIGNS, Size, TensorSpec

#: Dtype -> bytes of one element.
ITEMSIZES: Final = MappingProxyType(
    {"bool": 1, "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
    | {f"{sign}int{bits}": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)}
)
#: Where the sizes and offsets of TVM and numpy end.
LARGEST: Final = 2**63 - 1
#: Dimensions of a numpy array.
MAX_RANK: Final = 64
#: How deep the signs of a size may nest: Python's own stack ends at some hundred.
MAX_DEPTH: Final = 400


def check_manifest(manifest: Manifest) -> None:
    """Check a manifest that was read from a file.

    Raises:
        MalformedError: It says what cannot be.
    """
    check_specs(manifest.inputs, manifest.overridable, manifest.outputs)
    for kernel in manifest.kernels:
        if kernel.work is not None:
            for size in (kernel.work.flop, kernel.work.nbytes):
                _check_size(0 if size is None else size, f"the work of kernel {kernel.symbol!r}")
    _check_shared(manifest)
    check_metadata(manifest.metadata)
    _check_target(manifest.target)
    _check_machine(manifest.machine)


def check_specs(
    inputs: Sequence[TensorSpec], overridable: Sequence[TensorSpec], outputs: Sequence[TensorSpec]
) -> None:
    """Check what a model says that it takes and returns.

    Raises:
        MalformedError: A dtype or a size cannot be, or two inputs have one name.
    """
    for spec in (*inputs, *overridable, *outputs):
        name = f"tensor {spec.name!r}"
        _check_dtype(stored_as(spec.dtype), name)
        _check_dims(spec.shape, name)
        _check_dims(spec.min_sizes, f"{name} (smallest sizes)")
        _check_dims([m for m in spec.max_sizes if m is not None], f"{name} (largest sizes)")
        for what, sizes in (("smallest", spec.min_sizes), ("largest", spec.max_sizes)):
            if len(sizes) not in (0, len(spec.shape)):
                raise MalformedError(
                    f"{name} has {len(spec.shape)} dimensions, and {what} sizes for {len(sizes)}"
                )
        for constraint in spec.shape_constraints:
            for side in (constraint.left, constraint.right):
                _check_size(side, f"a constraint of {name}")
        for picked in spec.index_constraints:
            _check_size(picked.size, f"a constraint of {name}")
    names = Counter(spec.name for spec in (*inputs, *overridable))
    if twice := [name for name, count in names.items() if count > 1]:
        raise MalformedError(f"two inputs are called {twice[0]!r}")


def check_weights(
    weights: Iterable[tuple[str, Sequence[int], int]], overridable: Sequence[TensorSpec]
) -> None:
    """Check that each weight has as many bytes as its shape takes, and that the last are defaults.

    Args:
        weights: Each one's dtype, shape and bytes.
        overridable: The inputs whose defaults the last weights are.

    Raises:
        MalformedError: It is not so.
    """
    weights = list(weights)
    for dtype, shape, size in weights:
        name = f"a weight, {dtype}{list(shape)!r:.60},"
        _check_dtype(dtype, name)
        _check_dims(shape, name)
        strides = math.prod(dim for dim in shape if dim) * ITEMSIZES[dtype]
        if math.prod(shape) * ITEMSIZES[dtype] != size or strides > LARGEST:
            raise MalformedError(f"{name} has {size} bytes")
    defaults = weights[max(0, len(weights) - len(overridable)) :]
    stated = [(stored_as(spec.dtype), spec.shape) for spec in overridable]
    if [(dtype, tuple(shape)) for dtype, shape, _ in defaults] != stated:
        raise MalformedError("the inputs that may be left out do not fit their defaults")


def check_metadata(metadata: Mapping[str, Any]) -> None:
    """Check what a model says about itself: texts, and its own properties under `custom`.

    Raises:
        MalformedError: It is something else.
    """
    custom = metadata.get("custom", {})
    own = [*custom.values()] if isinstance(custom, dict) else [custom]
    texts = [value for key, value in metadata.items() if key != "custom"]
    for text in (*texts, *own):
        if not isinstance(text, str):
            raise MalformedError(f"the model's metadata has {text!r:.60}")
    if not re.fullmatch(r"-?\d{1,19}", number := metadata.get("model_version", "0")):
        raise MalformedError(f"the model's version is {number!r:.60}")


def _check_shared(manifest: Manifest) -> None:
    """Check that each output that shares memory has the type of an input of its own."""
    taken, made = ({s.name: s for s in specs} for specs in (manifest.inputs, manifest.outputs))
    for output, given in manifest.shared.items():
        types = [(s.dtype, s.shape) for s in (taken.get(given), made.get(output)) if s is not None]
        if len(types) != 2 or types[0] != types[1]:
            raise MalformedError(f"the output {output!r:.60} shares the memory of {given!r:.60}")
    if len({*manifest.shared.values()}) < len(manifest.shared):
        raise MalformedError("two outputs share the memory of one input")


def _check_dtype(dtype: str, name: str) -> None:
    if dtype not in ITEMSIZES:
        raise MalformedError(f"{name} has the dtype {dtype!r:.60}")


def _check_dims(dims: Sequence[int | str], name: str) -> None:
    if len(dims) > MAX_RANK:
        raise MalformedError(f"{name} has {len(dims)} dimensions")
    for dim in dims:
        if not isinstance(dim, str) and not 0 <= dim <= LARGEST:
            raise MalformedError(f"{name} has a dimension of {dim}")


def _check_size(size: Size, name: str) -> None:
    """Check a size on its way down, without Python's stack."""
    level: list[Any] = [size]
    for _ in range(MAX_DEPTH):
        below = []
        for part in level:
            match part:
                case [str(sign), left, right] if sign in SIGNS:
                    below += [left, right]
                case int() | str() if not isinstance(part, bool):
                    pass
                case _:
                    raise MalformedError(f"{name} has the size {part!r:.60}")
        if not below:
            return
        level = below
    raise MalformedError(f"{name} has a size of more than {MAX_DEPTH} signs within each other")


def _check_target(target: str) -> None:
    try:
        said = json.loads(target)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("kind"), str):
        raise MalformedError(f"the target is {target!r:.60}")
    if said["kind"] == "cuda" and not re.fullmatch(r"sm_\d+[a-z]?", str(said.get("arch"))):
        raise MalformedError(f"the GPU's architecture is {said.get('arch')!r:.60}")


def _check_machine(machine: Mapping[str, Any]) -> None:
    words = [machine.get(key) for key in ("name", "isa")] if machine else []
    words += [machine.get("tuned_as", "")]
    numbers = [value for key, value in machine.items() if key not in ("name", "isa", "tuned_as")]
    if not all(isinstance(word, str) for word in words) or not all(
        isinstance(n, int | float) for n in numbers
    ):
        raise MalformedError(f"the machine is {dict(machine)!r:.60}")
