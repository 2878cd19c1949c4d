"""What a compiled file says of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tvmfuse.manifest import Manifest
from tvmfuse.size_ranges import SizeRange, taken_by
from tvmfuse.target.core import describe
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.views.terminal.names import listed
from tvmfuse.views.terminal.parts import handed_table


def manifest_tables(manifest: Manifest) -> tuple[RenderableType, ...]:
    """Show the manifest: what it is, inputs and outputs, and its kernels."""
    facts = Table(title=Text(manifest.name), title_justify="left", show_header=False)
    facts.add_column(no_wrap=True)
    facts.add_column(overflow="fold")
    rows = {
        "inputs": "\n".join(map(str, manifest.inputs)),
        "overridable": "\n".join(map(str, manifest.overridable)),
        "outputs": "\n".join(map(str, manifest.outputs)),
        "shared": "\n".join(
            f"{output} may take the memory of {given}" for output, given in manifest.shared.items()
        ),
        "sizes": "\n".join(_ranges((*manifest.inputs, *manifest.overridable))),
        "specialized": "\n".join(map(_sizes, manifest.specialized)),
        "level": manifest.level,
        "passes": ", ".join(manifest.passes_ran),
        "disabled": ", ".join(manifest.passes_disabled),
        "disabled steps": ", ".join(manifest.steps_disabled),
        "opset": "" if manifest.opset is None else str(manifest.opset),
        "target": manifest.target,
        "targets": "\n".join(manifest.targets),
        "machine": describe(manifest.machine) if manifest.machine else "",
        "measured": ", ".join(f"{name} {n:g}" for name, n in manifest.calibration.items()),
        "CPU features": ", ".join(manifest.cpu_features),
        "versions": ", ".join(f"{name} {version}" for name, version in manifest.versions.items()),
        "metadata": "\n".join(
            f"{key}: {value}" for key, value in _flat(manifest.metadata).items() if value
        ),
        "sha256": manifest.sha256,
    }
    for name, value in rows.items():
        if value:
            facts.add_row(name, Text(value))

    kernels = Table(title=f"kernels: {len(manifest.kernels)}", title_justify="left")
    for column in ("kernel", "schedule", "ONNX nodes"):
        kernels.add_column(column, overflow="fold")
    for kernel in manifest.kernels:
        kernels.add_row(Text(kernel.symbol), Text(kernel.schedule), Text(listed(kernel.nodes)))
    return (facts, kernels, *_parts(manifest))


def _sizes(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {size}" for name, size in sizes.items())


def _parts(manifest: Manifest) -> tuple[RenderableType, ...]:
    """Show the parts of a model, and the nodes that are not compiled; nothing where it is whole."""
    if not manifest.parts:
        return ()
    parts = Table(title=f"parts: {len(manifest.parts)}", title_justify="left")
    for column in ("part", "engine", "nodes", "reads", "gives"):
        parts.add_column(column, overflow="fold")
    for number, part in enumerate(manifest.parts):
        names = (Text(listed(values)) for values in (part.inputs, part.outputs))
        parts.add_row(str(number), Text(part.engine), str(len(part.nodes)), *names)
    return (parts, handed_table(manifest.handed_over)) if manifest.handed_over else (parts,)


def _ranges(specs: Sequence[TensorSpec]) -> Iterator[str]:
    """Yield the sizes of the symbolic dimensions that do not have any.

    >>> list(_ranges([TensorSpec("x", "float32", ("batch", "n"), (1, 0), (), (64, None))]))
    ['batch: 1 to 64']
    """
    taken = dict.fromkeys(
        (name, taken_by(spec, axis))
        for spec in specs
        for axis, name in enumerate(spec.shape)
        if isinstance(name, str)
    )
    yield from (f"{name}: {sizes}" for name, sizes in taken if sizes != SizeRange())


def _flat(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Put the model's own properties beside what every model says.

    >>> _flat({"domain": "org", "custom": {"domain": "ours", "license": "MIT"}})
    {'domain': 'org', 'custom domain': 'ours', 'custom license': 'MIT'}
    """
    custom = metadata.get("custom", {})
    words = {key: value for key, value in metadata.items() if key != "custom"}
    return words | {f"custom {key}": value for key, value in custom.items()}
