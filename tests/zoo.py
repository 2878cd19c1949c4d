"""What tests of whole models share, beside the reference: which exports there are, a copy split.

`python -m tests.zoo > tests/zoo.md` writes the page about the full sizes.
"""

from __future__ import annotations

import os
from pathlib import Path

import onnx

from bench.light_models import LIGHT
from bench.models import MODELS
from tvmfuse.build.assemble import build
from tvmfuse.build.kernels.cache import KernelCache, cache_folder
from tvmfuse.build.kernels.compile import compile_kernels
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.manifest import Manifest
from tvmfuse.pipeline.optimize import Optimized
from tvmfuse.runtime.executable import Executable
from tvmfuse.target.resolve import resolve

EXPORTERS = ("classic", "dynamo")

#: The models of bench.models that have a reduced size of their own.
KINDS = tuple(
    {(m.architecture, repr(m.reduced)): name for name, m in reversed([*MODELS.items()])}.values()
)[::-1]

EXPORTS = tuple((name, exporter) for name in KINDS for exporter in EXPORTERS)
"""Each of them by every exporter: the first arguments of `onnx_file`."""


def save_external(file: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Path:
    """Copy a model into `folder` with its weights in one file beside it, ``weights.bin``."""
    copy = Path(folder, Path(file).name)
    onnx.save_model(
        onnx.load(file),
        copy,
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location="weights.bin",
        size_threshold=0,
    )
    return copy


def executable(imported: ImportedModel, optimized: Optimized) -> Executable:
    """Return a module that runs; kernels that others have, too, are compiled once."""
    target, folder = resolve("llvm"), cache_folder(os.environ)
    assert folder is not None
    manifest = Manifest("zoo", imported.inputs, imported.outputs)
    compiled = compile_kernels(optimized.kernels, target, KernelCache(folder))
    return build(compiled.module, target, manifest, code=compiled.code).load()


def page() -> str:
    """Return the page about the full sizes, in Markdown."""
    lines = [
        "# The full sizes",
        "",
        "Written by `python -m tests.zoo`, from the lists of models.",
        "",
        "    python -m pytest -m zoo tests/test_zoo.py",
        "",
        "compiles each model below at every level, and at level `all` without each of the passes. Every",
        "output is compared with onnxruntime's, its graph optimizations off; an error above 1e-4 of the",
        "output's largest magnitude fails. Selections that lead to the same module are compiled once. It",
        "takes about half an hour; each model leaves a row in pytest's cache (`.pytest_cache/d/zoo`): its",
        "nodes, the kernels launched at three levels, the modules compiled, the largest error.",
        "",
        "The suite runs the same matrix on reduced sizes of the same architectures, each pass switched off",
        "that fires on it.",
        "",
        "| model | exporters |",
        "|---|---|",
        *(f"| {name} | {', '.join(EXPORTERS)} |" for name in KINDS),
        *(f"| light {name} | of the onnx package |" for name in LIGHT),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
