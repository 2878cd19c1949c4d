"""Tables for the terminal, at most 100 columns wide: `table` draws any result.

A file of this folder registers how its results are drawn; all of them are imported here.
"""

import importlib
import pkgutil

from tvmfuse.views.terminal.arrays import arrays_table
from tvmfuse.views.terminal.dispatch import table
from tvmfuse.views.terminal.manifest import manifest_tables
from tvmfuse.views.terminal.names import listed
from tvmfuse.views.terminal.optimization import report_tables
from tvmfuse.views.terminal.parts import handed_table
from tvmfuse.views.terminal.passes import passes_markdown, passes_table
from tvmfuse.views.terminal.steps import plans_table, steps_markdown, steps_table

__all__ = [
    "arrays_table",
    "handed_table",
    "listed",
    "manifest_tables",
    "passes_markdown",
    "passes_table",
    "plans_table",
    "report_tables",
    "steps_markdown",
    "steps_table",
    "table",
]

for found in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(found.name)
