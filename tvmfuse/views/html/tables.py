"""A terminal's table as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape
from rich.console import Console, RenderableType
from rich.table import Column, Table
from rich.text import Text

PLAIN: Final = Console(width=100, highlight=False, force_terminal=False)


def from_table(table: Table) -> Markup:
    """Return a rich table as an HTML table, which scrolls within itself where it is too wide."""
    head = _row("th", table.columns, [column.header for column in table.columns])
    cells = [list(column.cells) for column in table.columns]
    places = range(len(table.rows))
    styles = [PLAIN.get_style(table.get_row_style(PLAIN, place)) for place in places]
    body = [
        _row("td", table.columns, row, doubtful=bool(style.dim))
        for row, style in zip(zip(*cells, strict=True), styles, strict=True)
    ]
    named = (table.title, table.caption)
    title, words = (_breakable(_plain(text)) if text else "" for text in named)
    titled = Markup("<caption><span><strong>{}</strong>\n{}</span></caption>").format(title, words)
    return Markup(
        '<div class="wide"><table>{}<thead>{}</thead><tbody>{}</tbody></table></div>'
    ).format(
        titled if title or words else "",
        head,
        Markup("\n").join(body),
    )


def _row(
    tag: str, columns: Sequence[Column], cells: Sequence[RenderableType], *, doubtful: bool = False
) -> Markup:
    made = [
        Markup("<{0}{1}>{2}</{0}>").format(
            Markup(tag),
            Markup(' class="right"') if column.justify == "right" else "",
            escape(_plain(cell)) if tag == "th" else _breakable(_plain(cell)),
        )
        for column, cell in zip(columns, cells, strict=True)
    ]
    begin = Markup('<tr class="doubtful">') if doubtful else Markup("<tr>")
    return begin + Markup().join(made) + Markup("</tr>")


def _breakable(text: str) -> Markup:
    """Escape text; long names may be broken behind their slashes and underscores."""
    return Markup(str(escape(text)).replace("/", "/<wbr>").replace("_", "_<wbr>"))


def _plain(words: RenderableType) -> str:
    """Return what a terminal would show, without its colours."""
    if isinstance(words, Text):
        return words.plain
    if isinstance(words, str):
        return Text.from_markup(words).plain
    with PLAIN.capture() as captured:
        PLAIN.print(words)
    return captured.get().rstrip()
