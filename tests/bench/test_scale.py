"""scale: the simulations agree with what is known exactly."""

import math

import numpy as np
import pytest

pytest.importorskip("simpy", reason="takes tvmfuse[bench]")

from bench.scale_models import Pool, Queue, Task

TASKS = [Task(2.0)] * 12


@pytest.mark.parametrize(("workers", "seconds"), [(1, 24), (2, 12), (5, 6), (12, 2), (100, 2)])
def test_equal_tasks_take_turns(workers: int, seconds: float) -> None:
    done = Pool().run(TASKS, workers)
    assert done.seconds == pytest.approx(seconds)
    assert done.worked == 24
    assert done.limit == ("the work" if workers <= 12 else "the longest task")


@pytest.mark.parametrize(
    ("pool", "seconds", "limit"),
    [
        (Pool(start_s=3), 3 + 6, "the work"),
        (Pool(stretch=1.5), 9, "the work"),
        (Pool(dispatch_s=1), 12 * 1 + 2, "the head"),
        (Pool(nbytes=8, storage=4), 12 * 2 + 2, "the storage"),
        (Pool(nbytes=8, storage=4, ahead=1), 12 * 2 + 2, "the storage"),
        (Pool(nbytes=1, link=2), 3 * (2 + 1), "the work"),
        (Pool(slow=1, slow_by=2), 12, "the work"),
    ],
    ids=["start", "stretch", "head", "storage", "ahead", "link", "slow"],
)
def test_what_a_pool_waits_for(pool: Pool, seconds: float, limit: str) -> None:
    done = pool.run(TASKS, 4)
    assert done.seconds == pytest.approx(seconds)
    assert done.limit == limit
    assert all(bound <= done.seconds + 1e-9 for bound in done.limits.values())


def test_what_is_fetched_ahead_costs_no_time() -> None:
    near, far = Pool(nbytes=1, link=2), Pool(nbytes=1, link=2, ahead=1)
    assert near.run(TASKS, 1).seconds == pytest.approx(12 * 3)
    assert far.run(TASKS, 1).seconds == pytest.approx(1 + 12 * 2)


def test_kernels_are_kept_once_a_task_of_their_kind_is_done() -> None:
    tasks = [Task(2.0, kind=number % 3) for number in range(12)]
    one, many = (Pool(kept=0.25).run(tasks, workers) for workers in (1, 12))
    assert one.kept == 9 / 12
    assert one.seconds == pytest.approx(3 * 2 + 9 * 0.5)
    assert (many.kept, many.seconds) == (0, 2)


def erlang_wait(rate: float, service_s: float, servers: int) -> float:
    """Return the mean wait of M/M/c, by Erlang's C formula."""
    offered = rate * service_s
    terms = [offered**n / math.factorial(n) for n in range(servers)]
    last = offered**servers / math.factorial(servers) / (1 - offered / servers)
    return last / (sum(terms) + last) * service_s / (servers - offered)


@pytest.mark.parametrize(("servers", "use"), [(1, 0.5), (2, 0.7), (8, 0.8)])
def test_one_queue_waits_as_erlang_says(servers: int, use: float) -> None:
    draws = np.random.default_rng(1).exponential(1, 20_000)
    queue = Queue(base_s=1.0, row_s=0.0, spread=tuple(draws / draws.mean()))
    rate = use * queue.capacity(servers)
    waits = queue.run(rate, servers, 60_000, seed=2) - 1.0
    assert waits.mean() == pytest.approx(erlang_wait(rate, 1.0, servers), rel=0.1)


def test_two_choices_wait_less_than_one_and_longer_than_one_queue() -> None:
    found = {}
    for router in ("one queue", "two choices", "random"):
        queue = Queue(base_s=1.0, row_s=0.0, router=router)
        found[router] = queue.run(0.9 * queue.capacity(20), 20, 20_000).mean()
    assert found["one queue"] < found["two choices"] < found["random"]


def test_batches_answer_more_than_single_requests_could() -> None:
    queue = Queue(base_s=1.0, row_s=0.1, most=8)
    assert queue.capacity(2) == pytest.approx(2 * 8 / 1.8)
    latencies = queue.run(0.9 * queue.capacity(2), 2, 5_000)
    assert len(latencies) == 5_000
    assert latencies.min() == pytest.approx(1.1)
    assert np.quantile(latencies, 0.99) < 20


def test_a_seed_says_what_comes() -> None:
    queue = Queue(base_s=1.0, row_s=0.0, spread=(0.5, 1.5))
    again = queue.run(0.5, 1, 100, seed=3)
    np.testing.assert_array_equal(queue.run(0.5, 1, 100, seed=3), again)
