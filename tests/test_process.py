"""What belongs to a process stays its own, whatever its other threads do beside our work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper, parser
from relax_models import python

import tvmfuse

BESIDE = """
import json, signal, sys
import numpy as np
import onnxruntime, tvm  # importing changes what it likes
import tvmfuse
from tvmfuse import measure
from other_life import OtherLife
from quantized_models import products

model, x = products(np.eye(8)), {"x": np.ones((4, 8), "float32")}

def drawn():
    for _ in range(2):
        print("a sample", flush=True)
        yield x

rings, folder = [], sys.argv[1]
signal.signal(signal.SIGALRM, lambda *_: rings.append(True))
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
life = OtherLife()
with life.beside():
    WORK
signal.setitimer(signal.ITIMER_REAL, 0)
print(json.dumps({"found": sorted({*life.found}), "turns": life.turns, "rings": len(rings)}))
"""


MAKES = """
    tvmfuse.compile(model, cache=False).save(f"{folder}/m.so")
    tvmfuse.load(f"{folder}/m.so")(x)
    tvmfuse.quantize(model, drawn(), output=f"{folder}/q.onnx", layers=False)
"""
REPORTS = """
    [*drawn()]
    with life.may_change("collector"):  # no garbage is collected while something is timed
        measure.report(model, duration_s=0.1)
"""


@pytest.mark.parametrize("work", [MAKES, pytest.param(REPORTS, marks=pytest.mark.long)])
def test_what_belongs_to_the_process_is_not_touched(tmp_path: Path, work: str) -> None:
    """Threads start programs, keep temporary files, print, fork, and look, while we work."""
    done = subprocess.run(
        [sys.executable, "-c", BESIDE.replace("WORK", work), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    *printed, last = done.stdout.splitlines()
    seen = json.loads(last)
    assert seen["found"] == [], seen
    assert {*done.stderr.splitlines()} == {"complained"}
    assert {*printed} == {"printed", "a sample"}
    assert printed.count("a sample") == 2
    assert printed.count("printed") == done.stderr.count("complained") == seen["turns"]["_prints"]
    assert min(seen["turns"].values()) > 3
    assert seen["rings"] > 3


def cube() -> Any:
    """Return a model that raises to the third power, of which TVM would warn."""
    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> net (float[4] x) => (float[4] y) {y = Pow(x, k)}'
    )
    model.graph.initializer.append(numpy_helper.from_array(np.array(3, "float32"), "k"))
    return model


ENTRIES = """
import sys
import numpy as np
import tvmfuse
from onnx import parser
from tvmfuse import TvmfuseError, measure

model, folder = open(sys.argv[1], "rb").read(), sys.argv[2]
x = {"x": np.ones(4, "float32")}
for level in ("none", "all"):
    tvmfuse.compile(model, level=level, cache=False, save_optimized=f"{folder}/{level}.graph")
    tvmfuse.compile(f"{folder}/{level}.graph", cache=False)
tvmfuse.InferenceSession(model).run(None, x)
tvmfuse.explain(model, dump_ir=f"{folder}/ir")
tvmfuse.plan_kernels(model)
tvmfuse.compile(model).save(f"{folder}/m.so")
tvmfuse.load(f"{folder}/m.so")(x)
measure.bisect(model)
for body in (  # of which TVM's lowerings or its code generator would warn
    "double[4] x) => (double[4] y) {k = Constant<value_float=3.5>() d = Cast<to=11>(k) y = Pow(x, d)",
    "float[N] x) => (float[M] y) {r = Constant<value_ints=[3]>() y = Tile(x, r)",
    "float[N] x) => (int64[1, M] y, float[U] z) {y = NonZero(x) z = Unique<sorted=1>(x)",
):
    text = f'<ir_version: 8, opset_import: ["" : 17]> net ({body}}}'
    tvmfuse.compile(parser.parse_model(text), cache=False)
refused = f'<ir_version: 8, opset_import: ["" : 17]> net (float[2] x) => (float[2] y) {{y = Nope(x)}}'
for call, error in (
    (lambda: tvmfuse.InferenceSession(b"no model"), TvmfuseError),
    (lambda: tvmfuse.load(f"{folder}/all.graph"), TvmfuseError),
    (lambda: tvmfuse.compile(parser.parse_model(refused)), TvmfuseError),
):
    try:
        call()
    except error:
        continue
    sys.exit("it was taken")
print("done")
"""


def test_no_entry_lets_tvm_write_to_standard_error(tmp_path: Path) -> None:
    (tmp_path / "cube.onnx").write_bytes(cube().SerializeToString())
    done = python(ENTRIES, tmp_path / "cube.onnx", tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("done\n", "", 0)


RUNS = """
import sys
import numpy as np
from tvmfuse.runtime.loading import load
load(sys.argv[1])(x=np.ones(4, "float32"))
for wrong in ({}, {"x": np.ones(5, "float32")}):
    try:
        load(sys.argv[1])(wrong)
    except ValueError:
        print("refused")
assert "tvm" not in sys.modules
"""


def test_the_runtime_alone_writes_nothing_either(tmp_path: Path) -> None:
    tvmfuse.compile(cube(), level="none").save(tmp_path / "m.so")
    done = python(RUNS, tmp_path / "m.so")
    assert (done.stdout, done.stderr, done.returncode) == ("refused\nrefused\n", "", 0)
