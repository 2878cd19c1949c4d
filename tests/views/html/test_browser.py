"""Pages as a browser shows them: Debian's Chromium, driven by playwright, which downloads none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from rich.table import Table

from tvmfuse.demo import wee_net
from tvmfuse.measure import diff
from tvmfuse.measure.environment import environment
from tvmfuse.measure.results.report import Report, Section
from tvmfuse.views.html import diff_fragment, document, from_table, section
from tvmfuse.views.html.charts import Bar, bars

PHONE, DESK = 390, 1280


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One page of everything that pages are made of, a diff, and a report."""
    folder = tmp_path_factory.mktemp("pages")
    wide = Table(title="wide")
    for column in range(12):
        wide.add_column(f"column {column}")
    wide.add_row(*["a/very/long/name/" * 3] * 12)
    found = diff(wee_net())
    chart = bars([Bar("FuseOps", 1.5, 1.4, 1.6), Bar("x" * 60, 0.9)], axis="times", one=True)
    report = Report(
        "a-model-with-a-very-long-name-" * 4 + ".onnx",
        environment("tvmfuse report " + "m" * 200 + ".onnx"),
        (Section("ladder", None, "interrupted"), Section("diff", found)),
        interrupted=True,
    )
    pages = {
        "parts": document("parts", section("table", from_table(wide)), section("chart", chart)),
        "diff": document("diff", diff_fragment(found, opened=True)),
        "report": report.to_html(),
    }
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in pages}


@pytest.fixture
def opened(chromium: Any, files: Any) -> Iterator[Any]:
    """Open a page; what it says to the console and asks of the network is kept in lists."""
    contexts = []

    def visit(name: Any, width: Any = DESK, scheme: str = "light") -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.said, page.asked = [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(files[name].as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        return page

    yield visit
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["parts", "diff", "report"])
class TestPages:
    def test_no_errors_and_nothing_from_elsewhere(self, opened: Any, files: Any, name: Any) -> None:
        page = opened(name)
        assert page.said == []
        assert [url for url in page.asked if not url.startswith("data:")] == [files[name].as_uri()]

    @pytest.mark.parametrize("width", [PHONE, DESK])
    def test_the_page_does_not_scroll_sideways(self, opened: Any, name: Any, width: Any) -> None:
        page = opened(name, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    def test_dark_and_light_differ_and_text_stands_out(self, opened: Any, name: Any) -> None:
        shots = []
        for scheme in ("light", "dark"):
            page = opened(name, scheme=scheme)
            shots.append(page.screenshot())
            style = "getComputedStyle(document.body)"
            ground, text = (page.evaluate(f"{style}.{key}") for key in ("backgroundColor", "color"))
            assert contrast(rgb(ground), rgb(text)) >= 7, scheme
        assert shots[0] != shots[1]


def test_tables_and_charts_are_seen(opened: Any) -> None:
    page = opened("parts", PHONE)
    assert page.locator("table").is_visible()
    label = page.locator("svg").get_by_text("FuseOps")
    assert label.is_visible()
    assert label.bounding_box()["height"] >= 8  # pixels: readable on a phone
    number = page.locator("svg").get_by_text("1.50", exact=True).first.bounding_box()
    assert number["x"] + number["width"] <= PHONE


def test_a_wide_table_scrolls_within_itself(opened: Any) -> None:
    page = opened("parts", PHONE)
    inner, outer = page.evaluate(
        "(e => [e.scrollWidth, e.clientWidth])(document.querySelector('.wide'))"
    )
    assert inner > outer


def test_both_graphs_are_seen_with_their_changes_marked(opened: Any) -> None:
    page = opened("diff")
    removed, added = page.locator("svg .removed"), page.locator("svg .added")
    assert removed.first.is_visible()
    assert added.first.is_visible()
    colors = {
        each.locator("rect").first.evaluate("e => getComputedStyle(e).stroke")
        for each in (removed.first, added.first)
    }
    assert len(colors) == 2
    assert page.locator("svg title").first.text_content() == "input x"


def test_before_and_after_stand_side_by_side_on_a_desk_and_below_each_other_on_a_phone(
    opened: Any,
) -> None:
    for width, beside in ((DESK, True), (PHONE, False)):
        page = opened("diff", width)
        before, after = (
            page.locator(".sides").first.locator("figure").nth(i).bounding_box() for i in (0, 1)
        )
        assert (after["x"] >= before["x"] + before["width"]) is beside
        assert (after["y"] >= before["y"] + before["height"]) is not beside


def rgb(color: Any) -> Any:
    return [int(part) / 255 for part in color.removeprefix("rgb(").removesuffix(")").split(",")]


def contrast(a: Any, b: Any) -> Any:
    """The contrast of two colours, from 1 to 21; WCAG 2.2, "relative luminance"."""

    def luminance(color: Any) -> Any:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
