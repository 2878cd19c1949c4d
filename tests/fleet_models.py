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


#: In each worker, a model whose name says so is not compiled until a file is there.
WAITS = """
import sys
if any(word.endswith({worker!r}) for word in sys.orig_argv):
    import os, time
    import tvmfuse.fleet.compile_task as task
    compile_now = task.compile_model
    def compile_model(model, *arguments, **named):
        if "slow" in str(model):
            with open({begun!r}, "a") as file:
                file.write(f"{{os.getpid()}} ")
            while not os.path.exists({gate!r}):
                time.sleep(0.05)
        return compile_now(model, *arguments, **named)
    task.compile_model = compile_model
"""


def let_slow_models_wait(folder: Path, worker: str) -> tuple[Path, Path, Path]:
    """Have slow models wait in workers, whose command ends so, that find a folder on their path.

    Returns:
        That folder; the file of the numbers of those that wait; and the file that they wait for.
    """
    site, begun, gate = folder / "site", folder / "begun", folder / "gate"
    site.mkdir()
    code = WAITS.format(worker=worker, begun=str(begun), gate=str(gate))
    (site / "sitecustomize.py").write_text(code)
    return site, begun, gate
