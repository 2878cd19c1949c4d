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

FOLDER = Path(onnx.backend.test.__file__).parent / "data" / "light"

LIGHT: Mapping[str, float] = MappingProxyType(
    {
        "bvlc_alexnet": 1 / 2,
        "densenet121": 4,
        "inception_v1": 1 / 2,
        "inception_v2": 4,
        "resnet50": 1 / 4,
        "shufflenet": 1 / 16,
        "squeezenet": 1 / 2,
        "vgg19": 1 / 4,
        "zfnet512": 1,
    }
)
"""The models, each with what its classifier's weights are multiplied by.

The factors bring the logits' standard deviation to about 2 (measured at seed 0). Without them a
softmax gives one 1 among zeros, or a thousand equal numbers, and hides any error before it.
"""


def light_model(name: str, seed: int = 0) -> onnx.ModelProto:
    """Return the named model with random weights; equal seeds give equal models.

    The few weights that the file does hold are drawn anew too: trained statistics do not fit
    random filters. As in the models that these were made from, a weight is an initializer and,
    as IR version 3 demands, also a graph input.
    """
    model = onnx.load(FOLDER / f"light_{name}.onnx")
    graph, rng = model.graph, np.random.default_rng(seed)
    stored = {tensor.name: tensor for tensor in graph.initializer}
    fills = {node.output[0]: node.input[0] for node in graph.node if _is_fill(node)}
    shapes = {w: tuple(t.dims) for w, t in stored.items() if t.data_type == TensorProto.FLOAT}
    shapes |= {w: tuple(numpy_helper.to_array(stored[size])) for w, size in fills.items()}
    readers = {w: reader for w, reader in _readers(graph).items() if w in shapes}
    drawn = {w: _draw(*reader, shapes[w], rng) for w, reader in readers.items()}
    classifier = next(w for w, reader in readers.items() if reader in _PRODUCTS)
    drawn[classifier] *= LIGHT[name]

    gone = {*fills.values(), *drawn}
    nodes = [node for node in graph.node if not _is_fill(node)]
    initializers = [tensor for w, tensor in stored.items() if w not in gone]
    inputs = [value for value in graph.input if value.name not in gone]
    for field, kept in (("node", nodes), ("initializer", initializers), ("input", inputs)):
        graph.ClearField(field)
        getattr(graph, field).extend(kept)
    for w, array in drawn.items():
        graph.input.append(helper.make_tensor_value_info(w, TensorProto.FLOAT, array.shape))
        graph.initializer.add(
            name=w, data_type=TensorProto.FLOAT, dims=array.shape, raw_data=array.tobytes()
        )
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
    """Operator and input slot of each value's reader, seen through views; the last reader first."""
    readers: dict[str, tuple[str, int]] = {}
    for node in reversed(graph.node):
        for slot, name in enumerate(node.input):
            is_view = node.op_type in {"Reshape", "Unsqueeze"} and slot == 0
            readers[name] = readers[node.output[0]] if is_view else (node.op_type, slot)
    return readers


_PRODUCTS = {("Conv", 1), ("Gemm", 1)}
"""Where matrices and filters are read: [outputs, inputs, ...], as each Gemm here has transB = 1."""


def _draw(op_type: str, slot: int, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Draw one weight, float32, so that activations stay near 1 through all layers.

    Matrices and filters: He et al., "Delving Deep into Rectifiers" (2015). The variances of
    batch norms are 2 on average, so that residual branches do not add up to infinity.
    """
    if (op_type, slot) in _PRODUCTS:
        inputs = math.prod(shape[1:]) if op_type == "Conv" else shape[-1]
        return rng.standard_normal(shape, dtype=np.float32) * np.float32(math.sqrt(2 / inputs))
    if (op_type, slot) == ("BatchNormalization", 4):
        return rng.uniform(1.0, 3.0, shape).astype(np.float32)
    if (op_type, slot) in {("BatchNormalization", 1), ("Mul", 1)}:
        return rng.uniform(0.5, 1.5, shape).astype(np.float32)
    # Biases, shifts and means.
    return rng.standard_normal(shape, dtype=np.float32) * np.float32(0.2)


@click.command()
@click.argument("name", type=click.Choice(list(LIGHT)))
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
