"""scale: the simulations agree with what is known exactly."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("simpy", reason="takes tvmfuse[bench]")

from bench import scale
from bench.scale_models import Pool, Queue, Task
from bench.scale_record import Batches, Farm, Measured, Serving

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
    draws = np.random.default_rng(1).exponential(1, 60_000)
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


MEASURED = Measured(
    where={},
    nbytes=1e6,
    worker_s=4.0,
    farm=[
        Farm(1, False, 12.0, (1.0, 2.0, 3.0), (2.0, 4.0, 6.0)),
        Farm(2, False, 8.0, (1.0, 2.0, 3.0), (2.0, 4.0, 6.0)),
        Farm(2, True, 2.0, (0.5, 1.0, 1.5), (0.5, 1.0, 1.5)),
    ],
    actor_s=3.0,
    dispatch_s=0.01,
    batches=[Batches(1, 11.0, 3.0, 0.1, 1.25), Batches(2, 7.0, 3.0, 0.1, 1.25)],
    base_s=0.001,
    row_s=0.004,
    spread=[0.9, 1.1],
    serving=[Serving(1, 50.0, 0.001, 0.004, [1.0], (6.0, 20.0))],
)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "scale.json"
    path.write_text(json.dumps(MEASURED.to_json()))
    return path


def test_what_was_measured_is_compared_with_what_is_simulated(record: Path) -> None:
    read = Measured.from_json(json.loads(record.read_text()))
    rows = scale.compared(read).rows
    assert rows[0] == ["3 compilations, 1 worker", "12.0 s", "12.0 s", "1.00", "2.00"]
    assert rows[1] == ["3 compilations, 2 workers", "8.0 s", "8.0 s", "1.00", "2.00"]
    assert rows[2][2] == "11.0 s"  # 3 to start, 64 blocks of 0.125, the first one's dispatch
    assert [row[0] for row in rows[4:]] == [
        "50 requests/s, 1 worker, p50",
        "50 requests/s, 1 worker, p99",
    ]
    assert scale.farm_pool(read).kept == 0.5


def test_it_prints_a_page(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("NODES", (1, 4)),
        ("COMPILATIONS", 100),
        ("ALL_ROWS", 2_000_000),
        ("REQUESTS", 300),
    ):
        monkeypatch.setattr(scale, name, value)
    done = CliRunner().invoke(scale.main, ["--from", str(record), "--markdown"])
    assert done.exit_code == 0, done.output
    assert "| 4 |" in done.output
    assert "**100 compilations, the longest first**" in done.output
    assert "what bounds it" in done.output


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    (path := tmp_path / "other.json").write_text("[]")
    done = CliRunner().invoke(scale.main, ["--from", str(path)])
    assert done.exit_code == 2
    assert "is not what --json printed" in done.output
