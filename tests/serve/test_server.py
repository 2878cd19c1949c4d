"""A server in processes of its own: load, its end, a mistake in its settings."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

import tvmfuse
from examples.serve.demo import save_demo
from examples.serve.load_test import GROWTH_MIB, examples, load
from examples.serve.process import started

ROOT = Path(__file__).parents[2]
IMAGE = [[[[0.5] * 8] * 8]]


def test_two_workers_under_load_answer_all_and_end_when_they_are_told(tmp_path: Path) -> None:
    asked = examples(tvmfuse.load(model := save_demo(tmp_path)))
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


def connected(url: str, sent: bytes) -> socket.socket:
    """Connect, send something, and keep the connection."""
    host, _, port = url.removeprefix("http://").partition(":")
    found = socket.create_connection((host, int(port)), timeout=60)
    found.sendall(sent)
    return found


def test_who_sends_nothing_or_leaves_costs_the_others_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Eight connections are all there are: silent ones, and ones that drip, are closed in time."""
    with started(save_demo(tmp_path), workers=1, timeout_s=1, max_queue=2) as server:
        slow = [connected(server.url, b"") for _ in range(4)]
        slow += [connected(server.url, b"POST /v1/predict HTTP/1.1\r\nx: ") for _ in range(4)]
        until, closed = time.monotonic() + 60, set[int]()
        while len(closed) < len(slow) and time.monotonic() < until:
            for place, one in enumerate(slow):
                if place not in closed and _is_closed(one, drips=place >= 4):
                    closed.add(place)
            time.sleep(0.1)
        assert len(closed) == len(slow)
        body = {"inputs": {"image": IMAGE}}
        assert httpx.post(f"{server.url}/v1/predict", json=body, timeout=30).status_code == 200
        lines = ("POST /v1/predict HTTP/1.1", "host: x", "content-type: application/json",
                 "content-length: 1000", "", "{")  # fmt: skip
        connected(server.url, "\r\n".join(lines).encode()).close()
        while 'status="499"' not in httpx.get(f"{server.url}/metrics").text:
            assert time.monotonic() < until
            time.sleep(0.1)
        server.stop()
    assert "Traceback" not in capfd.readouterr().err


def _is_closed(connection: socket.socket, *, drips: bool) -> bool:
    try:
        if drips:
            connection.sendall(b"x")
        connection.setblocking(False)
        return connection.recv(1000) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    finally:
        connection.settimeout(60)


def test_the_queue_of_a_killed_worker_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import os, signal; from examples.serve import metrics; metrics.WAITING.set(%d)\n"
        "metrics.REQUESTS.labels('200').inc(); %s"
    )
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    killed = code % (7, "os.kill(os.getpid(), signal.SIGKILL)")
    done = subprocess.run([sys.executable, "-c", killed], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    asked = code % (2, "print(metrics.exposition().decode())")
    text = subprocess.check_output([sys.executable, "-c", asked], cwd=ROOT, text=True)
    assert re.search(r"^serve_queue 2\.0$", text, re.MULTILINE), text
    assert 'serve_requests_total{status="200"} 2.0' in text
