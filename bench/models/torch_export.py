"""From a transformers model to an ONNX file: weights drawn, either exporter, nothing printed."""

from __future__ import annotations

import contextlib
import logging
import math
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm

Axes: TypeAlias = Mapping[int, str]
"""The symbolic dimensions of one tensor: axis -> name."""

CLASSIC_OPSET = 17
"""The first opset with LayerNormalization. The dynamo exporter writes its own default."""


class Positional(nn.Module):
    """A transformers model as the exporters want it: tensors in by position, a tuple out.

    Args:
        model: takes its inputs by keyword; what it returns has `outputs` as attributes, or is the
            only one.
        inputs: the inputs' names, in the order of the positional arguments.
        outputs: the names of the results to return, in order.
    """

    def __init__(self, model: nn.Module, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> None:
        super().__init__()
        self.model, self.inputs, self.outputs = model, inputs, outputs

    def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return one tensor for each name in `outputs`."""
        result = self.model(**dict(zip(self.inputs, tensors, strict=True)))
        if isinstance(result, torch.Tensor):
            return (result,)
        return tuple(getattr(result, name) for name in self.outputs)


def randomize(model: nn.Module, images: np.ndarray | None) -> None:
    """Draw every weight anew, from torch's global generator, and measure the norms' statistics.

    An untrained model has biases of 0, norms of scale 1, running means of 0 and variances of 1:
    a pass that lost one of them would still give the right numbers. Matrices and filters have
    the standard deviation of He et al., "Delving Deep into Rectifiers" (2015), so that
    activations neither vanish nor explode. Batch norms get a scale of 2 on average: 1 value in
    100 then exceeds 6, and the upper bound of a ReLU6 shows in the numbers.

    Args:
        model: changed in place; in inference mode afterwards.
        images: a batch, float32 [N, C, H, W], over which each batch norm takes its mean and
            variance; None for a model without batch norms.
    """
    with torch.no_grad():
        for module in model.modules():
            for name, tensor in module.named_parameters(recurse=False):
                if name == "weight" and isinstance(module, nn.BatchNorm2d):
                    tensor.uniform_(1.0, 3.0)
                elif name == "weight" and tensor.ndim == 1:
                    tensor.uniform_(0.5, 1.5)
                elif name == "weight":
                    tensor.normal_(0.0, math.sqrt(2.0 / tensor[0].numel()))
                else:
                    tensor.normal_(0.0, 0.2)
        if images is not None:
            _measure_statistics(model, torch.from_numpy(images))
    model.eval()


def has_batch_norms(model: nn.Module) -> bool:
    """Whether there are statistics to measure."""
    return any(isinstance(module, _BatchNorm) for module in model.modules())


def _measure_statistics(model: nn.Module, images: torch.Tensor) -> None:
    norms = [module for module in model.modules() if isinstance(module, _BatchNorm)]
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.momentum = 1.0  # the running statistics become this batch's
    model.train()
    model(images)
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.momentum = momentum


def export(
    model: nn.Module,
    path: Path,
    *,
    dynamo: bool,
    inputs: Mapping[str, np.ndarray],
    outputs: tuple[str, ...],
    axes: Mapping[str, Axes],
    folded: bool,
) -> None:
    """Write `model`, in inference mode, to one ONNX file with its weights inside.

    Args:
        model: a transformers model.
        path: the file to write.
        dynamo: whether to go through torch.export, and write that exporter's default opset, or
            to trace TorchScript, the classic way, and write opset 17.
        inputs: an example of each input, by name.
        outputs: the names of the model's results that become the graph's outputs.
        axes: input or output name -> its symbolic dimensions; all others are the example's.
        folded: whether the exporter folds constants, and batch norms into convolutions, as it
            does by default; otherwise both stay as nodes.
    """
    module = Positional(model, tuple(inputs), outputs).eval()
    example = tuple(torch.from_numpy(array) for array in inputs.values())
    write = _export_dynamo if dynamo else _export_classic
    with quiet():
        write(module, example, path, axes, folded=folded)


def _export_classic(
    module: Positional,
    example: tuple[torch.Tensor, ...],
    path: Path,
    axes: Mapping[str, Axes],
    *,
    folded: bool,
) -> None:
    mode = torch.onnx.TrainingMode
    torch.onnx.export(
        module,
        example,
        path,
        dynamo=False,
        opset_version=CLASSIC_OPSET,
        input_names=module.inputs,
        output_names=module.outputs,
        dynamic_axes={name: dict(symbols) for name, symbols in axes.items()},
        # PRESERVE leaves the module in inference mode; EVAL also folds its batch norms.
        training=mode.EVAL if folded else mode.PRESERVE,
        do_constant_folding=folded,
    )


def _export_dynamo(
    module: Positional,
    example: tuple[torch.Tensor, ...],
    path: Path,
    axes: Mapping[str, Axes],
    *,
    folded: bool,
) -> None:
    symbols = {name for of_input in axes.values() for name in of_input.values()}
    dims = {name: torch.export.Dim(name) for name in symbols}
    shapes = tuple(
        {axis: dims[symbol] for axis, symbol in axes.get(name, {}).items()}
        for name in module.inputs
    )
    torch.onnx.export(
        module,
        example,
        path,
        dynamo=True,
        input_names=module.inputs,
        output_names=module.outputs,
        dynamic_shapes=(shapes,) if axes else None,  # one entry, for the one parameter *tensors
        external_data=False,
        optimize=folded,
        verbose=False,
    )


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silence warnings and log records up to WARNING: both exporters write pages of them."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
