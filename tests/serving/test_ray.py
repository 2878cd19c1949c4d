"""`examples/serve_ray`: batches, two models, a canary by weight, health, refusals, metrics."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import numpy as np
import pytest

import tvmfuse
from examples.serve.demo import PIXELS
from examples.serve.process import Server, free_port

pytestmark = pytest.mark.serving
IMAGES = np.random.default_rng(0).standard_normal((3, *PIXELS), dtype=np.float32)
BODY = {"inputs": {"image": IMAGES.tolist()}}


class Cluster:
    """A cluster with the demo on it."""

    def __init__(self, port: int, metrics_port: int, models: dict[str, Any]) -> None:
        self.url, self.models = f"http://127.0.0.1:{port}", models
        self.metrics = f"http://127.0.0.1:{metrics_port}/metrics"

    def ask(self, model: str, body: object = BODY) -> httpx.Response:
        return httpx.post(f"{self.url}/v1/models/{model}/predict", json=body, timeout=60)

    def deploy(self, **changes: Any) -> None:
        from ray import serve

        from examples.serve_ray.app import build

        serve.run(build({"models": self.models, **changes}), name="tvmfuse")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray import serve

    from examples.serve_ray.demo import save_demos

    port, metrics_port = free_port(), free_port()
    found = Cluster(port, metrics_port, save_demos(tmp_path_factory.mktemp("models")))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parents[2])  # where workers find the examples
        ray.init("local", num_cpus=4, include_dashboard=False, object_store_memory=100 << 20,
                 _temp_dir=str(tmp_path_factory.mktemp("r")),
                 _metrics_export_port=metrics_port)  # fmt: skip
        serve.start(http_options={"host": "127.0.0.1", "port": port})
        found.deploy()
        yield found
        serve.shutdown()
        ray.shutdown()


def expected(path: Path) -> np.ndarray:
    return np.asarray(tvmfuse.load(path)({"image": IMAGES})["probabilities"])


def test_an_answer_is_that_of_the_version_it_names(cluster: Cluster) -> None:
    for model, versions in cluster.models.items():
        answer = cluster.ask(model)
        assert answer.status_code == 200, answer.text
        path = versions[answer.headers["x-model-version"]]["path"]
        np.testing.assert_allclose(answer.json()["outputs"]["probabilities"], expected(path), 1e-5)


def test_requests_that_arrive_together_run_together(cluster: Cluster) -> None:
    async def ask() -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=cluster.url, timeout=60) as http:
            place = "/v1/models/other/predict"
            bodies = [{"inputs": {"image": IMAGES[: 1 + n % 3].tolist()}} for n in range(24)]
            return await asyncio.gather(*(http.post(place, json=body) for body in bodies))

    wanted = expected(cluster.models["other"]["stable"]["path"])
    for n, answer in enumerate(asyncio.run(ask())):
        found = answer.json()["outputs"]["probabilities"]
        np.testing.assert_allclose(found, wanted[: 1 + n % 3], 1e-5)


def test_weights_share_the_requests_and_change_without_a_restart(cluster: Cluster) -> None:
    def shares(number: int) -> Counter[str]:
        return Counter(cluster.ask("classifier").headers["x-model-version"] for _ in range(number))

    assert shares(60)["stable"] > 30
    models = cluster.models
    canary = {name: {**one, "weight": 1.0 * (name == "canary")}
              for name, one in models["classifier"].items()}  # fmt: skip
    cluster.deploy(models={**models, "classifier": canary})
    until = time.monotonic() + 30
    while shares(5) != {"canary": 5}:
        assert time.monotonic() < until
    cluster.deploy()


def test_weights_of_other_versions_are_refused(cluster: Cluster) -> None:
    from examples.serve_ray import app
    from examples.serve_ray.settings import Settings

    wrapped: Any = app.Ingress
    settings = Settings.model_validate({"models": cluster.models})
    ingress = wrapped.func_or_class.__new__(wrapped.func_or_class)
    ingress._settings, ingress._versions = settings, {"classifier": {"stable": None}}
    with pytest.raises(ValueError, match="expected weights, some above 0, of"):
        ingress.reconfigure({"classifier": {"canary": 1}})
    with pytest.raises(ValueError, match="expected weights, some above 0, of"):
        ingress.reconfigure({"classifier": {"stable": 0}})


@pytest.mark.parametrize(("model", "body", "status", "words"), [
    ("nothing", BODY, 404, "no model 'nothing'; known: classifier, other"),
    ("other", {"input": {}}, 400, "inputs: Field required"),
    ("other", {"inputs": {"picture": [1]}}, 422, "expected the inputs ['image']"),
    ("other", {"inputs": {"image": [[1]]}}, 422, "expected rows of [1, 8, 8]"),
    ("other", {"inputs": {"image": (IMAGES[0].tolist(),) * 33}}, 422, "expected the same 1 to 32"),
])  # fmt: skip
def test_what_does_not_fit_is_refused_in_words(
    cluster: Cluster, model: str, body: object, status: int, words: str
) -> None:
    answer = cluster.ask(model, body)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_health_and_readiness(cluster: Cluster) -> None:
    assert httpx.get(f"{cluster.url}/-/healthz").status_code == 200
    assert httpx.get(f"{cluster.url}/readyz").status_code == 200


def test_prometheus_finds_requests_by_model_version_and_status(cluster: Cluster) -> None:
    cluster.ask("other")
    until = time.monotonic() + 60
    while True:
        text = httpx.get(cluster.metrics).text
        lines = [line for line in text.splitlines() if line.startswith("ray_tvmfuse_requests")]
        if any('model="other"' in line and 'status="200"' in line for line in lines):
            assert not any("nothing" in line for line in lines)
            return
        assert time.monotonic() < until, lines
        time.sleep(1)


def test_the_example_of_a_configuration_is_one(cluster: Cluster) -> None:
    import yaml
    from ray.serve.schema import ServeDeploySchema

    from examples.serve_ray.settings import Settings

    text = (Path(__file__).parents[2] / "examples/serve_ray/config.yaml").read_text()
    (application,) = ServeDeploySchema.model_validate(yaml.safe_load(text)).applications
    assert application.import_path == "examples.serve_ray.app:build"
    models = Settings.model_validate(application.args).models
    named = {model: set(versions) for model, versions in models.items()}
    assert named == {model: set(versions) for model, versions in cluster.models.items()}


def test_a_failing_model_is_told_to_serve(tmp_path: Path) -> None:
    from examples.serve_ray.predictor import Predictor

    class Failing:
        def __call__(self, feeds: object) -> None:
            raise RuntimeError("broken")

    predictor = Predictor.__new__(Predictor)
    predictor._model, predictor._one = Failing(), {}  # type: ignore[assignment]
    with pytest.raises(RuntimeError, match="broken"):
        predictor.check_health()


def replicas(cluster: Cluster, part: str) -> list[int]:
    """Return the processes that run a version of a model, or the ingress."""
    here: Any = SimpleNamespace(pid=os.getpid())
    return Server(cluster.url, here).named(f"ray::ServeReplica:tvmfuse:{part}")


def test_load_brings_another_replica(cluster: Cluster) -> None:
    stable = {name: {**one, "weight": 1.0 * (name == "stable")}
              for name, one in cluster.models["classifier"].items()}  # fmt: skip
    models = {**cluster.models, "classifier": stable}
    cluster.deploy(models=models, max_wait_ms=4000)  # so that requests pile up
    body = {"inputs": {"image": IMAGES[:1].tolist()}}
    until = time.monotonic() + 120
    with ThreadPoolExecutor(24) as threads:
        while len(replicas(cluster, "classifier-stable")) < 2:
            assert time.monotonic() < until
            answers = [threads.submit(cluster.ask, "classifier", body) for _ in range(24)]
            assert {answer.result().status_code for answer in answers} == {200}


def test_who_asked_a_replica_that_dies_is_told(cluster: Cluster) -> None:
    cluster.deploy(max_wait_ms=4000)  # so that a replica has the request for certain
    died = "the replica that had the request died: try again"
    for part, status, words in (("other-stable", 503, died), ("Ingress", 500, "")):
        assert cluster.ask("other").status_code == 200
        (replica,) = replicas(cluster, part)
        with ThreadPoolExecutor(1) as thread:
            answer = thread.submit(cluster.ask, "other")
            time.sleep(2)
            os.kill(replica, signal.SIGKILL)
            told = answer.result()
        assert (part, told.status_code) == (part, status), told.text
        assert words in told.text
        until = time.monotonic() + 60
        while cluster.ask("other").status_code != 200:
            assert time.monotonic() < until
            time.sleep(0.5)
    cluster.deploy()
