"""Which graphs are tried: those that are kept, or those of the seeds that are asked for."""

from __future__ import annotations

import pytest
from generated.graph import kept


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seeds", metavar="FIRST:END", help="generate the graphs of these seeds")
    parser.addoption(
        "--keep", action="store_true", help="keep the graphs that are generated and agree"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" not in metafunc.fixturenames:
        return
    asked = metafunc.config.getoption("--seeds")
    seeds = range(*map(int, asked.split(":"))) if asked else kept()
    metafunc.parametrize("seed", seeds)
