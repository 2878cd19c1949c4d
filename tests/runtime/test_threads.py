"""threads: pools of the size asked for, whose threads may run on any CPU."""

import os
import threading
import time
from typing import Any

import pytest
from relax_models import python, succeeds

from tvmfuse.runtime.threads import CallingThread, OwnThread, make_pool, workers
from tvmfuse.target.host_cpu import usable_cores
from tvmfuse.tvm_runtime import runtime_function

CPUS = len(os.sched_getaffinity(0))


def pool_size() -> int:
    return int(runtime_function("runtime.NumThreads")())


def in_new_thread(work: Any) -> Any:
    results = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    thread.join()
    return results[0]


@pytest.mark.parametrize("asked", [1, 2, CPUS, 10 * CPUS])
def test_a_pool_has_the_size_asked_for_up_to_the_number_of_cpus(asked: Any) -> None:
    assert in_new_thread(lambda: make_pool(asked)) == min(asked, CPUS)
    assert OwnThread(asked)(pool_size) == min(asked, CPUS)


AFFINITIES = """
import os
from tvmfuse.target.host_cpu import usable_cores
from tvmfuse.runtime.threads import make_pool
before = os.sched_getaffinity(0)
make_pool(len(before))
tasks = os.listdir("/proc/self/task")
assert len(tasks) >= len(before)
assert all(os.sched_getaffinity(int(task)) == before for task in tasks)
"""


def test_its_threads_may_run_on_any_cpu_of_the_process() -> None:
    succeeds(python(AFFINITIES))


def test_own_thread_is_another_and_always_the_same() -> None:
    own = OwnThread(1)
    first, second = own(threading.get_ident), own(threading.get_ident)
    assert first == second != threading.get_ident()


def test_the_calling_thread_computes_unless_more_threads_than_cores_are_asked_for() -> None:
    assert workers(None)(threading.get_ident) == threading.get_ident()
    assert workers(1)(threading.get_ident) == threading.get_ident()
    more = workers(CPUS + 1)
    assert isinstance(more, CallingThread if usable_cores() == CPUS else OwnThread)


def test_each_model_on_a_thread_has_the_number_that_it_asked_for() -> None:
    def sizes() -> list[int]:
        arms = [workers(n) for n in (1, None, 1, 2, None)]
        return [run(pool_size) for run in (*arms, *arms)]

    expected = [1, usable_cores(), 1, min(2, CPUS), usable_cores()]
    assert in_new_thread(sizes) == expected * 2
    assert in_new_thread(sizes) == expected * 2


@pytest.mark.parametrize(
    "kind", [lambda: CallingThread(1), lambda: OwnThread(1)], ids=["calling", "own"]
)
def test_errors_come_back(kind: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        kind()(lambda: 1 // 0)


def test_own_threads_end_with_their_owner() -> None:
    own = OwnThread(CPUS)
    own(pool_size)
    before = len(os.listdir("/proc/self/task"))
    del own
    deadline = time.monotonic() + 60
    while len(os.listdir("/proc/self/task")) > before - CPUS and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/task")) <= before - CPUS
