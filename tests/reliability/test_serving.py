"""The server of `examples/serve` under load for two minutes; `tests/serve` has seconds of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import tvmfuse
from examples.serve.demo import save_demo
from examples.serve.load_test import GROWTH_MIB, examples, load
from examples.serve.process import started


@pytest.mark.reliability
@pytest.mark.alone
def test_fifty_clients_for_two_minutes(tmp_path: Path) -> None:
    path = save_demo(tmp_path)
    with started(path) as server:
        asked = examples(tvmfuse.load(path))
        seen = asyncio.run(load(server, asked, clients=50, seconds=120))
        assert server.stop() == 0
    print(seen.summary())
    assert seen.errors == []
    assert seen.growth_mib < GROWTH_MIB
