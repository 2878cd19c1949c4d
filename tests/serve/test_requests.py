"""The example of a server: predictions, health, metrics, and bad requests refused in words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from starlette.types import Message

import tvmfuse
from examples.serve.app import application
from examples.serve.demo import classifier, save_demo
from examples.serve.feeds import check_model, read_body, read_feeds
from examples.serve.process import metric
from examples.serve.refusals import RefusedError
from examples.serve.settings import Settings

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


def test_a_body_that_does_not_arrive_is_refused() -> None:
    async def never() -> Message:
        await asyncio.sleep(60)
        raise AssertionError

    headers = [(b"content-type", b"application/json")]
    request = Request({"type": "http", "headers": headers}, never)
    with pytest.raises(RefusedError, match=r"did not arrive in 0.05 s") as refusal:
        asyncio.run(read_body(request, LIMIT, 0.05))
    assert refusal.value.status == 408


def test_an_answer_that_takes_too_long_is_given_up(model: Path) -> None:
    with TestClient(application(Settings(model, timeout_s=0.5, max_wait_ms=2000))) as http:
        answer = http.post("/v1/predict", json={"inputs": {"image": IMAGE}})
        assert (answer.status_code, answer.json()["error"]) == (504, "no answer in 0.5 s")
        assert http.get("/healthz").status_code == 200


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
