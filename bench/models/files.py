"""The models' files, exported once and kept."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import tempfile
from pathlib import Path

from bench.models.model import Exporter, Size, Weights
from bench.models.table import MODELS

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tvmfuse-models"


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
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            draft = Path(scratch, file.name)
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
            draft.replace(file)
    return file


def _digest() -> str:
    packages = ("torch", "transformers", "onnx", "onnxscript", "onnx-ir")
    versions = [f"{package} {importlib.metadata.version(package)}" for package in packages]
    digest = hashlib.sha256("\n".join(versions).encode())
    for source in ("model.py", "table.py", "torch_export.py"):
        digest.update(Path(__file__).with_name(source).read_bytes())
    return digest.hexdigest()[:12]
