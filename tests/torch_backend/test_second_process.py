"""Another process takes what this one kept: machine code, and what the report says of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from tvmfuse.torch_backend.report import forget, report


def network(seed: int) -> nn.Module:
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(24, 64), nn.ReLU(), nn.Linear(64, 8)).eval()


def said(seed: int, folder: str) -> str:
    """Compile a network, compare it with eager; return the report."""
    torch._dynamo.reset()
    forget()
    model, x = network(seed), torch.linspace(-1, 1, 144).reshape(6, 24)
    call = torch.compile(model, backend="tvmfuse", options={"cache": folder})
    with torch.no_grad():
        torch.testing.assert_close(call(x), model(x), rtol=1e-4, atol=1e-4)
    return repr(report().graphs)


def test_another_process_compiles_nothing_and_says_the_same(tmp_path: Path) -> None:
    ours = said(0, str(tmp_path))
    torch._dynamo.reset()
    done = subprocess.run(
        [sys.executable, __file__, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ours


if __name__ == "__main__":
    from tvmfuse.pipeline import kept

    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(kept, "compile_model")
        print(said(1, sys.argv[1]))
