"""`python -m bench.in_model`: each kernel of a model, where it stands."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from bench import in_model
from bench.layers import PRODUCTS, layers_by_node
from bench.models import inputs


@pytest.fixture
def small(take_reduced: Any) -> None:
    take_reduced(in_model)


def run(*words: Any) -> Any:
    return CliRunner().invoke(in_model.main, [*words, "--duration", "0.01"])


@pytest.mark.parametrize("name", ["resnet50", "bert"])
def test_every_product_of_the_model_is_in_one_row(name: str, small: None, exported: Any) -> None:
    result = run(name, "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    layers = layers_by_node(exported(name), inputs(name))
    products = {n: layer for n, layer in layers.items() if layer.kind in PRODUCTS}
    found = [node for row in rows for node in row["nodes"] if node in products]
    assert sorted(found) == sorted(products)
    expected = sum(layer.flop for layer in products.values()) / 1e6
    assert sum(row["mflop"] for row in rows) == pytest.approx(expected)
    assert sum(row["part"] for row in rows) == pytest.approx(1, abs=0.2)
    assert all((row["share"] > 0) == (row["mflop"] > 0) for row in rows)


def test_the_table_fits_the_terminal_the_slowest_first(small: None) -> None:
    result = run("resnet18", "--least", "0")
    assert result.exit_code == 0, result.output
    assert "resnet18: its kernels in place, threads: 1" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100
