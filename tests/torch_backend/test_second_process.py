"""Another process takes what this one kept: machine code, and what the report says of it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from tvmfuse.torch_backend.report import forget, report


class Partly(nn.Module):
    """What has a node without a converter, a constant, and a parameter that it reads."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.randn(24, 24))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = (x @ self.scale + torch.tensor([0.5])).square()
        scale: torch.Tensor = torch.linalg.det(y.T @ y * 1e-5 + torch.eye(24))
        return scale * y


class Shifted(nn.Module):
    """What takes a number that is no size."""

    def forward(self, x: torch.Tensor, number: int) -> torch.Tensor:
        return (x * number).tanh() + number


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(24, 64), nn.ReLU(), nn.Linear(64, 8))


#: The network, whether it is trained, and options.
CASES: Mapping[str, tuple[Callable[[], nn.Module], bool, dict[str, Any]]] = {
    "inference": (mlp, False, {}),
    "training": (mlp, True, {}),
    "frozen": (mlp, False, {"freeze": True}),
    "products of bfloat16": (mlp, False, {"precision": "bf16"}),
    "a number": (Shifted, False, {}),
    "partly": (Partly, False, {"target": "avx2", "disabled_pass": ["MatMulAddFusion"]}),
}


def said(case: str, seed: int, folder: str) -> str:
    """Compile a network, compare it with eager; return the report."""
    torch._dynamo.reset()
    forget()
    torch.manual_seed(seed)
    make, trains, options = CASES[case]
    model = make().train(trains)
    near = 1e-4 if "precision" not in options else 3e-2
    options = {"cache": folder, **options}
    call = torch.compile(model, backend="tvmfuse", options=options)
    with torch.set_grad_enabled(trains):
        for rows in (6, 7):  # the second time its size is symbolic
            x = torch.linspace(-1, 1, 24 * rows).reshape(rows, 24)
            given = (x, 5 - rows) if case == "a number" else (x,)
            torch.testing.assert_close(call(*given), model(*given), rtol=near, atol=near)
    if trains:
        call(x).sum().backward()
    # Where a parameter lies in this process says whether kernels read it there.
    return re.sub(r"held_nbytes=\d+", "", repr(report().graphs))


def test_another_process_compiles_nothing_and_says_the_same(tmp_path: Path) -> None:
    ours = [said(case, 0, str(tmp_path)) for case in CASES]
    torch._dynamo.reset()
    done = subprocess.run(
        [sys.executable, __file__, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ours


@pytest.mark.parametrize("case", ["inference", "training"])
def test_the_first_network_of_a_process(tmp_path: Path, case: str) -> None:
    """Nothing has opened machine code before it, as other tests have in this process."""
    command = [sys.executable, __file__, str(tmp_path), case]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


if __name__ == "__main__":
    folder, *first = sys.argv[1:]
    for case in first or CASES:
        # Frozen weights are part of the code.
        print(said(case, 0 if case == "frozen" else 1, folder))
    assert first or "tvm" not in sys.modules  # so that nothing was compiled
