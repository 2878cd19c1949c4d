"""`python -m bench.weenet`: both variants are right, and both tables are there."""

from __future__ import annotations

import json

import pytest
import torch
from click.testing import CliRunner
from torch_modules import compiled_as_eager

from bench import weenet
from bench.fused_and_unfused import FUSIONS
from bench.weenet import NETWORKS

QUICK = ("--duration", "0.01")


@pytest.mark.parametrize("name", NETWORKS)
def test_both_variants_compute_what_eager_does(name: str) -> None:
    module, image = NETWORKS[name]().eval(), torch.randn(1, 32, 9, 13)
    fused = compiled_as_eager(module, image, atol=1e-5)
    unfused = compiled_as_eager(module, image, disabled_pass=FUSIONS, atol=1e-5)
    assert len(fused.manifest.kernels) < len(unfused.manifest.kernels)


def test_the_command_prints_both_tables() -> None:
    result = CliRunner().invoke(weenet.main, QUICK)
    assert result.exit_code == 0, result.output
    assert all(name in result.stdout for name in (*NETWORKS, "with fusion", "without fusion"))
    assert all(column in result.stdout for column in ("mean", "median", "max", "min", "std"))
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_the_command_prints_json() -> None:
    result = CliRunner().invoke(weenet.main, [*QUICK, "--json"])
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    assert [row["network"] for row in rows] == list(NETWORKS)
    assert all(row["fused"]["min"] <= row["fused"]["median"] <= row["fused"]["max"] for row in rows)
