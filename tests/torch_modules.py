"""PyTorch modules, compiled and compared with eager."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

import tvmfuse


class Calls(torch.nn.Module):
    """A function of tensors as a module."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *tensors: torch.Tensor) -> Any:
        return self.function(*tensors)


def compiled_as_eager(
    module: torch.nn.Module | Callable[..., Any],
    *inputs: torch.Tensor,
    others: Sequence[Sequence[torch.Tensor]] = (),
    rtol: float = 1e-5,
    atol: float = 1e-6,
    **options: Any,
) -> tvmfuse.Artifact:
    """Compile, and compare with eager on these inputs and others."""
    module = (module if isinstance(module, torch.nn.Module) else Calls(module)).eval()
    artifact = tvmfuse.compile(module, example_inputs=inputs, strict=True, **options)
    model = artifact.load(num_threads=1)
    for given in (inputs, *others):
        with torch.no_grad():
            wanted = pytree.tree_leaves(module(*given))
        fed = {spec.name: numbers(x) for spec, x in zip(model.inputs, given, strict=True)}
        found = list(model(fed).values())
        assert len(found) == len(wanted)
        for place, (ours, theirs) in enumerate(zip(found, wanted, strict=True)):
            expected = numbers(theirs)
            assert ours.dtype == expected.dtype
            assert ours.shape == expected.shape
            words = f"result {place}"
            np.testing.assert_allclose(ours, expected, rtol=rtol, atol=atol, err_msg=words)
    return artifact


def numbers(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().contiguous().numpy()
