"""Write a model as an ONNX file.

From the repository's root::

    python -m bench.export --list
    python -m bench.export resnet18 --exporter dynamo --size reduced -o resnet18.onnx
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from bench.models import MODELS, Exporter, Size, Weights


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
@click.option("--batch", type=click.IntRange(min=1), default=1, show_default=True,
              help="Images, or texts, that the file takes.")  # fmt: skip
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
    if options["dynamic"] and options["batch"] > 1:
        raise click.UsageError("--batch fixes what --dynamic leaves open")
    output = output or Path(f"{name}.onnx")
    MODELS[name].export(output, folded=not unfolded, **options)
    click.echo(f"{output}: {output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
