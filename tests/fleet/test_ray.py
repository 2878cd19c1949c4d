"""fleet.ray_cluster: two nodes on loopback; workers, nodes and callers are killed in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fleet_models import let_slow_models_wait, write_model
from fleet_tasks import Deadly, Endless, Saying, Unreadable, is_running, wait_for
from interrupted import Interrupted, members

import tvmfuse
from tvmfuse.errors import ConfigurationError
from tvmfuse.fleet.executor import LostError
from tvmfuse.fleet.ray_cluster import RayExecutor

pytestmark = pytest.mark.fleet

MEMORY = 80 << 20
"""Bytes of a node's object store."""


class Nodes:
    """A cluster of two nodes with two CPUs each, in which slow models wait for a file.

    Attributes:
        begun: Holds the numbers of the processes that slow models were given to.
        gate: The file that they wait for.
    """

    def __init__(self, folder: Path) -> None:
        cluster_utils = pytest.importorskip("ray.cluster_utils")
        self._own = {"include_dashboard": False, "object_store_memory": MEMORY, "num_cpus": 2}
        site, self.begun, self.gate = let_slow_models_wait(folder, "default_worker.py")
        # Names of sockets are short.
        self._folder = Path("/tmp", f"tvmfuse-ray-{os.getpid()}")
        os.environ["PYTHONPATH"] = os.pathsep.join([str(site), *sys.path])
        head = {**self._own, "temp_dir": str(self._folder)}
        self.cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=head)
        self.address = self.cluster.address
        self.other = self.add()

    def add(self) -> Any:
        return self.cluster.add_node(**self._own)

    def reset(self) -> None:
        for file in (self.begun, self.gate):
            file.unlink(missing_ok=True)

    def workers(self) -> list[int]:
        """Wait until a slow model is given to a worker; return the processes of all of them."""
        return [int(word) for word in wait_for(self.begun).split()]

    def end(self) -> None:
        self.cluster.shutdown()
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", "")
        cluster = Nodes(tmp_path_factory.mktemp("nodes"))
        yield cluster
        cluster.end()


@pytest.fixture
def cluster(nodes: Nodes) -> Nodes:
    nodes.reset()
    return nodes


@pytest.fixture
def models(tmp_path: Path) -> list[Path]:
    """Return a model with its weights beside it, what is none, and one that takes long."""
    (tmp_path / "broken.onnx").write_text("this is no model")
    return [
        write_model(tmp_path / "quick.onnx", beside=True), tmp_path / "broken.onnx",
        write_model(tmp_path / "slow.onnx", 12),
    ]  # fmt: skip


class Run:
    """`tvmfuse compile-many` in a process of its own."""

    def __init__(self, folder: Path, models: list[Path], cluster: Nodes) -> None:
        command = ["-m", "tvmfuse", "compile-many", *map(str, models), "-o", str(folder / "out")]
        self.interrupted = Interrupted(folder, *command, "--ray", cluster.address)
        self.process = self.interrupted.process
        self._list = folder / "out/compile-many.json"

    def rows(self) -> dict[str, str]:
        if not self._list.exists():
            return {}
        listed = json.loads(self._list.read_text())["models"]
        return {Path(row["model"]).stem: row["state"] for row in listed}

    def wait_for_rows(self, count: int) -> None:
        end = time.monotonic() + 180
        while len(self.rows()) < count:
            assert time.monotonic() < end
            time.sleep(0.05)


def ends(process: int) -> bool:
    """Whether a process is gone within 20 s."""
    end = time.monotonic() + 20
    while is_running(process):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def test_tasks_run_there_and_those_that_kill_their_workers_are_named(
    cluster: Nodes, tmp_path: Path
) -> None:
    with RayExecutor(cluster.address) as workers:
        assert workers.capacity == 6
        twice = workers.submit(Deadly(tmp_path / "twice", 2))
        thrice = workers.submit(Deadly(tmp_path / "thrice", 3))
        unread = workers.submit(Unreadable())
        assert twice.result(180).content == b"alive"
        with pytest.raises(LostError, match=r"3 workers died of it, the last with WorkerCrashed"):
            thrice.result(180)
        with pytest.raises(LostError, match=r"its worker cannot run it: .*no number"):
            unread.result(180)
        assert workers.submit(Saying("well ")).result(180).content.startswith(b"well ")
        workers.submit(Endless(tmp_path / "endless"))
        process = int(wait_for(tmp_path / "endless"))
    assert ends(process)


