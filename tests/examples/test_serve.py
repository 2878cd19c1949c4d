"""The example of a server: bad requests are refused in words, load is batched and bounded."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from fastapi.testclient import TestClient

import tvmfuse
from examples.serve.app import application
from examples.serve.batching import Batcher
from examples.serve.demo import classifier, save_demo
from examples.serve.feeds import check_model, read_feeds
from examples.serve.load_test import GROWTH_MIB, examples, load
from examples.serve.process import metric, started
from examples.serve.refusals import RefusedError
from examples.serve.settings import Settings

ROOT = Path(__file__).parents[2]
IMAGE = [[[[0.5] * 8] * 8]]
LIMIT = 8192


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_demo(tmp_path_factory.mktemp("serve"))


@pytest.fixture(scope="module")
def http(model: Path) -> Iterator[TestClient]:
    with TestClient(application(Settings(model, max_batch=4, max_body=LIMIT))) as client:
        yield client


def test_a_prediction_is_the_models(http: TestClient, model: Path) -> None:
    answer = http.post("/v1/predict", json={"inputs": {"image": IMAGE * 2}})
    expected = tvmfuse.load(model)({"image": np.asarray(IMAGE * 2, "float32")})["probabilities"]
    assert answer.status_code == 200
    np.testing.assert_array_equal(
        np.asarray(answer.json()["outputs"]["probabilities"], "float32"), expected
    )


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_server_that_works_is_healthy_and_ready(http: TestClient, path: str) -> None:
    assert http.get(path).status_code == 200


def body(image: Any) -> bytes:
    return json.dumps({"inputs": {"image": image}}).encode()


DEEP = b'{"inputs": {"image": ' + b"[" * 3000 + b"]" * 3000 + b"}}"


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        (b"", 400, "Invalid JSON"),
        (b"{", 400, "Invalid JSON"),
        (b"\xff\xfe", 400, "Invalid JSON"),
        (DEEP, 400, "recursion"),
        (b"[]", 400, "should be an object"),
        (b"{}", 400, "inputs: Field required"),
        (b'{"inputs": 3}', 400, "inputs"),
        (b'{"inputs": {"image": 3}}', 400, "inputs.image"),
        (b'{"inputs": {"image": [1]}, "more": 1}', 400, "more"),
        (b'{"inputs": {}}', 422, "expected the inputs ['image'], found []"),
        (b'{"inputs": {"x": [1], "image": [1]}}', 422, "found ['image', 'x']"),
        (body([]), 422, "expected rows of [1, 8, 8], found []"),
        (body([[[[0.5] * 8] * 7]]), 422, "expected rows of [1, 8, 8], found [1, 7, 8]"),
        (body([[[[0.5] * 8] * 7 + [[0.5]]]]), 422, "rows of one length"),
        (body([[[["a"] * 8] * 8]]), 422, "expected float32 numbers"),
        (body([[[[None] * 8] * 8]]), 422, "expected float32 numbers"),
        (body([[[[True] * 8] * 8]]), 422, "expected float32 numbers, found bool"),
        (body([[[[10**100] * 8] * 8]]), 422, "expected float32 numbers"),
        (body([[[[1e300] * 8] * 8]]), 422, "beyond float32"),
        (body([[[[float("nan")] * 8] * 8]]), 422, "not finite"),
        (body(IMAGE * 5), 422, "1 to 4 rows everywhere, found image: 5"),
        (b" " * (LIMIT + 1), 413, f"at most {LIMIT} bytes"),
    ],
)
def test_a_bad_body_is_refused(http: TestClient, sent: bytes, status: int, words: str) -> None:
    answer = http.post("/v1/predict", content=sent, headers={"content-type": "application/json"})
    assert (answer.status_code, words in answer.json()["error"]) == (status, True), answer.text


def test_no_rows_are_refused() -> None:
    spec = tvmfuse.TensorSpec("i", "int64", ("n",))
    with pytest.raises(RefusedError, match="1 to 4 rows"):
        read_feeds(b'{"inputs": {"i": []}}', [tvmfuse.TensorSpec("i", "float32", ("n",))], 4)
    with pytest.raises(RefusedError, match="expected int64 numbers"):
        read_feeds(b'{"inputs": {"i": [1.5]}}', [spec], 4)
    with pytest.raises(RefusedError, match="i: a number is not finite, or beyond int8"):
        read_feeds(b'{"inputs": {"i": [300]}}', [tvmfuse.TensorSpec("i", "int8", ("n",))], 4)
    assert read_feeds(b'{"inputs": {"i": [7, 8]}}', [spec], 4)["i"].tolist() == [7, 8]


def test_a_body_without_a_length_is_limited(http: TestClient) -> None:
    parts = (b" " * 1000 for _ in range(20))
    headers = {"content-type": "application/json"}
    assert http.post("/v1/predict", content=parts, headers=headers).status_code == 413


def test_other_types_methods_and_paths_are_refused(http: TestClient) -> None:
    assert http.post("/v1/predict", content=b"x").status_code == 415
    assert http.get("/v1/predict").status_code == 405
    assert http.post("/predict").status_code == 404


def test_metrics_count_requests_by_their_status(http: TestClient) -> None:
    before = http.get("/metrics").text
    http.post("/v1/predict", json={"inputs": {"image": IMAGE}})
    http.post("/v1/predict", json={})
    after = http.get("/metrics").text
    for status in ("200", "400"):
        counts = [metric(text, "serve_requests_total", status=status) for text in (before, after)]
        assert counts[1] == counts[0] + 1


def test_a_model_without_a_batch_is_refused_when_the_server_starts() -> None:
    fixed = tvmfuse.compile(classifier(), dims={"batch": 1}).load()
    with pytest.raises(ValueError, match="begin with one symbolic dimension"):
        check_model(fixed)
    check_model(tvmfuse.compile(classifier()).load())


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "SERVE_MODEL"),
        ({"SERVE_MODEL": "m.so", "SERVE_MAX_BATCH": "many"}, "SERVE_MAX_BATCH: expected int"),
        ({"SERVE_MODEL": "m.so", "SERVE_MAX_QUEUE": "0"}, "SERVE_MAX_QUEUE: expected more than 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(environment: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Settings.read(environment)


def test_settings_are_read_as_they_are_written() -> None:
    settings = Settings(Path("m.so"), max_batch=8, max_wait_ms=0.5)
    assert Settings.read(settings.environment()) == settings


Arrays = Any


class Model:
    """Doubles its rows when it is let, and remembers how many it got."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.go = threading.Event()

    def __call__(self, feeds: Arrays) -> Arrays:
        assert self.go.wait(30)
        self.sizes.append(len(feeds["x"]))
        if feeds["x"].max() < 0:
            raise tvmfuse.TvmfuseError("negative")
        return {"y": 2 * feeds["x"]}


