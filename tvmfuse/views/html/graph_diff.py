"""A graph's changes as a page: each kind drawn before and after, and the whole graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup
from rich.table import Table

from tvmfuse.measure.results.graph_diff import (
    Change,
    GraphComparison,
    GraphDiff,
    Operator,
    OperatorGraph,
)
from tvmfuse.views.html.dispatch import fragment
from tvmfuse.views.html.document import details, paragraph, section, side_by_side
from tvmfuse.views.html.drawing import Box, draw
from tvmfuse.views.html.tables import from_table
from tvmfuse.views.terminal import listed, report_tables, table

NAME: Final = 24
"""Characters of a node's name in a box."""
USERS: Final = 3
"""Of what uses a change, so many operators are drawn."""
KEY: Final = paragraph("Removed operators are dashed red, added ones green, neighbours grey.")


@fragment.register
def diff_fragment(diff: GraphDiff, *, opened: bool = False) -> Markup:
    """Return a graph's changes: in words, as a table, and drawn.

    Args:
        diff: What changed.
        opened: Whether the drawings are seen without being asked for.
    """
    parts = [from_table(table(diff))]
    if opened:
        words = [paragraph(f"{sentence}.") for sentence in diff.sentences]
        parts = [*words, details("All changes as a table", *parts)]
    for name, comparison in diff.stages.items():
        kinds = [_kind(name, kind, comparison) for kind in comparison.kinds()]
        stages = f"{comparison.start} \N{RIGHTWARDS ARROW} {comparison.end}"
        line = f"{name.capitalize()}, {stages}: each change drawn"
        parts.append(details(line, KEY, *kinds, opened=opened))
        parts.append(_whole(name, comparison))
    reported = [from_table(t) if isinstance(t, Table) else paragraph(str(t))
                for t in report_tables(diff.report)]  # fmt: skip
    parts.append(details("What fired, and what declined: what it requires", *reported))
    return section(f"The graph from {diff.start} to {diff.end}", *parts)


def _kind(name: str, kind: Sequence[Change], comparison: GraphComparison) -> Markup:
    """Draw the first of some equal changes, and name the nodes of all."""
    change, many = kind[0], len(kind) > 1
    names = comparison.before.names(change.before), comparison.after.names(change.after)
    title = (f"{len(kind)} matches: " if many else "") + " \N{RIGHTWARDS ARROW} ".join(names)
    by = f"by {', '.join(change.passes)}" if change.passes else "by no pass's own report"
    sides = (
        (f"{name}, {comparison.start}", comparison.before, change.before, "removed"),
        (f"{name}, {comparison.end}", comparison.after, change.after, "added"),
    )
    pictures = [
        (words, draw(_neighbourhood(graph, places, look), label=f"{words}: {title}"))
        for words, graph, places, look in sides
    ]
    nodes = [paragraph(listed(one.nodes, shown=len(one.nodes))) for one in kind]
    return Markup("<article><h4>{}</h4>{}{}{}</article>").format(
        title,
        paragraph(f"{by}; drawn is the first" if many else by),
        side_by_side(pictures),
        details(f"The ONNX nodes of all {len(kind)}" if many else "The ONNX nodes", *nodes),
    )


def _whole(name: str, comparison: GraphComparison) -> Markup:
    """Draw both graphs, whole."""
    changed = ({p for c in comparison.changes for p in c.before},
               {p for c in comparison.changes for p in c.after})  # fmt: skip
    pictures = [
        (words, draw(_boxes(graph, range(len(graph.operators)), marked, look), label=words))
        for words, graph, marked, look in (
            (f"{name}, {comparison.start}", comparison.before, changed[0], "removed"),
            (f"{name}, {comparison.end}", comparison.after, changed[1], "added"),
        )
    ]
    return details(f"The whole graph of {name}, before and after", side_by_side(pictures))


def _neighbourhood(graph: OperatorGraph, places: Sequence[int], look: str) -> list[Box]:
    """Return the boxes of some operators, of what they read, and of the first that use them."""
    shown = dict.fromkeys(places)
    for place in places:
        shown |= dict.fromkeys(r for r in graph.operators[place].reads if isinstance(r, int))
        shown |= dict.fromkeys(graph.users[place][:USERS])
    return _boxes(graph, sorted(shown), set(places), look)


def _boxes(graph: OperatorGraph, places: Sequence[int], marked: set[int], look: str) -> list[Box]:
    """Return the boxes of operators, and of the graph's inputs that the marked ones read."""
    inputs = dict.fromkeys(r for p in places if p in marked
                           for r in graph.operators[p].reads if isinstance(r, str))  # fmt: skip
    shown: list[int | str] = [*inputs, *places]
    index = {key: place for place, key in enumerate(shown)}
    boxes = [Box((name,), f"input {name}", "input", ()) for name in inputs]
    for place in places:
        operator = graph.operators[place]
        alone = place not in marked and len(places) < len(graph.operators)
        reads = tuple(
            index[r] for r in operator.reads
            if r in index and not (alone and (r in inputs or r not in marked))
        )  # fmt: skip
        tooltip = "\n".join(filter(None, (", ".join(operator.nodes), operator.attributes)))
        kind = look if place in marked else "kept"
        boxes.append(Box(_lines(operator), tooltip, kind, reads))
    return boxes


def _lines(operator: Operator) -> tuple[str, ...]:
    """Return name, result, and the end of the first ONNX node's name."""
    lines = (operator.name, operator.result)
    if not operator.nodes:
        return lines
    node, rest = operator.nodes[0], len(operator.nodes) - 1
    end = node if len(node) <= NAME else "\N{HORIZONTAL ELLIPSIS}" + node[1 - NAME :]
    return (*lines, end + (f" +{rest}" if rest else ""))
