"""Canaries of what has to work: loading, compiling, saving, running, threads, fork."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Final

from tvmfuse.doctor.expect import UnexpectedError, expect, refused
from tvmfuse.errors import DamagedArtifactError, InputError, TvmfuseError, first_line

#: Seconds that a forked child has to run a model, or to say that it cannot.
FORKED_S: Final = 5.0
THREADS: Final = 8
RUNS: Final = 25


def loads() -> str:
    """TVM's libraries load."""
    from tvm.target import codegen

    return f"with LLVM {codegen.llvm_version_major()}"


def one_ffi_library() -> str:
    """No second package brings another copy of TVM's FFI library into the process."""
    import tvm_ffi

    maps = Path("/proc/self/maps").read_text().splitlines()
    found = {line.split()[-1] for line in maps if Path(line.split()[-1]).name == "libtvm_ffi.so"}
    expect(len(found) == 1, f"expected one libtvm_ffi.so, found {', '.join(sorted(found))}")
    return f"libtvm_ffi.so of {tvm_ffi.__version__}"


def instructions() -> str:
    """LLVM knows the CPU, and what a hypervisor hides of it is not used."""
    from tvmfuse.target.core import describe
    from tvmfuse.target.resolve import this_machine

    machine = this_machine()
    return f"{describe(machine.to_json())}; {machine.isa.float_lanes} float32 in a register"


def measured() -> str:
    """What this CPU can do, as it is kept or measured now, and whose numbers code reckons with."""
    from tvmfuse.build.kernels.cache import cache_folder
    from tvmfuse.calibrate.kept import calibrated
    from tvmfuse.target.machine import Machine
    from tvmfuse.target.resolve import resolve

    numbers = calibrated(resolve("llvm"), cache_folder(os.environ))
    machine = Machine.of(resolve("llvm", lambda _cpu: numbers.fmas_per_cycle))
    return f"{numbers.words}; code for it reckons as for {machine.tuned_as or machine.name}"


def serialized() -> str:
    """A module is written as JSON and read again."""
    import tvm

    from tvmfuse.doctor.models import product
    from tvmfuse.frontend.onnx import import_model

    module = import_model(product()).module
    text = tvm.ir.save_json(module)
    tvm.ir.assert_structural_equal(tvm.ir.load_json(text), module)
    return f"{len(text)} characters"


def computes() -> str:
    """Kernels compiled for this CPU run on it, and their numbers are numpy's."""
    import numpy as np

    from tvmfuse.doctor.models import compiled_product, numbers, weight

    x = numbers(4)
    found = compiled_product().load()({"x": x})["y"]
    error = np.abs(found - 1 / (1 + np.exp(-(x @ weight())))).max()
    expect(error < 1e-5, f"expected numpy's numbers, found some that are {error:.1e} away")
    return f"at most {error:.1e} from numpy's"


def saved() -> str:
    """A model is linked, saved, loaded and run."""
    import numpy as np

    from tvmfuse.build.scratch import temporary_folder
    from tvmfuse.doctor.models import compiled_product, numbers
    from tvmfuse.runtime.loading import load

    artifact, x = compiled_product(), numbers(3)
    with temporary_folder() as folder:
        artifact.save(path := folder / "model.so")
        found = load(path)({"x": x})["y"]
        size = path.stat().st_size
    expect(np.array_equal(found, artifact.load()({"x": x})["y"]), "saving changed the numbers")
    return f"{size >> 10} KiB"


def truncated() -> str:
    """Half a file is refused before its library is loaded."""
    from tvmfuse.build.scratch import temporary_folder
    from tvmfuse.doctor.models import compiled_product
    from tvmfuse.runtime.loading import load

    with temporary_folder() as folder:
        compiled_product().save(path := folder / "model.so")
        os.truncate(path, path.stat().st_size // 2)
        refused(lambda: load(path), DamagedArtifactError)
    return "refused"


def misaligned() -> str:
    """A tensor that begins inside a cache line is read like one that is aligned."""
    import numpy as np

    from tvmfuse.doctor.models import compiled_product, numbers

    x, model = numbers(3), compiled_product().load()
    expected = model({"x": x})["y"]
    offsets = (1, 3, 8, 15)
    for offset in offsets:
        shifted = np.zeros(x.size + 16, "float32")[offset : offset + x.size].reshape(x.shape)
        shifted[...] = x
        same = np.array_equal(model.call([shifted], like="numpy")[0], expected)
        expect(same, f"other numbers from a tensor that begins at {4 * offset} bytes")
    return f"at {len(offsets)} offsets"


def out_of_range() -> str:
    """An index far outside its table reads no foreign memory."""
    import numpy as np
    from onnx import helper

    from tvmfuse.doctor.models import compiled, onnx_model

    gather = helper.make_node("Gather", ["table", "i"], ["y"])
    table = {"table": np.ones((4, 2), "float32")}
    model = compiled(onnx_model([gather], table, {"i": ("int64", [1])})).load()
    try:
        found = model({"i": np.array([1 << 40])})["y"]
    except InputError as error:
        return f"refused: {first_line(error)}"
    expect(set(found.ravel().tolist()) <= {0.0, 1.0}, f"foreign memory was read: {found}")
    return "no foreign memory is read"


def misplaced() -> str:
    """A place far outside its image is not written to."""
    import numpy as np
    from onnx import helper

    from tvmfuse.doctor.models import compiled, onnx_model

    unpool = helper.make_node("MaxUnpool", ["x", "i"], ["y"], kernel_shape=[2, 2], strides=[2, 2])
    shape = (1, 1, 2, 2)
    inputs = {"x": ("float32", list(shape)), "i": ("int64", list(shape))}
    model = compiled(onnx_model([unpool], inputs=inputs)).load()
    feeds = {"x": np.ones(shape, "float32"), "i": np.full(shape, 1 << 40)}
    try:
        found = model(feeds)["y"]
    except InputError as error:
        return f"refused: {first_line(error)}"
    expect(set(found.ravel().tolist()) <= {0.0, 1.0}, f"foreign memory was written: {found}")
    return "no foreign memory is written"


def in_threads() -> str:
    """Threads that share a model get the same bits."""
    import numpy as np

    from tvmfuse.doctor.models import compiled_product, numbers

    x, model = numbers(8), compiled_product().load()
    expected = model({"x": x})["y"]
    same: list[bool] = []

    def run() -> None:
        same.extend(np.array_equal(model({"x": x})["y"], expected) for _ in range(RUNS))

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    agree, wanted = sum(same), THREADS * RUNS
    expect(agree == wanted, f"{agree} of {wanted} runs in {THREADS} threads gave the same bits")
    return f"{wanted} runs in {THREADS} threads, the same bits"


def forked() -> str:
    """A child that is forked after a run computes, or says that it cannot; it does not hang."""
    from tvmfuse.doctor.models import compiled_product, numbers

    x, model = numbers(3), compiled_product().load()
    model({"x": x})
    child = os.fork()
    if child == 0:
        try:
            model({"x": x})
        except TvmfuseError:
            os._exit(1)
        except BaseException:
            os._exit(2)
        os._exit(0)
    code = _ended(child)
    expect(code in (0, 1), f"the child ended with {code}")
    return "the child raises an error" if code else "the child computes"


def _ended(child: int) -> int:
    """Return a child's exit code, negative for a signal; one that hangs is ended."""
    until = time.monotonic() + FORKED_S
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise UnexpectedError(f"a forked child hangs: nothing in {FORKED_S:g} s")
        time.sleep(0.01)
    return os.waitstatus_to_exitcode(ended[1])
