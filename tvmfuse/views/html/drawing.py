"""Graphs as SVG, in the page's colours: boxes in layers, and lines from what is read to its reader.

grandalf arranges them as Sugiyama, Tagawa and Toda do (IEEE Trans. SMC 11(2), 1981).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

CHARACTER: Final = 6.7
"""Pixels of the page's monospace at 11 px."""
LINE: Final = 15
PAD: Final = 8
BETWEEN: Final = 26
LABEL: Final = 30
"""Characters of a line at most; the box's tooltip has them all."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """One box of a drawing.

    Attributes:
        lines: What stands in it; the first line is its title.
        tooltip: What a pointer over it shows.
        kind: Its look: ``removed``, ``added``, ``kept`` or ``input``.
        reads: The places of the boxes that it reads.
    """

    lines: tuple[str, ...]
    tooltip: str
    kind: str
    reads: tuple[int, ...]


def draw(boxes: Sequence[Box], *, label: str) -> Markup:
    """Draw boxes from top to bottom, each below those that it reads.

    Args:
        boxes: In any order; parts that nothing joins stand side by side.
        label: What the picture shows, for those who hear it.
    """
    if not boxes:
        return Markup('<p class="quiet">nothing</p>')
    centers, paths = _arranged(boxes)
    corners = [p for box, (x, y) in zip(boxes, centers, strict=True) for p in _corners(box, x, y)]
    (left, top), (right, low) = _frame([*corners, *(p for path in paths for p in path)])
    lines = Markup().join(map(_line, paths))
    drawn = Markup().join(map(_box, boxes, centers))
    return Markup(
        '<svg class="graph" role="img" aria-label="{}" width="{:.0f}" height="{:.0f}" '
        'viewBox="{:.1f} {:.1f} {:.1f} {:.1f}">{}{}</svg>'
    ).format(label, right - left, low - top, left, top, right - left, low - top, lines, drawn)


def _arranged(boxes: Sequence[Box]) -> tuple[list[Point], list[list[Point]]]:
    """Return each box's center, and each line's points."""
    from grandalf.graphs import Edge, Graph, Vertex
    from grandalf.layouts import SugiyamaLayout, VertexViewer

    vertices = [Vertex(place) for place in range(len(boxes))]
    for vertex, box in zip(vertices, boxes, strict=True):
        vertex.view = VertexViewer(*_size(box))
    edges = [Edge(vertices[read], vertices[i]) for i, box in enumerate(boxes) for read in box.reads]
    for edge in edges:
        edge.view = _Route()
    centers, paths, offset = [(0.0, 0.0)] * len(boxes), list[list[Point]](), 0.0
    for part in Graph(vertices, edges).C:
        layout = SugiyamaLayout(part)
        layout.xspace = layout.yspace = BETWEEN
        layout.init_all(inverted_edges=[])
        layout.draw(3)
        placed = {vertex.data: vertex.view.xy for vertex in part.sV}
        routes = [edge.view.points for edge in part.sE]
        corners = [p for place, (x, y) in placed.items() for p in _corners(boxes[place], x, y)]
        (left, top), (right, _) = _frame([*corners, *(p for route in routes for p in route)])
        for place, (x, y) in placed.items():
            centers[place] = (x - left + offset, y - top)
        paths += [[(x - left + offset, y - top) for x, y in route] for route in routes]
        offset += right - left + BETWEEN
    return centers, paths


class _Route:
    """Where grandalf leaves the points of a line."""

    def __init__(self) -> None:
        self.points: list[Point] = []

    def setpath(self, points: Sequence[Point]) -> None:
        self.points = [(float(x), float(y)) for x, y in points]


def _frame(points: Sequence[Point]) -> tuple[Point, Point]:
    """Return the corners of what holds all points, with room for a line's width."""
    xs, ys = zip(*points, strict=True)
    return (min(xs) - 2, min(ys) - 2), (max(xs) + 2, max(ys) + 2)


def _size(box: Box) -> Point:
    longest = max(len(_cut(line)) for line in box.lines)
    return longest * CHARACTER + 2 * PAD, len(box.lines) * LINE + PAD


def _corners(box: Box, x: float, y: float) -> tuple[Point, Point]:
    width, height = _size(box)
    return (x - width / 2, y - height / 2), (x + width / 2, y + height / 2)


def _cut(line: str) -> str:
    return line if len(line) <= LABEL else line[: LABEL - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _line(path: Sequence[Point]) -> Markup:
    points = " ".join(f"{x:.0f},{y:.0f}" for x, y in path)
    return Markup('<polyline points="{}"/>').format(points)


def _box(box: Box, center: Point) -> Markup:
    (left, top), (right, low) = _corners(box, *center)
    words = Markup().join(
        Markup('<text x="{:.1f}" y="{:.1f}">{}</text>').format(
            center[0], top + PAD / 2 + LINE * (i + 0.75), _cut(line)
        )
        for i, line in enumerate(box.lines)
    )
    return Markup(
        '<g class="{}"><title>{}</title>'
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="4"/>{}</g>'
    ).format(box.kind, box.tooltip, left, top, right - left, low - top, words)
