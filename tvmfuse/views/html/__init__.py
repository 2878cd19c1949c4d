"""Self-contained HTML pages: no network, readable on a phone, light or dark as the reader has it.

Takes the extra `report` (jinja2, matplotlib for charts, grandalf for graphs).
"""

from tvmfuse.views.html.document import details, document, fragment, paragraph, side_by_side
from tvmfuse.views.html.tables import from_table

__all__ = ["details", "document", "fragment", "from_table", "paragraph", "side_by_side"]
