"""The page around fragments, and the fragments of which it is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


def section(heading: str, *parts: str) -> Markup:
    """Put parts under a heading.

    Args:
        heading: Plain text.
        parts: What `from_table`, `paragraph` or a chart made; plain strings are escaped.
    """
    return _render("fragment.html", heading=heading, parts=parts)


def paragraph(text: str) -> Markup:
    """Make a paragraph of plain text."""
    return Markup("<p>{}</p>").format(text)


def warning(text: str) -> Markup:
    """Make what has to be read before anything else, of plain text; nothing of nothing."""
    return Markup('<p class="banner">{}</p>').format(text) if text else Markup()


def details(words: str, *parts: str, opened: bool = False) -> Markup:
    """Put parts behind a line of plain text that opens and closes them."""
    return Markup("<details{}><summary>{}</summary>{}</details>").format(
        " open" if opened else "", words, Markup().join(parts)
    )


def side_by_side(pictures: Sequence[tuple[str, str]]) -> Markup:
    """Put pictures beside each other where there is room; each scrolls within itself.

    Args:
        pictures: Each a caption, plain text, and the picture.
    """
    figures = (
        Markup('<figure><figcaption>{}</figcaption><div class="scroll">{}</div></figure>').format(
            caption, picture
        )
        for caption, picture in pictures
    )
    return Markup('<div class="sides">{}</div>').format(Markup().join(figures))


def document(title: str, *fragments: str) -> str:
    """Make a whole page, which loads nothing from elsewhere.

    Args:
        title: Plain text.
        fragments: What `fragment` or `section` made.
    """
    return str(_render("document.html", title=title, fragments=fragments))


def _render(template: str, **values: object) -> Markup:
    return Markup(_templates().get_template(template).render(values))


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("tvmfuse.views.html", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
