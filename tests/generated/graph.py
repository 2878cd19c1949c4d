"""A random graph: a model, and inputs for it; some are kept beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import onnx

KEPT: Final = Path(__file__).with_name("kept")
FAILED: Final = Path("build", "generated")
"""Where graphs go that fail, under the folder that pytest is started from."""


@dataclass(frozen=True, eq=False)
class Graph:
    """A model, and an array for each of its inputs."""

    model: onnx.ModelProto
    feeds: Mapping[str, np.ndarray]

    @classmethod
    def read(cls, seed: int) -> Graph:
        """Read the graph of a seed that is kept."""
        with np.load(KEPT / f"{seed}.npz") as feeds:
            return cls(onnx.load(KEPT / f"{seed}.onnx"), dict(feeds))

    def write(self, folder: Path, seed: int) -> None:
        """Write the graph and its inputs, under the seed that it was generated from."""
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(self.model, folder / f"{seed}.onnx")
        np.savez_compressed(folder / f"{seed}.npz", **self.feeds)  # type: ignore[arg-type]


def kept() -> list[int]:
    """Return the seeds whose graphs are kept."""
    return sorted(int(file.stem) for file in KEPT.glob("*.onnx"))
