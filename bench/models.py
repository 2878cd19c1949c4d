"""The models by name: transformers configurations with seeded random weights, as ONNX files.

Nothing is downloaded. torch and transformers are imported when a file has to be made; a file
in the cache needs neither. From the repository's root::

    python -m bench.models --list
    python -m bench.models resnet18 --exporter dynamo --size reduced -o resnet18.onnx
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import click
import numpy as np

if TYPE_CHECKING:
    from torch import nn

    from bench.torch_export import Axes

Exporter: TypeAlias = Literal["classic", "dynamo"]
Size: TypeAlias = Literal["full", "reduced"]
Weights: TypeAlias = Literal["random", "initial"]

CACHE = Path.home() / ".cache" / "tvmfuse-models"

MASKED = 0.25
"""The share of each text's tokens that its attention mask hides."""


@dataclass(frozen=True)
class Build:
    """One size of a model.

    Args:
        extent: the image's side in pixels, or the sequence's length in tokens.
        config: what differs from the defaults of the transformers configuration.
        dropped: submodules left out, by path, of a depth that no configuration sets.
    """

    extent: int
    config: Mapping[str, Any]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class Model:
    """A transformers architecture in two sizes with the same operators and kinds of block.

    Args:
        name: the key in `MODELS`.
        architecture: the class in transformers.
        takes: "image" for pixel_values, "text" for token ids, mask and segment ids.
        outputs: output name -> its axes that follow the batch and the sequence.
        full: the published size.
        reduced: small enough to export, compile and run in a test.
    """

    name: str
    architecture: str
    takes: Literal["image", "text"]
    outputs: Mapping[str, Axes]
    full: Build
    reduced: Build

    def build(self, size: Size) -> Build:
        """Return the full or the reduced size."""
        return self.full if size == "full" else self.reduced

    def inputs(
        self, size: Size, seed: int = 0, *, batch: int = 1, extent: int | None = None
    ) -> dict[str, np.ndarray]:
        """Draw the inputs by name, in the graph's order.

        Args:
            size: which size of the model they are for.
            seed: equal seeds give equal arrays.
            batch: how many images or texts, N.
            extent: S, the side of the image or the length of the text, where it is not the size's.

        Returns:
            pixel_values float32 [N, 3, S, S]; or input_ids, attention_mask, token_type_ids,
            each int64 [N, S].
        """
        build, rng = self.build(size), np.random.default_rng(seed)
        extent = extent or build.extent
        if self.takes == "image":
            # A tint for each image: noise alone averages out, and all images would look the same.
            noise = rng.standard_normal((batch, 3, extent, extent))
            tint = rng.standard_normal((batch, 3, 1, 1))
            return {"pixel_values": (noise + tint).astype(np.float32)}
        position = np.arange(extent)[np.newaxis].repeat(batch, axis=0)
        return {
            "input_ids": rng.integers(build.config["vocab_size"], size=(batch, extent)),
            "attention_mask": (position < extent - int(MASKED * extent)).astype(np.int64),
            "token_type_ids": (position >= extent // 2).astype(np.int64),
        }

    def module(self, size: Size, weights: Weights = "random", seed: int = 0) -> nn.Module:
        """Return the torch module in inference mode; torch's own generator is left as it was.

        Args:
            size: which size.
            weights: "random" draws all of them, with batch norms that carry statistics of images;
                "initial" is transformers' initialization, where biases are 0 and norms do nothing.
            seed: of every draw.
        """
        import torch
        import transformers

        from bench.torch_export import quiet, randomize

        build, architecture = self.build(size), getattr(transformers, self.architecture)
        with torch.random.fork_rng(devices=[]), quiet():
            torch.manual_seed(seed)
            module: nn.Module = architecture(architecture.config_class(**build.config))
            for path in reversed(build.dropped):
                parent, _, index = path.rpartition(".")
                del module.get_submodule(parent)[int(index)]  # type: ignore[operator]
            if weights == "random":
                images = self.inputs(size, seed, batch=8).get("pixel_values")
                randomize(module, images)
        return module.eval()

    def export(
        self,
        path: str | os.PathLike[str],
        exporter: Exporter = "classic",
        size: Size = "full",
        *,
        dynamic: bool = False,
        folded: bool = True,
        weights: Weights = "random",
        seed: int = 0,
    ) -> None:
        """Write the model to one ONNX file, weights inside.

        Args:
            path: the file.
            exporter: torch's "classic" (opset 17) or "dynamo" exporter (its default opset).
            size: "full" or "reduced".
            dynamic: the batch, and a text's length, become symbolic: "batch", "sequence".
            folded: False keeps the batch norms, and constants' subgraphs, as nodes.
            weights: see `module`.
            seed: of the weights; on one machine, equal seeds give equal files.
        """
        from bench.torch_export import export

        # Two texts: torch.export takes a dimension of 1 for a constant.
        inputs = self.inputs(size, seed, batch=2 if dynamic else 1)
        of_input = {0: "batch"} if self.takes == "image" else {0: "batch", 1: "sequence"}
        axes = {**dict.fromkeys(inputs, of_input), **self.outputs} if dynamic else {}
        export(
            self.module(size, weights, seed),
            Path(path),
            dynamo=exporter == "dynamo",
            inputs=inputs,
            outputs=tuple(self.outputs),
            axes=axes,
            folded=folded,
        )


def _classifier(name: str, architecture: str, *, full: Build, reduced: Build) -> Model:
    return Model(name, architecture, "image", {"logits": {0: "batch"}}, full, reduced)


_TABLE = (
    _classifier(
        "resnet18",
        "ResNetForImageClassification",
        full=Build(
            224,
            {
                "embedding_size": 64,
                "hidden_sizes": [64, 128, 256, 512],
                "depths": [2, 2, 2, 2],
                "layer_type": "basic",
                "num_labels": 1000,
            },
        ),
        reduced=Build(
            64,
            {
                "embedding_size": 16,
                "hidden_sizes": [16, 32, 48, 64],
                "depths": [2, 1, 1, 1],
                "layer_type": "basic",
                "num_labels": 10,
            },
        ),
    ),
    _classifier(
        "resnet50",
        "ResNetForImageClassification",
        full=Build(
            224,
            {
                "embedding_size": 64,
                "hidden_sizes": [256, 512, 1024, 2048],
                "depths": [3, 4, 6, 3],
                "layer_type": "bottleneck",
                "num_labels": 1000,
            },
        ),
        reduced=Build(
            64,
            {
                "embedding_size": 16,
                "hidden_sizes": [32, 64, 96, 128],
                "depths": [2, 2, 1, 1],
                "layer_type": "bottleneck",
                "num_labels": 10,
            },
        ),
    ),
    _classifier(
        "mobilenetv2",
        "MobileNetV2ForImageClassification",
        full=Build(224, {"num_labels": 1000}),
        reduced=Build(
            64,
            {"depth_multiplier": 0.25, "finegrained_output": False, "num_labels": 10},
            # Of 16 inverted residuals: 4 of stride 2, 2 that widen, and 3 of 10 with a shortcut.
            dropped=tuple(f"mobilenet_v2.layer.{i}" for i in (4, 7, 8, 10, 11, 13, 14)),
        ),
    ),
    Model(
        "bert",
        "BertModel",
        "text",
        {"last_hidden_state": {0: "batch", 1: "sequence"}, "pooler_output": {0: "batch"}},
        full=Build(128, {"vocab_size": 30522}),
        reduced=Build(
            16,
            {
                "vocab_size": 512,
                "hidden_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "intermediate_size": 128,
                "max_position_embeddings": 64,
            },
        ),
    ),
    _classifier(
        "vit",
        "ViTForImageClassification",
        full=Build(224, {"image_size": 224, "patch_size": 16, "num_labels": 1000}),
        reduced=Build(
            32,
            {
                "image_size": 32,
                "patch_size": 8,
                "hidden_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "intermediate_size": 128,
                "num_labels": 10,
            },
        ),
    ),
)

MODELS: Mapping[str, Model] = MappingProxyType({model.name: model for model in _TABLE})


def inputs(name: str, size: Size = "reduced", seed: int = 0) -> dict[str, np.ndarray]:
    """Draw the named model's inputs; see `Model.inputs`."""
    return MODELS[name].inputs(size, seed)


def onnx_file(
    name: str,
    exporter: Exporter = "classic",
    size: Size = "reduced",
    cache_dir: str | os.PathLike[str] | None = None,
    *,
    dynamic: bool = False,
    folded: bool = True,
    weights: Weights = "random",
    seed: int = 0,
) -> Path:
    """Return the exported model's file, made now if the cache has none.

    The file's name holds every argument and a digest of what else decides its content: the
    versions of the exporting packages and this folder's own code. Writing is atomic, so that
    several processes can share a cache. Nothing is ever removed from it.

    Args:
        name: a key of `MODELS`.
        exporter: see `Model.export`, as for the arguments after `cache_dir`.
        size: "full" or "reduced".
        cache_dir: where files are kept; `CACHE` when None.
        dynamic: symbolic batch and sequence.
        folded: False keeps batch norms.
        weights: "random" or "initial".
        seed: of the weights.
    """
    folder = Path(cache_dir or CACHE)
    flags = [
        *(["dynamic"] if dynamic else []),
        *([] if folded else ["unfolded"]),
        *([] if weights == "random" else [weights]),
    ]
    file = folder / f"{'-'.join([name, size, exporter, *flags])}-seed{seed}-{_digest()}.onnx"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            draft = Path(scratch, file.name)
            MODELS[name].export(
                draft, exporter, size, dynamic=dynamic, folded=folded, weights=weights, seed=seed
            )
            draft.replace(file)
    return file


def _digest() -> str:
    packages = ("torch", "transformers", "onnx", "onnxscript", "onnx-ir")
    versions = [f"{package} {importlib.metadata.version(package)}" for package in packages]
    digest = hashlib.sha256("\n".join(versions).encode())
    for source in ("models.py", "torch_export.py"):
        digest.update(Path(__file__).with_name(source).read_bytes())
    return digest.hexdigest()[:12]


def _list(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted and not context.resilient_parsing:
        for model in MODELS.values():
            unit = "pixels" if model.takes == "image" else "tokens"
            sizes = ", ".join(f"{size} {model.build(size).extent}" for size in get_args(Size))
            click.echo(f"{model.name:<12} {model.architecture:<34} {unit}: {sizes}")
        context.exit()


@click.command()
@click.argument("name", type=click.Choice(list(MODELS)))
@click.option("--exporter", type=click.Choice(get_args(Exporter)), default="classic",
              show_default=True, help="Which of torch's exporters writes the file.")  # fmt: skip
@click.option("--size", type=click.Choice(get_args(Size)), default="full", show_default=True,
              help="The published size, or a small one with the same operators.")  # fmt: skip
@click.option("--dynamic", is_flag=True, help="Symbolic batch (and sequence length).")
@click.option("--unfolded", is_flag=True, help="Keep batch norms and constant subgraphs as nodes.")
@click.option("--weights", type=click.Choice(get_args(Weights)), default="random",
              show_default=True, help="Drawn anew, or transformers' initialization.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the weights.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, writable=True, path_type=Path),
              help="The file to write.  [default: NAME.onnx]")  # fmt: skip
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_list,
              help="List the models and exit.")  # fmt: skip
def main(name: str, output: Path | None, *, unfolded: bool, **options: Any) -> None:
    """Write the model NAME, with seeded random weights, as an ONNX file."""
    output = output or Path(f"{name}.onnx")
    MODELS[name].export(output, folded=not unfolded, **options)
    click.echo(f"{output}: {output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