def test_a_cluster_compiles_what_is_equal_to_what_is_compiled_alone(
    cluster: Nodes, models: list[Path], tmp_path: Path, just_in_time: None
) -> None:
    cluster.gate.touch()
    targets = ["avx2", "llvm"]
    found = tvmfuse.compile_many(models, tmp_path / "out", targets=targets, ray=cluster.address)
    assert [model.state for model in found.models] == ["compiled"] * 2 + ["refused"] * 2 + [
        "compiled"
    ] * 2
    for model in found.models:
        if model.is_done:
            tvmfuse.compile(model.model, model.target).save(tmp_path / "alone.so")
            alone = (tmp_path / "alone.so").read_bytes()
            assert (tmp_path / "out" / model.file).read_bytes() == alone
    for model in found.models[2:4]:
        assert model.reason.startswith(f"'{models[1]}': not a valid ONNX file")


def test_a_worker_and_a_node_are_killed_and_all_completes(
    cluster: Nodes, models: list[Path], tmp_path: Path
) -> None:
    several = [write_model(tmp_path / f"slow{rows}.onnx", rows) for rows in (20, 21, 22, 23)]
    run = Run(tmp_path, [*models[:2], *several], cluster)
    run.wait_for_rows(2)
    end = time.monotonic() + 180
    while len(cluster.workers()) < 4:  # two on each node
        assert time.monotonic() < end
        time.sleep(0.05)
    os.kill(cluster.workers()[0], signal.SIGKILL)
    cluster.cluster.remove_node(cluster.other, allow_graceful=False)
    cluster.gate.touch()
    try:
        assert run.process.wait(240) == 1  # one is no model
    finally:
        cluster.other = cluster.add()
    assert len(cluster.workers()) >= 6
    assert set(run.rows().values()) == {"compiled", "refused"}
    assert [*run.rows().values()].count("compiled") == 5


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_caller_is_ended_and_the_next_goes_on(
    how: int, cluster: Nodes, models: list[Path], tmp_path: Path
) -> None:
    run = Run(tmp_path, models, cluster)
    (worker,) = cluster.workers()
    run.wait_for_rows(2)
    run.process.send_signal(how)
    assert run.process.wait(30) == (-how if how == signal.SIGKILL else 130)
    assert ends(worker)
    assert members(run.process.pid) == []
    assert [f.name for f in (tmp_path / "out").iterdir() if f.name.startswith(".")] == []
    cluster.gate.touch()
    found = tvmfuse.compile_many(models, tmp_path / "out", ray=cluster.address)
    assert [model.state for model in found.models] == ["kept", "refused", "compiled"]


def test_a_connection_that_is_there_is_taken_and_stays(
    cluster: Nodes, models: list[Path], tmp_path: Path
) -> None:
    ray = pytest.importorskip("ray")
    ray.init(cluster.address, log_to_driver=False)
    try:
        artifact = tvmfuse.compile(models[0])

        def outputs(model: Any) -> Any:
            import numpy as np

            return model(x=np.ones((1, 8), "float32"))["y"].tolist()

        # Artifacts and executables are arguments of tasks.
        expected = outputs(artifact.load())
        assert ray.get(ray.remote(outputs).remote(artifact.load(num_threads=1))) == expected
        assert ray.get(ray.remote(lambda a: outputs(a.load())).remote(artifact)) == expected
        found = tvmfuse.compile_many(models[:1], tmp_path / "out", ray=cluster.address)
        assert found.all_done
        assert ray.is_initialized()
    finally:
        ray.shutdown()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "no.such.host.invalid:1"])
def test_nobody_answers(address: str, models: list[Path], tmp_path: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(ConfigurationError, match="no Ray cluster answers at"):
        tvmfuse.compile_many(models, tmp_path / "out", ray=address)
    assert time.monotonic() - begin < 30


def test_what_is_no_address_is_refused(models: list[Path], tmp_path: Path) -> None:
    with suppress(KeyError):
        del os.environ["RAY_ADDRESS"]
    with pytest.raises(ConfigurationError, match="cannot connect to Ray at nonsense"):
        tvmfuse.compile_many(models, tmp_path / "out", ray="nonsense")
