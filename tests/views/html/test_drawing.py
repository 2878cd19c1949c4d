"""Drawings: where boxes and lines are."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import Any

import pytest

from tvmfuse.views.html.drawing import Box, draw


def box(*reads: Any, title: str = "op", kind: str = "kept") -> Any:
    return Box((title, "float32[1, 2]"), f"tip of {title}", kind, reads)


def rectangles(svg: Any) -> Any:
    found = re.findall(r'<rect x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"', svg)
    return [tuple(map(float, each)) for each in found]


def chain(length: Any) -> Any:
    return [box(*([i - 1] if i else [])) for i in range(length)]


DIAMOND = [box(), box(0), box(0), box(1, 2), box(0, 3)]


@pytest.mark.parametrize(
    "boxes", [[box()], chain(5), DIAMOND, [box(), box()], [*chain(3), *[box(0) for _ in range(9)]]]
)
def test_no_two_boxes_overlap_and_all_are_inside_the_picture(boxes: Any) -> None:
    svg = draw(boxes, label="")
    placed = rectangles(svg)
    assert len(placed) == len(boxes)
    for (x, y, w, h), (x2, y2, w2, h2) in combinations(placed, 2):
        assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
    found = re.search(r'viewBox="(.*?)"', svg)
    assert found is not None
    left, top, width, height = map(float, found[1].split())
    for x, y, w, h in placed:
        assert left <= x
        assert x + w <= left + width
        assert top <= y
        assert y + h <= top + height


@pytest.mark.parametrize("boxes", [chain(4), DIAMOND])
def test_each_box_is_below_those_that_it_reads(boxes: Any) -> None:
    placed = rectangles(draw(boxes, label=""))
    for place, one in enumerate(boxes):
        assert all(placed[read][1] < placed[place][1] for read in one.reads)


def test_there_is_one_line_for_each_read() -> None:
    assert draw(DIAMOND, label="").count("<polyline") == 6


def test_a_long_chain_has_no_end_of_the_stack() -> None:
    tops = [y for _, y, _, _ in rectangles(draw(chain(1500), label=""))]
    assert all(above < below for above, below in pairwise(tops))


def test_names_are_text() -> None:
    svg = draw([box(title="<b>&", kind="new")], label='"<i>')
    assert "<b>" not in svg
    assert "&lt;b&gt;&amp;" in svg
    assert "<i>" not in svg
    assert '<g class="new">' in svg


def test_long_lines_are_cut_and_whole_in_the_tooltip() -> None:
    svg = draw([box(title="x" * 90)], label="")
    assert f"tip of {'x' * 90}" in svg
    assert "x" * 29 + "…</text>" in svg


def test_nothing_is_said_to_be_nothing() -> None:
    assert "nothing" in draw([], label="")
