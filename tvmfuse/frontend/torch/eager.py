"""An exported program as torch itself runs it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch.utils import _pytree as pytree

from tvmfuse.frontend.torch.dtypes import as_array, as_tensor
from tvmfuse.frontend.torch.export import example_inputs_of, input_names
from tvmfuse.frontend.torch.importer import output_names


def run_eager(
    program: torch.export.ExportedProgram, feeds: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Run a program in torch; return its outputs by the names that an artifact gives them.

    Args:
        program: What `torch.export.export` returned.
        feeds: An array for each input that is a tensor; other arguments are as it was exported.

    Raises:
        ConfigurationError: The program has no example inputs.
    """
    leaves, tree = pytree.tree_flatten(example_inputs_of(program))
    given = [
        as_tensor(feeds[name]) if isinstance(leaf, torch.Tensor) else leaf
        for name, leaf in zip(input_names(program), leaves, strict=True)
    ]
    positional, named = pytree.tree_unflatten(given, tree)
    with torch.no_grad():
        results = pytree.tree_leaves(program.module()(*positional, **named))
    tensors = [as_array(result) for result in results if isinstance(result, torch.Tensor)]
    return dict(zip(output_names(program), tensors, strict=True))
