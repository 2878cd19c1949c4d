"""What TVM writes to standard error from C++ is logged; what others write arrives as it was."""

from __future__ import annotations

import gc
import logging
import os
import pty
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper, parser
from relax_models import python

import tvmfuse
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.tvm_messages import Messages, logged

LINE = b"[12:34:56] /project/src/tirx/op/op.cc:275: Warning: Detected pow(x, y)\n"


@pytest.fixture
def heard(caplog: pytest.LogCaptureFixture) -> Any:
    """Return the level and the words of each message that was logged."""
    caplog.set_level(logging.DEBUG, logger="tvmfuse.tvm")
    return lambda: [(r.levelname, r.message) for r in caplog.records if r.name == "tvmfuse.tvm"]


def cube() -> Any:
    """Return a model that raises to the third power, of which TVM warns."""
    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> net (float[4] x) => (float[4] y) {y = Pow(x, k)}'
    )
    model.graph.initializer.append(numpy_helper.from_array(np.array(3, "float32"), "k"))
    return model


def test_a_warning_of_tvm_is_logged_and_not_printed(
    capfd: pytest.CaptureFixture[str], heard: Any
) -> None:
    tvmfuse.compile(cube(), level="none", target="avx2", cache=False)
    assert any(
        level == "WARNING" and message.startswith("Detected pow(x, y) where y >= 3")
        for level, message in heard()
    )
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (LINE, ("WARNING", "Detected pow(x, y)")),
        (b"[12:34:56] /a b.cc:1: Error: no\n", ("ERROR", "no")),
        (b"[12:34:56] a.cc:1: Debug: yes\n", ("DEBUG", "yes")),
        (b"[12:34:56] a.cc:1: 1: 2\n", ("INFO", "1: 2")),
        (
            b"'avx' is not a recognized feature for this target (ignoring feature)\n",
            ("WARNING", "'avx' is not a recognized feature for this target (ignoring feature)"),
        ),
        (
            b"IndexError: Variable is not defined in the environment: cse_v2\n",
            ("WARNING", "IndexError: Variable is not defined in the environment: cse_v2"),
        ),
    ],
)
def test_messages_have_levels(
    tmp_path: Path, heard: Any, line: Any, message: tuple[str, ...]
) -> None:
    with (tmp_path / "stderr").open("wb") as file:
        Messages(file.fileno()).feed(line)
    assert heard() == [message]
    assert (tmp_path / "stderr").read_bytes() == b""


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_what_others_write_arrives_as_it_was(
    capfd: pytest.CaptureFixture[str], heard: Any, size: int
) -> None:
    written = b"progress \x1b[2K\r[1/2] \n" + LINE + b"[12:34] no message\n\n" + LINE + b"[end"
    with logged():
        for start in range(0, len(written), size):
            os.write(2, written[start : start + size])
    assert capfd.readouterr().err.encode() == written.replace(LINE, b"")
    assert heard() == [("WARNING", "Detected pow(x, y)")] * 2


def test_a_handler_that_writes_to_standard_error_is_not_heard_again(
    capfd: pytest.CaptureFixture[str], heard: Any
) -> None:
    handler = logging.StreamHandler(os.fdopen(os.dup(2), "w"))
    logging.getLogger("tvmfuse.tvm").addHandler(handler)
    try:
        with logged():
            os.write(2, LINE)
    finally:
        logging.getLogger("tvmfuse.tvm").removeHandler(handler)
        handler.stream.close()
    assert capfd.readouterr().err == "Detected pow(x, y)\n"
    assert len(heard()) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_leaves_standard_error_and_no_open_file(
    capfd: pytest.CaptureFixture[str], error: Any
) -> None:
    before, stderr = sorted(os.listdir("/proc/self/fd")), sys.stderr
    with pytest.raises(error), COMPILING:
        raise error
    assert sorted(os.listdir("/proc/self/fd")) == before
    assert sys.stderr is stderr
    os.write(2, LINE)
    assert capfd.readouterr().err.encode() == LINE


def test_threads_wait_for_each_other_and_one_may_enter_again(
    capfd: pytest.CaptureFixture[str], heard: Any
) -> None:
    def work() -> None:
        with COMPILING, COMPILING:
            os.write(2, LINE)
        os.write(2, b"after\n")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(heard()) == 4
    assert capfd.readouterr().err == "after\n" * 4


def test_a_program_that_outlives_the_block_does_not_hold_it() -> None:
    with logged():
        outliving = subprocess.Popen(["sleep", "60"])
    assert outliving.poll() is None
    outliving.kill()
    outliving.wait()


def test_a_terminal_stays_one_for_python() -> None:
    """The bar of the command line is drawn while kernels are compiled."""
    ours, theirs = pty.openpty()
    code = (
        "import os, sys; from tvmfuse.tvm_messages import logged\n"
        "with logged(): inside = sys.stderr.isatty(), os.isatty(2); kept = sys.stderr\n"
        "print(*inside, sys.stderr.isatty(), kept.isatty())"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs, check=True
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.stdout.split() == [b"True", b"False", b"True", b"True"]


LEFT_HALF_WAY = """
from tvm import relax

def fail(error):
    builder = relax.BlockBuilder()
    with builder.function("main", []):
        raise error
"""


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("no")], ids=repr)
def test_what_failed_is_let_go_while_it_is_logged(
    capfd: pytest.CaptureFixture[str], heard: Any, error: BaseException
) -> None:
    """Whoever keeps the error would otherwise hear of a builder when that is dropped."""
    ours: dict[str, Any] = {"__name__": "tvmfuse.planted"}
    exec(LEFT_HALF_WAY, ours)

    def fail() -> None:
        try:
            ours["fail"](error)
        except BaseException as failed:
            raise RuntimeError("in other words") from failed

    with pytest.raises(RuntimeError) as kept, COMPILING:
        fail()
    gc.collect()
    assert [message for _, message in heard()] == ["BlockBuilder destroyed with remaining blocks!"]
    assert kept.value.__cause__ is error
    del kept
    assert capfd.readouterr().err == ""


ENTRIES = """
import sys
import numpy as np
import tvmfuse
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
for call, error in (
    (lambda: tvmfuse.compile(model, target="llvm -mcpu=haswell -mattr=+nonsense"), ValueError),
    (lambda: tvmfuse.InferenceSession(b"no model"), TvmfuseError),
    (lambda: tvmfuse.load(f"{folder}/all.graph"), TvmfuseError),
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
from tvmfuse.runtime.executable import load
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
