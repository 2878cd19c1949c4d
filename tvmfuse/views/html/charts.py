"""Charts as SVG, within a page or alone, in the page's colours.

matplotlib draws with stand-in colours, and the page's take their place: a picture cannot know
whether its reader has it light or dark.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tvmfuse.measure.statistics import Ratio

INK: Final = "#010203"
MARK: Final = "#040506"
QUIET: Final = "#070809"
LETTERS: Final = 28
"""Of a label; longer ones would leave the bars no room on a phone."""
COLORS: Final = {INK: "var(--text)", MARK: "var(--mark)", QUIET: "var(--quiet)"}


@dataclass(frozen=True)
class Bar:
    """A value and, where it is known, the interval that holds it."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    doubtful: bool = False
    """Whether nothing is claimed of it: it is drawn in grey."""
    useless: bool = False
    """Whether the noise has made its interval useless: it is said, and does not set the axis."""

    @classmethod
    def of(cls, label: str, ratio: Ratio) -> Bar:
        """Return a ratio with its interval."""
        doubtful, useless = bool(ratio.doubt), ratio.too_wide
        return cls(label, ratio.median, ratio.low, ratio.high, doubtful, useless)


def bars(rows: Sequence[Bar], *, axis: str, caption: str = "", one: bool = False) -> Markup:
    """Draw horizontal bars, each with its interval and its number.

    Args:
        rows: From the top.
        axis: What the values are, with their unit.
        caption: Plain text under the picture.
        one: The values are ratios: bars begin at 1, where there is no effect.

    Returns:
        Nothing where there are no rows.
    """
    if not rows:
        return Markup()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.8, 0.7 + 0.34 * len(rows)), layout="constrained")
    axes = figure.subplots()
    base = 1.0 if one else 0.0
    places = range(len(rows))
    for place, row in zip(places, rows, strict=True):
        if row.useless:
            _annotate(axes, f"{row.value:.3g}, too noisy to tell", base, place)
            continue
        color = QUIET if row.doubtful else MARK
        faint = 0.5 if row.doubtful else 1.0  # so that the interval is seen on it
        axes.barh(place, row.value - base, left=base, height=0.6, color=color, alpha=faint)
        if row.low is not None and row.high is not None:
            axes.plot([row.low, row.high], [place, place], color=INK, lw=1.2, marker="|")
        number = f"{row.value:.2f}" if one else f"{row.value:.3g}"
        _annotate(axes, number, max(row.value, row.high or row.value, base), place)
    axes.set_yticks(places, [_short(row.label) for row in rows], color=INK)
    axes.axvline(base, color=QUIET, lw=0.8)
    axes.invert_yaxis()
    figure.supxlabel(axis, color=INK, fontsize=10)
    axes.tick_params(colors=INK)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    axes.margins(x=0.15)
    words = Markup("<figcaption>{}</figcaption>").format(caption) if caption else ""
    return Markup("<figure>{}{}</figure>").format(_svg(figure), words)


def _annotate(axes: Axes, words: str, end: float, place: int) -> None:
    axes.annotate(
        words, (end, place), (4, 0), textcoords="offset points", va="center", color=INK,
        fontsize=9,
    )  # fmt: skip


def alone(chart: str) -> str:
    """Return a chart as an SVG file of its own, light or dark as its reader has it."""
    start, end = chart.index("<svg"), chart.index("</svg>") + len("</svg>")
    head, style = chart[start:end].split(">", 1), files("tvmfuse.views.html").joinpath("colors.css")
    return f"{head[0]}><style>{style.read_text()}</style>{head[1]}\n"


def _short(label: str) -> str:
    return label if len(label) <= LETTERS else f"{label[: LETTERS - 1]}…"


def _svg(figure: Figure) -> Markup:
    import matplotlib as mpl

    file = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    drawn = file.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    for stand_in, color in COLORS.items():
        drawn = drawn.replace(stand_in, color)
    return Markup(drawn)
