"""The models' files, exported or quantized once and kept."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench.models.model import Exporter, Size, Weights
from bench.models.table import MODELS

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tvmfuse-models"
SAMPLES: Final = 4
"""Of calibration data: ranges of random inputs are the same after a few."""


def onnx_file(
    name: str,
    exporter: Exporter = "classic",
    size: Size = "reduced",
    cache_dir: str | os.PathLike[str] | None = None,
    *,
    batch: int = 1,
    dynamic: bool = False,
    folded: bool = True,
    weights: Weights = "random",
    seed: int = 0,
) -> Path:
    """Return the exported model's file, made now if the cache has none.

    The file's name holds every argument and a digest of what else decides its content: the
    versions of the exporting packages and this folder's own code. Writing is atomic, so that
    several processes can share a cache. Nothing is ever removed from it.

    Args:
        name: a key of `MODELS`.
        exporter: see `Model.export`, as for the arguments after `cache_dir`.
        size: "full" or "reduced".
        cache_dir: where files are kept; `CACHE` when None.
        batch: how many images or texts, where that is fixed.
        dynamic: symbolic batch and sequence.
        folded: False keeps batch norms.
        weights: "random" or "initial".
        seed: of the weights.
    """
    folder = Path(cache_dir or CACHE)
    flags = [
        *([f"batch{batch}"] if batch > 1 else []),
        *(["dynamic"] if dynamic else []),
        *([] if folded else ["unfolded"]),
        *([] if weights == "random" else [weights]),
    ]
    file = folder / f"{'-'.join([name, size, exporter, *flags])}-seed{seed}-{_digest()}.onnx"

    def export(draft: Path) -> None:
        MODELS[name].export(
            draft,
            exporter,
            size,
            batch=batch,
            dynamic=dynamic,
            folded=folded,
            weights=weights,
            seed=seed,
        )

    return kept(file, export)


def int8_file(
    name: str, size: Size = "reduced", cache_dir: str | os.PathLike[str] | None = None,
    *, batch: int = 1, weight_bits: int = 8,
) -> Path:  # fmt: skip
    """Return the file of `onnx_file` quantized to 8 bits, made now if the cache has none.

    It is what `tvmfuse quantize` makes of it: onnxruntime's static quantizer, uint8 activations,
    int8 weights by channel, QuantizeLinear and DequantizeLinear around what is quantized
    (`Model.int8`); calibrated with inputs of the seeds 1 to 4.

    Args:
        name: a key of `MODELS`.
        size: "full" or "reduced".
        cache_dir: where files are kept; `CACHE` when None.
        batch: how many images or texts.
        weight_bits: 8, or 7, as `tvmfuse quantize --reduce-range` makes them.
    """
    import tvmfuse

    given = onnx_file(name, "classic", size, cache_dir, batch=batch)
    version = importlib.metadata.version("onnxruntime")

    def quantize(draft: Path) -> None:
        seeds = range(1, SAMPLES + 1)
        samples = [MODELS[name].inputs(size, seed, batch=batch) for seed in seeds]
        operators = MODELS[name].int8
        tvmfuse.quantize(
            given,
            samples,
            operators=operators,
            reduce_range=weight_bits == 7,
            output=draft,
            layers=False,
        )

    said = "int8" if weight_bits == 8 else f"int8-weights{weight_bits}"
    return kept(given.with_name(f"{given.stem}-{said}-onnxruntime{version}.onnx"), quantize)


def kept(file: Path, write: Callable[[Path], None]) -> Path:
    """Return the file, written now if it is not there: whole, or not at all."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as scratch:
            draft = Path(scratch, file.name)
            write(draft)
            draft.replace(file)
    return file


def digest(*sources: bytes) -> str:
    """Return what tells files apart: the exporting packages' versions, and code."""
    packages = ("torch", "transformers", "onnx", "onnxscript", "onnx-ir")
    versions = [f"{package} {importlib.metadata.version(package)}" for package in packages]
    found = hashlib.sha256("\n".join(versions).encode())
    for source in (*sources, Path(__file__).with_name("torch_export.py").read_bytes()):
        found.update(source)
    return found.hexdigest()[:12]


def _digest() -> str:
    return digest(*(Path(__file__).with_name(n).read_bytes() for n in ("model.py", "table.py")))
