"""Seconds of the load test: nothing is lost or mixed up, and what a killed replica had is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.serving


@pytest.mark.parametrize("server", ["v2", "v2-grpc", "ray"])
def test_every_answer_is_right_beside_slow_clients(server: str, tmp_path: Path) -> None:
    from examples.serve.demo import save_demo
    from examples.serve_load.__main__ import run
    from examples.serve_load.doors import DOORS

    seen = run(DOORS[server](), save_demo(tmp_path), clients=8, seconds=5, slow=20)
    assert seen.errors == []
    assert seen.milliseconds
    assert seen.held == 20


@pytest.mark.parametrize("server", ["v2", "ray"])
def test_a_killed_replica_loses_no_more_than_it_had(server: str, tmp_path: Path) -> None:
    from examples.serve.demo import save_demo
    from examples.serve_load.__main__ import run
    from examples.serve_load.doors import DOORS

    model = save_demo(tmp_path)
    seen = run(DOORS[server](), model, clients=8, seconds=8, replicas=2, kill=True)
    assert seen.errors == []
    assert len(seen.told) <= seen.in_flight


def test_onnxruntime_answers_in_the_same_server(tmp_path: Path) -> None:
    import onnx

    from examples.serve.demo import classifier
    from examples.serve_load.__main__ import run
    from examples.serve_load.doors import DOORS

    onnx.save(classifier(), path := tmp_path / "classifier.onnx")
    seen = run(DOORS["v2"](), path, clients=4, seconds=2)
    assert seen.errors == []
    assert os.path.exists(path)
