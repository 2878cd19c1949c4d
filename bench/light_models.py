"""The onnx package's light models, with weights that a comparison can fail on.

``onnx/backend/test/data/light`` holds nine classics (opset 9, IR version 3) whose large weights
are ConstantOfShape nodes: each weight is 0.02 and every output the same constant. Here those
nodes become initializers, drawn to suit what reads them. From the repository's root::

    python -m bench.light_models squeezenet -o squeezenet.onnx
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import click
import numpy as np
import onnx
import onnx.backend.test
from onnx import TensorProto, helper, numpy_helper

_FILES = sorted(Path(onnx.backend.test.__file__).parent.glob("data/light/light_*.onnx"))

LIGHT_MODELS: Mapping[str, Path] = MappingProxyType(
    {file.stem.removeprefix("light_"): file for file in _FILES}
)
"""What the onnx package ships, by name without ``light_``."""


def light_model(name: str, seed: int = 0) -> onnx.ModelProto:
    """Return the named model with random weights; equal seeds give equal models.

    The few weights that the file does hold are drawn anew too: trained statistics do not fit
    random filters. As in the models that these were made from, a weight is an initializer and,
    as IR version 3 demands, also a graph input.
    """
    model = onnx.load(LIGHT_MODELS[name])
    graph, rng = model.graph, np.random.default_rng(seed)
    stored = {tensor.name: tensor for tensor in graph.initializer}
    fills = {node.output[0]: node.input[0] for node in graph.node if _is_fill(node)}
    shapes = {name: tuple(tensor.dims) for name, tensor in stored.items()}
    shapes |= {name: tuple(numpy_helper.to_array(stored[size])) for name, size in fills.items()}
    drawn = {
        name: _draw(*reader, shapes[name], rng)
        for name, reader in _readers(graph).items()
        if name in fills or (name in stored and stored[name].data_type == TensorProto.FLOAT)
    }

    gone = {*fills.values(), *drawn}
    nodes = [node for node in graph.node if not _is_fill(node)]
    initializers = [tensor for name, tensor in stored.items() if name not in gone]
    inputs = [value for value in graph.input if value.name not in gone]
    for field, kept in (("node", nodes), ("initializer", initializers), ("input", inputs)):
        graph.ClearField(field)
        getattr(graph, field).extend(kept)
    for name, array in drawn.items():
        graph.initializer.append(numpy_helper.from_array(array, name))
        graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape))
    return model


def light_inputs(model: onnx.ModelProto, seed: int = 0) -> dict[str, np.ndarray]:
    """Draw the graph's inputs other than weights: images, float32, each with a tint of its own."""
    weights = {tensor.name for tensor in model.graph.initializer}
    rng = np.random.default_rng(seed)
    feeds = {}
    for value in model.graph.input:
        if value.name not in weights:
            shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
            image = rng.standard_normal(shape) + rng.standard_normal((*shape[:2], 1, 1))
            feeds[value.name] = image.astype(np.float32)
    return feeds


def _is_fill(node: onnx.NodeProto) -> bool:
    return bool(node.op_type == "ConstantOfShape")


def _readers(graph: onnx.GraphProto) -> dict[str, tuple[str, int]]:
    """For each value read: operator and input slot of its reader, seen through views of it."""
    readers: dict[str, tuple[str, int]] = {}
    for node in reversed(graph.node):  # readers stand after what they read
        for slot, name in enumerate(node.input):
            is_view = node.op_type in {"Reshape", "Unsqueeze"} and slot == 0
            readers[name] = readers[node.output[0]] if is_view else (node.op_type, slot)
    return readers


def _draw(
    op_type: str, slot: int, shape: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    """Draw one weight, float32, so that activations stay near 1 through all layers.

    Matrices and filters: He et al., "Delving Deep into Rectifiers" (2015). The variances of
    batch norms are 2 on average, so that residual branches do not add up to infinity.
    """
    match op_type, slot:
        case "Conv", 1:
            array = rng.standard_normal(shape) * math.sqrt(2 / math.prod(shape[1:]))
        case "Gemm", 1:  # all with transB = 1: [..., outputs, inputs]
            array = rng.standard_normal(shape) * math.sqrt(2 / shape[-1])
        case "BatchNormalization", 4:
            array = rng.uniform(1.0, 3.0, shape)
        case ("BatchNormalization" | "Mul"), 1:
            array = rng.uniform(0.5, 1.5, shape)
        case _:  # biases, shifts and means
            array = rng.standard_normal(shape) * 0.2
    return array.astype(np.float32)


@click.command()
@click.argument("name", type=click.Choice(list(LIGHT_MODELS)))
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the weights.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, writable=True, path_type=Path),
              help="The file to write.  [default: NAME.onnx]")  # fmt: skip
def main(name: str, seed: int, output: Path | None) -> None:
    """Write the light model NAME, with seeded random weights, as an ONNX file."""
    output = output or Path(f"{name}.onnx")
    onnx.save(light_model(name, seed), output)
    click.echo(f"{output}: {output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
