"""What is deployed when no model is named: a classifier with a canary, and a second model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tvmfuse
from examples.serve.demo import classifier


def save_demos(folder: Path) -> dict[str, Any]:
    """Compile three classifiers into a folder; return the models that `Settings` takes."""
    paths = [folder / f"classifier-{seed}.so" for seed in range(3)]
    for seed, path in enumerate(paths):
        tvmfuse.compile(classifier(seed=seed)).save(path)
    return {
        "classifier": {
            "stable": {"path": paths[0], "weight": 90},
            "canary": {"path": paths[1], "weight": 10, "max_replicas": 1},
        },
        "other": {"stable": {"path": paths[2], "max_replicas": 1}},
    }
