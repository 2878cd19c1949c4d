"""A server in processes of its own: load, its end, a mistake in its settings."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx

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
