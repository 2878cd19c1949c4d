"""tvmfuse.views.html: text stays text, and pages load nothing from elsewhere."""

import re

from rich.table import Table
from rich.text import Text

from tvmfuse.views.html import document, from_table, paragraph, section
from tvmfuse.views.html.charts import Bar, bars

HOSTILE = "<script>alert('&')</script> [red]x[/red]"


def test_text_is_escaped_everywhere() -> None:
    page = document(HOSTILE, section(HOSTILE, paragraph(HOSTILE), HOSTILE))
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 5


def test_a_table_keeps_its_cells_headers_and_title() -> None:
    table = Table(title="[bold]times[/bold]", caption="ms")
    table.add_column("name")
    table.add_column("ms", justify="right")
    table.add_row(Text("a[0] <b>"), "1.5")
    html = from_table(table)
    assert "<caption><span><strong>times</strong>\nms</span></caption>" in html
    assert '<th>name</th><th class="right">ms</th>' in html
    assert '<td>a[0] &lt;b&gt;</td><td class="right">1.5</td>' in html


def test_long_names_may_be_broken_behind_slashes() -> None:
    table = Table("node")
    table.add_row(Text("/layer.0/mat_mul<"))
    assert "<td>/<wbr>layer.0/<wbr>mat_<wbr>mul&lt;</td>" in from_table(table)


def test_a_chart_has_each_label_and_the_colours_of_the_page() -> None:
    rows = [Bar("ConvBNFusion", 1.25, 1.2, 1.3), Bar("a <b>", 0.9)]
    svg = bars(rows, axis="times", caption="what <it> shows", one=True)
    assert svg.startswith("<figure><svg")
    assert "ConvBNFusion" in svg
    assert "a &lt;b&gt;" in svg
    assert "what &lt;it&gt; shows" in svg
    assert "var(--mark)" in svg
    assert not re.search("#0[1-9]0", svg)


def test_nothing_is_loaded_from_elsewhere() -> None:
    page = document("t", section("h", bars([Bar("a", 1.0)], axis="x")))
    links = re.findall(r"""(?:src|href)=["']([^"'#]*)""", page)
    assert all(link.startswith("data:") for link in links if link), links
    assert "@import" not in page
    assert "prefers-color-scheme" in page
