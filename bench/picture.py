"""A bar for each thing measured, with its interval, as a PNG, SVG or PDF file."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from tvmfuse.cli.options import output_path
from tvmfuse.measure.statistics import Ratio

FORMATS: Final = (".png", ".svg", ".pdf")
COLOR: Final = "#2f6f9f"


def speedups(ratios: Mapping[str, Ratio], file: Path, *, title: str, axis: str) -> None:
    """Draw ratios as bars from zero, each with its interval and its number, and a line at 1.

    Args:
        ratios: By the bar's name; a name may have several lines.
        file: To write; its suffix says in which format.
        title: Above the picture.
        axis: What the ratios are.
    """
    from matplotlib.figure import Figure

    medians = [ratio.median for ratio in ratios.values()]
    lows = [r.median - (r.low or r.median) for r in ratios.values()]
    highs = [(r.high or r.median) - r.median for r in ratios.values()]
    figure = Figure(figsize=(1 + 1.9 * len(ratios), 3.8), layout="constrained")
    axes = figure.subplots()
    axes.bar(list(ratios), medians, width=0.6, color=COLOR)
    axes.errorbar(
        list(ratios), medians, [lows, highs], fmt="none", ecolor="black", capsize=5, elinewidth=1
    )
    axes.axhline(1, color="black", lw=0.8, ls="--")
    for place, median in enumerate(medians):
        axes.text(place, median / 2, f"{median:.2f}", ha="center", va="center", color="white")
    axes.set_ylim(0, 1.12 * max(1.0, *(m + h for m, h in zip(medians, highs, strict=True))))
    axes.set_ylabel(axis)
    axes.set_title(title, fontsize="medium", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=150)


def _can_be_drawn(ctx: click.Context, param: click.Parameter, file: Path | None) -> Path | None:
    if file is None:
        return None
    if file.suffix not in FORMATS:
        raise click.BadParameter(f"expected a name that ends in {' or '.join(FORMATS)}: {file}")
    if importlib.util.find_spec("matplotlib") is None:
        raise click.BadParameter("drawing takes matplotlib: pip install 'tvmfuse[plot]'")
    return output_path(ctx, param, file)


picture_option: Final = click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    callback=_can_be_drawn, help=f"Draw the ratios, too: a file named {', '.join(FORMATS)}.",
)  # fmt: skip
