"""Small models, one file each, and one beside it where that is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, parser


def write_model(path: Path, rows: int = 8, *, beside: bool = False) -> Path:
    """Write a product of matrices; its weights in a file beside it where that is asked for."""
    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> '
        f"net (float[n,{rows}] x) => (float[n,4] y) {{y = MatMul(x, w)}}"
    )
    weights = np.arange(4 * rows, dtype=np.float32).reshape(rows, 4)
    model.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    path.parent.mkdir(parents=True, exist_ok=True)
    name = f"{path.stem}.bin"
    onnx.save(model, path, save_as_external_data=beside, location=name, size_threshold=0)
    return path
