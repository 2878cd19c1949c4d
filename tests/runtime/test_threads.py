"""threads: one pool for each number of threads, which all callers share, and each piece once."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
import tvm
from relax_models import affine, in_parallel, python, saved, succeeds
from tvm.script import tirx as T

from tvmfuse.build import native
from tvmfuse.build.jitted import launch_in_tvm
from tvmfuse.build.kernels.machine_code import object_file
from tvmfuse.build.native import native_module
from tvmfuse.runtime import threads
from tvmfuse.runtime.loading import load
from tvmfuse.runtime.threads import Workers
from tvmfuse.target.resolve import resolve

CPUS: Final = len(os.sched_getaffinity(0))
FOLDER: Final = Path(native.__file__).parent


def our_workers() -> list[str]:
    """Return the identifiers of this process's worker threads; a thread of others may just end."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            if (task / "comm").read_text().strip() == "tvmfuse":
                found.append(task.name)
    return found


def in_new_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


@pytest.fixture(scope="module")
def count() -> Callable[..., None]:
    """A loop that adds one to each element, and asserts that the element was as expected."""
    launch_in_tvm(lambda: native_module(resolve("llvm")))

    @T.prim_func
    def loop(given: T.handle, expected: T.int32):  # type: ignore[no-untyped-def]  # noqa: ANN202
        T.func_attr({"global_symbol": "loop", "tirx.is_scheduled": 1})
        n = T.int32()
        x = T.match_buffer(given, (n,), "int32")
        for i in T.parallel(n):
            assert x[i] == expected, "an element was computed twice"
            x[i] = x[i] + 1

    compiled: Callable[..., None] = tvm.compile(loop, target="llvm")["loop"]
    return compiled


def counted(count: Callable[..., None], n: int, times: int = 1) -> np.ndarray:
    x = tvm.runtime.tensor(np.zeros(n, "int32"))
    for time_ in range(times):
        count(x, time_)
    values: np.ndarray = x.numpy()
    return values


@pytest.mark.parametrize("number", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [0, 1, 2, 31, 32, 33, 1000])
@pytest.mark.parametrize("spin", [False, True])
def test_each_piece_is_computed_once(
    count: Any, n: int, number: int, spin: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(7))
    Workers(number, spin=spin).use()
    assert (counted(count, n, 3) == 3).all()


def wakings() -> int:
    """Return how often this process's workers have gone to sleep."""
    found = [Path(f"/proc/self/task/{task}/status").read_text() for task in our_workers()]
    counts = [re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.MULTILINE) for text in found]
    return sum(int(count[1]) for count in counts if count)


@pytest.mark.skipif(CPUS < 2, reason="one CPU has no workers")
def test_a_loop_that_used_to_be_short_wakes_nobody_until_it_is_long(count: Any) -> None:
    Workers(2, spin=False).use()
    assert (counted(count, 8, 20) == 20).all()
    before = wakings()
    for _ in range(50):
        assert (counted(count, 8) == 1).all()
        time.sleep(1e-3)  # workers sleep again
    assert wakings() - before < 10
    assert (counted(count, 20_000_000) == 1).all()
    assert wakings() > before
    for n in (8, 20_000, 8, 8, 3, 200_000, 1):
        assert (counted(count, n, 12) == 12).all()


def test_callers_share_a_pool_at_the_same_time(count: Any) -> None:
    workers = Workers(2, spin=True)

    def call(n: int) -> bool:
        workers.use()
        return bool((counted(count, n, 20) == 20).all())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(call, range(1, 200)))


def test_threads_that_end_leave_none_behind(tmp_path: Path) -> None:
    run = load(saved(in_parallel(affine(64)), tmp_path), num_threads=min(2, CPUS))
    x = np.zeros((64, 16), "float32")
    expected = run(x=x)["y"]
    before = our_workers()
    assert len(before) >= min(2, CPUS) - 1
    for _ in range(50):
        np.testing.assert_array_equal(in_new_thread(lambda: run(x=x)["y"]), expected)
    assert our_workers() == before


@pytest.mark.parametrize("asked", [1, 2, CPUS, 10 * CPUS])
def test_a_pool_is_no_larger_than_the_machine(asked: int) -> None:
    workers = Workers(asked, spin=True)
    assert workers.threads == min(asked, CPUS)


def test_no_call_and_no_further_model_starts_a_worker(count: Any) -> None:
    def compute() -> list[str]:
        for number in (1, 2, 1, 2):
            Workers(number, spin=True).use()
            counted(count, 100)
        return our_workers()

    assert compute() == compute() == in_new_thread(compute)


AFFINITIES = """
import os
import numpy as np
from tvmfuse.runtime.loading import load
before = os.sched_getaffinity(0)
load(sys.argv[1], num_threads=len(before))(x=np.zeros((64, 16), "float32"))
tasks = os.listdir("/proc/self/task")
assert len(tasks) >= len(before), tasks
assert all(os.sched_getaffinity(int(task)) == before for task in tasks)
blocked = [
    line.split()[1]
    for task in tasks if open(f"/proc/self/task/{task}/comm").read() == "tvmfuse\\n"
    for line in open(f"/proc/self/task/{task}/status") if line.startswith("SigBlk")
]
assert len(blocked) == len(before) - 1 and all(int(mask, 16) & 2 for mask in blocked), blocked
"""


def test_workers_may_run_on_any_cpu_and_take_no_signal(tmp_path: Path) -> None:
    succeeds(python(AFFINITIES, saved(in_parallel(affine(64)), tmp_path)))


def test_the_callers_error_says_that_a_piece_failed(count: Any) -> None:
    for number, words in ((1, "computed twice"), (2, "a piece of a parallel loop failed")):
        Workers(number, spin=True).use()
        x = tvm.runtime.tensor(np.ones(1000, "int32"))
        with pytest.raises((RuntimeError, AssertionError), match=words if CPUS > 1 else ""):
            count(x, 0)
        assert (counted(count, 100) == 1).all()


def test_code_of_others_computes_as_tvm_has_it(count: Any) -> None:
    def call() -> bool:
        return bool((counted(count, 100) == 1).all())  # on a thread that chose no pool of ours

    assert in_new_thread(call)


@pytest.mark.parametrize(("spin", "most"), [(False, 0.2), (True, 0.5)])
def test_who_waits_soon_sleeps(count: Any, spin: bool, most: float) -> None:
    Workers(2, spin=spin).use()
    for _ in range(20):
        counted(count, 1000)
    time.sleep(0.05)
    before = time.process_time()
    time.sleep(1.0)
    assert time.process_time() - before < most


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
def test_the_code_is_of_this_source(processor: str) -> None:
    said = re.search(r"SHA-256 is (\w+)", (FOLDER / f"{processor}.ll").read_text())
    source = b"".join(file.read_bytes() for file in sorted(FOLDER.glob("*.c")))
    digest = hashlib.sha256(source).hexdigest()
    assert said is not None
    assert said[1] == digest, "run .ci/native"


@pytest.mark.parametrize(
    "target", ["avx2", "avx512", "llvm -mtriple=aarch64-linux-gnu -mcpu=generic"]
)
def test_it_is_compiled_for_each_processor(target: str) -> None:
    assert object_file(native_module(resolve(target))).startswith(b"\x7fELF")


def test_a_thread_takes_another_pool_when_another_model_wants_it(count: Any) -> None:
    def pools() -> list[Any]:
        seen = []
        for number in (1, 2, 1):
            Workers(number, spin=True).use()
            seen.append(threads._calling.pool)
        return seen

    first, second, third = in_new_thread(pools)
    assert first == third == (1, True)
    assert second == (min(2, CPUS), True)
