"""Self-contained HTML pages: no network, readable on a phone, light or dark as the reader has it.

Requires the extra `report` (jinja2, matplotlib for charts, grandalf for graphs).
"""

from tvmfuse.views.html import results
from tvmfuse.views.html.dispatch import chart, fragment
from tvmfuse.views.html.document import details, document, paragraph, section, side_by_side
from tvmfuse.views.html.graph_diff import diff_fragment
from tvmfuse.views.html.report import page
from tvmfuse.views.html.tables import from_table

__all__ = [
    "chart",
    "details",
    "diff_fragment",
    "document",
    "fragment",
    "from_table",
    "page",
    "paragraph",
    "results",
    "section",
    "side_by_side",
]
