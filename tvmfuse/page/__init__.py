"""Self-contained HTML pages: no network, readable on a phone, light or dark as the reader has it.

Takes the extra `report` (jinja2, and matplotlib for charts).
"""

from tvmfuse.page.document import document, fragment, paragraph
from tvmfuse.page.tables import from_table

__all__ = ["document", "fragment", "from_table", "paragraph"]