def batched(
    work: Callable[[Batcher, Model], Coroutine[Any, Any, None]], **limits: Any
) -> list[int]:
    """Let `work` use a batcher of a model; return the sizes of the batches."""
    model = Model()

    async def run() -> None:
        batcher = Batcher(model, **{"max_batch": 4, "max_wait_ms": 20, "max_queue": 8, **limits})
        try:
            async with asyncio.timeout(30):
                await work(batcher, model)
        finally:
            model.go.set()
            await batcher.close()

    asyncio.run(run())
    return model.sizes


def ask(batcher: Batcher, value: float, rows: int = 1) -> asyncio.Task[Any]:
    return asyncio.create_task(batcher.submit({"x": np.full((rows, 1), value)}, rows))


def test_requests_that_wait_run_together_and_each_gets_its_rows() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        tasks = [ask(batcher, value, rows) for value, rows in enumerate([1, 2, 3, 1, 4, 1])]
        await asyncio.sleep(0)
        model.go.set()
        for value, task in enumerate(tasks):
            assert set((await task)["y"].ravel().tolist()) == {2 * value}

    assert batched(work) == [3, 4, 4, 1]


def test_one_request_does_not_wait_for_others_for_long() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        model.go.set()
        await ask(batcher, 1)

    assert batched(work) == [1]


def test_more_than_may_wait_are_refused_and_the_others_are_answered() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        first = ask(batcher, 1, rows=4)
        await asyncio.sleep(0.05)  # it runs
        waiting = [ask(batcher, 1) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError, match="3 requests wait: try again"):
            await ask(batcher, 1)
        assert not batcher.ready
        assert batcher.alive
        model.go.set()
        await asyncio.gather(first, *waiting)
        assert batcher.ready

    assert sum(batched(work, max_queue=3)) == 7


def test_closing_answers_what_waits_and_refuses_what_comes() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        waiting = [ask(batcher, 1) for _ in range(6)]
        await asyncio.sleep(0)
        closing = asyncio.create_task(batcher.close())
        await asyncio.sleep(0)
        with pytest.raises(RefusedError, match="the server closes"):
            await ask(batcher, 1)
        model.go.set()
        await asyncio.gather(closing, *waiting)

    assert sum(batched(work)) == 6


def test_an_error_reaches_who_asked_and_nobody_after_them() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        model.go.set()
        with pytest.raises(tvmfuse.TvmfuseError, match="negative"):
            await ask(batcher, -1)
        assert (await ask(batcher, 1))["y"].tolist() == [[2.0]]
        assert batcher.alive

    assert batched(work) == [1, 1]


def test_who_is_gone_costs_the_others_nothing() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        gone, stays = ask(batcher, 1), ask(batcher, 3)
        await asyncio.sleep(0)
        gone.cancel()
        model.go.set()
        assert (await stays)["y"].tolist() == [[6.0]]

    assert batched(work) == [2]


def test_two_workers_under_load_answer_all_and_end_when_they_are_told(model: Path) -> None:
    asked = examples(tvmfuse.load(model))
    with started(model) as server:
        seen = asyncio.run(load(server, asked, clients=10, seconds=4))
        assert seen.errors == []
        assert seen.rows_per_run > 1
        assert seen.growth_mib < GROWTH_MIB
        answers: list[int] = []
        asking = threading.Thread(target=_still_asked, args=(server.url, answers))
        asking.start()
        until = time.monotonic() + 60
        while len(answers) < 20 and time.monotonic() < until:
            time.sleep(0.01)
        assert server.stop() == 0
        asking.join()
    assert len(answers) >= 20
    assert set(answers) == {200}


def _still_asked(url: str, answers: list[int]) -> None:
    """Ask one after the other until nobody listens; what was accepted is answered."""
    with httpx.Client(base_url=url, timeout=30) as http:
        while True:
            try:
                answer = http.post("/v1/predict", json={"inputs": {"image": IMAGE}})
            except httpx.TransportError:
                return
            answers.append(answer.status_code)


def test_a_mistake_in_the_settings_is_told_once() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "examples.serve", "--model", __file__],
        env={**os.environ, "SERVE_MAX_BATCH": "0"},
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("SERVE_MAX_BATCH: expected more than 0, found 0") == 1
